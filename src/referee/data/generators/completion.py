"""Low-rank matrix completion with sparse gross noise (ncgs eq. 9, figure 1)."""

from typing import Literal

import numpy as np

from projfree.common.parameters import Count
from referee.data.errors import DataError
from referee.data.sampling import distinct, exact


def generate(
    rng: np.random.Generator,
    *,
    source=None,
    shape: Count | tuple[Count, Count],
    rank: int,
    radius: float,
    observe: float = 0.1,
    corrupt: float = 0.05,
    noise: float = 3.0,
    mode: Literal["A", "B", "C"] = "A",
    corruption: Literal["add", "replace"] = "add",
    hits: Literal["all", "observed"] = "all",
) -> dict[str, np.ndarray]:
    """Observed entries of a corrupted low-rank matrix.

    Parameters
    ----------
    shape, rank : (m, n) and rank of the clean matrix.
    radius : nuclear norm of the clean matrix in mode B.
    observe, corrupt : probability that an entry is observed, that it is corrupted.
    noise : gross noise is uniform on [-noise, noise].
    mode : 'A' U Vᵀ with orthonormal factors (nuclear norm = rank), 'B' Gaussian factors scaled to `radius`,
        'C' Gaussian factors as they are.
    corruption : 'add' the noise or let it 'replace' the entry.
    hits : entries of 'all' the matrix are corrupted, each with that probability, or exactly that share of the
        'observed' ones (deviation U16).

    Returns
    -------
    rows, cols int32 (n_obs,) in row-major order; values float64 (n_obs,); truth float64 (m, n).
    """
    m, n = (shape, shape) if np.isscalar(shape) else shape
    truth = _clean(rng, int(m), int(n), rank, radius, mode)
    visible = rng.random(truth.shape) < observe
    hit = _observed(rng, visible, corrupt) if hits == "observed" else rng.random(truth.shape) < corrupt
    gross = rng.uniform(-noise, noise, truth.shape)
    noisy = np.where(hit, gross + (truth if corruption == "add" else 0.0), truth)
    rows, cols = np.nonzero(visible)
    if not rows.size:
        raise DataError(f"no entry of the {m}×{n} matrix is observed (observe={observe})")
    return {
        "rows": rows.astype(np.int32),
        "cols": cols.astype(np.int32),
        "values": noisy[visible],
        "truth": truth,
    }


def _observed(rng, visible, share: float) -> np.ndarray:
    """That share of the observed entries."""
    places = np.flatnonzero(visible)
    hit = np.zeros(visible.size, dtype=bool)
    hit[places[distinct(rng, places.size, exact(share, places.size, "corrupt"))]] = True
    return hit.reshape(visible.shape)


def _clean(rng, m: int, n: int, rank: int, radius: float, mode: str) -> np.ndarray:
    if not 0 < rank <= min(m, n):
        raise DataError(f"rank {rank} is not between 1 and {min(m, n)}")
    left, right = rng.standard_normal((m, rank)), rng.standard_normal((n, rank))
    if mode == "A":
        left, right = np.linalg.qr(left)[0], np.linalg.qr(right)[0]
    elif mode == "B":
        core = np.linalg.qr(left)[1] @ np.linalg.qr(right)[1].T
        left *= radius / np.linalg.norm(core, "nuc")
    return left @ right.T
