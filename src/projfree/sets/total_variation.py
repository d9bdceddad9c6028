"""The ball of the total variation {x : Σx = 0, Σ_edges |x_i − x_j| ≤ R} of signals, and of images on a grid.

Its extreme points are centred indicators of pieces. Linear minimisation looks for the piece S with the
largest sum of −G over its boundary: by one sweep over a signal, by minimum cuts over a grid (Dinkelbach
1967: each cut gives a piece of a better ratio, or proves that there is none).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from projfree.ground.parameters import Count, NotNegative, checked
from projfree.linalg.compiled import njit
from projfree.linalg.validation import entries

from ._ball import Ball, finite_array, root_of_size

#: Capacities are whole numbers for the flow: their sum, which has to be an int32.
RESOLUTION = 2**30
MOST_CUTS = 100


@checked
@dataclass(frozen=True)
class Set(Ball):
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
        return self.radius * root_of_size("total_variation", self.size) / 2

    def support(self, G) -> float:
        """max_{x in set} ⟨G, x⟩."""
        G = finite_array("total_variation", G)
        return -float(np.vdot(-G, self.lmo(-G)))

    def gauge(self, x) -> float:
        """``Σ |x_i − x_j|`` over neighbours."""
        x = entries("total_variation: x", x)
        return float(sum(np.abs(np.diff(x, axis=axis)).sum() for axis in range(x.ndim)))

    def contains(self, x, slack=1e-9) -> bool:
        """Whether the total variation is at most R (1 + slack) and ``|Σx|`` ≤ slack·R·entries."""
        x = entries("total_variation: x", x)
        centred = abs(float(np.sum(x))) <= slack * self.radius * x.size
        return bool(centred and self.gauge(x) <= self.radius * (1.0 + slack))

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩: a centred piece; exact on chains, on grids to 1e-8 or so."""
        G = finite_array("total_variation", G)
        if G.ndim == 1:
            return _of_chain(np.ascontiguousarray(G), self.radius)
        piece = _of_grid(G.mean() - G)
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
    """The piece of the largest gain over boundary, by minimum cuts at rising ratios."""
    graph = _Grid(gain)
    piece, ratio = gain > 0, 0.0
    for _ in range(MOST_CUTS):
        boundary = graph.boundary(piece)
        if not boundary or gain[piece].sum() / boundary <= ratio * (1 + 1e-12):
            break
        best, ratio = piece, gain[piece].sum() / boundary
        piece = graph.cut(ratio)
    return best.astype(float) if ratio else np.zeros(gain.shape)


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
        self.scale = RESOLUTION / max(float(flat[self.up].sum()), 1e-300)
        self.ends = flat[self.up], -flat[self.down]

    def boundary(self, piece) -> int:
        """Edges between a piece and the rest."""
        flat = piece.ravel()
        return int(np.count_nonzero(flat[self.left] != flat[self.right]))

    def cut(self, ratio):
        """The piece with the largest gain − ratio·boundary: the nodes that the source still reaches."""
        source, sink, edges = self.n, self.n + 1, np.full(self.left.size, ratio)
        tails = np.concatenate([self.left, self.right, np.full(self.up.size, source), self.down])
        heads = np.concatenate([self.right, self.left, self.up, np.full(self.down.size, sink)])
        capacities = np.rint(np.concatenate([edges, edges, *self.ends]) * self.scale)
        capacities = np.minimum(capacities, RESOLUTION).astype(np.int32)
        network = csr_array((capacities, (tails, heads)), shape=(self.n + 2, self.n + 2))
        left = network - maximum_flow(network, source, sink).flow
        left.eliminate_zeros()
        piece = np.zeros(self.n + 2, bool)
        piece[breadth_first_order(left, source, return_predecessors=False)] = True
        return piece[: self.n].reshape(self.shape)
