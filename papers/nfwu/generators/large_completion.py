"""Low-rank matrix completion too large for a dense matrix: the truth stays in factors."""

from typing import Literal

import numpy as np

from projfree.common.parameters import Count
from referee.data.errors import DataError
from referee.data.sampling import distinct, exact

CHUNK = 1 << 15  # entries whose factor rows stay in the cache


def generate(
    rng: np.random.Generator,
    *,
    source=None,
    shape: Count | tuple[Count, Count] = 20_000,
    rank: int = 10,
    observed: Count = 10_000_000,
    outliers: float = 0.05,
    noise: float = 3.0,
    dtype: Literal["float32", "float64"] = "float32",
) -> dict[str, np.ndarray]:
    """Observed entries of U Vᵀ, Gaussian factors with entries of variance rank^(−½), some with outliers.

    The entries of U Vᵀ have variance 1, its nuclear norm is about (rank·m·n)^½. Peak memory is below 40
    bytes for each observed entry, 16 of them the result.

    Parameters
    ----------
    shape : (m, n), or m = n.
    observed : exact number of observed entries, each set of positions equally likely.
    outliers : share of the observed entries, exact to rounding, to which U[−noise, noise] is added.
    dtype : of the values; noisy observations need no more than float32, which halves them.

    Returns
    -------
    rows, cols int32 (observed,) in row-major order; values (observed,); truth_u (m, rank) and
    truth_v (n, rank) float64, C-contiguous: the clean matrix is truth_u @ truth_v.T.
    """
    m, n = (shape, shape) if np.isscalar(shape) else shape
    if not 0 < rank <= min(m, n):
        raise DataError(f"rank {rank} is not between 1 and {min(m, n)}")
    u, v = (rng.standard_normal((size, rank)) * rank**-0.25 for size in (m, n))
    rows, cols = _positions(rng, m, n, observed)
    values = np.empty(observed, dtype)
    for first in range(0, observed, CHUNK):
        part = slice(first, first + CHUNK)
        values[part] = np.einsum("ik,ik->i", u[rows[part]], v[cols[part]])
    hit = distinct(rng, observed, exact(outliers, observed, "outliers"))
    values[hit] += rng.uniform(-noise, noise, len(hit))
    return {"rows": rows, "cols": cols, "values": values, "truth_u": u, "truth_v": v}


def _positions(rng, m: int, n: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of `count` distinct entries in row-major order."""
    at = distinct(rng, m * n, count)
    rows = (at // n).astype(np.int32)
    at -= rows.astype(np.int64) * n
    return rows, at.astype(np.int32)
