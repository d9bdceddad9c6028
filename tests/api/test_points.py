"""Every point that a method hands to the user's function lies in the set, to the last bit where limits are.

`pytest --long` makes twenty times as many cases.
"""

import numpy as np
import pytest

import projfree as pf
from projfree import solvers
from projfree.families import constrained
from projfree.linalg.atoms import as_array

SIZE = 7
LIMITED = {
    "simplex": lambda r: (pf.sets.Simplex(r), (0.0, r)),
    "box": lambda r: (pf.sets.Box(-0.7 * r, np.full(SIZE, r)), (-0.7 * r, r)),
    "hypersimplex": lambda r: (pf.sets.Hypersimplex(r, 3), (0.0, r)),
    "unit_hypersimplex": lambda r: (pf.sets.UnitHypersimplex(r, 3), (0.0, r)),
    "linf_ball": lambda r: (pf.sets.LinfBall(r, SIZE), (-r, r)),
    "permutahedron": lambda r: (pf.sets.Permutahedron(r * np.arange(SIZE)), (0.0, r * (SIZE - 1))),
    "convex_hull": lambda r: (pf.sets.ConvexHull(r * np.eye(SIZE)), (0.0, r)),
    "birkhoff": lambda r: (pf.sets.Birkhoff(SIZE), (0.0, 1.0)),
    "spectraplex": lambda r: (pf.sets.Spectraplex(r), (0.0, 2.0 * r)),  # the limits are of the diagonal
}
METHODS = [name for name in solvers.available() if constrained.FAMILY in solvers.load(name).families]


def limited(name, rng):
    """A set with limits of its entries, and a convex function that is defined there only."""
    feasible, (low, high) = LIMITED[name](float(rng.choice([1.0, 0.1, 0.3, 2.7])))
    shape = (SIZE, SIZE) if name in ("birkhoff", "spectraplex") else (SIZE,)
    rise, fall, tilt = rng.random(shape) + 0.1, rng.random(shape), rng.standard_normal(shape)
    limits = np.eye(SIZE, dtype=bool) if name == "spectraplex" else np.ones(shape, bool)
    seen = []

    def function(x):
        seen.append((x[limits].min() - low, high - x[limits].max()))
        gradient, up, down = tilt.copy(), *np.sqrt(np.array([x[limits] - low, high - x[limits]]))
        gradient[limits] += 1.5 * (rise[limits] * up - fall[limits] * down)
        return float(rise[limits] @ up**3 + fall[limits] @ down**3 + np.vdot(tilt, x)), gradient

    return feasible, function, seen, shape


def runs(name):
    """The method, and the lazy form of it where there is one."""
    yield name, {}
    if name in ("blended_pairwise_fw", "away_fw", "pairwise_fw", "fully_corrective_fw", "dicg"):
        yield "lazy", {"method": name}
    if name == "estimator_frank_wolfe":
        yield name, {"open_loop": True}


@pytest.mark.parametrize("kind", LIMITED)
@pytest.mark.parametrize("name", METHODS)
def test_the_function_is_asked_in_the_set_only(name, kind, long):
    asked = 0
    constants = {"L_full": 30.0, "L_vr": 30.0, "L_max": 30.0, "mu": 0.01, "G": 10.0, "sq_noise": 1.0}
    for case in range(20 if long else 1):
        rng = np.random.default_rng([case, *kind.encode()])
        feasible, function, seen, shape = limited(kind, rng)
        for method, options in runs(name):
            x0 = as_array(feasible.lmo(rng.standard_normal(shape)))
            known = {"budget": 60, "tol": 1e-10, "options": options, "rng": case}
            parts = pf.FiniteSum(lambda x, _, function=function: function(x), 6, x0, constants)
            for fun, given in ((function, {"x0": x0, "constants": constants}), (parts, {})):
                try:
                    pf.minimize(fun, feasible, method, **given, **known)
                except ValueError as error:
                    assert "need" in str(error), error  # of what this problem or set does not have
            asked += len(seen)
            assert min(map(min, seen), default=0.0) >= 0.0, (method, options)
    assert asked or solvers.load(name).needs, "no run of this method"


