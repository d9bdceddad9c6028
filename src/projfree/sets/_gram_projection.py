"""Projection onto the nuclear-norm ball by the Gram matrix of the small side."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from projfree.linalg.projections import simplex_threshold
from projfree.linalg.spectral import GRAM_FLOOR

EXACT = 1e-3  # a threshold above this share of σ₁ moves by rounding alone, 1e-13 σ₁ or less


def project_by_gram(X, radius, exact=False):
    """X·V f Vᵀ with XᵀX = V s² Vᵀ and f = (1 − θ/s)₊ (for a wide X, of Xᵀ); X itself if it lies inside.

    It takes two products with X, of 2·max(m, n)·min(m, n)² flops each; U s Vᵀ takes four. The result is None
    if squares lose too much: if entries are not finite, too small or too large, or θ is below the resolution
    of a Gram matrix. With `exact`, it is also None if θ is below `EXACT` or X may lie outside by rounding.
    """
    wide = X.shape[0] < X.shape[1]
    with np.errstate(over="ignore", invalid="ignore"):
        gram = X @ X.T if wide else X.T @ X
        trace = float(np.trace(gram))
    if not 1e-200 < trace < 1e200:
        return None
    values, V = eigh(gram, check_finite=False, overwrite_a=True, driver="evd")
    s = np.sqrt(np.maximum(values, 0.0))
    s[s <= GRAM_FLOOR * s[-1]] = 0.0
    unseen = GRAM_FLOOR * s[-1] * s.size if exact else 0.0
    if s.sum() + unseen <= radius:
        return X
    if s.sum() <= radius:
        return None
    theta = simplex_threshold(s[::-1], radius)
    if theta <= (EXACT if exact else 10 * GRAM_FLOOR) * s[-1]:
        return None
    kept = s > theta
    return _filtered(X, V[:, kept], 1.0 - theta / s[kept], wide)


def _filtered(X, V, f, wide):
    """X·V f Vᵀ, or V f Vᵀ·X, in the order of the fewer flops."""
    if 2 * f.size < V.shape[0]:
        return (V * f) @ (V.T @ X) if wide else (X @ (V * f)) @ V.T
    shrink = (V * f) @ V.T
    return shrink @ X if wide else X @ shrink
