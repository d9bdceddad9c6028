"""The multi-view methods: sphere form against its objective and CVXPY, seeds of GCG, coordinate descent."""

import cvxpy as cp
import instances
import numpy as np
import pytest

from projfree.engine.oracles.regularised import Oracles
from projfree.penalties.multi_view import Penalty
from projfree.problems.multi_view import Problem
from projfree.solvers import bcd, gcg
from projfree.solvers.reduce.sphere import Chart


def made(rows=(3, 2), columns=4, seed=0, weight=0.5, radii=(1.0, 2.0), smoothing=0.05):
    rng = np.random.default_rng(seed)
    clean = rng.standard_normal((sum(rows), 2)) @ rng.standard_normal((2, columns))
    noisy = clean + 2.0 * (rng.random(clean.shape) < 0.2)
    problem = Problem({"noisy": noisy, "clean": clean, "views": np.array(rows)}, smoothing=smoothing)
    return problem, Penalty(weight, rows, radii)


def run(problem, penalty, solver, iterations, metrics=("objective",)):
    return instances.run(problem, solver, {"iterations": iterations}, ball=penalty, metrics=metrics)


def sphere(**options):
    return gcg.Solver(reduce={"name": "sphere", "iterations": 200, "ftol": 1e-14, "gtol": 1e-9}, **options)


def semidefinite(problem, penalty):
    """min ℓ + λκ with κ(W) = min ½(τ + tr T), [M W; Wᵀ T] ⪰ 0, tr(I₁M) ≤ β²τ, tr(I₂M) ≤ γ²τ."""
    (n, m), (n1, _), s = problem.shape, penalty.views, problem.smoothing
    block, tau = cp.Variable((n + m, n + m), symmetric=True), cp.Variable()
    W, M, T = block[:n, n:], block[:n, :n], block[n:, n:]
    loss = cp.sum(cp.huber((W - problem.target) / s)) * s / 2
    kappa = (tau + cp.trace(T)) / 2
    bounds = [cp.trace(M[:n1, :n1]) <= penalty.radii[0] ** 2 * tau]
    bounds += [cp.trace(M[n1:, n1:]) <= penalty.radii[1] ** 2 * tau, block >> 0]
    task = cp.Problem(cp.Minimize(loss + penalty.weight * kappa), bounds)
    return task.solve(solver="CLARABEL")


def test_sphere_form_reaches_the_semidefinite_optimum():
    for seed, radii in ((0, (1.0, 2.0)), (1, (1.0, 1.0))):
        problem, penalty = made(seed=seed, radii=radii)
        trace = run(problem, penalty, sphere(tol=1e-7), 40, ("objective", "dual_gap", "surrogate"))
        best = trace.metrics["objective"][-1]
        assert best == pytest.approx(semidefinite(problem, penalty), rel=1e-5)
        assert 0 <= trace.metrics["dual_gap"][-1] <= 1e-4 * best
        assert trace.metrics["surrogate"][-1] == pytest.approx(best, rel=1e-5)


def test_literal_form_does_not_fall_below_and_never_rises():
    problem, penalty = made(weight=0.3)
    literal = gcg.Solver(seeds={"columns": 3})
    trace = run(problem, penalty, literal, 25, ("objective", "surrogate"))
    values = np.array(trace.metrics["surrogate"])
    assert np.all(np.diff(values) <= 1e-9 * values[0])
    best = run(problem, penalty, sphere(tol=1e-7), 40).metrics["objective"][-1]
    assert best - 1e-6 <= trace.metrics["objective"][-1] <= 1.1 * best


def test_chart_has_the_gradient_of_its_objective():
    problem, penalty = made()
    rng = np.random.default_rng(1)
    U, V = rng.standard_normal((5, 3)), rng.standard_normal((4, 3))
    chart = Chart(penalty, U.shape, V.shape)
    start = chart.start(U, V)
    scales, directions, lengths, codes = chart.parted(start)
    np.testing.assert_allclose(lengths, [scales, scales])
    np.testing.assert_allclose(penalty.column_norms(chart.columns(scales, directions)), scales)

    def value(z):
        scales, directions, _, codes = chart.parted(z)
        return problem.value(problem.image(chart.columns(scales, directions), codes))

    z = start + 0.3 * rng.standard_normal(start.size)
    scales, directions, lengths, codes = chart.parted(z)
    _, left, right = problem.factor_gradients(chart.columns(scales, directions), codes)
    along, across = chart.slopes(left, scales, directions, lengths)
    gradient = np.concatenate([along, across.ravel(), right.ravel()])
    for _ in range(30):
        step = rng.standard_normal(z.size)
        slope = (value(z + 1e-6 * step) - value(z - 1e-6 * step)) / 2e-6
        assert slope == pytest.approx(gradient @ step, rel=1e-5, abs=1e-6)


def test_seeds_are_unit_atoms_and_the_first_iteration_only_reduces_them():
    problem, penalty = made(rows=(6, 5), columns=8)
    trace = run(problem, penalty, gcg.Solver(seeds={"columns": 4}), 3, ("rank", "surrogate", "loss"))
    assert trace.oracles["PU"][:3] == [0, 0, 1]
    assert trace.metrics["rank"][0] == 4
    rho = (trace.metrics["surrogate"][0] - trace.metrics["loss"][0]) / penalty.weight
    assert rho == pytest.approx(4.0)
    literal = run(problem, penalty, gcg.Solver(seeds={"columns": 4, "first": "polar"}), 2)
    assert literal.oracles["PU"][1] == 1
    with pytest.raises(ValueError, match="Known are: polar, reduce"):
        gcg.Solver(seeds={"columns": 4, "first": "nothing"})


