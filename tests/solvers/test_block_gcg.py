"""GCG with blocks of atoms: its optimum, certificate, steps; the L-BFGS and the search (40) it stands on."""

import numpy as np
import pytest
from scipy.optimize import minimize, rosen, rosen_der

from projfree import solvers
from projfree.engine.metrics.regularised import Evaluation
from projfree.engine.oracles.regularised import Oracles
from projfree.penalties import trace_norm
from projfree.problems import ratings_completion
from projfree.solvers import block_gcg
from projfree.solvers.inner import conic_search, limited_memory


def completion(dtype=np.float64, shape=(60, 50), seed=0):
    rng = np.random.default_rng(seed)
    rows, cols = np.nonzero(rng.random(shape) < 0.4)
    truth = rng.standard_normal((shape[0], 6)) @ rng.standard_normal((6, shape[1]))
    values = truth[rows, cols] + 0.5 * rng.standard_normal(rows.size)
    arrays = {"rows": rows, "cols": cols, "values": values.astype(dtype), "shape": shape}
    return ratings_completion.Problem(arrays)


def solved(problem, weight, steps=60, name="block_gcg", **params):
    """The last state, its evaluation, and F after each step."""
    oracles = Oracles(problem, trace_norm.Penalty(weight), np.random.default_rng(0))
    solver, values = solvers.make(name, params), []
    s = solver.start(oracles, None)
    while not s.converged and len(values) < steps:
        s = solver.step(oracles, s, None)
        values.append(problem.value(s.x.image) + weight * s.x.rho)
    return s, Evaluation(problem, oracles.constraint, s.x), np.array(values)


@pytest.mark.parametrize("weight", [0.5, 4.0, 30.0, 1e4])
def test_certified_optimum_is_that_of_algorithm_3(weight):
    problem = completion()
    s, end, values = solved(problem, weight, tol=2e-5)
    assert s.converged and end.polar_ratio <= 1 + 2e-5 and -1e-9 <= end.dual_gap <= 1e-4 * end.objective
    assert np.all(np.diff(values) <= 1e-9 * values[0])
    exact = {"reduce": {"name": "lbfgs", "rotate": True, "iterations": 200, "ftol": 1e-15}}
    last, literal, _ = solved(problem, weight, name="gcg", tol=1e-7, **exact)
    assert last.t and end.objective == pytest.approx(literal.objective, rel=1e-6)


def test_single_precision_reaches_its_certificate():
    s, end, _ = solved(completion(np.float32), 4.0, tol=1e-3)
    assert s.converged and end.polar_ratio <= 1 + 1e-3
    double = solved(completion(), 4.0, tol=2e-5)
    assert end.objective == pytest.approx(double[1].objective, rel=1e-5)


def test_a_block_needs_fewer_steps_than_one_atom():
    one, many = (len(solved(completion(), 4.0, atoms=atoms)[2]) for atoms in (1, 64))
    assert 2 * many <= one


def test_iterates_are_in_singular_coordinates_and_rho_is_the_norm():
    s, end, _ = solved(completion(), 4.0, steps=2)
    for side in (s.x.U, s.x.V):
        gram = side.T @ side
        np.testing.assert_allclose(gram, np.diag(np.diag(gram)), atol=1e-9 * gram.max())
    assert s.x.rho == pytest.approx(end.penalty_value, rel=1e-12)


def test_the_mean_of_orthogonal_atoms_has_norm_one():
    rng = np.random.default_rng(0)
    U, V = (np.linalg.qr(rng.standard_normal((side, 4)))[0] for side in (9, 7))
    u, v = block_gcg.mean(U, np.array([3.0, 1.0, 0.0, -1.0]), V)
    np.testing.assert_allclose(np.linalg.svd(u @ v.T)[1][:3], [0.75, 0.25, 0], atol=1e-12)
    assert block_gcg.mean(U, np.full(4, -1.0), V)[0].shape == (9, 1)


def quadratic(rng, size, dtype):
    A = np.diag(np.geomspace(1, 100, size))
    b = rng.standard_normal(size)

    def function(z):
        g = A @ z.astype(float) - b
        return float(z @ (g - b)) / 2, g.astype(dtype)

    return function, np.linalg.solve(A, b)


