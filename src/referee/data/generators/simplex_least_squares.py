"""Least squares whose solution lies outside the simplex, for checks of theory with all constants known."""

import numpy as np

from projfree.common.parameters import Count


def generate(
    rng: np.random.Generator, *, source=None, rows: Count = 200, features: Count = 30
) -> dict[str, np.ndarray]:
    """a_ij ~ N(0,1)/(1+j), c = 3A·Dirichlet(0.3) + ½N(0,1).

    Returns
    -------
    A float64 (rows, features), c (rows,).
    """
    A = rng.standard_normal((rows, features)) / (1 + np.arange(features))
    weights = rng.dirichlet(np.full(features, 0.3))
    return {"A": A, "c": 3 * A @ weights + 0.5 * rng.standard_normal(rows)}
