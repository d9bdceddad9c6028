"""The identities of gcg's rivals on small instances, as its theory claims state them."""

import numpy as np
import pytest
from referee.papers.gcg.probes import corrective_steps, fixed_rank_geometry, lifted_ball

from projfree.penalties import trace_norm
from projfree.problems import multinomial, ratings_completion


def completion():
    return next(ratings_completion.Problem.small(np.random.default_rng(3)))


def classes():
    return next(multinomial.Problem.small(np.random.default_rng(3)))


def rows(measure, problem, penalty=None, **params):
    rng = np.random.default_rng(0)
    return [row.metrics for row in measure({}, problem, penalty or problem.small_constraint, rng, **params)]


def column(found, name):
    return np.array([row[name] for row in found if name in row])


def test_corrective_weights():
    found = rows(corrective_steps.measure, completion(), trace_norm.Penalty(1.0))
    assert len(found) == 12
    assert column(found, "search_excess").max() <= 1e-12
    assert column(found, "gram_difference").max() <= 1e-10
    assert column(found, "optimum_difference").max() <= 1e-8


@pytest.mark.parametrize("problem", [completion(), classes()], ids=["completion", "multinomial"])
def test_the_lifted_method_is_frank_wolfe_on_the_ball(problem):
    found = rows(lifted_ball.measure, problem)
    assert column(found, "difference").max() <= 1e-9
    assert column(found, "trace_error").max() <= 1e-12
    excess = column(found, "constrained_excess")
    assert np.all(excess >= -1e-5) and excess[-1] < 0.05


@pytest.mark.parametrize("problem", [completion(), classes()], ids=["completion", "multinomial"])
def test_the_geometry_of_fixed_rank(problem):
    found = rows(fixed_rank_geometry.measure, problem)
    assert np.median(column(found, "taylor_order")) > 2.9 and column(found, "taylor_order").min() > 2.5
    assert column(found, "asymmetry").max() <= 1e-9
    assert column(found, "vertical").max() <= 1e-10
    assert column(found, "rise").max() <= 1e-12 and column(found, "gap")[-1] <= 1e-8
    assert column(found, "updates").sum() >= 2
