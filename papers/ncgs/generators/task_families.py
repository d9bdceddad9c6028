"""Families of related binary tasks (ncgs figure 2)."""

from typing import Literal

import numpy as np
from scipy.special import expit

from projfree.common.parameters import Count, Share

ROWS = 4096


def generate(
    rng: np.random.Generator,
    *,
    source=None,
    families: Count,
    tasks: Count,
    samples: Count,
    dimension: Count,
    dtype: Literal["float32", "float64"] = "float32",
    orthogonal: bool = False,
    flip: Share = 0.0,
    test_fraction: float = 0.2,
    bias: bool = True,
) -> dict[str, np.ndarray]:
    """Samples of `families` × `tasks` binary classification tasks, sorted by task.

    Features of task (i, k) are U_i (D_i + D_ik)^½ z with U_i Gaussian (or `orthogonal`), D_i ~ U(1, 2),
    D_ik ~ U(0, 0.1); P(y = 1 | x) = 1 / (1 + exp(θ_iᵀx + b_i)) with signs θ_i, b_i shared by the family.
    `flip` is the share of training labels that are inverted; `test_fraction`·samples further samples a task
    are held out, never flipped.

    Returns
    -------
    features (N, d + 1), the last column 1 (without `bias` (N, d)), C-contiguous; labels int8 (N,); task_ptr
    int64 (T + 1,): task t owns rows task_ptr[t]:task_ptr[t + 1]; test_features, test_labels, test_ptr
    alike; theta (families, d), offset (families,): the signs that made the labels.
    """
    count, held = families * tasks, int(round(test_fraction * samples))
    train = _empty(count, samples, dimension + bias, dtype)
    test = _empty(count, held, dimension + bias, dtype)
    theta, offset = np.empty((families, dimension)), np.empty(families)
    for i in range(families):
        mix = rng.standard_normal((dimension, dimension))
        mix = np.linalg.qr(mix)[0] if orthogonal else mix
        spread = rng.uniform(1, 2, dimension)
        theta[i] = rng.choice([-1.0, 1.0], dimension)
        offset[i] = rng.choice([-1.0, 1.0])
        for k in range(i * tasks, (i + 1) * tasks):
            factor = (mix * np.sqrt(spread + rng.uniform(0, 0.1, dimension))).T.astype(dtype)
            for part in (train, test):
                _fill(rng, part, k, factor, theta[i], offset[i])
    _flip(rng, train["labels"], flip)
    return (
        train
        | {f"test_{k}".replace("test_task_ptr", "test_ptr"): v for k, v in test.items()}
        | {
            "theta": theta,
            "offset": offset,
        }
    )


def _empty(tasks: int, samples: int, columns: int, dtype: str) -> dict[str, np.ndarray]:
    """Arrays for `tasks` × `samples` rows; the constant feature is already in the last column's place."""
    return {
        "features": np.ones((tasks * samples, columns), dtype=dtype),
        "labels": np.empty(tasks * samples, dtype=np.int8),
        "task_ptr": np.arange(tasks + 1, dtype=np.int64) * samples,
    }


def _fill(rng, part: dict, task: int, factor: np.ndarray, theta: np.ndarray, offset: float) -> None:
    """Draw the rows of one task straight into their place, a few thousand at a time."""
    start, stop = part["task_ptr"][task : task + 2]
    for first in range(start, stop, ROWS):
        rows = slice(first, min(first + ROWS, stop))
        z = rng.standard_normal((rows.stop - rows.start, len(theta)), dtype=factor.dtype)
        x = z @ factor
        part["features"][rows, : len(theta)] = x
        part["labels"][rows] = rng.random(len(x)) < expit(-(x @ theta + offset))


def _flip(rng, labels: np.ndarray, share: float) -> None:
    chosen = rng.choice(labels.size, int(round(share * labels.size)), replace=False) if share else []
    labels[chosen] = 1 - labels[chosen]
