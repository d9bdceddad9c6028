"""Gradient estimators: exact where they are anchored, bias, variance, counts, memory."""

import copy
import itertools

import instances
import numpy as np
import pytest
from peaks import peak_of

from projfree.engine.oracles.constrained import Oracles
from projfree.linalg.atoms import Atom
from projfree.linalg.observed import ObservedArray
from projfree.problems.matrix_completion import Problem
from projfree.sets import nuclear_ball
from projfree.solvers import estimators
from projfree.solvers.estimators import component_batch, svrg

ALL = ["full", "sg", "svrg", "spider", "casvrg", "caspider"]
REFRESHED = ["svrg", "spider", "casvrg", "caspider"]
PATHS = {"spider", "caspider"}
CURVED = {"casvrg", "caspider"}
PROBLEMS = {
    "array": lambda: instances.completion(loss="cil", weight="mean"),
    "observed": lambda: instances.completion(loss="cil", weight="mean"),
    "tasks": lambda: instances.tasks(),
}
over_problems = pytest.mark.parametrize("kind", PROBLEMS)
over_refreshed = pytest.mark.parametrize("name", REFRESHED)


def make(name, batch, epoch=10**9, **options):
    return estimators.load(name).Estimator(batch, epoch, **options)


def oracles(problem):
    return Oracles(problem, nuclear_ball.Set(2.0), np.random.default_rng(0))


def point(problem, kind, x):
    """An array as the iterate of that kind."""
    return ObservedArray(problem.pattern, x.copy()) if kind == "observed" else x


def path(problem, kind, count, seed=0, move=0.3):
    """Points, each near the one before."""
    rng = np.random.default_rng(seed)
    moves = move * rng.standard_normal((count, *problem.shape))
    return [point(problem, kind, x) for x in np.cumsum(moves, axis=0)]


class Indices:
    """A generator that draws what it is told."""

    def __init__(self, *batches):
        self.batches = list(batches)

    def integers(self, low, high, size):
        batch = np.array(self.batches.pop(0))
        assert (low, len(batch)) == (0, size) and batch.max() < high
        return batch


def before_last(problem, name, points, o, batch=3):
    """The state at the last point but one, drawn on the way, and its error there: 0 if it does not add."""
    estimator, rng, state = make(name, batch), np.random.default_rng(9), None
    for x in points[:-1]:
        g, state = estimator.update(o, state, x, rng)
    miss = instances.dense(g) - instances.dense(problem.gradient(points[-2]))
    return state, miss if name in PATHS else np.zeros(problem.shape)


def errors(problem, name, state, x, o, batches):
    """g − ∇F(x) of one update from the state, for each batch."""
    gradient = instances.dense(problem.gradient(x))
    updates = (make(name, len(b)).update(o, copy.deepcopy(state), x, Indices(b))[0] for b in batches)
    return np.array([instances.dense(g) - gradient for g in updates])


@over_problems
@pytest.mark.parametrize("name", ["full", *REFRESHED])
def test_at_a_refresh_the_estimate_is_the_gradient_exactly(name, kind):
    """Bit by bit what the oracle of the refresh returns, the anchor's or the gradient's own rounding."""
    problem = PROBLEMS[kind]()
    o, state, rng, estimator = oracles(problem), None, np.random.default_rng(0), make(name, 4, epoch=2)
    for t, x in enumerate(path(problem, kind, 6)):
        g, state = estimator.update(o, state, x, rng)
        gradient = problem.gradient(x)
        assert type(g) is type(gradient)
        if t % 2 == 0 or name == "full":
            exact = problem.anchor(x)[0] if name in ("svrg", "casvrg") else gradient
            np.testing.assert_array_equal(instances.dense(g), instances.dense(exact))
            np.testing.assert_allclose(instances.dense(g), instances.dense(gradient), rtol=1e-14, atol=1e-18)
        else:
            assert (g - gradient).any(), "between refreshes it is an estimate"


