"""A stand-in for COIL-20: smooth images that change smoothly with the angle of view."""

import numpy as np


def generate(
    rng: np.random.Generator,
    *,
    source=None,
    classes: int = 20,
    views: int = 72,
    side: int = 32,
    waves: int = 12,
) -> dict[str, np.ndarray]:
    """Images in [0, 1]: sums of waves inside a round outline, whose phases turn once in `views` images.

    Returns
    -------
    X float32 (classes·views, side²), y int64 from 1, sorted by class as the official file is.
    """
    axis = (np.arange(side) + 0.5) / side - 0.5
    u, v = np.meshgrid(axis, axis, indexing="ij")
    angle = 2 * np.pi * np.arange(views) / views
    images = np.empty((classes, views, side, side))
    for image in images:
        outline = 1 / (1 + np.exp(40 * (np.hypot(u, v) - rng.uniform(0.25, 0.45))))
        total = np.zeros((views, side, side))
        for _ in range(waves):
            frequency, phase = rng.normal(0, 6, 2), rng.uniform(0, 2 * np.pi)
            turn = phase + rng.integers(-2, 3) * angle
            total += np.cos(frequency[0] * u + frequency[1] * v + turn[:, None, None]) / waves**0.5
        image[:] = outline / (1 + np.exp(-2 * total))
    y = np.repeat(np.arange(1, classes + 1), views)
    return {"X": images.reshape(classes * views, -1).astype(np.float32), "y": y}