@pytest.mark.parametrize("dtype, tol", [(np.float64, 1e-8), (np.float32, 1e-4)])
def test_lbfgs_ends_at_the_minimum_of_a_quadratic(dtype, tol):
    function, best = quadratic(np.random.default_rng(0), 30, dtype)
    result = limited_memory.minimise(function, np.zeros(30, dtype), iterations=300, memory=5, ftol=0)
    assert result.dtype == dtype
    np.testing.assert_allclose(result, best, atol=tol)


def test_lbfgs_is_about_as_fast_as_scipy():
    calls = []

    def counted(z):
        calls.append(0)
        return float(rosen(z)), rosen_der(z)

    start = np.full(10, -1.0)
    theirs = minimize(rosen, start, jac=rosen_der, method="L-BFGS-B", options={"maxcor": 5, "gtol": 1e-8})
    result = limited_memory.minimise(counted, start, iterations=500, memory=5, ftol=0)
    assert rosen(result) < 1e-12 and len(calls) <= 2 * theirs.nfev


def test_the_direction_is_that_of_the_two_loops():
    rng = np.random.default_rng(2)
    pairs, kept = limited_memory.Corrections(np.zeros(40), 3), []
    for _ in range(5):
        s = rng.standard_normal(40)
        y = s * np.linspace(1, 5, 40)
        pairs.append(s, y)
        kept = [(s, y), *kept][:3]
        g = rng.standard_normal(40)
        q, weights = -g, []
        for s, y in kept:
            weights.append(s @ q / (s @ y))
            q = q - weights[-1] * y
        q = q * (kept[0][0] @ kept[0][1] / (kept[0][1] @ kept[0][1]))
        for (s, y), weight in zip(kept[::-1], weights[::-1], strict=True):
            q = q + (weight - y @ q / (s @ y)) * s
        direction, slope = pairs.direction(g)
        np.testing.assert_allclose(direction, q, rtol=1e-10)
        assert slope == pytest.approx(g @ q)


def test_a_pair_without_curvature_is_left_out():
    pairs = limited_memory.Corrections(np.zeros(3), 2)
    pairs.append(np.ones(3), -np.ones(3))
    np.testing.assert_array_equal(pairs.direction(np.arange(3.0))[0], -np.arange(3.0))


def test_the_search_is_never_above_a_numerical_minimum_and_all_edges_occur():
    """The least value over a fine grid of a, each with its best θ; w parallel to p, and none, among them."""
    rng, seen, grid = np.random.default_rng(0), set(), np.linspace(0, 1, 2001)
    for k in range(1000):
        w, p, x = rng.standard_normal((3, rng.integers(1, 6)))
        w = p * rng.uniform(-2, 2) if k % 5 == 1 else 0 * w if k % 50 == 2 else w
        weight, rho = rng.uniform(0, 2), rng.uniform(0, 2) * bool(k % 3)

        def value(a, theta, w=w, p=p, x=x, weight=weight, rho=rho):
            missed = np.multiply.outer(a, w) + np.multiply.outer(theta, p) - x
            return np.sum(missed**2, axis=-1) / 2 + weight * (a * rho + theta)

        a, theta = conic_search.quadratic(w, p, x, weight, rho)
        best = value(grid, np.maximum(0.0, ((x - np.outer(grid, w)) @ p - weight) / (p @ p))).min()
        assert 0 <= a <= 1 and theta >= 0 and value(a, theta) <= best * (1 + 1e-12) + 1e-12
        seen.add(("a=0" if a == 0 else "a=1" if a == 1 else "inside", "θ=0" if theta == 0 else "θ>0"))
    assert len(seen) == 6, seen


def test_sums_of_single_precision_are_taken_in_double():
    rng = np.random.default_rng(2)
    w, p, x = (rng.uniform(1, 5, 200_000).astype(np.float32) for _ in range(3))
    exact = [a.astype(float) @ b.astype(float) for a, b in ((w, w), (w, p), (p, p), (w, x), (p, x))]
    np.testing.assert_allclose(conic_search.products(w, p, x), exact, rtol=1e-12)
