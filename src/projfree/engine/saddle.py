"""Saddle-point problems: counted oracles for both blocks, and the Frank-Wolfe gap of a pair (x, y).

The experiment's set holds x; the set of y belongs to the problem (`dual_set`). Gradients of both blocks go
through the scores S of x, which a method may keep beside x (problems/robust_multiclass.py).
"""

from functools import cached_property

import numpy as np

from .oracles import Oracles
from .tally import told


class SaddleOracles(Oracles):
    """What a method sees of min over x, max over y: LO and PO count calls of either block.

    A full gradient of one block counts one FO: ∇_x at a pair, or the payoff, which is ∇_y but for a term
    without data. `gradients` gives both of one pair for one FO (mpcgs §2.2).
    """

    def start(self, kind="array"):
        """x_0 and y_0."""
        return self.problem.start(kind), self.problem.dual_start()

    def scores(self, x):
        """S of a point or an atom: part of the gradient that follows, not counted by itself."""
        return self._timed("gradient", self.problem.scores, x)

    def slopes(self, scores, rows=None):
        """What ∇_x needs of S whatever y is: part of the gradient, not counted by itself."""
        return self._timed("gradient", self.problem.slopes, scores, rows)

    def payoff(self, scores):
        """The coefficients of y at x: one FO, n IFO."""
        self._count_full()
        return self._timed("gradient", self.problem.payoff, scores)

    def gradient_x(self, slopes, y):
        """∇_x f: one FO, n IFO."""
        self._count_full()
        self.tally.add(fo_literal=1, ifo_literal=self.n)
        return self._timed("gradient", self.problem.gradient_x, slopes, y)

    def gradient_y(self, payoff, y):
        """∇_y f of a known payoff, which needs no data: not counted."""
        return self._timed("gradient", self.problem.gradient_y, payoff, y)

    def gradients(self, scores, y):
        """∇_x f, ∇_y f at one pair: one FO, n IFO."""
        self._count_full()
        payoff = self._timed("gradient", self.problem.payoff, scores)
        gradient_x = self._timed("gradient", self.problem.gradient_x, self.slopes(scores), y)
        return gradient_x, self.problem.gradient_y(payoff, y)

    def rows(self, indices):
        """The data of a batch, gathered: not counted by itself."""
        return self._timed("gradient", self.problem.rows, indices)

    def batch_gradient_x(self, rows, slopes, y, indices):
        """(1/b) Σ ∇_x F_i over the batch: b IFO."""
        self.counts["IFO"] += len(indices)
        self.tally.add(ifo_literal=len(indices))
        return self._timed("gradient", self.problem.batch_gradient_x, rows, slopes, y, indices)

    def batch_gradients(self, x, y, indices):
        """(1/b) Σ ∇F_i over the batch, both blocks: b IFO."""
        self.counts["IFO"] += len(indices)
        return self._timed("gradient", self.problem.batch_gradients, x, y, indices)

    @cached_property
    def dual(self):
        """Oracles over the set of y alone, which count and time into the same tables."""
        dual = DualOracles(self.problem, self.problem.dual_set, self.rng, lmo_tol=self.lmo_tol)
        dual.counts, dual.seconds, dual.tally = self.counts, self.seconds, self.tally
        dual.guard = lambda: self.guard()
        return dual

    def best_response(self, payoff):
        """argmax over y at a known payoff: one PO."""
        self.counts["PO"] += 1
        return self._timed("project", self.problem.best_response, payoff)

    def _count_lo(self, number):
        super()._count_lo(number)
        self.tally.add(lo_x=number)


class DualOracles(Oracles):
    """Oracles over the set of y alone."""

    def _count_lo(self, number):
        super()._count_lo(number)
        self.tally.add(lo_y=number)


