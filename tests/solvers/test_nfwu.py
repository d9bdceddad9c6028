"""Normalised Frank-Wolfe updating: against its text, weights, sizes, refusals, errors, odd cases."""

import math

import instances
import numpy as np
import pytest

from projfree.engine import metrics
from projfree.problems.matrix_completion import Problem
from projfree.sets import nuclear_ball
from projfree.solvers import estimators, nfwu

ALL = ["full", "sg", "svrg", "spider", "casvrg", "caspider"]
KINDS = ["array", "observed", "atoms"]
RADIUS = 100.0  # B of nfwu's experiments, D = 200
over_estimators = pytest.mark.parametrize("name", ALL)


def completion(**options):
    return instances.completion(loss="cil", weight="mean", **options)


class OfSize:
    """As much of a problem as the sizes and weights need."""

    def __init__(self, n, constants=None):
        self.n, self.constants, self.constraint = n, constants or cil_constants(n), nuclear_ball.Set(RADIUS)


def cil_constants(n):
    """Of the mean with σ = 1."""
    return {"L_full": 1 / n, "L_vr": n**-0.5, "L2_vr": 1.38012 * n**-0.5, "G": math.exp(-0.5)}


def by_the_text(problem, name, p, b, w, steps, rng, radius):
    """Algorithm 1 with GE 1 to 5 as they are printed, dense, one component at a time, LO by SVD."""
    everything, path = range(problem.n), [np.zeros(problem.shape)]
    anchor = at_anchor = None
    for t in range(steps):
        x = path[-1]
        if name == "full" or (name != "sg" and t % p == 0):
            g = at_anchor = dense_gradient(problem, x, everything)
            anchor = x
        else:
            S = rng.integers(0, problem.n, size=b)
            reference, base = (path[-2], g) if "spider" in name else (anchor, at_anchor)
            g = dense_gradient(problem, x, S)
            if name != "sg":
                g += base - dense_gradient(problem, reference, S)
            if name.startswith("ca"):
                d = x - reference
                g += dense_hessian(problem, anchor, d, everything) - dense_hessian(problem, anchor, d, S)
        U, _, Vt = np.linalg.svd(g)
        path.append(x + w * (-radius * np.outer(U[:, 0], Vt[0]) - x))
    return np.array(path)


def dense_gradient(problem, x, batch):
    """(1/b) Σ ∇f_i(x) over the batch."""
    g, pattern = np.zeros(x.shape), problem.pattern
    for i in batch:
        at = pattern.rows[i], pattern.cols[i]
        g[at] += problem.loss.slope(x[at], problem.observed[i]) / len(batch)
    return g


def dense_hessian(problem, x, d, batch):
    """(1/b) Σ ∇²f_i(x) d over the batch."""
    h, pattern = np.zeros(x.shape), problem.pattern
    for i in batch:
        at = pattern.rows[i], pattern.cols[i]
        h[at] += problem.loss.curvature(x[at], problem.observed[i]) * d[at] / len(batch)
    return h


@pytest.mark.parametrize("kind", KINDS)
@over_estimators
def test_the_path_is_that_of_the_text(name, kind):
    """14 steps over two refreshes with batches that repeat components."""
    problem, p, b, w = completion(), 6, 25, 0.13
    expected = by_the_text(problem, name, p, b, w, 14, np.random.default_rng(0), 2.0)
    params = {"estimator": name, "epoch": p, "batch": b, "eta": w * 4.0, "iterate": kind}
    walked = instances.walk(problem, "nfwu", 14, lmo_tol=1e-11, **params)
    made = np.array([instances.dense(s.iterate).copy() for _, s in walked])
    np.testing.assert_allclose(made, expected, atol=1e-8)


@over_estimators
def test_what_is_tracked_changes_no_path(name):
    problem = completion()
    walks = (instances.walk(problem, "nfwu", 12, estimator=name, track=track) for track in (True, False))
    (_, tracked), (_, bare) = map(instances.last, walks)
    np.testing.assert_array_equal(tracked.x.array, bare.x.array)
    assert bare.before is None and tracked.before is not None


