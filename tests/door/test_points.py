"""Every point that a method hands to the user's function lies in the set, to the last bit where limits are.

`pytest --long` makes twenty times as many cases.
"""

import numpy as np
import pytest

import projfree as pf
from projfree import solvers
from projfree.families import constrained

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
    """A set with limits of the entries of all its points, and a convex function that is defined there only."""
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
    for case in range(20 if long else 1):
        rng = np.random.default_rng([case, *kind.encode()])
        feasible, function, seen, shape = limited(kind, rng)
        for method, options in runs(name):
            x0 = feasible.lmo(rng.standard_normal(shape))
            x0 = x0 if isinstance(x0, np.ndarray) else x0.toarray()
            constants = {"L_full": 30.0, "L_vr": 30.0, "mu": 0.01, "G": 10.0, "sq_noise": 1.0}
            known = {"constants": constants, "budget": 60, "tol": 1e-10, "options": options, "rng": case}
            try:
                pf.minimize(function, feasible, method, x0, **known)
            except ValueError as error:
                assert "need" in str(error), error  # of what this problem or set does not have
            asked += len(seen)
            assert all(least >= 0.0 for pair in seen for least in pair), (
                method,
                options,
                min(map(min, seen)),
            )
    assert asked or solvers.load(name).needs, "no run of this method"
