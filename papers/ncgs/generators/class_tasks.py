"""One-against-the-rest tasks from a labelled dataset, in noisy versions (ncgs figure 3)."""

from typing import Literal

import numpy as np

from referee.data.errors import DataError

ROWS = 16384


def generate(
    rng: np.random.Generator,
    *,
    source: dict,
    versions: int = 5,
    noise: float = 0.05,
    cap_positives: int | None = None,
    negatives: Literal["shared", "fresh"] = "shared",
    classes: int | list | None = None,
    dtype: Literal["float32", "float64"] = "float32",
    bias: bool = True,
) -> dict[str, np.ndarray]:
    """Binary tasks, `versions` for each class, sorted by task.

    Features are scaled to [-1, 1] by their minimum and maximum over the whole source (a constant one
    becomes 0). The positives of a class are all its rows, or `cap_positives` of them; as many negatives are
    drawn without replacement from the other classes, the same ones for all versions ('shared') or anew
    ('fresh'). To each version Gaussian noise of that standard deviation is added, after scaling.

    Parameters
    ----------
    source : prepared dataset with X (n, d), y (n,), minimum, maximum (d,).
    classes : None for all, a number for the first so many labels, or the labels themselves; the negatives,
        too, come from these only.

    Returns
    -------
    features (N, d + 1), the last column 1 (without `bias` (N, d)), C-contiguous; labels int8 (N,), 1 for
    positives, which stand first in their task; task_ptr int64 (T + 1,); task_class int64 (T,), the class of
    each task.
    """
    X, labels, (shift, scale) = source["X"], source["y"], _scaling(source, dtype)
    members = {c: np.flatnonzero(labels == c) for c in _chosen(labels, classes)}
    sizes = [min(len(m), cap_positives or len(m)) for m in members.values()]
    task_ptr = np.concatenate([[0], np.cumsum(np.repeat(2 * np.array(sizes), versions))]).astype(np.int64)
    features = np.empty((task_ptr[-1], X.shape[1] + bias), dtype=dtype)
    answers = np.empty(task_ptr[-1], dtype=np.int8)
    pool = np.sort(np.concatenate(list(members.values())))
    task = 0
    for (label, own), size in zip(members.items(), sizes, strict=True):
        positives = own if size == len(own) else np.sort(rng.choice(own, size, replace=False))
        others = pool[labels[pool] != label]
        for version in range(versions):
            if version == 0 or negatives == "fresh":
                chosen = np.concatenate([positives, _draw(rng, others, size, label)])
            block = slice(task_ptr[task], task_ptr[task + 1])
            _fill(rng, features[block], X, chosen, shift, scale, noise, bias)
            answers[block] = np.arange(2 * size) < size
            task += 1
    task_class = np.repeat(np.array(list(members), dtype=np.int64), versions)
    return {"features": features, "labels": answers, "task_ptr": task_ptr, "task_class": task_class}


def _scaling(source: dict, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """(shift, scale) with (x − shift)·scale in [-1, 1], and 0 for a constant feature."""
    low, high = source["minimum"].astype(np.float64), source["maximum"].astype(np.float64)
    spread = high - low
    scale = np.divide(2.0, spread, out=np.zeros_like(spread), where=spread > 0)
    return ((low + high) / 2).astype(dtype), scale.astype(dtype)


def _chosen(labels: np.ndarray, classes) -> list:
    present = np.unique(labels)
    if classes is None:
        return present.tolist()
    wanted = present[:classes].tolist() if np.isscalar(classes) else list(classes)
    absent = set(wanted) - set(present.tolist())
    if absent or len(wanted) < 2 or (np.isscalar(classes) and classes > len(present)):
        raise DataError(
            f"classes={classes} does not choose two or more of {len(present)} classes {present[:9].tolist()}…"
        )
    return wanted


def _draw(rng, others: np.ndarray, size: int, label) -> np.ndarray:
    if len(others) < size:
        raise DataError(
            f"class {label}: {size} positives, only {len(others)} rows of other classes; set cap_positives"
        )
    return np.sort(rng.choice(others, size, replace=False))


def _fill(rng, out: np.ndarray, X, chosen: np.ndarray, shift, scale, noise: float, bias: bool) -> None:
    """Noise, then the scaled rows on top, in blocks that stay in the cache."""
    for first in range(0, len(chosen), ROWS):
        block = out[first : first + ROWS]
        rng.standard_normal(dtype=block.dtype.type, out=block)
        block *= block.dtype.type(noise)
        values = X[chosen[first : first + ROWS]].astype(block.dtype, copy=False)
        values -= shift
        values *= scale
        block[:, : X.shape[1]] += values
        if bias:
            block[:, -1] = 1.0
