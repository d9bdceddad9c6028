"""Active sets of results as warm starts, and points as combinations of vertices."""

import pickle

import numpy as np
import pytest

import projfree as pf
from projfree.linalg.atoms import Atom, as_array

KEEP = ["away-fw", "pairwise-fw", "blended-pairwise-fw", "blended-cg", "fully-corrective-fw"]
KEEP += ["quadratic-corrective-fw", "lazy"]


def least_squares(seed, n=40, p=60):
    """½‖Ax − b‖² with b of five entries and noise."""
    rng = np.random.default_rng(seed)
    A, z = rng.standard_normal((n, p)) / np.sqrt(n), np.zeros(p)
    z[:5] = rng.standard_normal(5)
    b = A @ z + 0.05 * rng.standard_normal(n)
    return lambda x: (0.5 * np.sum((A @ x - b) ** 2), A.T @ (A @ x - b))


@pytest.mark.parametrize("method", KEEP)
def test_a_result_continues_where_it_ended(method):
    function, ball = least_squares(0), pf.sets.L1Ball(2.0)
    rough, whole = (
        pf.minimize(function, ball, method, tol=tol, x0=np.zeros(60), budget=2000) for tol in (1e-2, 1e-6)
    )
    active = rough.active_set
    total = sum(w * a.toarray() for w, a in zip(active.weights, active.atoms, strict=True))
    np.testing.assert_allclose(total, rough.x, atol=1e-14)
    assert active.weights.min() > 0 and active.weights.sum() == pytest.approx(1.0, abs=1e-14)
    assert len(active.atoms) > 1 and all(ball.contains(atom.toarray()) for atom in active.atoms)
    before = [*(a.toarray() for a in active.atoms), active.weights.copy(), rough.x.copy()]
    again = pf.minimize(function, ball, method, warm_start=pickle.loads(pickle.dumps(rough)), tol=1e-6)
    assert again.success and again.nit < whole.nit  # blended-cg finds its estimate of the gap anew
    assert rough.nit + again.nit <= whole.nit + (8 if method == "blended-cg" else 3)
    assert again.trace.metrics["objective"][0] == pytest.approx(rough.value, rel=1e-14)
    pf.minimize(function, ball, method, warm_start=rough, tol=1e-6)
    after = [*(a.toarray() for a in rough.active_set.atoms), rough.active_set.weights, rough.x]
    for then, now in zip(before, after, strict=True):
        np.testing.assert_array_equal(then, now)  # a warm start changes nothing of what it is given


def simplex_path(seed):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((40, 50)) / np.sqrt(40)
    b = A @ np.abs(rng.standard_normal(50)) * 0.1
    function = lambda x: (0.5 * np.sum((A @ x - b) ** 2), A.T @ (A @ x - b))  # noqa: E731
    return [(function, pf.sets.Simplex(float(radius))) for radius in np.geomspace(0.3, 3.0, 10)]


def l1_path(seed):
    return [(least_squares(seed), pf.sets.L1Ball(float(radius))) for radius in np.geomspace(0.3, 3.0, 10)]


def nuclear_path(seed):
    rng = np.random.default_rng(seed)
    T = rng.standard_normal((30, 3)) @ rng.standard_normal((3, 25))
    seen = rng.random(T.shape) < 0.5

    def function(X):
        miss = np.where(seen, X - T, 0.0)
        return 0.5 * np.sum(miss**2), miss

    return [(function, pf.sets.NuclearBall(float(radius))) for radius in np.geomspace(5.0, 40.0, 10)]


def birkhoff_path(seed):
    """The aim moves, not the set."""
    first, second = np.random.default_rng(seed).random((2, 8, 8))
    aims = [(1 - share) * first + share * second for share in np.linspace(0, 1, 10)]
    return [(lambda X, T=T: (0.5 * np.sum((X - T) ** 2), X - T), pf.sets.Birkhoff()) for T in aims]


