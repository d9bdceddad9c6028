"""A stand-in for Extended Yale B: smooth random fields, each seen under two fixed lights."""

import numpy as np

from projfree.common.parameters import Count, Share


def generate(
    rng: np.random.Generator,
    *,
    source=None,
    subjects: int = 38,
    shape: tuple[Count, Count] = (192, 168),
    rank: int = 12,
    light: Share = 0.6,
) -> dict[str, np.ndarray]:
    """Images of grey values 0 … 255 in the order of the files: per subject, one image under each light.

    A face is a mean plus `rank` smooth waves common to all subjects with random weights; a light is a smooth
    factor from 1 − light to 1 across the image.

    Returns
    -------
    X float32 (2·subjects, rows·columns), y int64: 1000·subject + index of the light (pose 0).
    """
    down, across = (np.linspace(0.0, 1.0, n) for n in shape)
    u, v = np.meshgrid(down, across, indexing="ij")
    waves = [
        np.cos(np.pi * (f[0] * u + f[1] * v) + phase)
        for f, phase in zip(rng.uniform(-4, 4, (rank, 2)), rng.uniform(0, 2 * np.pi, rank), strict=True)
    ]
    mean = 0.55 * np.exp(-4.0 * ((u - 0.5) ** 2 + (v - 0.5) ** 2))
    weights = rng.standard_normal((subjects, rank)) * 0.3 / np.sqrt(rank)
    faces = np.clip(mean + np.tensordot(weights, np.array(waves), 1), 0.02, 1.0)
    lights = [np.ones(shape), 1.0 - light * u]
    X = np.stack([255.0 * face * factor for face in faces for factor in lights])
    y = np.repeat(1000 * np.arange(1, subjects + 1), 2) + np.tile([0, 1], subjects)
    return {"X": np.rint(X).reshape(len(X), -1).astype(np.float32), "y": y}