@pytest.mark.parametrize("kind", KINDS)
def test_the_start_at_a_vertex(kind):
    """U3: −B u vᵀ of a random direction, another with another seed; one LO."""
    starts = []
    for seed in (0, 1):
        oracles, s = next(instances.walk(completion(), "nfwu", 0, vertex=True, iterate=kind, seed=seed))
        starts.append(instances.dense(s.x).copy())
        values = np.linalg.svd(starts[-1], compute_uv=False)
        assert values[0] == pytest.approx(2.0) and values[1] < 1e-12 and oracles.counts["LO"] == 1
    assert np.abs(starts[0] - starts[1]).max() > 1e-3


@pytest.mark.parametrize(
    "params, n, expected",
    [
        *(({"epoch": p}, 4000, (b, p)) for p, b in ((10, 400), (20, 200), (30, 133), (40, 100), (50, 80))),
        ({"epoch": 30, "batch_factor": 2}, 4000, (267, 30)),
        ({"batch": 7, "epoch": 30}, 4000, (7, 30)),
        ({}, 4000, (62, 64)),
        ({}, 1, (1, 1)),
    ],
)
def test_batches_and_epochs(params, n, expected):
    assert nfwu.Solver(**params).sizes(n, {}) == expected


#: At T = 20, D = 200.
WEIGHTS = {"length": {10: 0.0025, 50: 0.0125}, "radius": {10: 0.005, 50: 0.025}}
WEIGHTS |= {"mass": {10: 0.005, 50: 0.001}, "weight": {10: 0.05, 50: 0.05}, "share": {10: 0.5}}


@pytest.mark.parametrize("rule", WEIGHTS)
def test_weights_of_the_readings(rule):
    for p, expected in WEIGHTS[rule].items():
        weight = nfwu.Solver(step_rule=rule, epoch=p).weight
        assert weight(OfSize(4000), 0) == pytest.approx(expected, rel=1e-14) == weight(OfSize(4000), 999)
        half = nfwu.Solver(step_rule=rule, epoch=p, factor=0.5)
        assert half.weight(OfSize(4000), 0) == pytest.approx(expected / 2, rel=1e-14)


def test_weights_of_the_open_loop_of_a_length_and_of_the_theory():
    def weight(t=0, **params):
        return nfwu.Solver(**params).weight(OfSize(4000), t)

    assert [weight(t, step_rule="open_loop", epoch=50) for t in (0, 1, 8)] == [1.0, 2 / 3, 0.2]
    assert weight(eta=5.0) == pytest.approx(0.025)
    assert weight(epsilon=1e-3) == pytest.approx(1e-3 * 4000**0.5 / 200)
    assert weight(epsilon=1e-3, smoothness="L_full") == pytest.approx(1e-3 * 4000 / 200)


@pytest.mark.parametrize(
    "params",
    [{"step_rule": "share", "epoch": 50}, {"eta": 4.1}, {"step_rule": "weight", "factor": 21}],
    ids=str,
)
def test_a_weight_above_one_is_refused_at_the_start_by_its_deviation(params):
    with pytest.raises(ValueError, match=r"> 1 for p = \d+: infeasible \(deviation U1\)"):
        next(instances.walk(completion(), "nfwu", 0, **params))


@pytest.mark.parametrize("name, power, epoch", [("casvrg", 2, 90), ("caspider", 1.5, 406)])
def test_theory_sizes_where_one_component_is_enough(name, power, epoch):
    """b = 1 from κ = n^−2 (n^−1.5) on, without a jump there; m = 64 and ε of T7."""
    theory, n = estimators.load(name).theory, 64
    c = cil_constants(n)
    edge = n**-power / (c["L2_vr"] / c["L_vr"] ** 2)
    assert theory(c, n, edge * (1 - 1e-9)) == pytest.approx(theory(c, n, edge * (1 + 1e-9)), rel=1e-6)
    batch, p = theory(c, n, 1.1056e-5)
    assert (batch, math.floor(p)) == (1.0, epoch)


def test_the_run_takes_four_times_the_batch_and_whole_epochs():
    for name in ALL[1:]:
        b, p = estimators.load(name).theory(cil_constants(4000), 4000, 1e-3)
        solver = nfwu.Solver(estimator=name, epsilon=1e-3)
        assert solver.sizes(4000, cil_constants(4000)) == (math.ceil(4 * b), max(1, math.floor(p)))


