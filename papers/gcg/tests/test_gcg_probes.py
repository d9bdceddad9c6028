"""Probes of gcg: what the theorems say holds, and a broken step is found out."""

import numpy as np
import pytest
from referee.papers.gcg.probes import (
    ball_rates,
    completion_scale,
    corrective_steps,
    fixed_rank_geometry,
    inexact_polars,
    lifted_ball,
    regularisation_path,
    relaxed_steps,
    trace_norm_optimum,
)

from projfree.penalties import trace_norm
from projfree.problems import multinomial, ratings_completion
from projfree.solvers.inner import conic_search


def rows(probe, **params):
    """The measurements of a probe on a small instance."""
    rng = np.random.default_rng(1)
    i, j = np.nonzero(rng.random((12, 9)) < 0.6)
    X = rng.standard_normal((12, 3)) @ rng.standard_normal((3, 9)) + 0.1 * rng.standard_normal((12, 9))
    problem = ratings_completion.Problem({"rows": i, "cols": j, "values": X[i, j], "shape": (12, 9)})
    return [row.metrics for row in probe.measure(None, problem, trace_norm.Penalty(1.0), rng, **params)]


def worst(found, metric, limit):
    return max(row[metric] / row[limit] for row in found if row.get(limit))


@pytest.mark.parametrize("params", [{}, {"delta": 0.2}, {"averaging": True}])
def test_rates_on_the_ball(params):
    found = rows(ball_rates, steps=300, **params)
    assert worst(found, "excess", "excess_bound") <= 1
    if not params:
        assert worst(found, "gap", "gap_bound") <= 1
        assert max(row["weights_square"] for row in found) == pytest.approx(1.0)
        assert all(row["weights_identity"] == pytest.approx(1.0) for row in found)


def test_atoms_worse_than_allowed_break_the_rate():
    exact, poor = (rows(ball_rates, steps=400, delta=d)[-1] for d in (0.0, 2.0))
    assert poor["excess"] > exact["excess_bound"]


def test_inexact_polars_keep_both_bounds():
    found = rows(inexact_polars, steps=200)
    assert len({(row["alpha"], row["delta"]) for row in found}) == 9
    for limit in ("bound", "bound_multiplicative"):
        assert worst(found, "excess", limit) <= 1


@pytest.mark.parametrize("policy", ["lbfgs", "scaled_lbfgs", "null"])
def test_stages_of_the_outer_iteration(policy):
    found = rows(relaxed_steps, reduce=policy)
    for metric in ("search_excess", "search_rise", "reduce_rise", "bound_deficit", "balance_error"):
        assert max(row[metric] for row in found) <= 1e-9, metric


def test_a_clipped_line_search_is_found_out(monkeypatch):
    def clipped(ww, wp, pp, b, c):
        a, theta = np.linalg.lstsq([[ww, wp], [wp, pp]], [b, c], rcond=None)[0]
        return min(max(a, 0.0), 0.9), max(theta, 0.0)

    monkeypatch.setattr(conic_search, "quadratic_form", clipped)
    assert max(row["search_rise"] for row in rows(relaxed_steps)) > 1e-6


def test_conditions_of_the_optimum():
    for row in rows(trace_norm_optimum):
        assert abs(row["polar_error"]) + abs(row["alignment_error"]) + abs(row["dual_error"]) <= 1e-8
        assert abs(row["gcg_error"]) <= 1e-6
        assert row["LF"] <= row["LF_bound"]


def test_the_path_is_certified_and_its_order_is_that_of_lambda():
    problem = next(ratings_completion.Problem.small(np.random.default_rng(0)))
    weights, params = [0.5, 4.0, 2.0, 100.0], {"tol": 5e-4}
    rows = [
        row.metrics
        for row in regularisation_path.measure(
            None, problem, trace_norm.Penalty(1.0), np.random.default_rng(0), weights=weights, params=params
        )
    ]
    assert [row["weight"] for row in rows] == sorted(weights, reverse=True)
    assert rows[0]["rank"] == 0 and all(row["certified"] for row in rows)
    assert all(row["polar_ratio"] <= 1.0005 + 1e-5 and row["relative_gap"] <= 5e-3 for row in rows)
    assert all(np.diff([row["rmse_train"] for row in rows]) < 0)
    assert all(np.diff([row["objective"] for row in rows]) < 0)


def test_scale_measures_each_size():
    sizes = [{"users": 60, "items": 40, "ratings": 500}, {"users": 90, "items": 50, "ratings": 1500}]
    penalty, rng = trace_norm.Penalty(1.0), np.random.default_rng(0)
    rows = [r.metrics for r in completion_scale.measure(None, None, penalty, rng, sizes=sizes, steps=2)]
    assert [row["ratings"] for row in rows] == [500, 500, 1500, 1500]
    assert all(row["memory_per_rating"] >= 0 and row["seconds_step"] > 0 for row in rows)
    with pytest.raises(RuntimeError, match="a run on"):
        list(completion_scale.measure(None, None, penalty, rng, sizes=[{"users": 5}]))


def completion():
    return next(ratings_completion.Problem.small(np.random.default_rng(3)))


def classes():
    return next(multinomial.Problem.small(np.random.default_rng(3)))


def measured(measure, problem, penalty=None, **params):
    rng = np.random.default_rng(0)
    return [row.metrics for row in measure({}, problem, penalty or problem.small_constraint, rng, **params)]


def column(found, name):
    return np.array([row[name] for row in found if name in row])


def test_corrective_weights():
    found = measured(corrective_steps.measure, completion(), trace_norm.Penalty(1.0))
    assert len(found) == 12
    assert column(found, "search_excess").max() <= 1e-12
    assert column(found, "gram_difference").max() <= 1e-10
    assert column(found, "optimum_difference").max() <= 1e-8


@pytest.mark.parametrize("problem", [completion(), classes()], ids=["completion", "multinomial"])
def test_the_lifted_method_is_frank_wolfe_on_the_ball(problem):
    found = measured(lifted_ball.measure, problem)
    assert column(found, "difference").max() <= 1e-9
    assert column(found, "trace_error").max() <= 1e-12
    excess = column(found, "constrained_excess")
    assert np.all(excess >= -1e-5) and excess[-1] < 0.05


@pytest.mark.parametrize("problem", [completion(), classes()], ids=["completion", "multinomial"])
def test_the_geometry_of_fixed_rank(problem):
    found = measured(fixed_rank_geometry.measure, problem)
    assert np.median(column(found, "taylor_order")) > 2.9 and column(found, "taylor_order").min() > 2.5
    assert column(found, "asymmetry").max() <= 1e-9
    assert column(found, "vertical").max() <= 1e-10
    assert column(found, "rise").max() <= 1e-12 and column(found, "gap")[-1] <= 1e-8
    assert column(found, "updates").sum() >= 2
