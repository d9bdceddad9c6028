"""Functions with a constant gradient, whose L is 0: each method finds a vertex, and divides by nothing."""

import numpy as np
import pytest

import projfree as pf
from projfree import solvers
from projfree.families import constrained
from projfree.linalg.atoms import as_array

METHODS = [name for name in solvers.available() if constrained.FAMILY in solvers.load(name).families]
ZEROS = {"L_full": 0.0, "L_vr": 0.0, "L_max": 0.0, "L2_vr": 0.0, "mu": 0.0, "G": 9.0, "sq_noise": 0.0}
SLOW = "momentum_frank_wolfe", "nfwu", "estimator_frank_wolfe"
OSCAR, NUCLEAR = pf.penalties.Oscar(lambda1=2.0), pf.penalties.TraceNorm(weight=2.0)
WAYS = ("away", "pairwise", "blended_pairwise", "adaptive")
TURNS = [(name, {}) for name in METHODS]
TURNS += [("frank_wolfe", {"step_rule": rule}) for rule in ("gap", "short", "open_loop")]
TURNS += [(f"{way}_fw", {"step_rule": "short"}) for way in WAYS]
TURNS += [("ncgs", {"option": "II-exact"}), ("nfwu", {"step_rule": "short", "estimator": "full"})]
SETS = {
    "simplex": (pf.sets.Simplex(2.0), (5,)),
    "l1_ball": (pf.sets.L1Ball(3.0), (5,)),
    "box": (pf.sets.Box(-1.0, np.full(5, 2.0)), (5,)),
    "nuclear_ball": (pf.sets.NuclearBall(2.0), (4, 3)),
}


@pytest.mark.parametrize("form", ["function", "finite sum"])
@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("kind", SETS)
@pytest.mark.parametrize("name, options", TURNS)
def test_a_function_without_curvature_is_minimised(name, options, kind, flat, form):
    feasible, shape = SETS[kind]
    slope = np.random.default_rng(3).standard_normal(shape) * (not flat)
    x0 = as_array(feasible.lmo(np.ones(shape)))
    fun, given = lambda x: (float(np.vdot(slope, x)), slope), {"x0": x0, "constants": ZEROS}
    if form == "finite sum":
        fun, given = pf.FiniteSum(lambda x, _, plain=fun: plain(x), 6, x0, ZEROS), {}
    try:
        found = pf.minimize(fun, feasible, name, options=options, budget=300, **given)
    except ValueError as error:
        assert "need" in str(error) or "unknown projection method" in str(error), error
        return
    slow = name in SLOW or "open_loop" in options.values()
    assert found.status == "converged" or (slow and found.gap <= 2.0), (found.message, found.gap)
    assert found.value + feasible.support(-slope) <= found.gap + 1e-12


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("name", solvers.available())
@pytest.mark.parametrize("penalty, x0", [(OSCAR, np.ones(4)), (NUCLEAR, np.zeros((4, 3)))])
def test_a_penalty_alone_is_least_at_zero(penalty, x0, name, flat):
    slope = np.full(x0.shape, 0.0 if flat else 0.1)
    near = lambda x: (float(np.vdot(slope, x)), slope)  # noqa: E731
    try:
        found = pf.minimize(near, penalty, name, x0, constants={"L_full": 0.0})
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
