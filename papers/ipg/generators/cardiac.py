"""The stand-in for the hospital's cardiac images: groups of correlated features, outliers."""

import numpy as np


def generate(
    rng: np.random.Generator,
    *,
    source=None,
    rows: int = 3360,
    groups: int = 40,
    size: int = 20,
    active: int = 8,
    noise: float = 0.2,
    outliers: float = 0.05,
) -> dict[str, np.ndarray]:
    """Features √0.9 F_group + √0.1 ε with an autoregressive chain of factors F_q = 0.8 F_{q−1} + 0.6 ε.

    `active` random groups have one coefficient each, ±U(0.5, 1.5)/size; the target is their combination
    plus noise of `noise` standard deviations, and ±U(3, 6) standard deviations on a share `outliers` of the
    rows.

    Returns
    -------
    X float32 (rows, groups·size), y float64 (rows,).
    """
    factors = np.empty((rows, groups))
    factors[:, 0] = rng.standard_normal(rows)
    for q in range(1, groups):
        factors[:, q] = 0.8 * factors[:, q - 1] + 0.6 * rng.standard_normal(rows)
    X = np.sqrt(0.9) * np.repeat(factors, size, axis=1)
    X += np.sqrt(0.1) * rng.standard_normal(X.shape)
    coefficients = np.zeros(groups)
    chosen = rng.choice(groups, active, replace=False)
    coefficients[chosen] = rng.choice([-1.0, 1.0], active) * rng.uniform(0.5, 1.5, active) / size
    signal = X @ np.repeat(coefficients, size)
    y = signal + noise * signal.std() * rng.standard_normal(rows)
    hit = rng.choice(rows, round(outliers * rows), replace=False)
    y[hit] += rng.choice([-1.0, 1.0], hit.size) * rng.uniform(3, 6, hit.size) * signal.std()
    return {"X": X.astype(np.float32), "y": y}
