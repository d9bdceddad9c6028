"""Functions with a constant gradient, whose L is 0: each method finds a vertex, and divides by nothing."""

import numpy as np
import pytest

import projfree as pf
from projfree import penalties, solvers
from projfree.families import constrained
from projfree.linalg.atoms import as_array

METHODS = [name for name in solvers.available() if constrained.FAMILY in solvers.load(name).families]
ZEROS = {"L_full": 0.0, "L_vr": 0.0, "L_max": 0.0, "L2_vr": 0.0, "mu": 0.0, "G": 9.0, "sq_noise": 0.0}
SLOW = "momentum_frank_wolfe", "nfwu", "estimator_frank_wolfe"
RULES = ("gap", "short", "open_loop")
TURNS = [(name, {}) for name in METHODS]
TURNS += [("frank_wolfe", {"step_rule": rule}) for rule in RULES] + [("ncgs", {"option": "II-exact"})]
TURNS += [
    (f"{way}_fw", {"step_rule": "short"}) for way in ("away", "pairwise", "blended_pairwise", "adaptive")
]
TURNS += [("nfwu", {"step_rule": "short", "estimator": "full"})]


def plain(name, shape):
    """⟨slope, x⟩, and the set's least value of it."""
    feasible = {
        "simplex": pf.sets.Simplex(2.0),
        "l1_ball": pf.sets.L1Ball(3.0),
        "box": pf.sets.Box(-1.0, np.full(shape, 2.0)),
        "nuclear_ball": pf.sets.NuclearBall(2.0),
    }[name]
    slope = np.random.default_rng(3).standard_normal(shape)
    return feasible, slope, -feasible.support(-slope)


@pytest.mark.parametrize("form", ["function", "finite sum"])
@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("kind", ["simplex", "l1_ball", "box", "nuclear_ball"])
@pytest.mark.parametrize("name, options", TURNS)
def test_a_function_without_curvature_is_minimised(name, options, kind, flat, form):
    shape = (4, 3) if kind == "nuclear_ball" else (5,)
    feasible, slope, least = plain(kind, shape)
    slope, least = (0.0 * slope, 0.0) if flat else (slope, least)
    x0 = as_array(feasible.lmo(np.ones(shape)))
    if form == "function":
        fun, given = lambda x: (float(np.vdot(slope, x)), slope), {"x0": x0, "constants": ZEROS}
    else:
        fun, given = pf.FiniteSum(lambda x, _: (float(np.vdot(slope, x)), slope), 6, x0, ZEROS), {}
    try:
        found = pf.minimize(fun, feasible, name, options=options, budget=300, **given)
    except ValueError as error:
        assert "need" in str(error) or "unknown projection method" in str(error), error
        return
    slow = name in SLOW or "open_loop" in options.values()
    assert found.status == "converged" or (slow and found.gap <= 2.0), (found.message, found.gap)
    assert found.value - least <= found.gap + 1e-12


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("name", solvers.available())
@pytest.mark.parametrize("kind", ["Oscar", "TraceNorm"])
def test_a_penalty_alone_is_least_at_zero(kind, name, flat):
    shape, weights = {"Oscar": (4, {"lambda1": 2.0}), "TraceNorm": ((4, 3), {"weight": 2.0})}[kind]
    slope = np.zeros(shape) if flat else 0.1 * np.ones(shape)
    given = {"x0": np.ones(shape) if kind == "Oscar" else np.zeros(shape), "constants": {"L_full": 0.0}}
    try:
        found = pf.minimize(
            lambda x: (float(np.vdot(slope, x)), slope), getattr(penalties, kind)(**weights), name, **given
        )
    except ValueError as error:
        assert "need" in str(error) or "does not solve" in str(error), error
        return
    assert found.status == "converged" and abs(found.value) <= 1e-6, (found.message, found.value)


def test_features_of_zeros_are_fitted():
    y = np.arange(7.0)
    model = pf.estimators.OscarRegressor().fit(np.zeros((7, 3)), y)
    assert not model.coef_.any() and model.intercept_ == pytest.approx(3.0)


def test_convexity_is_at_most_the_curvature():
    with pytest.raises(ValueError, match="mu = 0.5 cannot be larger than L_full = 0.0"):
        pf.minimize(
            lambda x: (0.0, 0 * x), pf.sets.Simplex(), "cgs", np.ones(1), constants={"L_full": 0.0, "mu": 0.5}
        )