def weights(problem, name, points):
    """w_i: ∇f_i(x) less what the estimator subtracts, of every component, by the formulas."""
    x, previous = points[-1], points[-2]
    anchor, reference = points[0], previous if name in PATHS else points[0]
    slopes, values = problem.component_slopes, problem.arguments
    w = slopes(x) - (slopes(reference) if name != "sg" else 0.0)
    if name in CURVED:
        w = w - problem.component_curvatures(anchor) * (values(x) - values(reference))
    return w


@pytest.mark.parametrize("kind", ["array", "observed"])
@pytest.mark.parametrize("name", ["sg", *REFRESHED])
def test_bias_and_variance_over_all_samples(name, kind):
    """All n² batches of two: the mean to 1e-14, the variance (n − 1)/(n² b) Σ w_i² to 1e-10 (T3, T4)."""
    problem = instances.completion((4, 5), share=0.6, loss="cil", weight="mean")
    if kind == "observed":  # what a Hessian loses to single precision adds no bias
        problem.observed = problem.observed.astype(np.float32)
        assert problem.component_curvatures(problem.start()).dtype == np.float32
    n, points, o = problem.n, path(problem, kind, 4), oracles(problem)
    state, bias = before_last(problem, name, points, o, batch=2)
    made = errors(problem, name, state, points[-1], o, itertools.product(range(n), repeat=2))
    np.testing.assert_allclose(made.mean(axis=0), bias, atol=1e-14)
    variance = np.mean(np.sum((made - bias) ** 2, axis=(1, 2)))
    expected = (n - 1) / (n**2 * 2) * np.sum(weights(problem, name, points) ** 2)
    assert variance == pytest.approx(expected, rel=1e-10) and variance > 0


def estimates(problem, name, points, batch, epoch, seed=3, **options):
    """The estimates along given points."""
    o, rng, state, result = oracles(problem), np.random.default_rng(seed), None, []
    for x in points:
        g, state = make(name, batch, epoch, **options).update(o, state, x, rng)
        result.append(instances.dense(g).copy())
    return np.array(result)


@over_problems
@over_refreshed
def test_every_component_without_replacement_gives_the_gradient(name, kind):
    problem = PROBLEMS[kind]()
    points = path(problem, kind, 6)
    full = estimates(problem, "full", points, 1, 1)
    made = estimates(problem, name, points, problem.n, 6, replace=False)
    np.testing.assert_allclose(made, full, atol=1e-13 * np.abs(full).max())
    loose = estimates(problem, name, points, problem.n, 6)
    assert np.abs(loose - full).max() > 1e-3 * np.abs(full).max(), "with replacement some are missing"


@pytest.mark.parametrize("weight", ["mean", "sum"])
@pytest.mark.parametrize("kind", ["array", "observed"])
def test_with_constant_hessians_one_refresh_is_enough(kind, weight):
    """Quadratic loss: the curvature-aided estimates are the gradient, to 1e-10; the others are not."""
    problem = instances.completion(loss="sq", weight=weight)
    points = path(problem, kind, 200)
    full = estimates(problem, "full", points, 1, 1)
    for name in REFRESHED:
        miss = np.abs(estimates(problem, name, points, 1, 10**6) - full).max()
        assert miss <= 1e-10 if name in CURVED else miss > 1e-4


T, N_BATCH, EPOCH = 23, 3, 7
REFRESHES = 4  # ⌈23/7⌉
UPDATES = T - REFRESHES
CLOSED = {
    "full": lambda n: {"FO": T, "IFO": T * n},
    "sg": lambda n: {"IFO": T * N_BATCH},
    "svrg": lambda n: {"FO": REFRESHES, "IFO": REFRESHES * n + 2 * N_BATCH * UPDATES},
    "spider": lambda n: CLOSED["svrg"](n),
    "casvrg": lambda n: {**CLOSED["svrg"](n), "SSO": REFRESHES * n + N_BATCH * UPDATES},
    "caspider": lambda n: CLOSED["casvrg"](n),
}


