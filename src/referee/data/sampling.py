"""Exact numbers of distinct things from a large population, without holding the population."""

import math

import numpy as np

from referee.data.errors import DataError

SPARE = 6.0  # standard deviations drawn too many: one draw suffices but once in 10^9


def distinct(rng: np.random.Generator, population: int, count: int) -> np.ndarray:
    """`count` distinct numbers below `population`, each such set equally likely; int64, increasing.

    Sorted Bernoulli draws by their geometric gaps, somewhat more than wanted, thinned to `count`: of every
    size each set is equally likely, before and after. Takes O(count) time, and 8 to 24 bytes for each.
    """
    if not 0 <= count <= population:
        raise DataError(f"cannot draw {count} distinct ones of {population}")
    if not count:
        return np.empty(0, dtype=np.int64)
    spare = math.ceil(SPARE * math.sqrt(count)) + 10
    share = min(1.0, (count + spare) / population)
    while True:
        # Another spare for the end of the population to be passed; gaps beyond it are cut, or they overflow.
        number = min(count + 2 * spare, population)
        gaps = rng.geometric(share, number) if share < 1 else np.ones(number, dtype=np.int64)
        at = np.cumsum(np.minimum(gaps, population, out=gaps), out=gaps)
        at -= 1
        inside = int(np.searchsorted(at, population))
        if inside >= count and (inside < number or number == population):
            return _thin(rng, at[:inside], count)


def _thin(rng, chosen: np.ndarray, count: int) -> np.ndarray:
    keep = np.ones(len(chosen), dtype=bool)
    keep[rng.choice(len(chosen), len(chosen) - count, replace=False, shuffle=False)] = False
    return chosen[keep]


def exact(share: float, total: int, name: str) -> int:
    """The number nearest to a share of `total`; an error names a share that is none."""
    if not 0 <= share <= 1:
        raise DataError(f"{name} must be a share between 0 and 1, not {share}")
    return round(share * total)
