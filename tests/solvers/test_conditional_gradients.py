"""Steps without a constant, blended, decomposition-invariant and block-coordinate conditional gradients.

Minima are those of an independent solver, or the projection of the aim.
"""

import math

import numpy as np
import pytest
from feasible import make
from instances import steps
from scipy.optimize import minimize
from test_active_sets import gaps, least_squares

import projfree as pf
from projfree import sets, solvers
from projfree.api.function import Function
from projfree.engine.oracles.constrained import Oracles
from projfree.solvers.dicg import LIMITS
from projfree.solvers.inner.active_steps import secant

RULES = ["adaptive", "secant", "short"]
over_rules = pytest.mark.parametrize("rule", RULES)
#: Steps to a gap of 1e-12 on the problem of test_active_sets, above what they take on several machines.
SLOWEST = [("blended_cg", "adaptive", 62), ("blended_cg", "secant", 49), ("blended_cg", "short", 138)]
SLOWEST += [("dicg", "adaptive", 80), ("dicg", "secant", 62), ("dicg", "short", 194)]
SLOWEST += [("quadratic_corrective_fw", "adaptive", 11)]


def by_slsqp(problem, n):
    """The minimum over the simplex by sequential quadratic programming."""
    of_sum = {"type": "eq", "fun": lambda x: x.sum() - 1, "jac": np.ones_like}
    given = {"bounds": [(0, 1)] * n, "constraints": of_sum, "options": {"ftol": 1e-15, "maxiter": 1000}}
    result = minimize(problem.both, np.full(n, 1 / n), jac=True, method="SLSQP", **given)
    assert result.success
    return result.fun


def distance_to(aim, start):
    """½‖x − aim‖² from a start: L = μ = 1."""
    return Function(lambda x: (0.5 * np.vdot(x - aim, x - aim), x - aim), start, {"L_full": 1.0})


@pytest.mark.parametrize("name, rule, most", SLOWEST)
def test_the_gap_falls_linearly_on_a_polytope(name, rule, most):
    result, _ = gaps(name, least_squares(), sets.Simplex(), most, step_rule=rule)
    assert result.min() <= 1e-12


@over_rules
def test_plain_steps_without_a_constant_keep_the_bound_of_those_with_it(rule):
    """F(x_k) − F* ≤ 2·2L D²/(k + 2): M ≤ 2L, as backtracking doubles it; D² = 2 on the simplex."""
    problem = least_squares()
    least, L = by_slsqp(problem, 30), problem.constants["L_full"]
    values, walked = [], steps("adaptive_fw", Oracles(problem, sets.Simplex(), None), 300, step_rule=rule)
    next(walked)
    for k, state in enumerate(walked, 1):
        values.append(problem.value(state.iterate) - least)
        assert -1e-12 <= values[-1] <= 8 * L / (k + 2)
        assert state.L <= 2 * L * (1 + 1e-9)
    order, _ = np.polyfit(np.log([30, 100, 300]), np.log([values[k - 1] for k in (30, 100, 300)]), 1)
    assert -1.8 < order < -0.8, "about 1/k"


UNKNOWN = [(name, {}, 1e-4) for name in ("adaptive_fw", "block_coordinate_fw")]
UNKNOWN += [(name, {}, 1e-9) for name in ("blended_cg", "dicg", "quadratic_corrective_fw")]
UNKNOWN += [(name, {"step_rule": "secant"}, 1e-9) for name in ("blended_cg", "dicg")]
UNKNOWN += [("adaptive_fw", {"step_rule": "secant"}, 1e-4)]


