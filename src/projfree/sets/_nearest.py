"""Projection onto a set that is given by linear minimisation only, by Wolfe's algorithm (1976).

It ends after finitely many steps on a polytope, and on other sets when a step no longer improves the point.
"""

import math

import numpy as np

MOST = 1000  # vertices that one call asks for
TINY = 1e-14  # weights, and lengths relative to those of vertices, that are rounding


def nearest(lmo, x) -> np.ndarray:
    """The point of the set that is nearest to x.

    Parameters
    ----------
    lmo : callable
        G ↦ argmin ⟨G, v⟩ over the set, an array of x's shape.
    """
    first = lmo(-x)
    e = math.frexp(max(np.abs(x).max(), np.abs(first).max()))[1]  # of 2^−e of all, squares are safe
    origin = np.ldexp(first.ravel(), -e)
    aim = np.ldexp(x.ravel(), -e) - origin
    # A sum of vertices is as exact as these are, however far the aim.
    corral, weights, q = np.zeros((1, aim.size)), np.ones(1), np.zeros(aim.size)
    for _ in range(MOST):
        p = q - aim
        v = np.ldexp(lmo(p.reshape(x.shape)).ravel(), -e) - origin
        length, extent = np.linalg.norm(p), max(np.linalg.norm(corral, axis=1).max(), np.linalg.norm(v - q))
        if length <= TINY * extent or p @ (q - v) <= TINY * length * extent:
            break
        corral, weights = _corrected(np.vstack([corral, v]), np.append(weights, 0.0), aim)
        following = weights @ corral
        if not (following - q) @ (following - aim + p) < 0.0:  # ‖following − aim‖² < ‖p‖²
            break
        q = following
    return np.ldexp(origin + q, e).reshape(x.shape)


def _corrected(corral, weights, aim):
    """The vertices that the point nearest to the aim in the hull of some needs, and their weights."""
    while True:
        # the weights, of sum 1, of the point nearest to the aim in the affine hull
        rest = np.linalg.lstsq((corral[1:] - corral[0]).T, aim - corral[0], rcond=None)[0]
        target = np.append(1.0 - rest.sum(), rest)
        if (target > TINY).all():
            return corral, target
        falling = target <= TINY
        step = np.min(weights[falling] / np.maximum(weights[falling] - target[falling], 1e-300))
        weights = weights + min(step, 1.0) * (target - weights)
        positive = weights > TINY
        if positive.all():  # rounding: the least one goes, so that the loop ends
            positive[np.argmin(weights)] = False
        corral, weights = corral[positive], weights[positive] / weights[positive].sum()
