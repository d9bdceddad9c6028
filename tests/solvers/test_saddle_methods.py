"""The saddle-point methods agree on the saddle point; counts, averages, identities."""

import cvxpy as cp
import numpy as np
import pytest
from instances import last, steps

from projfree import solvers
from projfree.engine.metrics.saddle import Evaluation
from projfree.engine.oracles.saddle import Oracles
from projfree.problems.robust_multiclass import Problem, tiny_arrays
from projfree.problems.saddle_quadratic import Problem as Quadratic
from projfree.problems.saddle_quadratic import interior_arrays
from projfree.sets import l2_ball, nuclear_ball

BALL = nuclear_ball.Set(0.5, linear="gram")


def small(**params):
    rng = np.random.default_rng(0)
    return Problem(tiny_arrays(rng, n=20, d=5, classes=3, density=0.7), **{"lam_power": 2, **params})


def tiny(**params):
    return Problem(tiny_arrays(np.random.default_rng(0)), **params)


def walk(p, ball, name, count, seed=0, **params):
    """Yield (oracles, state) after each step."""
    oracles = Oracles(p, ball, np.random.default_rng(seed))
    states = steps(name, oracles, count, np.random.default_rng(seed + 1), **params)
    next(states)
    yield from ((oracles, state) for state in states)


@pytest.fixture(scope="module")
def saddle():
    """X and y of the 20×5 instance by CVXPY: min over X of max over y, the inner maximum by its dual.

    max over the simplex of ⟨t, y⟩ − (μ/2)‖y − 1/n‖² is min over ν of
    ν + Σ max(t_i − ν + μ/n, 0)²/(2μ) − μ/(2n).
    """
    p = small()
    mu, n = p.constants["mu"], p.n
    X, nu = cp.Variable(p.shape), cp.Variable()
    scores = p.matrix.toarray() @ X
    losses = cp.hstack([cp.log_sum_exp(scores[i]) - scores[i, p.labels[i]] for i in range(n)])
    objective = nu + cp.sum(cp.square(cp.pos(losses - nu + mu / n))) / (2 * mu) - mu / (2 * n)
    value = cp.Problem(cp.Minimize(objective), [cp.normNuc(X) <= BALL.radius]).solve(solver=cp.SCS, eps=1e-8)
    return value, X.value, p.best_response(p.payoff(p.scores(X.value)))


METHODS = [("mpcgs", {}), ("mpcgs", {"y_rule": "exact"}), ("mpscgs", {}), ("spfw", {})]
SVRE = {"batch": 5, "factor_x": 0.05}
METHODS += [("svre", {**SVRE, "projection": way}) for way in ("full", "gram", "partial")]


@pytest.mark.parametrize("name, params", METHODS)
def test_every_method_reaches_a_gap_of_1e_4_at_the_same_saddle_point(name, params, saddle):
    p = small()
    for k, (_, state) in enumerate(walk(p, BALL, name, 20_000, **params)):
        if k % 100 == 99 and Evaluation(p, BALL, state.iterate).saddle_fw_gap <= 1e-4:
            break
    e, (value, X, y) = Evaluation(p, BALL, state.iterate), saddle
    assert e.saddle_fw_gap <= 1e-4
    assert BALL.contains(state.iterate.x, slack=1e-10)
    assert e.dual_lower - 1e-6 <= value <= p.phi(e.scores) + 1e-6
    assert p.phi(e.scores) - value <= 1e-4
    assert np.linalg.norm(state.iterate.y - y) <= np.sqrt(2e-4 / p.constants["mu"]) + 1e-4
    assert np.linalg.norm(state.iterate.x - X) <= 0.05


@pytest.mark.parametrize("rule", ["capped", "exact"])
@pytest.mark.parametrize(
    "start", [{"vertex": True}, {"fast_forward": True}, {"vertex": True, "fast_forward": True}]
)
def test_the_bound_that_is_told_holds_from_every_start(rule, start):
    for radius, lam_power in ((0.5, 1.0), (0.5, 2.0), (3.0, 1.0)):
        p, ball = tiny(lam_power=lam_power), nuclear_ball.Set(radius, linear="gram")
        for o, state in walk(p, ball, "mpcgs", 12, y_rule=rule, **start):
            e = Evaluation(p, ball, state.iterate)
            assert 0 <= e.duality_gap_bound <= o.tally["theorem_bound"]


@pytest.mark.parametrize("batch", [7, 60])
@pytest.mark.parametrize("random_epochs", [False, True])
def test_fused_svre_makes_the_same_steps(batch, random_epochs):
    """Across snapshots, in both problems: iterates to rounding, counts exactly."""
    quadratic = Quadratic(interior_arrays(np.random.default_rng(1)), coupling=2.0)
    cases = (tiny(), nuclear_ball.Set(0.3), "gram", 0.05), (quadratic, l2_ball.Set(0.1), "full", 1.0)
    for p, ball, projection, factor in cases:
        params = {"batch": batch, "random_epochs": random_epochs}
        params |= {"projection": projection, "factor_x": factor}
        literal = walk(p, ball, "svre", 40, **params)
        fused = walk(p, ball, "svre", 40, fused=True, **params)
        for (o, a), (other, b) in zip(literal, fused, strict=True):
            np.testing.assert_allclose(a.x, b.x, atol=1e-11)
            np.testing.assert_allclose(a.y, b.y, atol=1e-11)
            assert o.counts == other.counts and o.tally == other.tally
        assert o.tally["snapshots"] > 2 and np.linalg.norm(a.x) > 0