@over_problems
@pytest.mark.parametrize("name", ALL)
def test_counts_of_23_estimates(name, kind):
    problem = PROBLEMS[kind]()
    o, state, rng = oracles(problem), None, np.random.default_rng(0)
    for x in path(problem, kind, T):
        _, state = make(name, N_BATCH, EPOCH).update(o, state, x, rng)
    assert {k: v for k, v in o.counts.items() if v} == CLOSED[name](problem.n)


#: Arrays of all components that an estimator keeps between two calls, its estimate among them, Hessians in
#: half precision of the others; a batch of a tenth of the components takes a third of one while it works.
KEPT = {"svrg": 2, "spider": 2, "casvrg": 2.5, "caspider": 2.5}


@over_refreshed
def test_an_update_needs_no_more_arrays_than_are_kept(name):
    """On an instance long beside the blocks in which losses are evaluated, observed in single precision."""
    rows, cols = np.divmod(np.arange(0, 10**6, 2), 1000)
    values = np.random.default_rng(0).standard_normal(rows.size).astype(np.float32)
    problem = Problem({"rows": rows, "cols": cols, "values": values, "shape": (1000, 1000)}, loss="cil")

    def three_estimates():
        """At three points of a sum of atoms, as nfwu asks for them."""
        o, x, rng, state = oracles(problem), problem.start("atoms"), np.random.default_rng(0), None
        estimator, atom = make(name, problem.n // 10), Atom(np.eye(1, 1000)[0], np.eye(1, 1000)[0], 1.0)
        for _ in range(3):
            estimate = None  # before there is a new one
            estimate, state = estimator.update(o, state, x, rng)
            assert estimate.any()
            x.toward(atom, 0.1)

    three_estimates()  # compiles
    assert peak_of(three_estimates)[1] <= (KEPT[name] + 1 + 0.55) * 8 * problem.n  # 1 is the iterate's


@pytest.mark.parametrize(
    "n, batch, epoch",
    [(1, 1, 1), (5, 3, 2), (8, 4, 2), (1000, 100, 10), (16000, 635, 25), (5810120, 32319, 180)],
)
def test_batch_and_epoch_of_theorem_3(n, batch, epoch):
    assert (svrg.paper_batch(n), svrg.paper_epoch(n)) == (batch, epoch)
    assert svrg.Estimator().epoch_length(n) == epoch and svrg.Estimator(epoch=0).epoch_length(n) == n
    assert svrg.Estimator(epoch=7).epoch_length(n) == 7


@pytest.mark.parametrize("draw_at_anchor, draws", [(False, 5), (True, 8)])
def test_the_anchor_moves_when_the_epoch_is_over(draw_at_anchor, draws):
    problem = instances.completion()
    o, rng = oracles(problem), np.random.default_rng(0)
    estimator = svrg.Estimator(batch=2, epoch=3, draw_at_anchor=draw_at_anchor)
    x, anchor, ages = problem.start(), None, []
    for _ in range(8):
        _, anchor = estimator.update(o, anchor, x, rng)
        ages.append(anchor.age)
    assert ages == [1, 2, 3, 1, 2, 3, 1, 2] and o.counts["FO"] == 3
    assert o.counts["IFO"] == 3 * problem.n + draws * 2 * 2


def test_batches_are_uniform_with_replacement():
    drawn = component_batch(np.random.default_rng(0), 7, 70_000)
    counts = np.bincount(drawn, minlength=7)
    assert counts.size == 7 and np.all(np.abs(counts - 10_000) < 500)


def test_the_mean_of_the_saga_table_is_the_mean_of_the_saga_table():
    """s.mean = (1/n') Σ slopes_i A_i throughout, though it is only ever updated; the pool has repetitions."""
    problem, start = instances.completion(), None
    for _, state in instances.walk(problem, "estimator_frank_wolfe", 60, estimator="saga", horizon=200):
        s = state.memory
        start = s.slopes.copy() if start is None else start
        assert len(np.unique(s.pool)) < len(s.pool) == 200
        np.testing.assert_allclose(s.mean, problem.combine(s.slopes / 200, s.pool), atol=1e-12)
    assert np.mean(s.slopes != start) > 0.5