#: Path → shape, tolerance.
PATHS = {l1_path: ((60,), 1e-6), simplex_path: ((50,), 1e-3)}
PATHS |= {nuclear_path: ((30, 25), 1.0), birkhoff_path: ((8, 8), 1e-4)}
METHODS = ["away-fw", "pairwise-fw", "blended-pairwise-fw", "quadratic-corrective-fw"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("falling", [False, True], ids=["rising", "falling"])
def test_a_path_of_ten_runs_costs_no_more_steps_than_cold(path, method, falling):
    cold, warm, (shape, tol) = 0, 0, PATHS[path]
    given = {"tol": tol, "budget": 5000, "options": {"step_rule": "secant"}}
    for seed in range(2):
        last = None
        for function, feasible in path(seed)[:: -1 if falling else 1]:
            alone = pf.minimize(function, feasible, method, as_array(feasible.lmo(np.ones(shape))), **given)
            last = pf.minimize(function, feasible, method, warm_start=last, **given) if last else alone
            assert alone.success and last.success and feasible.contains(last.x)
            assert abs(last.value - alone.value) <= tol  # both are at most tol above the minimum
            cold, warm = cold + alone.nit, warm + last.nit
    assert warm <= cold


def test_methods_without_an_active_set_start_at_its_point():
    function, ball = least_squares(1), pf.sets.L1Ball(2.0)
    first = pf.minimize(function, pf.sets.L1Ball(1.0), "away-fw", x0=np.zeros(60), tol=1e-6)
    found = pf.minimize(function, ball, "adaptive-fw", warm_start=first, budget=3)
    assert found.active_set is None
    assert found.trace.metrics["objective"][0] == pytest.approx(function(2.0 * first.x)[0])
    given = {"warm_start": found, "budget": 0, "constants": {"L_full": 9.0}}
    for constraint, method in ((ball, "away-fw"), (pf.penalties.Oscar(), None)):
        np.testing.assert_array_equal(pf.minimize(function, constraint, method, **given).x, found.x)


def test_an_active_set_of_ones_own():
    function, ball = least_squares(2), pf.sets.NuclearBall(3.0)
    atoms = [Atom(np.eye(4)[i], np.eye(5)[i], -3.0) for i in (0, 1)]
    active = pf.ActiveSet.of([*atoms, np.zeros((4, 5))], [0.5, 0.25, 0.25])
    np.testing.assert_allclose(np.diag(active.x), [-1.5, -0.75, 0, 0])
    near = lambda X: (0.5 * np.sum((X - 1) ** 2), X - 1)  # noqa: E731
    found = pf.minimize(near, ball, "pairwise-fw", warm_start=active, tol=1e-3)
    assert found.success and found.active_set is not active
    assert pf.minimize(function, pf.sets.L1Ball(1.0), "away-fw", x0=np.zeros(60), budget=3).active_set


@pytest.mark.parametrize(
    "atoms, weights, said",
    [
        ([], [], "needs atoms with as many weights"),
        ([np.eye(3)[0]], [0.5], "needs atoms with as many weights ≥ 0 of sum 1"),
        ([np.eye(3)[0], np.eye(3)[1]], [1.5, -0.5], "weights ≥ 0 of sum 1"),
        ([np.eye(3)[0]], [0.5, 0.5], "weights must be a vector of 1"),
        ([np.eye(3)[0], np.eye(2)[0]], [0.5, 0.5], "an atom has shape"),
        ([np.array([np.nan, 1.0])], [1.0], "atom has entries that are not finite"),
    ],
)
def test_what_is_no_active_set_is_refused(atoms, weights, said):
    with pytest.raises(ValueError, match=said):
        pf.ActiveSet.of(atoms, weights)


@pytest.mark.parametrize(
    "given, said",
    [
        ({}, "its atom 1 does not lie in the set"),
        ({"x0": np.zeros(60)}, "give x0 or warm_start, not both"),
        ({"warm_start": np.zeros(60)}, "must be a Result of minimize or an ActiveSet"),
    ],
)
def test_warm_starts_outside_of_the_set_or_of_another_kind_are_refused(given, said):
    active = pf.ActiveSet.of([np.eye(60)[0], 5 * np.eye(60)[1]], [0.9, 0.1])
    with pytest.raises(ValueError, match=said):
        pf.minimize(least_squares(3), pf.sets.L1Ball(2.0), **{"warm_start": active} | given)


def test_sets_of_another_kind_are_not_scaled():
    """A bound of ‖x‖ of one's own oracle is no size of its set."""
    function = least_squares(4)
    simplex = pf.sets.Simplex()
    one, other = (pf.sets.FromLmo(lambda G: simplex.lmo(G), radius=r, is_polytope=True) for r in (1.0, 2.0))
    first = pf.minimize(function, one, "away-fw", x0=np.eye(60)[0], budget=20)
    again = pf.minimize(function, other, "away-fw", warm_start=first, budget=0)
    np.testing.assert_allclose(again.x, first.x, atol=1e-15)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["birkhoff", "simplex", "l1", "hypersimplex"])
def test_a_point_is_decomposed_into_few_vertices(kind, seed):
    rng = np.random.default_rng(seed)
    feasible, shape, most = {
        "birkhoff": (pf.sets.Birkhoff(), (6, 6), 26),
        "simplex": (pf.sets.Simplex(3.0), (9,), 9),
        "l1": (pf.sets.L1Ball(2.0), (9,), 10),
        "hypersimplex": (pf.sets.Hypersimplex(1.0, 3), (9,), 9),
    }[kind]
    shares = rng.dirichlet(np.ones(40))
    x = sum(share * feasible.lmo(rng.standard_normal(shape)) for share in shares)
    found = pf.decompose(x, feasible)
    assert np.linalg.norm(found.x - x) <= 1e-8 and found.weights.size <= most
    total = sum(w * a.toarray() for w, a in zip(found.weights, found.atoms, strict=True))
    np.testing.assert_allclose(total, x, atol=1e-8)
    for atom in found.atoms:  # each is a vertex: the only maximiser of some direction, itself
        vertex = atom.toarray()
        assert feasible.support(vertex - x.mean()) <= np.vdot(vertex - x.mean(), vertex) + 1e-12


def test_a_point_outside_has_no_decomposition():
    with pytest.raises(ValueError, match="x is 0.1.* from the combination .* outside of the set"):
        pf.decompose([0.6, 0.6], pf.sets.Simplex(), budget=100)
