"""Projection onto a set that is given by linear minimisation only, by Wolfe's algorithm (1976).

It ends after finitely many steps on a polytope, and on other sets when a step no longer improves the point.
"""

from __future__ import annotations

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
    flat = np.ldexp(x.ravel(), -e)

    def vertex(p):
        return np.ldexp(lmo(p.reshape(x.shape)).ravel(), -e) - flat

    corral, weights = (np.ldexp(first.ravel(), -e) - flat)[None], np.ones(1)
    p = corral[0]
    for _ in range(MOST):
        v = vertex(p)
        size = max(float(np.max(np.sum(corral**2, axis=1))), float(v @ v))
        if p @ p <= TINY**2 * size or p @ p - p @ v <= TINY * size:
            break
        corral, weights = _corrected(np.vstack([corral, v]), np.append(weights, 0.0))
        following = weights @ corral
        if not following @ following < p @ p:
            break
        p = following
    return np.ldexp(flat + p, e).reshape(x.shape)


def _corrected(corral, weights):
    """The point nearest to 0 in the hull of some vertices, and the vertices that it needs."""
    while True:
        target = _affine(corral)
        if (target > TINY).all():
            return corral, target
        falling = target <= TINY
        step = np.min(weights[falling] / np.maximum(weights[falling] - target[falling], 1e-300))
        weights = weights + min(step, 1.0) * (target - weights)
        kept = weights > TINY
        if kept.all():  # rounding: the least one goes, so that the loop ends
            kept[np.argmin(weights)] = False
        corral, weights = corral[kept], weights[kept] / weights[kept].sum()


def _affine(corral):
    """Weights (of sum 1) of the point nearest to 0 in the affine hull of the rows."""
    base, others = corral[0], corral[1:] - corral[0]
    rest = np.linalg.lstsq(others.T, -base, rcond=None)[0]
    return np.append(1.0 - rest.sum(), rest)