class Evaluation:
    """All that the metrics of one pair share, each computed once."""

    def __init__(self, problem, feasible_set, point):
        self.problem, self.set, self.point = problem, feasible_set, point

    @cached_property
    def scores(self):
        return self.problem.scores(self.point.x)

    @cached_property
    def slopes(self):
        return self.problem.slopes(self.scores)

    @cached_property
    def payoff(self):
        return self.problem.payoff(self.scores)

    @cached_property
    def fw_gap_x(self):
        """max over v of ⟨∇_x f, x − v⟩."""
        return self._gap_x(self.point.y)

    @cached_property
    def fw_gap_y(self):
        """max over w of ⟨∇_y f, w − y⟩."""
        gradient = self.problem.gradient_y(self.payoff, self.point.y)
        return self.problem.dual_set.support(gradient) - float(gradient @ self.point.y)

    @cached_property
    def fw_gap_phi(self):
        """The gap at (x, y*(x)), of which the part of y vanishes."""
        return self._gap_x(self.problem.best_response(self.payoff))

    @cached_property
    def saddle_fw_gap(self):
        """G(x, y) ≥ max f(x, ·) − min f(·, y) ≥ 0 (mpcgs §5)."""
        return self.fw_gap_x + self.fw_gap_y

    def _gap_x(self, y):
        gradient = self.problem.gradient_x(self.slopes, y)
        return float(np.vdot(gradient, self.point.x)) + self.set.support(-gradient)

    @cached_property
    def dual_lower(self):
        """f(x, y) − fw_gap_x ≤ min f(·, y): a certified lower bound of the saddle value."""
        return self.problem.value(self.scores, self.point.y) - self.fw_gap_x

    @cached_property
    def duality_gap_bound(self):
        """Φ(x) − dual_lower ≥ Φ(x) − min f(·, y)."""
        return self.problem.phi(self.scores) - self.dual_lower

    @cached_property
    def infeasibility(self):
        """max(0, gauge − bound) of x, and the distance of y to its set's defining equalities."""
        return max(0.0, self.set.gauge(self.point.x) - self.set.bound)

    @cached_property
    def spectrum(self):
        """Singular values of x."""
        return np.linalg.svd(self.point.x, compute_uv=False) if self.point.x.ndim == 2 else np.zeros(1)

    @cached_property
    def rank(self):
        """Singular values above 1e-8 of the first."""
        return int(np.sum(self.spectrum > 1e-8 * max(self.spectrum[0], 1e-300)))


MEASURED = ("saddle_fw_gap", "fw_gap_x", "fw_gap_y", "fw_gap_phi", "dual_lower", "duality_gap_bound")
MEASURED += ("infeasibility", "rank")
#: What methods tell, and its value before they do.
EFFORT = {
    "passes": 0,  # of the prox step, over all steps
    "most_passes": 0,  # of one step
    "most_passes_over": -1000,  # the same beyond what theory allows, see `mpcgs`; negative below
    "capped_passes": 0,  # steps that the cap of passes ended
    "phases": 0,  # of the y-problem, over all passes
    "most_phases": 0,  # of one pass
    "lo_x": 0,
    "lo_y": 0,
    "fo_literal": 0,  # full gradients as the paper counts them, each step of CGS in y included
    "ifo_literal": 0,  # the same in components
    "idle": 0,  # steps in which CndG returned its start
    "snapshots": 0,  # of SVRE
    "theorem_bound": np.inf,  # on the primal–dual gap of the pair
}


def metrics(problem, feasible_set) -> dict:
    """Metrics of a pair by name; those of one pair share what they compute.

    ``saddle_fw_gap`` and its parts ``fw_gap_x, fw_gap_y``, ``fw_gap_phi`` (y exact), ``dual_lower``,
    ``duality_gap_bound``, ``infeasibility``, ``rank``, ``nuclear_norm``; of the tally those of `EFFORT`.
    """
    last = [None]

    def of_pair(name):
        def metric(point):
            if last[0] is None or last[0].point is not point:
                last[0] = Evaluation(problem, feasible_set, point)
            return getattr(last[0], name)

        return metric

    known = {name: of_pair(name) for name in MEASURED}
    known |= {name: told(name, before) for name, before in EFFORT.items()}
    return {**known, "nuclear_norm": lambda point: feasible_set.gauge(point.x)}
