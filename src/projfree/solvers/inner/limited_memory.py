"""L-BFGS in the precision of its start, with its inner products in double precision.

The direction is a combination of the stored differences and the gradient, found from their Gram matrix alone
(Chen, Wang and Zhou 2014): two sweeps over the memory an iteration, where the two loops need four.
"""

from __future__ import annotations

import numpy as np

from ...linalg.compiled import njit
from ...linalg.scratch import room

TILE = 4096  # entries after which partial sums are added in double precision
SHORTEST = 1e-4  # step that is tried: where a shorter one is needed the gradient is down to rounding errors


def minimise(function, z, *, iterations: int, memory: int, ftol: float):
    """The last of `iterations` points from z (n,), each first tried with the unit step, then backtracked.

    Parameters
    ----------
    function : z → (value, gradient), the value in double precision, the gradient in the precision of z
    memory : int
        Pairs of differences kept.
    ftol : float
        Ends once a step lowers the value by less than ftol times it.
    """
    pairs, (f, g) = Corrections(z, memory), function(z)
    for _ in range(iterations):
        d, slope = pairs.direction(g)
        result = backtracked(function, z, f, d, slope)
        if result is None:
            return z
        trial, value, gradient = result
        pairs.append(trial - z, gradient - g)
        fell, z, f, g = f - value, trial, value, gradient
        if fell <= ftol * abs(f):
            break
    return z


def backtracked(function, z, f, d, slope):
    """(point, value, gradient) on z + step·d of sufficient decrease, or None if none of `SHORTEST` is."""
    step = 1.0
    while step >= SHORTEST:
        trial = z + d.dtype.type(step) * d
        value, gradient = function(trial)
        if value <= f + 1e-4 * step * slope:
            return trial, value, gradient
        step *= min(0.5, max(0.1, -slope * step / (2 * (value - f - step * slope))))
    return None


class Corrections:
    """The last differences of points, s, and of gradients, y, and the quasi-Newton direction that they give.

    Rows 0 … m−1 of `rows` are s, m … 2m−1 are y, the last is the gradient; `gram` is rows·rowsᵀ but for the
    rows `changed`, whose products wait for the gradient: one sweep for all.
    """

    def __init__(self, z, memory: int):
        self.rows = room((2 * memory + 1, z.size), z.dtype)
        self.rows[:] = 0
        self.gram = np.zeros((2 * memory + 1, 2 * memory + 1))
        self.memory = memory
        self.order: list[int] = []  # numbers of the pairs, the latest first
        self.changed: list[int] = []

    def append(self, s, y):
        """Keep a pair if it has curvature, instead of the oldest."""
        if inner(s, y) <= 1e-12 * inner(s, s):
            return
        k = len(self.order) if len(self.order) < self.memory else self.order.pop()
        self.order.insert(0, k)
        self._put(k, s)
        self._put(self.memory + k, y)

    def direction(self, g):
        """−H g by the two loops on coefficients, scaled by sᵀy/yᵀy of the last pair; and its slope."""
        self._put(len(self.rows) - 1, g)
        new = inners(self.rows, self.rows[self.changed])
        self.gram[self.changed], self.gram[:, self.changed] = new.T, new
        self.changed.clear()
        c, m, gram = np.zeros(len(self.rows)), self.memory, self.gram
        c[-1], weights = -1.0, []
        for k in self.order:
            weights.append(gram[k] @ c / gram[k, m + k])
            c[m + k] -= weights[-1]
        if self.order:
            k = self.order[0]
            c *= gram[k, m + k] / gram[m + k, m + k]
        for k, weight in zip(reversed(self.order), reversed(weights), strict=True):
            c[k] += weight - gram[m + k] @ c / gram[k, m + k]
        return c.astype(g.dtype) @ self.rows, float(gram[-1] @ c)

    def _put(self, place, vector):
        self.rows[place] = vector
        self.changed.append(place)


@njit(fastmath={"reassoc", "contract"})
def inners(rows, vectors):
    """rows · vectorsᵀ."""
    out = np.zeros((len(rows), len(vectors)))
    for first in range(0, rows.shape[1], TILE):
        for i in range(len(rows)):
            a = rows[i, first : first + TILE]
            for j in range(len(vectors)):
                b, part = vectors[j, first : first + TILE], rows.dtype.type(0)
                for k in range(a.size):
                    part += a[k] * b[k]
                out[i, j] += part
    return out


def inner(a, b) -> float:
    """a · b."""
    return float(inners(a[None], b[None])[0, 0])
