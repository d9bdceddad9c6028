"""Orders of growth from a few points, and how sure they are."""

import numpy as np

DRAWS = 1000


def log_slope(x, y, last: int | None = None) -> float:
    """Least-squares slope of log y in log x over the last points; NaN without two distinct positive x."""
    x, y = (np.asarray(values, float)[-last if last else None :] for values in (x, y))
    usable = (x > 0) & (y > 0) & np.isfinite(x) & np.isfinite(y)
    if usable.sum() < 2 or np.ptp(x[usable]) == 0:
        return float("nan")
    x, y = np.log(x[usable]), np.log(y[usable])
    x = x - x.mean()
    return float(x @ (y - y.mean()) / (x @ x))


def cost_order(eps, cost, last: int | None = None) -> float:
    """Order p of cost ~ (1/ε)^p over the last points of a curve (ε_N, cost_N), costs increasing.

    ∞ where ε does not fall as the cost rises: no order describes that. ε = 0 is left out.
    """
    with np.errstate(divide="ignore"):
        accuracy = 1 / np.asarray(eps, float)
    gained = log_slope(cost, accuracy, last)
    if np.isnan(gained):
        return float("nan")
    return log_slope(accuracy, cost, last) if gained > 0 else float("inf")


def interval(samples, statistic, seed: int = 0, draws: int = DRAWS) -> tuple[float, float]:
    """95 % bootstrap interval of a statistic of curves.

    Parameters
    ----------
    samples : (S, P, 2) array
        Curves of S seeds with P points (x, y). Seeds are drawn with replacement and averaged; of a single
        seed, points are drawn instead.
    statistic : function of x (P,), y (P,) → float

    Returns
    -------
    low, high : float
        2.5 and 97.5 % quantiles; NaN if no draw gives a number.
    """
    samples = np.asarray(samples, float)
    rng = np.random.default_rng(seed)
    several = len(samples) > 1
    size = len(samples) if several else samples.shape[1]
    values = []
    for _ in range(draws):
        drawn = np.sort(rng.integers(size, size=size))
        curve = samples[drawn].mean(axis=0) if several else samples[0, drawn]
        values.append(statistic(curve[:, 0], curve[:, 1]))
    values = np.array(values)[~np.isnan(values)]
    if not values.size:
        return float("nan"), float("nan")
    low, high = np.quantile(values, [0.025, 0.975], method="inverted_cdf")
    return float(low), float(high)
