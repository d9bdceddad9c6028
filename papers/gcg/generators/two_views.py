"""Two views of one latent representation, some entries noisy (gcg §5.3.1)."""

from typing import Literal

import numpy as np

from projfree.common.parameters import Count, Positive
from referee.data.sampling import distinct, exact


def generate(
    rng: np.random.Generator,
    *,
    source=None,
    rows: tuple[Count, Count] = (800, 1000),
    columns: Count = 200,
    rank: Count = 10,
    radii: tuple[Positive, Positive] = (1.0, 5.0),
    noise: float = 10.0,
    share: float = 0.15,
    counts: Literal["exact", "bernoulli"] = "exact",
) -> dict[str, np.ndarray]:
    """X* = A*H*, Y* = B*H* with columns of A*, B* uniform on spheres and H* standard normal; plus noise.

    Parameters
    ----------
    rows, columns, rank : n1 and n2, m, and t*.
    radii : β and γ, of the spheres.
    noise, share : U[0, noise] is added to that share of the entries of each view.
    counts : ``exact`` in each view, or ``bernoulli``: every entry by itself (deviation U33).

    Returns
    -------
    noisy, clean float64 (n1 + n2, m); views int64 (2,), n1 and n2; latent float64 (t*, m), H*.
    """
    latent = rng.standard_normal((rank, columns))
    clean = [
        radius * _unit_columns(rng.standard_normal((n, rank))) @ latent
        for n, radius in zip(rows, radii, strict=True)
    ]
    noisy = [view + _noise(rng, view, noise, share, counts) for view in clean]
    return {
        "noisy": np.concatenate(noisy),
        "clean": np.concatenate(clean),
        "views": np.array(rows, dtype=np.int64),
        "latent": latent,
    }


def hit(rng: np.random.Generator, size: int, share: float, counts: str) -> np.ndarray:
    """Indices of the noisy among `size` entries: exactly the share of them, or each with that chance."""
    if counts == "exact":
        return distinct(rng, size, exact(share, size, "share"))
    return np.flatnonzero(rng.random(size) < share)


def _noise(rng, view, noise, share, counts):
    added = np.zeros(view.size)
    places = hit(rng, view.size, share, counts)
    added[places] = rng.uniform(0.0, noise, len(places))
    return added.reshape(view.shape)


def _unit_columns(A):
    return A / np.linalg.norm(A, axis=0)
