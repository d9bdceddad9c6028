"""No run is falsely converged: every method on every set and penalty, on problems whose minimum is known.

A problem is ½⟨x − x*, H(x − x*)⟩ + ⟨g, x⟩ + shift, times a power of two, over a set of size 2ᵏ: x* is the
set's vertex in the direction of −g, or any of its points for g = 0, so that its value is the minimum. A seed
makes a case. `pytest --long` runs twenty times as many.
"""

import warnings
from collections import Counter

import numpy as np
import pytest
from feasible import MADE, make
from instances import small_problems

import projfree as pf
from projfree.engine.warmup import small_constraint
from projfree.families import composite, constrained, regularised, saddle, strongly_convex
from projfree.problems import saddle_quadratic
from projfree.solvers import available, load

SHARE, LONG = 12, 240  # seeds of each method and set: 5,900 problems, and 118,000
SLOW = ("polytope", "total_variation", "from_lmo", "from_model")  # a quarter of the seeds
FIXED = ("birkhoff", "fantope", "from_model")  # of one size
ROUNDING = 1e-14
NEEDS = (ValueError, AttributeError)  # of sets and functions that a method is not for


def array(x):
    return x if isinstance(x, np.ndarray) else x.toarray()


class Strong(pf.FiniteSum):
    """A finite sum as the methods for strongly convex ones take it."""

    family = strongly_convex.FAMILY


def case(feasible, shape, size, rng, strong):
    """A finite sum over the set by its components, the best point, its constants, the unit of its values."""
    square = len(shape) == 2 and shape[0] == shape[1]
    c = rng.standard_normal(shape)
    c = (c + c.T) / 2 if square else c
    tilt = rng.choice([0.0, 1e-8, 1.0, 1e8], p=[0.3, 0.1, 0.4, 0.2])
    best = array(feasible.lmo(c, tol=1e-13)).copy()
    if tilt == 0.0:
        best = (best + sum(array(feasible.lmo(rng.permutation(c.ravel()).reshape(shape))) for _ in "ab")) / 3
    scale = 2.0 ** rng.integers(-20, 21)
    B = rng.standard_normal((best.size if strong else 2, best.size)) / size
    B *= strong or rng.random() < 0.8
    g, shift = tilt / size * c * scale, scale * rng.choice([0.0, -1.0, 1e3, -1e6])
    spread = rng.standard_normal((3, *shape)) * scale / size
    spread -= spread.mean(axis=0)

    def component(x, indices):
        miss = B @ (x - best).ravel()
        mean = spread[indices].mean(axis=0)
        value = scale * miss @ miss / 2 + np.vdot(g + mean, x) + shift
        return value, (scale * B.T @ miss).reshape(shape) + g + mean

    L = scale * max(np.linalg.norm(B, 2) ** 2, 1e-3 / size**2)
    known = dict.fromkeys(("L_full", "L_vr", "L_max"), L) | {"sq_noise": 0.0, "L2_vr": L}
    known["mu"] = scale * np.linalg.norm(B, -2) ** 2 if strong else 0.0
    known |= {"G": L * size + float(np.linalg.norm(g)) + float(np.abs(spread).sum())}
    return component, best, known, scale * max(tilt, 1.0)


def polytope(rng, k):
    """The 2-sparse polytope of 6 variables by its faces, in rows of any size."""
    rows = np.vstack([np.eye(6), np.ones(6)])
    rows, sides, e = np.vstack([rows, -rows]), np.tile(np.r_[np.ones(6), 2], 2), rng.integers(-35, 36, 14)
    return pf.sets.Polytope(np.ldexp(rows, e[:, None]), np.ldexp(sides, e + k), lower=None), (6,)


def false(found, tol, best, size, bound=1.0):
    """What is wrong with a result of a convex problem with this minimum; sizes are of what was subtracted."""
    lost = ROUNDING * (abs(found.value) + abs(best) + size)
    if not found.value - best <= found.gap + lost:
        yield f"a gap of {found.gap:.2e} at {found.value - best:.2e} above the minimum, {found.status}"
    if not found.gap >= 0.0 and found.certificate.infeasibility <= 1e-12 * bound:
        yield f"a gap below zero, {found.gap:.2e}"
    if found.success != (0.0 <= found.gap <= tol):
        yield f"{found.status} with a gap of {found.gap:.2e} and tol {tol:.2e}"


def judged(families, seeds, one, needs=()):
    """Runs of each method and seed, and what is wrong with them; `needs` are errors of no matter."""
    faults, runs = [], Counter()
    for number, method in enumerate(m for m in available() if families & set(load(m).families)):
        for seed in range(seeds):
            try:
                result, wrong = one(method, seed, np.random.default_rng([number, seed]))
            except needs:
                continue
            runs[result.status] += 1
            faults += [(method, seed, said) for said in wrong]
    assert not faults and runs["converged"], (faults, runs)


@pytest.mark.parametrize("name", MADE)
def test_no_method_is_falsely_converged_on_a_set(name, long):
    def one(method, seed, rng):
        k = 0 if name in FIXED else int(rng.integers(-25, 26))
        feasible, shape = polytope(rng, k) if name == "polytope" else make(name, 2.0**k)
        strong = constrained.FAMILY not in load(method).families
        component, best, known, unit = case(feasible, shape, 2.0**k, rng, strong)
        start = array(feasible.lmo(rng.standard_normal(shape))).copy()
        problem = (Strong if strong else pf.FiniteSum)(component, 3, start, known)
        tol = unit * 10.0 ** rng.integers(-8, 0)
        options = {"step_rule": "short", "estimator": "full"} if method == "nfwu" else None
        result = pf.minimize(problem, feasible, method, tol=tol, budget=12, options=options)
        size = np.linalg.norm(problem.gradient(best)) * np.linalg.norm(best)
        return result, false(result, tol, problem.value(best), size, feasible.bound)

    seeds = (LONG if long else SHARE) // (4 if name in SLOW else 1)
    judged({constrained.FAMILY, strongly_convex.FAMILY}, seeds, one, NEEDS)


