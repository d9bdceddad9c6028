"""A stand-in for the gas sensor batches: gains, drift and class means."""

import numpy as np


def generate(
    rng: np.random.Generator,
    *,
    source=None,
    rows: int = 1000,
    sensors: int = 16,
    per_sensor: int = 8,
    batches: int = 10,
    classes: int = 6,
) -> dict[str, np.ndarray]:
    """Responses of `sensors` with log-normal gains to `classes` gases, drifting from batch to batch.

    Returns
    -------
    X float32 (rows, sensors·per_sensor), y int64 (rows,), 1 … classes.
    """
    y = np.tile(np.arange(classes), -(-rows // classes))[:rows]
    batch = np.arange(rows) * batches // rows
    means = rng.standard_normal((classes, sensors, 1)) + 0.3 * rng.standard_normal(
        (classes, sensors, per_sensor)
    )
    drift = np.cumsum(0.2 * rng.standard_normal((batches, sensors, 1)), axis=0)
    gains = np.exp(0.5 * rng.standard_normal((sensors, 1)))
    strength = np.exp(0.3 * rng.standard_normal((rows, 1, 1)))
    X = gains * (strength * means[y] + drift[batch]) + 0.1 * rng.standard_normal((rows, sensors, per_sensor))
    return {"X": X.reshape(rows, -1).astype(np.float32), "y": y + 1}
