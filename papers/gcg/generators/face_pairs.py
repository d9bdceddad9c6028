"""Faces under two lights as two views, pixels of the second view lost (gcg §5.3.2)."""

from typing import Literal

import numpy as np

from projfree.common.parameters import Count
from referee.data.errors import DataError

from .two_views import hit


def generate(
    rng: np.random.Generator,
    *,
    source: dict,
    shape: tuple[Count, Count] = (192, 168),
    size: tuple[Count, Count] = (50, 50),
    pairs: int | None = None,
    share: float = 0.1,
    value: float = 1.0,
    counts: Literal["exact", "bernoulli"] = "exact",
    resize: Literal["area", "bilinear"] = "area",
) -> dict[str, np.ndarray]:
    """x under the first light, clean; y under the second with that share of its pixels set to `value`.

    Parameters
    ----------
    source : prepared dataset, X (images, rows·columns) of grey values to 255, y as `data.faces` labels them.
    shape, size : of the images there and here, in pixels.
    pairs : so many (subject, pose) pairs at random, in their order; all by default (deviation U35).
    counts : ``exact`` over the whole view, or ``bernoulli`` (deviation U37).
    resize : ``area`` averages with exact box weights, or ``bilinear`` (deviation U36).

    Returns
    -------
    noisy, clean float64 (2·rows·columns, pairs) in [0, 1]; views int64 (2,).
    """
    first, second = _pairs(source, rng, pairs)
    clean = np.concatenate([_resized(images, shape, size, resize).T for images in (first, second)])
    pixels = size[0] * size[1]
    noisy = clean.copy()
    lost = noisy[pixels:].ravel()
    lost[hit(rng, lost.size, share, counts)] = value
    noisy[pixels:] = lost.reshape(pixels, -1)
    return {"noisy": noisy, "clean": clean, "views": np.array([pixels, pixels], dtype=np.int64)}


def _pairs(source, rng, wanted):
    """Images of the (subject, pose) pairs that have both lights."""
    place = {int(label): i for i, label in enumerate(source["y"])}
    known = sorted(label for label in place if label % 10 == 0 and label + 1 in place)
    if wanted is not None:
        if not 0 < wanted <= len(known):
            raise DataError(f"{wanted} pairs of faces are wanted, the dataset has {len(known)}")
        known = [known[i] for i in np.sort(rng.choice(len(known), wanted, replace=False))]
    X = source["X"]
    return X[[place[k] for k in known]], X[[place[k + 1] for k in known]]


def _resized(images, shape, size, resize):
    if images.shape[1] != shape[0] * shape[1]:
        raise DataError(f"images of {images.shape[1]} pixels are not {shape[0]} × {shape[1]}")
    weights = {"area": box_weights, "bilinear": linear_weights}[resize]
    down, across = (weights(n, k) for n, k in zip(shape, size, strict=True))
    stacked = images.reshape(-1, *shape).astype(np.float64) / 255.0
    return np.einsum("ai,nij,bj->nab", down, stacked, across, optimize=True).reshape(len(images), -1)


def box_weights(n: int, k: int) -> np.ndarray:
    """(k, n): row i averages over [i·n/k, (i+1)·n/k) of n unit pixels, cut pixels by their share."""
    edges = np.arange(k + 1) * n / k
    low, high = edges[:-1, None], edges[1:, None]
    pixel = np.arange(n)
    overlap = np.minimum(high, pixel + 1) - np.maximum(low, pixel)
    return np.maximum(overlap, 0.0) * k / n


def linear_weights(n: int, k: int) -> np.ndarray:
    """(k, n): row i interpolates linearly at the centre of its box."""
    centre = np.clip((np.arange(k) + 0.5) * n / k - 0.5, 0.0, n - 1.0)
    return np.maximum(1.0 - np.abs(centre[:, None] - np.arange(n)), 0.0)