@pytest.mark.parametrize("vertex", [False, True])
def test_fast_forward_is_where_the_idle_steps_lead(vertex):
    p, ball = tiny(), nuclear_ball.Set(0.5, linear="gram")
    start = {"vertex": vertex, "y_rule": "exact"}
    _, ahead = last(walk(p, ball, "mpcgs", 1, fast_forward=True, **start))
    for o, state in walk(p, ball, "mpcgs", ahead.k, **start):
        assert (o.tally["idle"] == state.k) == (state.k < ahead.k)
    assert ahead.k > 3
    np.testing.assert_allclose(ahead.x, state.x, atol=1e-12)
    np.testing.assert_allclose(ahead.y_mean, state.y_mean, atol=1e-12)


def test_a_smaller_m_than_the_problems_has_no_theorem():
    o, _ = last(walk(tiny(), nuclear_ball.Set(3.0), "mpcgs", 1, constant_factor=0.5))
    assert o.tally["theorem_bound"] == np.inf


def test_mpscgs_with_all_samples_is_mpcgs_with_twice_the_beta():
    p, ball = tiny(), nuclear_ball.Set(3.0, linear="gram")
    _, first = last(walk(p, ball, "mpscgs", 60, floor=p.n, y_rule="exact"))
    _, second = last(walk(p, ball, "mpcgs", 60, beta=12.0, y_rule="exact"))
    np.testing.assert_allclose(first.x, second.x, atol=1e-10)
    np.testing.assert_allclose(first.y_mean, second.y_mean, atol=1e-10)


def test_sample_sizes_grow_with_the_cube():
    p, ball = tiny(), nuclear_ball.Set(3.0, linear="gram")
    o, state = last(walk(p, ball, "mpscgs", 1))
    o.n = 10**12
    solver, sizes = solvers.make("mpscgs", {"floor": 1}), []
    for k in (200, 400, 800):
        state.k = k
        sizes.append(solver.sample_size(o, state))
    slopes = np.diff(np.log(sizes)) / np.log(2)
    assert np.all((slopes > 2.8) & (slopes < 3.2))


def test_counts_of_three_steps_by_hand():
    """Idle steps of tiny (η above the gap): a pass of 2 FO and the payoff of the start; LO of x, gap of y."""
    p, ball = tiny(), nuclear_ball.Set(3.0, linear="gram")
    o, _ = last(walk(p, ball, "mpcgs", 3))
    assert o.tally["passes"] == 3 and o.tally["idle"] == 3
    assert o.counts["FO"] == 1 + 2 * 3 and o.counts["IFO"] == 7 * p.n
    assert o.tally["lo_x"] == 3 and o.counts["LO"] == o.tally["lo_x"] + o.tally["lo_y"] == 6
    assert o.counts["PO"] == 0
    o, _ = last(walk(p, ball, "mpcgs", 3, y_rule="exact"))
    assert o.counts["PO"] == 3 and o.counts["LO"] == 3
    o, _ = last(walk(p, ball, "spfw", 3))
    assert (o.counts["FO"], o.counts["LO"], o.counts["PO"]) == (3, 6, 0)
    o, _ = last(walk(p, ball, "svre", 3, batch=4, random_epochs=False))
    assert (o.counts["FO"], o.counts["PO"]) == (1, 12)
    assert o.counts["IFO"] == p.n + 3 * 4 * 4 and o.tally["snapshots"] == 1


def test_svre_with_the_whole_batch_is_projected_extragradient():
    p, ball = tiny(), nuclear_ball.Set(3.0)
    x, y = p.start(), p.dual_start()
    rate_x, rate_y = 1 / p.constants["L_xx"], 0.3 / p.constants["mu"]

    def step(at_x, at_y):
        scores = p.scores(at_x)
        d_x, d_y = p.gradient_x(p.slopes(scores), at_y), p.gradient_y(p.payoff(scores), at_y)
        return ball.project(x - rate_x * d_x), p.dual_set.project(y + rate_y * d_y)

    for _, state in walk(p, ball, "svre", 20, batch=1000, factor_y=0.3):
        x, y = step(*step(x, y))
        np.testing.assert_allclose(state.x, x, atol=1e-12)
        np.testing.assert_allclose(state.y, y, atol=1e-12)


def test_on_the_interior_quadratic_svre_and_the_adaptive_spfw_are_linear():
    p, ball = Quadratic(interior_arrays(np.random.default_rng(0))), l2_ball.Set(1.0)
    _, state = last(walk(p, ball, "svre", 600, batch=5, rate=0.3))
    assert p.distance(state.iterate) < 1e-10
    gaps = [s.gap for _, s in walk(p, ball, "spfw", 3000, step_rule="adaptive", nu=0.25)]
    t = np.arange(100, len(gaps))
    line = np.polyfit(t, np.log10(gaps[100:]), 1)
    fit = np.corrcoef(t, np.log10(gaps[100:]))[0, 1] ** 2
    assert fit > 0.95 and line[0] < 0
    universal = [s.gap for _, s in walk(p, ball, "spfw", 3000)]
    assert universal[-1] > 100 * gaps[-1]


@pytest.mark.parametrize("name", ["mpcgs", "mpscgs", "spfw", "svre"])
def test_degenerate_instances(name):
    """τ = 0, n = 1, one class, more batch than samples: nothing breaks, and x stays where it must."""
    for p, ball in (
        (tiny(), nuclear_ball.Set(0.0, linear="gram")),
        (Problem(tiny_arrays(np.random.default_rng(0), n=1, d=3, classes=1, density=1.0)), BALL),
        (Problem(tiny_arrays(np.random.default_rng(0), n=6, d=3, classes=1)), BALL),
    ):
        _, state = last(walk(p, ball, name, 3))
        e = Evaluation(p, ball, state.iterate)
        assert np.isfinite(e.saddle_fw_gap) and ball.contains(state.iterate.x)
