"""A small regression with a few gross outliers, for checks of theory."""

import numpy as np


def generate(
    rng: np.random.Generator,
    *,
    source=None,
    rows: int = 80,
    features: int = 12,
    noise: float = 0.3,
    outliers: int = 5,
    size: float = 15.0,
) -> dict[str, np.ndarray]:
    """Gaussian features; coefficients 2, −1 and 0 on a third of them each; `outliers` targets moved up by
    `size`.

    Returns
    -------
    features float64 (rows, features), targets (rows,).
    """
    X = rng.standard_normal((rows, features))
    coefficients = np.array([2.0, -1.0, 0.0])[np.arange(features) * 3 // features]
    y = X @ coefficients + noise * rng.standard_normal(rows)
    y[:outliers] += size
    return {"features": X, "targets": y}