SHORT = {"constants": {"L_full": 1.0, "L_vr": 1.0, "mu": 0.5, "G": 1.0, "sq_noise": 1.0}, "budget": 30}
ENDS = {
    "an exception": lambda x: 1 / 0,
    "NaN": lambda x: (np.nan, x),
    "a gradient of NaN": lambda x: (0.0, np.nan * x),
    "another shape": lambda x: (0.0, x[:2]),
}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("name", METHODS)
def test_where_the_function_fails_the_best_point_is_the_result(name, end):
    aim, asked = np.arange(SIZE) / SIZE, []

    def failing(x):
        asked.append(x.copy())
        return ENDS[end](x) if len(asked) > 8 else (0.5 * (x - aim) @ (x - aim), x - aim)

    try:
        found = pf.minimize(failing, pf.sets.Simplex(), name, np.eye(SIZE)[0], tol=0.0, **SHORT)
    except ValueError as error:
        assert "need" in str(error), error
        return
    if len(asked) <= 8:
        assert found.status == "converged"
        return
    assert found.status == "error" and not found.success and isinstance(found.error, Exception)
    assert "step" in found.message and "shape (7,)" in found.message
    assert len(asked) == 9, "nothing is asked after the failure"
    values, gaps = found.trace.metrics["objective"], found.trace.metrics["fw_gap"]
    assert found.value == min(values) and found.gap == gaps[values.index(found.value)]
    assert found.value == pytest.approx(0.5 * np.sum((found.x - aim) ** 2), rel=1e-15)


@pytest.mark.parametrize(
    "penalty, shape", [(pf.penalties.TraceNorm(weight=0.1), (4, 3)), (pf.penalties.Oscar(lambda1=0.1), 4)]
)
def test_a_failure_with_a_penalty_has_a_result_too(penalty, shape):
    calls = []

    def failing(x):
        calls.append(x)
        return (0.5 * np.vdot(x - 1, x - 1), x - 1) if len(calls) < 5 else {}["nothing"]

    found = pf.minimize(failing, penalty, x0=np.zeros(shape), constants={"L_full": 1.0}, tol=0.0)
    assert found.status == "error" and isinstance(found.error, KeyError) and len(calls) == 5
    assert found.value == min(found.trace.metrics["objective"])


def test_an_error_at_the_start_is_the_users_own_and_says_where():
    with pytest.raises(ZeroDivisionError) as caught:
        pf.minimize(lambda x: 1 / 0, pf.sets.Simplex(), x0=np.eye(3)[0])
    assert "[1., 0., 0.]" in caught.value.__notes__[0]


@pytest.mark.parametrize(
    "name, options",
    [("frank_wolfe", {"step_rule": rule}) for rule in ("gap", "short", "line_search", "open_loop")]
    + [(f"{way}_fw", {"step_rule": "secant"}) for way in ("away", "pairwise", "adaptive")]
    + [("adaptive_fw", {}), ("momentum_frank_wolfe", {}), ("blended_pairwise_fw", {}), ("away_fw", {})],
)
@pytest.mark.parametrize("outside", [np.nan, np.inf, 0.0])
def test_steps_go_back_into_the_domain_of_the_function(name, options, outside):
    """−Σ w log x is infinite on all vertices of the simplex; it is least at x = w."""
    w, start = np.array([0.5, 0.3, 0.2]), np.ones(3) / 3

    def entropy(x):
        with np.errstate(divide="ignore"):
            value = -float(w @ np.log(x))
        return value, -w / x if value < np.inf else np.full(3, outside)

    # L where the first steps are: too small near the boundary, and the vertices are stepped to.
    L = 0.01 if options.get("step_rule") in ("gap", "short") else 4.0
    given = {"options": options, "budget": 300, "constants": {"L_full": L}}
    found = pf.minimize(entropy, pf.sets.Simplex(), name, start, **given)
    assert found.status in ("converged", "iterations") and np.isfinite(found.value), found.message
    assert found.value <= entropy(start)[0]


@pytest.mark.parametrize("name", solvers.available())
def test_a_callback_gets_points_that_stay_as_they_are(name):
    rng, kept = np.random.default_rng(0), []
    A, b = rng.standard_normal((20, 6)), rng.standard_normal(20)

    def array(x):
        return np.array(x.toarray() if hasattr(x, "toarray") else getattr(x, "array", x))

    def keep(progress):
        kept.append((progress.x, array(progress.x).copy()))

    def least_squares(x):
        return 0.5 * np.sum((A @ x - b) ** 2), A.T @ (A @ x - b)

    known = {"L_full": 99.0, "L_vr": 99.0, "mu": 0.1, "G": 99.0, "sq_noise": 1.0}
    constraint = pf.sets.L1Ball(0.8) if name in METHODS else pf.penalties.Oscar(lambda1=0.1)
    try:
        pf.minimize(least_squares, constraint, name, np.zeros(6), constants=known, callback=keep, budget=15)
    except ValueError as error:
        assert "need" in str(error) or "does not solve" in str(error), error
    assert all(np.array_equal(array(x), copy) for x, copy in kept)
