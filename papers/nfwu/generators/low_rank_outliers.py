"""Low-rank matrix with outliers, part of it observed (nfwu §6)."""

from typing import Literal

import numpy as np

from projfree.common.parameters import Count
from referee.data.errors import DataError
from referee.data.sampling import distinct, exact

NONZEROS = 0.05  # of the sparse Gaussian factors of mode 'coherent'


def generate(
    rng: np.random.Generator,
    *,
    source=None,
    shape: Count | tuple[Count, Count] = 200,
    rank: int,
    noise: float,
    top: float = 50.0,
    outliers: float = 0.05,
    observe: float = 0.1,
    mode: Literal["haar", "coherent"] = "haar",
) -> dict[str, np.ndarray]:
    """Observed entries of M = U diag(s) Wᵀ, s_i = top·2^(i − rank), some of whose entries are outliers.

    Σ s = 2·top·(1 − 2^(−rank)), below 100 for the paper's top = 50; ‖M‖_F → 57.7 and the root mean square of
    the 200 × 200 entries → 0.2887 as the rank grows (96.875 and 0.288534 for rank 5).

    Parameters
    ----------
    shape : (m, n), or m = n.
    rank, noise : the paper's γ and ρ.
    top : largest singular value.
    outliers : share of all entries, exact to rounding, to which U[−noise, noise] is added.
    observe : share of all entries, exact to rounding, that is observed, drawn independently of the outliers.
    mode : 'haar' for singular vectors uniform among the orthonormal ones, 'coherent' for those of Gaussian
        matrices with 5 % nonzeros (deviation U2).

    Returns
    -------
    rows, cols int32 (n_obs,) in row-major order; values float64 (n_obs,); truth float64 (m, n), the clean M.
    """
    m, n = (shape, shape) if np.isscalar(shape) else shape
    if not 0 < rank <= min(m, n):
        raise DataError(f"rank {rank} is not between 1 and {min(m, n)}")
    left, right = (_orthonormal(rng, size, rank, mode) for size in (m, n))
    truth = (left * (top * 2.0 ** np.arange(1 - rank, 1))) @ right.T
    hit = distinct(rng, m * n, exact(outliers, m * n, "outliers"))
    noisy = truth.ravel().copy()
    noisy[hit] += rng.uniform(-noise, noise, len(hit))
    seen = distinct(rng, m * n, exact(observe, m * n, "observe"))
    if not len(seen):
        raise DataError(f"no entry of the {m}×{n} matrix is observed (observe={observe})")
    rows, cols = (index.astype(np.int32) for index in np.divmod(seen, n))
    return {"rows": rows, "cols": cols, "values": noisy[seen], "truth": truth}


def _orthonormal(rng, size: int, rank: int, mode: str) -> np.ndarray:
    """Q of a Gaussian (size, rank) = QR with diag(R) ≥ 0, which makes the law of Q that of Haar."""
    gauss = rng.standard_normal((size, rank))
    if mode == "coherent":
        gauss *= rng.random(gauss.shape) < NONZEROS
    q, r = np.linalg.qr(gauss)
    return q * np.where(np.diag(r) < 0, -1.0, 1.0)
