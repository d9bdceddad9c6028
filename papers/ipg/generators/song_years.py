"""The stand-in for YearPredictionMSD: a decaying spectrum and years skewed to the left."""

import numpy as np

ROWS = 65_536


def generate(
    rng: np.random.Generator, *, source=None, rows: int = 515_345, features: int = 90, active: int = 30
) -> dict[str, np.ndarray]:
    """X = (G diag(j^(−1/2)))Qᵀ standardised; year = 1998.4 + 10.9(√0.24·signal − √0.76·e), 1922 to 2011.

    The signal is a Gaussian combination of `active` features with unit variance, e a centred, scaled
    Gamma(2): R² ≈ 0.24, as published for linear fits.

    Returns
    -------
    X float32 (rows, features), y float64 (rows,) whole years.
    """
    turn = np.linalg.qr(rng.standard_normal((features, features)))[0]
    mix = (np.arange(1, features + 1) ** -0.5)[:, None] * turn.T
    X = np.empty((rows, features), dtype=np.float32)
    for first in range(0, rows, ROWS):
        part = X[first : first + ROWS]
        part[:] = rng.standard_normal(part.shape) @ mix
    X -= X.mean(axis=0, dtype=np.float64).astype(np.float32)
    X /= X.std(axis=0, dtype=np.float64).astype(np.float32)
    weights = np.zeros(features)
    weights[rng.choice(features, active, replace=False)] = rng.standard_normal(active)
    signal = X @ weights.astype(np.float32).astype(np.float64)
    skewed = (rng.gamma(2.0, size=rows) - 2.0) / np.sqrt(2.0)
    years = 1998.4 + 10.9 * (np.sqrt(0.24) * signal / signal.std() - np.sqrt(0.76) * skewed)
    return {"X": X, "y": np.clip(np.rint(years), 1922, 2011)}