def test_laws_of_random_columns():
    _, penalty = made()
    rng = np.random.default_rng(0)
    for law in ("spheres", "joint"):
        U = penalty.random_columns(rng, 5, 50, law)
        assert penalty.column_norms(U) == pytest.approx(np.ones(50))
    blocks = penalty.blocks(penalty.random_columns(rng, 5, 50))
    for block, radius in zip(blocks, penalty.radii, strict=True):
        assert np.linalg.norm(block, axis=0) == pytest.approx(radius * np.ones(50))
    with pytest.raises(ValueError, match="Known are: joint, spheres"):
        penalty.random_columns(rng, 5, 2, "cube")


def test_projected_columns_are_the_nearest_in_the_ball():
    _, penalty = made()
    rng = np.random.default_rng(2)
    Z = 2 * rng.standard_normal((5, 6))
    P = penalty.project_columns(Z)
    assert penalty.column_norms(P).max() <= 1 + 1e-12
    for _ in range(50):
        other = penalty.random_columns(rng, 5, 6) * rng.random(6)
        assert np.sum((Z - P) * (other - P)) <= 1e-9


@pytest.mark.parametrize("step_size", ["backtracking", "constant"])
def test_descent_lowers_its_objective_and_stays_in_the_ball(step_size):
    problem, penalty = made(rows=(6, 5), columns=8, weight=0.2)
    solver = bcd.Solver(columns=3, step_size=step_size)
    oracles = Oracles(problem, penalty, np.random.default_rng(0))
    state = solver.start(oracles, np.random.default_rng(1))
    totals = [state.runs[0].total]
    for _ in range(30):
        state = solver.step(oracles, state, None)
        (one,) = state.runs
        totals.append(one.total)
        assert penalty.column_norms(one.U).max() <= 1 + 1e-12
        assert one.image == pytest.approx(one.U @ one.V.T)
        lasso = penalty.weight * np.linalg.norm(one.V, axis=0).sum()
        assert one.total == pytest.approx(problem.value(one.image) + lasso)
    assert np.all(np.diff(totals) <= 1e-12) and totals[-1] < 0.9 * totals[0]


def test_descent_is_trapped_at_zero_exactly_by_the_condition():
    problem, _ = made(rows=(6, 5), columns=8)
    oracles = Oracles(problem, Penalty(1.0, (6, 5)), np.random.default_rng(0))
    solver = bcd.Solver(columns=2)
    state = solver.start(oracles, np.random.default_rng(1))
    slopes = problem.slopes(np.zeros(problem.shape)).T @ state.runs[0].U
    level = np.linalg.norm(slopes, axis=0).max()
    for weight, trapped in ((1.001 * level, True), (0.999 * level, False)):
        oracles = Oracles(problem, Penalty(weight, (6, 5)), np.random.default_rng(0))
        state = solver.step(oracles, solver.start(oracles, np.random.default_rng(1)), None)
        assert state.converged == trapped
        assert (state.iterate.rank == 0) == trapped


def test_starts_of_descent():
    problem, penalty = made(rows=(6, 5), columns=8, weight=0.2)
    several = run(problem, penalty, bcd.Solver(columns=2, starts=3), 5).metrics["objective"]
    assert several[-1] < several[0]
    oracles, rng = Oracles(problem, penalty, np.random.default_rng(0)), np.random.default_rng(0)
    (svd,) = bcd.Solver(columns=8, start_from="svd").start(oracles, rng).runs
    assert svd.U[:6, 0] == pytest.approx(np.linalg.svd(problem.target[:6])[0][:, 0])
    assert np.isfinite(svd.U).all()
    assert bcd.Solver(codes="random").start(oracles, rng).runs[0].V.any()


def test_fista_returns_the_best_point_it_saw():
    problem, penalty = made(rows=(6, 5), columns=8, weight=0.2)
    oracles = Oracles(problem, penalty, np.random.default_rng(0))
    block = bcd.Codes(oracles, penalty.random_columns(np.random.default_rng(3), 11, 3))
    x = np.zeros((8, 3))
    result = []
    for iterations in (0, 5, 50, 400):
        options = {"iterations": iterations, "tol": 0.0, "backtrack": True}
        V, image, _, total = bcd.fista(oracles, block, x, problem.image(block.U, x), 0.0, **options)
        assert total == pytest.approx(problem.value(image) + block.penalty(V))
        result.append(total)
    assert np.all(np.diff(result) <= 0)
    V = cp.Variable((8, 3))
    s = problem.smoothing
    loss = cp.sum(cp.huber((block.U @ V.T - problem.target) / s)) * s / 2
    task = cp.Problem(cp.Minimize(loss + penalty.weight * cp.sum(cp.norm(V, 2, axis=0))))
    assert result[-1] == pytest.approx(task.solve(solver="CLARABEL"), rel=1e-4)
