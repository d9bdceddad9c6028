"""The ball of the k-support norm, the hull of {x : at most k non-zeros, ‖x‖ ≤ R}.

Argyriou, Foygel and Srebro, "Sparse prediction with the k-support norm" (2012): its dual norm is the
Euclidean norm of the k largest entries.
"""

import math
from dataclasses import dataclass

import numpy as np

from ..common.parameters import Count, NotNegative, checked
from ..linalg.compiled import njit
from ..linalg.projections import norm_l2, of_length
from ._base import Ball
from .hypersimplex import least


@checked
@dataclass(frozen=True)
class Set(Ball):
    """Arrays of k-support norm at most `radius`.

    Attributes
    ----------
    radius : float, R
    k : int
        Non-zeros of an extreme point at most: 1 gives the l1 ball, the number of entries the Euclidean ball.
    """

    radius: NotNegative
    k: Count = 1
    sparse = True

    def _support(self, G):
        return self.radius * norm_l2(G.flat[self._largest(np.abs(G).ravel())])

    def _gauge(self, x):
        """The k-support norm by Proposition 2.1: k − r − 1 largest sizes by squares, the others by sum."""
        size = np.abs(x).ravel()
        top = float(size.max())
        if top == 0.0:
            return top
        size = np.sort(size / top)[::-1]
        r = np.arange(min(self.k, size.size))
        first = r.size - r - 1  # entries that count by their squares
        sums = np.cumsum(size[::-1])[::-1][first]
        means, above, below = sums / (r + 1), np.r_[np.inf, size][first], size[first]
        # The one r with above > mean ≥ below; ties that rounding breaks are as good.
        best = np.argmin(np.maximum(means - above, below - means))
        head = size[: first[best]]
        return top * float(np.sqrt(head @ head + sums[best] * means[best]))

    def _lmo(self, G):
        """−R G_k/‖G_k‖, G_k its k largest ``|G_i|``; zero for G = 0."""
        flat, x = G.ravel(), np.zeros(G.shape)
        places = self._largest(np.abs(flat))
        x.flat[places] = of_length(-flat[places], self.radius)
        return x

    def _project(self, x):
        """x itself when inside; else exact, after one sort of the sizes."""
        if self.gauge(x) <= self.radius:
            return x
        size = np.abs(x).ravel()
        order, nearest = np.argsort(-size, kind="stable"), np.zeros(x.shape)
        if self.radius:
            e = math.frexp(size[order[0]])[1]
            radius = max(math.ldexp(self.radius, -e), SMALL)
            nearest.flat[order] = _nearest(np.ldexp(size[order], -e), min(self.k, size.size), radius)
        return np.copysign(nearest * self.radius, x)

    def _largest(self, size):
        """Places of the k largest sizes; all of fewer entries."""
        return least(-size, min(self.k, size.size))


#: From this radius down, relative to the point, the nearest point is the same times the radius: sizes that
#: are not equal differ by more than 2⁻⁵³, which decides which of them become zero.
SMALL = 2.0**-100
MOST = 100  # steps of Newton's method; about ten are taken


@njit
def _nearest(z, k, radius):
    """The nearest point to z, falling and outside, over the radius.

    The squared norm is min Σ p_i²/θ_i, 0 ≤ θ ≤ 1, Σθ = k, so that with its multiplier λ the answer is
    p_i = z_i θ_i/(θ_i + λ) with θ = clip(α z − λ, 0, 1) for the α of the right sum: z/(1 + λ) for the a
    largest, z less a shift up to the b-th, zero from there on. For large λ, a = b = k; when λ falls, a only
    falls and b only rises, and between two such changes the norm is a formula in λ. Sums are of z − z_k,
    which loses no digits where sizes are nearly equal.
    """
    n, squares = z.size, np.cumsum(z * z)
    a, b, pivot, sum_, down, up = k, k, z[k - 1], 0.0, np.inf, 0.0
    following = z[k] if k < n else 0.0
    if following > 0.0:
        up = following / (pivot - following) if following < pivot else np.inf
    level = up
    while _norm(level, k, a, b, pivot, sum_, squares)[0] < radius:
        if a == b:
            a, b, sum_ = k - 1, k + 1, following - pivot
        elif down >= up:
            a, sum_ = a - 1, sum_ + (z[a - 1] - pivot)
        else:
            b, sum_ = b + 1, sum_ + (z[b] - pivot)
        m, c, down, up = b - a, k - a, 0.0, 0.0
        total = m * pivot + sum_
        if a > 0 and total > c * z[a - 1]:
            apart = m * (z[a - 1] - pivot) - sum_
            down = (total - c * z[a - 1]) / apart if apart > 0.0 else np.inf
        if b < n and z[b] > 0.0:
            apart = sum_ - m * (z[b] - pivot)
            up = c * z[b] / apart if apart > 0.0 else np.inf
        level = max(down, up)
    for _ in range(MOST):  # Newton on 1/norm, which is concave: it rises to the root
        norm, fall = _norm(level, k, a, b, pivot, sum_, squares)
        step = (norm / radius - 1.0) / fall
        if not step > 1e-16 * level:
            break
        level += step
    m, c, p = b - a, k - a, np.zeros(n)
    p[:a] = z[:a] / (1.0 + level) / radius
    for i in range(a, b):
        p[i] = max(z[i] * c + level * (m * (z[i] - pivot) - sum_), 0.0) / (c + m * level) / radius
    return p


@njit
def _norm(level, k, a, b, pivot, sum_, squares):
    """The norm of the answer for a multiplier, and minus the slope of its logarithm."""
    m, c = b - a, k - a
    top = math.sqrt(squares[a - 1]) / (1.0 + level) if a > 0 else 0.0
    middle = math.sqrt(c) * (m * pivot + sum_) / (c + m * level) if m > 0 else 0.0
    norm = math.hypot(top, middle)
    fall = (top / norm) ** 2 / (1.0 + level)
    if m > 0:
        fall += (middle / norm) ** 2 * m / (c + m * level)
    return norm, fall