@pytest.mark.parametrize("name, options, aim", UNKNOWN)
def test_a_plain_function_of_unknown_constant_is_minimised_to_its_certificate(name, options, aim):
    """Logistic regression over the simplex; F − F* ≤ gap by an independent solver."""
    rng = np.random.default_rng(0)
    A, b = rng.standard_normal((60, 8)), np.sign(rng.standard_normal(60))

    def loss(x):
        margin = b * (A @ x)
        return np.logaddexp(0, -margin).mean(), -A.T @ (b / (1 + np.exp(margin))) / 60

    problem, run = Function(loss, np.eye(8)[0]), {"x0": np.eye(8)[0], "tol": aim, "budget": 2000}
    result = pf.minimize(loss, sets.Simplex(), name, options=options, **run)
    assert result.success and result.gap <= aim
    assert -1e-9 <= result.value - by_slsqp(problem, 8) <= result.gap + 1e-12


@pytest.mark.parametrize("feasible", ["hypersimplex", "k_support_ball", "owl_ball", "ellipsoid", "fantope"])
@pytest.mark.parametrize("name", ["adaptive_fw", "blended_cg", "lazy", "quadratic_corrective_fw"])
def test_they_find_the_projection_onto_sets_with_other_atoms(name, feasible):
    """½‖x − x*‖² ≤ F(x) − F* ≤ gap."""
    feasible, shape = make(feasible, 1.0)
    rng = np.random.default_rng(4)
    aim = rng.standard_normal(shape)
    problem = distance_to(aim, feasible.lmo(rng.standard_normal(shape)))
    result, state = gaps(name, problem, feasible, 300)
    assert result.min() < 5e-3 and feasible.contains(state.iterate, 1e-8)
    if hasattr(feasible, "project"):
        assert np.linalg.norm(state.iterate - feasible.project(aim)) ** 2 <= 2 * result[-1] + 1e-14


def test_the_secant_finds_a_root_and_stays_in_its_bracket():
    asked = []

    def slope(gamma, root=0.3):
        asked.append(gamma)
        return math.tanh(50 * (gamma - root))  # level at both ends: Newton's method leaves [0, 1]

    assert secant(slope, slope(0.0), 1.0, 1e-12, 40) == pytest.approx(0.3, abs=1e-12)
    assert len(asked) < 15 and all(0 <= gamma <= 1 for gamma in asked)
    assert secant(lambda gamma: gamma - 2, -2.0, 1.0, 1e-8, 40) == 1.0, "it falls all the way"
    quadratic = []
    assert secant(lambda g: quadratic.append(g) or g - 0.25, -0.25, 1e6, 1e-8, 40) == pytest.approx(0.25)
    assert len(quadratic) == 2, "exact after one step of the secant"
    assert 0 < secant(slope, slope(0.0), 1.0, 1e-300, 3) <= 0.3, "out of trials: where F is known to fall"


def test_a_secant_step_is_as_good_as_the_exact_minimum_of_the_line():
    problem = least_squares()
    H = np.column_stack([problem.gradient(e) - problem.gradient(0 * e) for e in np.eye(30)])
    oracles = Oracles(problem, sets.Simplex(), None)
    solver = solvers.make("adaptive_fw", {"step_rule": "secant"})
    x, G = problem.start(), problem.gradient(problem.start())
    d = sets.Simplex().lmo(G) - x
    s = solver.step(oracles, solver.start(oracles, None), None)
    np.testing.assert_allclose(s.iterate, x + min(1.0, -(G @ d) / (d @ H @ d)) * d, atol=1e-9)
    assert oracles.counts["FO"] == 3  # of the step, of its end, of the root


def test_blended_steps_ask_for_few_vertices_and_never_rise():
    problem, feasible = least_squares(), sets.Simplex()
    oracles = Oracles(problem, feasible, np.random.default_rng(0))
    values = [problem.value(state.iterate) for state in steps("blended_cg", oracles, 51)]
    assert np.diff(values).max() <= 1e-14
    assert oracles.counts["LO"] <= 22 < oracles.counts["FO"] == 51


