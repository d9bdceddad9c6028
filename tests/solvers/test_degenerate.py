"""Runs that start at an optimum, reach full rank, or meet a sample without gradient end well or go on."""

import instances
import numpy as np
import pytest

from projfree import solvers
from projfree.engine.oracles.constrained import Oracles
from projfree.engine.oracles.regularised import Oracles as Regularised
from projfree.penalties import multi_view as multi_view_penalty
from projfree.penalties import trace_norm
from projfree.problems import multi_view, multinomial
from projfree.problems.simplex_least_squares import Problem
from projfree.sets import l2_ball, simplex
from projfree.solvers.inner.condg_simplex import condg_simplex
from projfree.solvers.inner.fixed_rank import Point
from projfree.solvers.mmbs import with_atoms

SETS = [simplex.Set(1.0), l2_ball.Set(1.0), l2_ball.Set(100.0)]
FRANK_WOLFE = [("frank_wolfe", {"step_rule": rule}) for rule in ("gap", "short", "line_search", "open_loop")]
OTHERS = [(name, {}) for name in ("cgs", "ncgs", "sncgs", "scgs", "storc", "istorc", "momentum_frank_wolfe")]


def at_its_optimum(feasible_set):
    """Least squares that start at their minimiser over the set, found by projected gradients."""
    rng = np.random.default_rng(0)
    A = rng.standard_normal((40, 8)) / (1 + np.arange(8))
    problem = Problem({"A": A, "c": 30 * A[:, 3] + 0.1 * rng.standard_normal(40)})
    w = np.full(8, 1 / 8)
    for _ in range(3000):
        w = feasible_set.project(w - problem.gradient(w) / problem.constants["L_full"])
    problem.start = lambda kind="array": w.copy()
    return problem


@pytest.mark.parametrize("feasible_set", SETS, ids=str)
@pytest.mark.parametrize("name, params", FRANK_WOLFE + OTHERS)
def test_a_run_that_starts_at_its_optimum_ends(feasible_set, name, params):
    """Gradients are rounding there: no inner loop may wait for a gap below it."""
    given = {"params": params, "ball": feasible_set}
    trace = instances.run(at_its_optimum(feasible_set), name, {"iterations": 12}, **given)
    assert trace.end_status in ("converged", "iterations")
    assert np.isfinite(trace.metrics["objective"]).all()
    if name == "frank_wolfe" and feasible_set.bound == 1.0:
        assert trace.end_status == "converged" and trace.iteration[-1] <= 2


def test_the_loop_on_the_simplex_ends_where_the_gap_is_rounding():
    rng = np.random.default_rng(1)
    for _ in range(6):
        w, g = rng.dirichlet(np.ones(8)), 2.0 * rng.standard_normal(8)
        x, gap, calls = condg_simplex(g, w + g / 2.0, np.full(8, 1 / 8), 2.0, 0.0, 10**6, 1.0)
        assert calls < 10**6 and gap <= 1e-12
        np.testing.assert_allclose(x, w, atol=1e-6)


def test_a_sample_without_gradient_does_not_end_sncgs():
    """The first component vanishes where the method starts; the others do not."""
    problem = next(Problem.small(np.random.default_rng(0)))
    problem.component_gradient = lambda w, indices: np.zeros(problem.shape)
    oracles = Oracles(problem, simplex.Set(1.0), np.random.default_rng(0))
    *_, state = instances.steps("sncgs", oracles, 3)
    assert state.k == 3 and not state.converged


@pytest.mark.parametrize("shape", [(12, 2, 5), (30, 3, 5), (9, 1, 3)])
def test_mmbs_goes_on_at_full_rank(shape):
    """λ so small that the optimum has the rank of the smaller side."""
    rows, features, classes = shape
    problem = multinomial.Problem(multinomial.tiny_arrays(np.random.default_rng(0), rows, features, classes))
    oracles = Regularised(problem, trace_norm.Penalty(1e-4), np.random.default_rng(0))
    result = [(state.value, state.point.rank) for state in instances.steps("mmbs", oracles, 60)][1:]
    values, ranks = zip(*result, strict=True)
    assert max(ranks) == min(features, classes) and np.isfinite(values).all()
    assert np.max(np.diff(values)) <= 1e-8 * values[0]


@pytest.mark.parametrize("shape", [(4, 4), (7, 3), (3, 7), (5, 1)])
def test_an_atom_at_full_rank_is_added_whole(shape):
    rng, rank = np.random.default_rng(0), min(shape)
    (U, _), (V, _) = (np.linalg.qr(rng.standard_normal((side, rank))) for side in shape)
    u, v = (rng.standard_normal(side) for side in shape)
    b = rng.uniform(1, 2, rank)
    grown = with_atoms(Point(U, b, V), 0.5, u[:, None], v[:, None])
    expected = (U * b) @ V.T + 0.5 * np.outer(u, v)
    assert grown.rank == rank
    np.testing.assert_allclose((grown.U * grown.b) @ grown.V.T, expected, atol=1e-13)


@pytest.mark.parametrize("name", ["block_gcg", "apg_svt", "js", "mmbs"])
def test_a_solver_says_what_it_needs_of_a_penalty(name):
    problem = next(multi_view.Problem.small(np.random.default_rng(0)))
    penalty = multi_view_penalty.Penalty.for_problem(problem, weight=1.0, gamma=2.0)
    solver = solvers.make(name, {"radius": 1.0} if name == "js" else {})
    with pytest.raises(ValueError, match=f"{name.replace('_', '-')} needs a penalty with `.*`, and multi-v"):
        instances.run(problem, solver, ball=penalty, metrics=("objective",))
