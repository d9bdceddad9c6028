"""The decomposition of a point into atoms of a set."""

from typing import Any

import numpy as np

from ..linalg.atoms import as_array
from ..linalg.projections import norm_l2
from ..linalg.validation import array
from ..solvers.inner.active_set import ActiveSet
from .minimize import minimize

#: Weights that are rounding.
LEAST = 1e-14


def decompose(x, constraint, *, tol=1e-9, budget=10_000) -> ActiveSet:
    """A point as a convex combination of extreme points of a set (Carathéodory).

    Minimises the distance from x over the set by Wolfe's corrections, and then moves weights until the atoms
    are affinely independent: there is at most one more of them than dimensions of the set.

    Parameters
    ----------
    x : array, in the set
    constraint : set
    tol : float
        Accepted distance of the combination from x, relative to the largest of its norm and the set's bound.
    budget : int
        Steps at most.

    Returns
    -------
    ActiveSet
        Its atoms and weights; its x is the combination.

    Raises
    ------
    ValueError
        If x is farther from the combination that was found: the message has the distance.

    Examples
    --------
    >>> import numpy as np, projfree as pf
    >>> found = pf.decompose([[0.7, 0.3], [0.3, 0.7]], pf.sets.Birkhoff())
    >>> found.weights.round(3), found.atoms[0].toarray()
    (array([0.7, 0.3]), array([[1., 0.],
           [0., 1.]]))
    """
    x = np.ascontiguousarray(array("x", x))
    size = max(norm_l2(x), constraint.bound)

    def near(y):
        miss = y - x
        return 0.5 * float(np.vdot(miss, miss)), miss

    options = {"x0": as_array(constraint.lmo(-x)), "tol": 0.5 * (tol * size) ** 2, "budget": budget}
    active: Any = minimize(near, constraint, "quadratic-corrective-fw", **options).active_set
    distance = norm_l2(active.x - x)
    if not distance <= tol * size:
        raise ValueError(
            f"x is {distance:.3g} from the combination of {active.weights.size} atoms that was found, more "
            f"than tol allows ({tol * size:.3g}): it lies outside of the set, or needs a larger budget"
        )
    return independent(active)


def independent(active) -> ActiveSet:
    """The same point by affinely independent atoms: weights move along dependencies until one is used up."""
    atoms, weights = list(active.atoms), active.weights
    system = np.array([[*atom.toarray().ravel(), 1.0] for atom in atoms]).T
    while True:
        places = np.flatnonzero(weights > LEAST)
        atoms, weights, system = [atoms[i] for i in places], weights[places], system[:, places]
        _, sizes, directions = np.linalg.svd(system)
        if np.count_nonzero(sizes > LEAST * sizes[0] * len(system)) == places.size:
            return ActiveSet.of(atoms, weights / weights.sum())
        d = directions[-1] * (1.0 if directions[-1].max() > LEAST else -1.0)
        reach = np.divide(weights, d, out=np.full(d.size, np.inf), where=d > LEAST)
        weights = weights - reach.min() * d
        weights[np.argmin(reach)] = 0.0