def test_quadratic_corrections_end_at_the_minimum_after_finitely_many_steps():
    """There the slopes of all atoms agree; each atom cost one gradient, each step another."""
    problem, feasible = least_squares(), sets.Simplex()
    oracles, solver = Oracles(problem, feasible, None), solvers.make("quadratic_corrective_fw", {})
    state, steps, gap = solver.start(oracles, None), 0, np.inf
    while gap > 1e-14 and steps < 12:
        state, steps = solver.step(oracles, state, None), steps + 1
        gradient, model = problem.gradient(state.iterate), state.model
        assert model.agrees(state.active.scores(gradient), state.active.weights, 1e-13)
        gap = gradient @ state.iterate + feasible.support(-gradient)
    assert gap <= 1e-14
    assert np.ptp(state.active.scores(gradient)) <= 1e-12
    assert oracles.tally["corrections"] >= 2 and oracles.counts["FO"] <= steps + 7


def far_from_a_permutation():
    cost = np.random.default_rng(0).random((12, 12)) / 6
    return lambda X: (0.5 * np.sum((X - cost) ** 2), X - cost), sets.Birkhoff(), np.eye(12)


def costs_of_a_flow():
    """½ Σ w_e x_e² + t_e x_e of a unit flow through five layers of five nodes."""
    edges = [(0, j) for j in range(1, 6)] + [(i, 26) for i in range(21, 26)]
    edges += [(i, j) for i in range(1, 21) for j in range(1, 26) if (j - 1) // 5 == (i - 1) // 5 + 1]
    E = np.zeros((27, len(edges)))
    for e, (i, j) in enumerate(edges):
        E[i, e], E[j, e] = 1.0, -1.0
    w, t = np.random.default_rng(1).uniform(0.1, 2.0, (2, len(edges)))
    feasible = sets.Polytope(E=E, f=np.r_[1.0, np.zeros(25), -1.0], upper=1.0)
    return lambda x: (0.5 * w @ x**2 + t @ x, w * x + t), feasible, feasible.lmo(t)


@pytest.mark.parametrize("instance", [far_from_a_permutation, costs_of_a_flow])
def test_the_default_corrects_where_the_objective_is_measured_as_quadratic(instance):
    """Three and more times fewer steps than blended pairwise steps alone need, and no call more a step."""
    fun, feasible, x0 = instance()
    result = pf.minimize(fun, feasible, x0=x0, tol=1e-8)
    plain = pf.minimize(fun, feasible, "blended-pairwise-fw", x0, tol=1e-8, options={"step_rule": "secant"})
    assert result.success and 3 * result.nit < plain.nit and result.counts["FO"] <= 2 * result.nit + 2
    assert result.value <= plain.value + 1e-12 and result.certificate.infeasibility <= 1e-12


def logistic(z):
    return np.logaddexp(0, z), 1 / (1 + np.exp(-z))


def hinge(z):
    """½ max(z, 0)², which is quadratic by pieces."""
    return 0.5 * np.maximum(z + 1, 0) ** 2, np.maximum(z + 1, 0)


@pytest.mark.parametrize("loss", [logistic, hinge])
def test_the_default_takes_pairwise_steps_where_the_objective_is_measured_as_not_quadratic(loss):
    """The measurement costs no call; a model that is wrong somewhere is dropped, and the steps are those of
    blended pairwise Frank-Wolfe from there on."""
    A = np.random.default_rng(5).standard_normal((80, 60))

    def fun(x):
        value, slope = loss(A @ x)
        return value.mean(), A.T @ slope / 80

    values = []
    run = {"x0": np.zeros(60), "tol": 1e-9, "every": 1}
    result = pf.minimize(fun, sets.L1Ball(1.0), **run, callback=lambda at: values.append(at.value))
    run |= {"method": "blended-pairwise-fw", "options": {"step_rule": "secant"}}
    plain = pf.minimize(fun, sets.L1Ball(1.0), **run)
    assert result.success and np.diff(values).max() <= 1e-13
    assert (result.nit, result.counts["FO"]) == (plain.nit, plain.counts["FO"])


def test_without_an_active_set_the_steps_on_the_simplex_are_pairwise():
    """The worst vertex of the face of x is the worst atom."""
    ends = [gaps(name, least_squares(), sets.Simplex(), 40)[1].iterate for name in ("dicg", "pairwise_fw")]
    np.testing.assert_allclose(*ends, atol=1e-10)


def faces():
    """Sets of all kinds that it is for, with a vertex."""
    ones = np.r_[np.ones(3), np.zeros(6)]
    yield sets.Simplex(2.0), 2.0 * np.eye(9)[0]
    yield sets.Hypersimplex(1.5, 3), 1.5 * ones
    yield sets.Birkhoff(4), np.eye(4)
    yield sets.Box(-1.0, [1.0] * 8 + [-1.0]), -np.ones(9)
    yield sets.LinfBall(0.7, 9), np.full(9, 0.7)
    yield sets.Product([sets.Simplex(), sets.Hypersimplex(1.0, 2)], [4, 5]), np.r_[1, 0, 0, 0, 1, 1, 0, 0, 0]


@pytest.mark.parametrize("feasible, start", list(faces()), ids=[*LIMITS, "product"])
def test_the_steps_without_an_active_set_converge_on_all_their_polytopes(feasible, start):
    """At least as fast as exp(−k/(8 D² card x*)) of F(x_0) − F*, for L = μ (Garber and Meshi, Theorem 1)."""
    aim = 0.5 * np.random.default_rng(4).standard_normal(start.shape) + 0.3
    problem = distance_to(aim, start)
    result, state = gaps("dicg", problem, feasible, 250)
    assert result.min() <= 1e-10 and feasible.contains(state.iterate)
    least = problem.value(state.iterate) - result[-1]  # a lower bound of F*
    rate = 1 / (8 * feasible.diameter**2 * np.count_nonzero(state.iterate))
    walked = steps("dicg", Oracles(problem, feasible, np.random.default_rng(0)), result.size)
    for k, again in enumerate(walked):
        bound = (problem.value(start) - least) * np.exp(-rate * k)
        assert problem.value(again.iterate) - least <= bound + 1e-9
    if hasattr(feasible, "project"):
        np.testing.assert_allclose(state.iterate, feasible.project(aim), atol=2e-5)


@pytest.mark.parametrize(
    "feasible, said",
    [
        (sets.UnitHypersimplex(1.0, 2), "known by limits of entries: simplex, .*; not unit_hypersimplex"),
        (sets.Polytope(A=np.ones((1, 4)), b=[1.0]), "not polytope"),
        (sets.L2Ball(1.0), "dicg needs a set with `is_polytope`, and l2-ball has none"),
    ],
)
def test_sets_whose_faces_are_not_known_are_refused(feasible, said):
    with pytest.raises(ValueError, match=said):
        pf.minimize(lambda x: (0.5 * x @ x, x), feasible, "dicg", x0=np.zeros(4))


def blocks(count=6, size=5):
    """A quadratic over a product of simplices, L, and its start."""
    rng, n = np.random.default_rng(2), count * size
    A = rng.standard_normal((2 * n, n)) / np.sqrt(2 * n)
    H, aim = A.T @ A + 0.1 * np.eye(n), rng.standard_normal(n)
    product = sets.Product([sets.Simplex()] * count, [size] * count)
    L = float(np.linalg.eigvalsh(H)[-1])
    x0 = np.tile(np.eye(size)[0], count)
    return Function(lambda x: (0.5 * (x - aim) @ H @ (x - aim), H @ (x - aim)), x0, {"L_full": L}), product


@over_rules
@pytest.mark.parametrize("order", ["random", "cyclic"])
def test_blocks_keep_the_bound_of_their_theorem(order, rule):
    """h_k ≤ 2n/(k + 2n) (C + h_0), C = L Σ D_i² (Lacoste-Julien et al. 2013, Theorem 2), D_i² = 2."""
    problem, product = blocks()
    result, state = gaps("blended_cg", problem, product, 100)
    least = problem.value(state.iterate) - max(result.min(), 0.0)
    assert result.min() < 1e-11
    oracles = Oracles(problem, product, np.random.default_rng(0))
    solver = solvers.make("block_coordinate_fw", {"order": order, "step_rule": rule})
    rng = np.random.default_rng(1)
    s, first = solver.start(oracles, rng), problem.value(problem.start()) - least
    for k in range(1, 601):
        before = s.iterate.copy()
        s = solver.step(oracles, s, rng)
        moved = np.flatnonzero((s.iterate != before).reshape(6, 5).any(axis=1))
        assert moved.size <= 1 and (order == "random" or not moved.size or moved[0] == (k - 1) % 6)
        assert problem.value(s.iterate) - least <= 12 / (k + 12) * (12 * problem.constants["L_full"] + first)
    assert oracles.counts["LO"] == 600 and product.contains(s.iterate)
    assert problem.value(s.iterate) - least < (0.05 if rule == "short" else 1e-4)


def test_a_set_that_is_no_product_is_one_block():
    names = "block_coordinate_fw", "adaptive_fw"
    np.testing.assert_array_equal(*(gaps(n, least_squares(), sets.Simplex(), 50)[1].iterate for n in names))


def test_blocks_end_where_none_has_a_gap_and_count_products_of_their_parts():
    vertex, fun = np.r_[1.0, 0, 0, 1.0, 0, 0], lambda x: (-(x[0] + x[3]), np.r_[-1.0, 0, 0, -1.0, 0, 0])
    product, run = sets.Product([sets.Simplex()] * 2, [3, 3]), {"x0": vertex, "tol": 0.0, "budget": 100}
    result = pf.minimize(fun, product, "block-coordinate-fw", **run)
    assert result.status == "stalled" and result.gap < 1e-14 and result.counts["LO"] < 100
    rng = np.random.default_rng(0)
    aim = rng.standard_normal(900)
    mixed = sets.Product([sets.NuclearBall(1.0)], [[30, 30]])
    oracles = Oracles(distance_to(aim, np.zeros(900)), mixed, rng)
    solver = solvers.make("block_coordinate_fw", {})
    solver.step(oracles, solver.start(oracles, rng), rng)
    assert oracles.counts["LO"] == 1 and oracles.counts["matvec"] > 0


def test_blocks_ask_more_exactly_where_an_inexact_vertex_gains_nothing():
    """The vertex of a nuclear ball to a residual of 0.9 may be worse than x: that is no certificate."""
    rng = np.random.default_rng(0)
    aim = rng.standard_normal(60 * 60)
    both = sets.Product([sets.NuclearBall(1.0), sets.Simplex()], [[60, 60], 2])
    problem = distance_to(np.r_[aim, 0.5, 0.5], np.r_[np.zeros(60 * 60), 0.5, 0.5])
    oracles, solver = Oracles(problem, both, rng, lmo_tol=0.9), solvers.make("block_coordinate_fw", {})
    state = solver.start(oracles, rng)
    for _ in range(60):
        state = solver.step(oracles, state, rng)
        gradient = problem.gradient(state.iterate)
        assert not state.converged or gradient @ state.iterate + both.support(-gradient) <= 1e-6


@pytest.mark.parametrize("seed", range(8))
def test_a_block_without_a_gap_is_looked_at_again_after_another_has_moved(seed):
    """½(x_0 − x_2)² − 10 x_3 from x_0 = x_2 = 1: the first block has no gap until the second moves."""

    def pair(x):
        apart = x[0] - x[2]
        return 0.5 * apart**2 - 10 * x[3], np.array([apart, 0.0, -apart, -10.0])

    product = sets.Product([sets.Simplex(), sets.Simplex()], [2, 2])
    run = {"x0": [1, 0, 1, 0], "tol": 0.0, "budget": 200, "rng": seed, "constants": {"L_full": 2}}
    assert pf.minimize(pair, product, "block-coordinate-fw", **run).gap <= 1e-9