@pytest.mark.parametrize(
    "params, match",
    [
        ({"batch": 10_000}, "batch 10000 is larger than the number of components, "),
        ({"epoch": 1, "batch_factor": 2}, "is larger than the number of components"),
        ({"epsilon": 0.1, "estimator": "casvrg", "loss": "sl0"}, "theory of 'casvrg'.*no constant 'L2_vr'"),
    ],
)
def test_wrong_values_are_refused_at_the_start(params, match):
    params = dict(params)
    problem = instances.completion(loss=params.pop("loss", "cil"))
    with pytest.raises(ValueError, match=match):
        next(instances.walk(problem, "nfwu", 0, **params))


def test_short_steps_with_exact_gradients_are_those_of_frank_wolfe_and_longer_by_observed_entries():
    problem, given = completion(), {"step_rule": "short", "lmo_tol": 1e-11}

    def path(name, **params):
        walked = instances.walk(problem, name, 15, **params, **given)
        return np.array([instances.dense(s.x).copy() for _, s in walked])

    array, observed, atoms = (path("nfwu", estimator="full", iterate=kind) for kind in KINDS)
    np.testing.assert_allclose(array, path("frank_wolfe"), atol=1e-8)
    np.testing.assert_allclose(observed, atoms, atol=1e-8)
    assert np.linalg.norm(observed[1]) >= np.linalg.norm(array[1])
    assert max(np.diff([problem.value(x) for x in observed])) <= 0


@over_estimators
def test_gradient_error_is_that_of_the_last_estimate(name):
    problem = completion()
    error = metrics.make("gradient_error", problem, nuclear_ball.Set(2.0))
    assert error.of_state
    for kind in KINDS:
        before, result = None, []
        params = {"estimator": name, "epoch": 5, "iterate": kind}
        for _, s in instances.walk(problem, "nfwu", 11, **params):
            if before is None:
                assert np.isnan(error(s))
            else:
                miss = instances.dense(s.estimate) - problem.gradient(before)
                assert error(s) == pytest.approx(np.linalg.norm(miss), rel=1e-10, abs=1e-17)
                result.append(error(s))
            before = instances.dense(s.x).copy()
        exact = np.array(result) < 1e-15
        assert exact.all() if name == "full" else not exact.any() if name == "sg" else True
        if name not in ("full", "sg"):
            assert exact.tolist() == [t % 5 == 0 for t in range(11)]


def test_gradient_error_is_recorded_and_needs_tracking():
    problem = completion()
    trace = instances.run(problem, "nfwu", {"iterations": 4}, metrics=["gradient_error"])
    errors = trace.metrics["gradient_error"]
    assert np.isnan(errors[0]) and errors[1] < 1e-15 < errors[2]
    with pytest.raises(ValueError, match="track is off"):
        instances.run(problem, "nfwu", {"iterations": 4}, params={"track": False}, metrics=["gradient_error"])


@over_estimators
def test_one_observed_entry_and_a_gradient_of_rank_one(name):
    arrays = {"rows": np.array([2]), "cols": np.array([1]), "values": np.array([0.7]), "shape": (5, 4)}
    problem = Problem(arrays, loss="cil", weight="mean")
    params = {"estimator": name, "epoch": 1, "eta": 0.2}
    trace = instances.run(problem, "nfwu", {"iterations": 8}, params=params)
    x = trace.final["x"]
    assert trace.metrics["objective"][-1] < trace.metrics["objective"][0]
    assert np.count_nonzero(np.abs(x) > 1e-12) == 1 and 0 < x[2, 1] <= 0.8


def test_residuals_of_1e200_have_value_one_and_no_slope():
    problem = completion(values=1e200)
    with np.errstate(invalid="raise", divide="raise", over="ignore"):
        params = {"estimator": "caspider", "eta": 0.1}
        trace = instances.run(problem, "nfwu", {"iterations": 3}, params=params)
    assert trace.metrics["objective"] == [1.0] * 4
