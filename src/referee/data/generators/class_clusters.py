"""Clusters in a low-dimensional subspace, the stand-in for aloi and sensorless."""

import numpy as np


def generate(
    rng: np.random.Generator,
    *,
    source=None,
    classes: int,
    per_class: int,
    dimension: int,
    first_label: int = 1,
    inside: float = 0.6,
    background: float = 0.02,
    threshold: float | None = None,
) -> dict[str, np.ndarray]:
    """Gaussian classes x = A (z_c + inside·ε) + background·ζ, A orthonormal times j^(−0.75), ≤ 40 columns.

    `threshold` t turns x into max(x − q, 0), q the t-quantile of each feature (a sparse non-negative
    histogram).

    Returns
    -------
    X float32 (classes·per_class, dimension), classes interleaved; y int64 from `first_label`.
    """
    k = min(dimension, 40)
    basis = np.linalg.qr(rng.standard_normal((dimension, k)))[0] * np.arange(1, k + 1) ** -0.75
    centres = rng.standard_normal((classes, k))
    y = np.tile(np.arange(classes), per_class)
    latent = centres[y] + inside * rng.standard_normal((len(y), k))
    X = latent @ basis.T
    X += background * rng.standard_normal(X.shape)
    if threshold is not None:
        X = np.maximum(X - np.quantile(X, threshold, axis=0), 0.0)
    return {"X": X.astype(np.float32), "y": y + first_label}
