"""Properties of the chain function H_T that the lower bound rests on (nfwu Lemma 7.1), at random points."""

import numpy as np

from projfree.common.parameters import Count, Positive
from projfree.problems.hard_instance import chain_gradient, chain_value
from referee.jobs.probes import Row

#: Points whose Hessians are held at once.
BLOCK = 2000


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    chain: Count = 20,
    points: Count = 20_000,
    scales: list[Positive] = (0.3, 0.5, 1.0, 2.0, 5.0),
    step: Positive = 1e-5,
):
    """One row a scale s: `points` / len(scales) points y ~ s·N(0, I) in R^T.

    ``violations`` points where some |y_i| < 1 has no j ≤ i with |y_j| < 1 and |∂_j H| > 1 (item 1);
    ``depth`` largest (H(0) − H(y))/T (item 2: ≤ 12); ``sup_slope`` largest |∂_j H| and ``gradient`` largest
    ‖∇H‖/√T (item 3: ≤ 23); ``hessian`` largest ‖∇²H‖ by central differences (item 4: ≤ 152).
    """
    each = points // len(scales)
    for number, scale in enumerate(scales):
        y = scale * rng.standard_normal((each, chain))
        slopes = chain_gradient(y)
        values = {
            "scale": scale,
            "points": each,
            "violations": violations(y, slopes),
            "depth": float(np.max(chain_value(np.zeros(chain)) - chain_value(y)) / chain),
            "sup_slope": float(np.abs(slopes).max()),
            "gradient": float(np.linalg.norm(slopes, axis=-1).max() / np.sqrt(chain)),
            "hessian": max(hessian_norm(y[k : k + BLOCK], step) for k in range(0, each, BLOCK)),
        }
        yield Row(number, values)


def violations(y, slopes) -> int:
    """Points (of n, y and slopes (n, T)) where an |y_i| < 1 has no large slope at or before it."""
    small = np.abs(y) < 1
    large_before = np.logical_or.accumulate(small & (np.abs(slopes) > 1), axis=-1)
    return int(np.any(small & ~large_before, axis=-1).sum())


def hessian_norm(y, step) -> float:
    """Largest ‖∇²H‖ over points y (n, T), by central differences of the gradient."""
    shifts = step * np.eye(y.shape[-1])
    ahead, behind = (chain_gradient(y[:, None, :] + sign * shifts) for sign in (1, -1))
    hessians = (ahead - behind) / (2 * step)
    return float(np.abs(np.linalg.eigvalsh((hessians + hessians.swapaxes(1, 2)) / 2)).max())
