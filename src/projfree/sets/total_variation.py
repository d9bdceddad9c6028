"""The ball of the total variation {x : Σx = 0, Σ_edges |x_i − x_j| ≤ R} of signals, and of images on a grid.

Its extreme points are centred indicators of pieces. Linear minimisation looks for the piece S with the
largest sum of −G over its boundary: by one sweep over a signal, by minimum cuts over a grid (Dinkelbach
1967: each cut gives a piece of a better ratio, or proves that there is none).
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from ..common.parameters import Count, NotNegative, checked
from ..linalg.compiled import njit
from ..linalg.scaling import exponent, rounding, times_power
from ._base import Ball, NoProjection

#: Capacities are whole numbers for the flow: their sum, which has to be an int32.
RESOLUTION = 2**30
MOST_CUTS = 100


@checked
@dataclass(frozen=True)
class Set(NoProjection, Ball):
    """Vectors (a chain) or arrays (a grid) of mean zero and total variation at most `radius`.

    Attributes
    ----------
    radius : float, R
    size : int or None
        Number of entries; only the diameter needs it.
    """

    radius: NotNegative
    size: Count | None = None
    is_polytope = True

    @property
    def norm_bound(self) -> float:
        """A bound of ‖x‖, R√size/2: entries of mean zero that differ by at most R (Popoviciu)."""
        return self.radius * self._root_of_size() / 2

    def _support(self, gain):
        """The value, or a bound of it just above.

        ⟨G, x⟩ = Σ_edges y(x_i − x_j) for every flow y with the sources G − mean G: at most max ``|y|`` R.
        """
        e = exponent(gain, gain.shape)
        gain = np.ldexp(gain, -e)
        gain -= gain.mean()
        largest = max(float(np.abs(y).max(initial=0.0)) for y in _flow(gain))
        return times_power(self.radius * (largest + rounding(gain.size, float(np.abs(gain).sum()))), e)

    def _gauge(self, x):
        """``Σ |x_i − x_j|`` over neighbours."""
        return sum(np.abs(np.diff(x, axis=axis)).sum() for axis in range(x.ndim))

    def contains(self, x, slack=1e-9) -> bool:
        """Whether the total variation is at most R (1 + slack) and ``|Σx|`` ≤ slack·R·entries."""
        x = self._read("x", x)
        centred = abs(float(np.sum(x))) <= slack * self.radius * x.size
        return bool(centred and self.gauge(x) <= self.radius * (1.0 + slack))

    def _lmo(self, G):
        """A centred piece; exact on chains, on grids to 1e-8 or so."""
        if G.ndim == 1:
            return _of_chain(np.ascontiguousarray(G), self.radius)
        piece = _of_grid(G.mean() - G)[0]
        variation = self.gauge(piece)
        return (piece - piece.mean()) * (self.radius / variation) if variation else np.zeros(G.shape)


@njit
def _of_chain(G, radius):
    """The centred step at the place with the largest |Σ (mean − G)| before it: a boundary of 1."""
    n, mean, total, best, cut = G.size, G.mean(), 0.0, 0.0, -1
    for k in range(n - 1):
        total += mean - G[k]
        if abs(total) > abs(best):
            best, cut = total, k
    x, step = np.zeros(n), radius if best > 0.0 else -radius
    if cut >= 0:
        share = (cut + 1) / n
        x[: cut + 1] = step * (1.0 - share)
        x[cut + 1 :] = -step * share
    return x


def _of_grid(gain):
    """The piece of the largest gain over boundary, by minimum cuts at rising ratios, and the graph."""
    graph = _Grid(gain)
    piece, ratio = gain > 0, 0.0
    for _ in range(MOST_CUTS):
        boundary = graph.boundary(piece)
        if not boundary or gain[piece].sum() / boundary <= ratio * (1 + 1e-12):
            break
        best, ratio = piece, gain[piece].sum() / boundary
        graph.ratio = ratio
        piece = graph.cut(np.full(graph.left.size, ratio))
    return best.astype(float) if ratio else np.zeros(gain.shape), graph


def _flow(gain):
    """Flows along the edges of each axis that lead away exactly the gains, none much above the best ratio.

    By the last minimum cut, another one for what its whole numbers leave, and along rows and their ends.
    """
    flow, rest = [np.zeros(np.delete(gain, -1, axis).shape) for axis in range(gain.ndim)], gain
    if gain.ndim > 1:
        coarse = _of_grid(gain)[1]
        fine = _Grid(_left(coarse.split(coarse.flow), gain))
        fine.cut(coarse.ratio - coarse.flow, coarse.ratio + coarse.flow)
        flow = coarse.split(coarse.flow + fine.flow)
        rest = _left(flow, gain)
    for axis in reversed(range(gain.ndim)):
        total = np.cumsum(rest, axis=axis)
        ends = (slice(None),) * (axis + 1) + (slice(-1, None),) * (gain.ndim - axis - 1)
        flow[axis][ends] += np.delete(total, -1, axis)
        rest = total.take([-1], axis)
    return flow


def _left(flow, gain):
    """The gains that the flows do not lead away."""
    none = [np.zeros_like(gain.take([0], axis)) for axis in range(gain.ndim)]
    return gain - sum(np.diff(y, axis=a, prepend=none[a], append=none[a]) for a, y in enumerate(flow))


class _Grid:
    """Graph of a grid's neighbours, with a source for the gains and a sink for the losses."""

    def __init__(self, gain):
        self.shape, self.n = gain.shape, gain.size
        places = np.arange(gain.size).reshape(gain.shape)
        pairs = [
            (np.delete(places, -1, axis=a).ravel(), np.delete(places, 0, axis=a).ravel())
            for a in range(gain.ndim)
        ]
        self.left, self.right = (np.concatenate(side) for side in zip(*pairs, strict=True))
        flat = gain.ravel()
        self.up, self.down = np.flatnonzero(flat > 0), np.flatnonzero(flat < 0)
        self.scale = RESOLUTION / max(float(flat[self.up].sum()), 1e-290)
        self.ends = flat[self.up], -flat[self.down]
        self.flow, self.ratio = np.zeros(self.left.size), 0.0

    def split(self, flow):
        """Values of all edges as arrays of the edges of each axis."""
        shapes = [tuple(n - (a == axis) for a, n in enumerate(self.shape)) for axis in range(len(self.shape))]
        parts = np.split(flow, np.cumsum([np.prod(shape) for shape in shapes])[:-1])
        return [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]

    def boundary(self, piece) -> int:
        """Edges between a piece and the rest."""
        flat = piece.ravel()
        return int(np.count_nonzero(flat[self.left] != flat[self.right]))

    def cut(self, most, back=None):
        """The piece of the largest gain less the capacities at its boundary, of what flows out or back.

        It is the nodes that the source still reaches; `flow` is then the flow along the edges.
        """
        source, sink = self.n, self.n + 1
        tails = np.concatenate([self.left, self.right, np.full(self.up.size, source), self.down])
        heads = np.concatenate([self.right, self.left, self.up, np.full(self.down.size, sink)])
        capacities = np.concatenate([most, most if back is None else back, *self.ends]) * self.scale
        capacities = np.clip(capacities, 0, RESOLUTION).astype(np.int32)  # rounded down: none is exceeded
        network = csr_array((capacities, (tails, heads)), shape=(self.n + 2, self.n + 2))
        flow = maximum_flow(network, source, sink).flow
        self.flow = np.asarray(flow[self.left, self.right]).ravel() / self.scale
        left = network - flow
        left.eliminate_zeros()
        piece = np.zeros(self.n + 2, bool)
        piece[breadth_first_order(left, source, return_predecessors=False)] = True
        return piece[: self.n].reshape(self.shape)
