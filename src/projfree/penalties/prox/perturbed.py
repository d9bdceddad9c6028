"""A proximal point with a planted error: Φ(x) − min Φ is the requested value, to rounding.

For tests of theorems that allow errors ε_k, and for the question how inexact a prox may be: the cheap inexact
methods either miss a small ε (their rate is 1/T) or undercut a large one.
"""

import numpy as np

from . import Prox, level


def along(exact: Prox, p, gamma: float, value, target, rng) -> Prox:
    """The exact point moved in a random direction d until Φ has grown by `target`, a number or a function
    of x.

    Φ(x + sd) is convex with its least value at s = 0 and grows at least as s²/(2γ) for unit d, so the growth
    crosses a positive target (one that grows more slowly, where it depends on x) and bisection finds the
    crossing.
    """
    if not level(target, exact.x) > 0:
        return exact
    d = rng.standard_normal(exact.x.shape)
    d /= np.linalg.norm(d)

    def short(s):
        x = exact.x + s * d
        change = 2 * s * float(d @ (exact.x - p)) + s * s
        return change / (2 * gamma) + value(x) - exact.value < level(target, x)

    low, high = 0.0, float(np.sqrt(2 * gamma * level(target, exact.x)))
    for _ in range(60):
        if not short(high):
            break
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if short(middle) else (low, middle)
    x = exact.x + low * d
    return Prox(
        x, value(x), gap=level(target, x), passes=exact.passes, warm=exact.warm, matvecs=exact.matvecs
    )
