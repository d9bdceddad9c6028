"""FISTA (Beck and Teboulle 2009) on one block of factors, with backtracking, never worse than its start."""

import math

import numpy as np

#: The quadratic bound counts as met up to this share of the value: sums of 10^5 terms round.
ROUNDING = 1e-12
#: Entry value of L: a quarter of the last, but at least this share of the worst case.
EASED, LEAST = 0.25, 1e-6


def minimise(oracles, block, x, image, last, *, iterations: int, tol: float, backtrack: bool):
    """The best point that `iterations` steps find for ℓ(image of x) + penalty(x) of a block.

    Parameters
    ----------
    oracles : Oracles
        ``value_and_slopes`` and ``value`` of the loss, in image space.
    block : object
        ``image(x)``, linear; ``gradient(slopes)``, its adjoint; ``prox(z, L)``; ``penalty(x)``; ``worst``, a
        Lipschitz constant of the gradient.
    x, image : the start, with its image
    last : float
        The L that the last call ended with, 0 at first.
    tol : float
        Stops when a step moves x by less than tol·‖x‖.
    backtrack : bool
        L ← 2L until the quadratic bound holds; else L is the worst case (deviation U19).

    Returns
    -------
    x, image, L, total : the best point seen, the last L, and ℓ + penalty there
    """
    L = max(EASED * last, LEAST * block.worst) if backtrack else block.worst
    best = oracles.value(image) + block.penalty(x), x, image
    y, y_image, t = x, image, 1.0
    for _ in range(iterations):
        value, slopes = oracles.value_and_slopes(y_image)
        gradient = block.gradient(slopes)
        while True:
            following = block.prox(y - gradient / L, L)
            its_image = block.image(following)
            its_value = oracles.value(its_image)
            change = following - y
            bound = value + float(np.vdot(gradient, change)) + 0.5 * L * float(np.vdot(change, change))
            if block.worst <= L or its_value <= bound + ROUNDING * abs(value):
                break
            L = min(2.0 * L, block.worst)
        total = its_value + block.penalty(following)
        if total < best[0]:
            best = total, following, its_image
        step = following - x
        after = (1.0 + math.sqrt(1.0 + 4.0 * t * t)) / 2.0
        momentum = (t - 1.0) / after
        y, y_image = following + momentum * step, its_image + momentum * (its_image - image)
        x, image, t = following, its_image, after
        if np.linalg.norm(step) <= tol * np.linalg.norm(x):
            break
    return best[1], best[2], L, best[0]
