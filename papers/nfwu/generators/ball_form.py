"""The "ball form" of robust recovery: a vector all of whose entries are observed."""

import numpy as np

from projfree.common.parameters import Count, Natural
from referee.data.errors import DataError
from referee.data.sampling import distinct


def generate(
    rng: np.random.Generator,
    *,
    source=None,
    size: Count,
    spread: float = 1.0,
    outliers: Natural = 0,
    noise: float = 10.0,
) -> dict[str, np.ndarray]:
    """Observations y ~ U[−spread, spread] of a vector, to exactly `outliers` of which U[−noise, noise] is
    added.

    It is matrix completion of shape (size, 1) with every entry observed, and goes with ``set: l2_ball``: a
    linear minimisation is exact and costs microseconds.

    Returns
    -------
    rows, cols int32 (size,); values float64 (size,); shape int64 (2,) = (size, 1).
    """
    if outliers > size:
        raise DataError(f"outliers in 0 … size, not {outliers} of {size}")
    values = rng.uniform(-spread, spread, size)
    values[distinct(rng, size, outliers)] += rng.uniform(-noise, noise, outliers)
    rows = np.arange(size, dtype=np.int32)
    return {"rows": rows, "cols": np.zeros_like(rows), "values": values, "shape": np.array([size, 1])}
