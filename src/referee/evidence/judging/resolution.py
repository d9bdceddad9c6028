"""How far values of two methods have to be apart to count as different (docs/judging.md, resolution)."""

import math
from statistics import median

#: Fewer seeds say nothing about scatter.
SEEDS = 5


def scatter(differences) -> float:
    """Twice the median absolute deviation of a paired difference over at least five seeds, else 0.

    Of unpaired values it would measure how the instances differ, not the methods.
    """
    known = [value for value in differences if math.isfinite(value)]
    if len(known) < SEEDS:
        return 0.0
    middle = median(known)
    return 2 * median(abs(value - middle) for value in known)
