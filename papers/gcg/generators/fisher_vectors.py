"""The stand-in for Fisher vectors of ImageNet classes, before they are normalised."""

import numpy as np

ROWS = 1024
WITHIN = 40  # directions in which all classes vary alike


def generate(
    rng: np.random.Generator, *, source=None, classes: int, per_class: int, dimension: int, separation: float
) -> dict[str, np.ndarray]:
    """x = A z_c + Σ_k k^(−1/2) g_k d_k + white noise of norm 1.

    A has r = max(4, min(C/2, 32)) orthonormal columns, z_c ~ N(0, I)·separation/√r, so that a class centre
    has norm about `separation`; d_k are random unit directions, g_k and the noise Gaussian.

    Returns
    -------
    X float32 (classes·per_class, dimension), classes interleaved; y int64 from 0.
    """
    r = min(dimension, max(4, min(classes // 2, 32)))
    basis = np.linalg.qr(rng.standard_normal((dimension, r)))[0]
    centres = rng.standard_normal((classes, r)) * (separation / np.sqrt(r))
    within = rng.standard_normal((WITHIN, dimension))
    within *= (np.arange(1, WITHIN + 1) ** -0.5 / np.linalg.norm(within, axis=1))[:, None]
    y = np.tile(np.arange(classes), per_class)
    X = np.empty((y.size, dimension), dtype=np.float32)
    for first in range(0, y.size, ROWS):
        part = X[first : first + ROWS]
        rng.standard_normal(dtype=np.float32, out=part)
        part /= np.float32(np.sqrt(dimension))
        part += centres[y[first : first + ROWS]] @ basis.T
        part += rng.standard_normal((len(part), WITHIN)) @ within
    return {"X": X, "y": y}