def test_no_method_is_falsely_converged_beside_the_trace_norm(long):
    """s(½‖W‖² − ⟨T, W⟩) + shift: the minimum thresholds the singular values of T."""

    def one(method, seed, rng):
        T, scale = rng.standard_normal((5, 4)), 2.0 ** rng.integers(-20, 21)
        sigma, shift = np.linalg.svd(T, compute_uv=False), scale * rng.choice([0.0, -1.0, 1e3, -1e6])
        level = sigma[0] * rng.choice([1e-3, 0.2, 0.9, 1.5])
        best = shift - scale * np.sum(np.maximum(sigma - level, 0.0) ** 2) / 2
        loss = lambda W: (scale * (np.sum(W * W) / 2 - np.vdot(T, W)) + shift, scale * (W - T))  # noqa: E731
        known, tol = {"L_full": scale}, scale * 10.0 ** rng.integers(-6, 0)
        if rng.random() < 0.5:
            known["lower_bound"] = shift - scale * np.sum(T * T) / 2 - scale * rng.choice([0.0, 100.0])
        penalty = pf.penalties.TraceNorm(weight=scale * level)
        given = {"tol": tol, "budget": 15, "constants": known}
        result = pf.minimize(loss, penalty, method, np.zeros(T.shape), **given)
        return result, false(result, tol, best, scale * np.sum(T * T))

    judged({regularised.FAMILY}, 2000 if long else 60, one, NEEDS)


def test_no_method_is_falsely_converged_beside_a_penalty_with_a_prox(long):
    """s/2 ‖x − p‖² + OSCAR, with p such that x* is best: a gradient mapping g says ‖x − x*‖ ≤ 2‖g‖/s."""

    def one(method, seed, rng):
        n, scale, size = 6, 2.0 ** rng.integers(-20, 21), 2.0 ** rng.integers(-10, 11)
        first, second = size * scale * rng.random(2)
        best = size * rng.permutation(np.arange(1.0, n + 1)) * rng.choice([-1.0, 1.0], n)
        weights = first + second * np.arange(n - 1, -1, -1.0)
        p = best + np.sign(best) * weights[np.argsort(np.argsort(-np.abs(best)))] / scale
        shift = scale * rng.choice([0.0, -1.0, 1e3])
        smooth = lambda x: (scale * (x - p) @ (x - p) / 2 + shift, scale * (x - p))  # noqa: E731
        penalty = pf.penalties.Oscar(lambda1=first, lambda2=second, units="absolute")
        given = {"tol": scale * size * 10.0 ** rng.integers(-6, 0), "constants": {"L_full": scale}}
        result = pf.minimize(smooth, penalty, method, size * rng.standard_normal(n), budget=15, **given)
        away, most = np.linalg.norm(result.x - best), 2 * np.sqrt(result.gap) / scale
        honest = result.success == (0 <= result.gap <= given["tol"] ** 2)
        right = away <= most + ROUNDING * 100 * np.linalg.norm(p) and honest
        return result, [] if right else [(away, most, result.status)]

    judged({composite.FAMILY}, 2000 if long else 60, one)


def test_no_method_is_falsely_converged_on_a_saddle_point(long):
    """Φ(x) at the known saddle point is the least: the certificate is above what is missing."""

    def one(method, seed, rng):
        problem = saddle_quadratic.Problem(saddle_quadratic.interior_arrays(rng))
        radius, tol = 2.0 ** rng.integers(0, 6), 10.0 ** rng.integers(-6, 0)
        result = pf.minimize(problem, pf.sets.L2Ball(radius), method, tol=tol, budget=10, rng=seed)
        x, y = problem.solution()
        best = problem.value(problem.scores(x), y)
        missing = problem.phi(problem.scores(result.x.x)) - best - ROUNDING * (1 + abs(best))
        right = missing <= result.gap and result.gap >= 0 and result.success == (result.gap <= tol)
        return result, [] if right else [(missing, result.gap, result.status)]

    judged({saddle.FAMILY}, 500 if long else 15, one)


@pytest.mark.parametrize("family", [regularised.FAMILY, saddle.FAMILY], ids=lambda family: family.name)
def test_bounds_of_structured_problems_are_below_all_values_that_are_found(family, long):
    """On every problem: the greatest of all lower bounds of all methods is below the least of all values."""
    for seed in range(20 if long else 2):
        for name, problem in small_problems(seed, (family,)).items():
            constraint, bounds, values = small_constraint(problem), [], []
            for method in [m for m in available() if family in load(m).families]:
                try:
                    result = pf.minimize(problem, constraint, method, tol=0.0, budget=20, rng=seed)
                except NEEDS:
                    continue
                value = problem.phi(problem.scores(result.x.x)) if family is saddle.FAMILY else result.value
                values.append(value)
                bounds.append(value - result.gap)
                assert result.gap >= 0.0, (name, method)
            assert len(values) > 1 and max(bounds) <= min(values) + ROUNDING * abs(min(values)), name


@pytest.fixture(autouse=True)
def quiet():
    """A wrong sign is told of runs that never fall, as these short ones may."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        yield
