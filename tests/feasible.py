"""Every set in one small instance of a given size, for the tests of what all sets have in common."""

import numpy as np
from scipy.optimize import Bounds, LinearConstraint

from projfree import sets

#: Name → (the set of a size, the shape of its points).
MADE = {
    "l1_ball": (sets.load("l1_ball"), (9,)),
    "l2_ball": (sets.load("l2_ball"), (9,)),
    "linf_ball": (lambda s: sets.load("linf_ball")(s, 9), (9,)),
    "lp_ball": (lambda s: sets.load("lp_ball")(s, 3.0, 9), (9,)),
    "k_sparse": (lambda s: sets.load("k_sparse")(s, 3), (9,)),
    "simplex": (sets.load("simplex"), (9,)),
    "box": (lambda s: sets.load("box")(-s, [s] * 9), (9,)),
    "nuclear_ball": (sets.load("nuclear_ball"), (7, 5)),
    "spectral_ball": (lambda s: sets.load("spectral_ball")(s, 5), (7, 5)),
    "spectraplex": (sets.load("spectraplex"), (6, 6)),
    "birkhoff": (lambda s: sets.load("birkhoff")(5), (5, 5)),
    "group_ball": (sets.load("group_ball"), (4, 3)),
    "total_variation": (lambda s: sets.load("total_variation")(s, 12), (4, 3)),
    "polytope": (lambda s: sets.load("polytope")(A=np.ones((1, 9)), b=[s]), (9,)),
    "hypersimplex": (lambda s: sets.load("hypersimplex")(s, 3), (9,)),
    "unit_hypersimplex": (lambda s: sets.load("unit_hypersimplex")(s, 3), (9,)),
    "k_support_ball": (lambda s: sets.load("k_support_ball")(s, 3), (9,)),
    "owl_ball": (lambda s: sets.load("owl_ball")(s, [3.0, 2.0, 1.0, 1.0, 0.5, 0.0]), (6,)),
    "ellipsoid": (lambda s: sets.load("ellipsoid")(s, _definite(5)), (5,)),
    "permutahedron": (lambda s: sets.load("permutahedron")(s * np.arange(6.0)), (6,)),
    "fantope": (lambda s: sets.load("fantope")(2), (5, 5)),
    "convex_hull": (lambda s: sets.load("convex_hull")(s * _points(12, 5)), (5,)),
    "from_lmo": (lambda s: sets.load("from_lmo")(sets.load("l1_ball")(s).lmo, s, True), (4, 3)),
    "from_model": (lambda s: sets.load("from_model")(knapsack()), (4,)),
    "product": (lambda s: sets.load("product")([{"name": "simplex", "total": s}, _ball(s)], [4, 5]), (9,)),
}
#: Those that one size does not make.
MANY = ("owl_ball", "ellipsoid", "permutahedron", "fantope", "convex_hull", "from_lmo", "from_model")
#: Those whose first parameter is a size that scales them.
SIZED = [name for name in MADE if name not in ("box", "birkhoff", "polytope", "product", *MANY)]
#: Those whose bounds of norm and distance random vertices do not reach.
LOOSE = ("lp_ball", "total_variation", "polytope", "owl_ball", "ellipsoid", "convex_hull", "from_model")


def knapsack():
    """3a + 2b + 4c + 2.5z ≤ 9, a, b, c in {0, 1, 2}, 0 ≤ z ≤ 2: a model of whole numbers and another one."""
    rows = LinearConstraint([[3.0, 2.0, 4.0, 2.5]], -np.inf, 9.0)
    return {"constraints": rows, "bounds": Bounds(0.0, 2.0), "integrality": [1, 1, 1, 0]}


def _points(count, n):
    return np.random.default_rng(count).standard_normal((count, n))


def _definite(n):
    B = _points(n, n)
    return B @ B.T + np.eye(n)


def _ball(size):
    return sets.load("l2_ball")(size)


def make(name, size=2.0):
    """The set of that size, and the shape of its points."""
    maker, shape = MADE[name]
    return maker(size), shape


def vertex(feasible, G, rng):
    """The answer of the linear minimisation as an array."""
    answer = feasible.lmo(G, rng=rng, tol=1e-12)
    return answer if isinstance(answer, np.ndarray) else answer.toarray()
