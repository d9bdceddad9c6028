"""The oracles of a saddle-point problem.

The experiment's set holds x; the set of y belongs to the problem (`dual_set`). Gradients of both blocks go
through the scores S of x, which a method may keep beside x (problems/robust_multiclass.py).
"""

from functools import cached_property

from . import constrained


class Oracles(constrained.Oracles):
    """The oracles of min over x, max over y: LO and PO count calls of either block.

    A full gradient of one block counts one FO: ∇_x at a pair, or the payoff, which is ∇_y but for a term
    without data. `gradients` gives both of one pair for one FO (mpcgs §2.2).
    """

    def start(self, kind="array"):
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

    def batch_difference(self, x, y, snapshot, indices):
        """(1/b) Σ [∇F_i(x, y) − ∇F_i(snapshot)], both blocks, that of x as `stepped` takes it: 2b IFO.

        `snapshot` has the ``scores`` and the ``y`` of its pair.
        """
        self.counts["IFO"] += 2 * len(indices)
        return self._timed("gradient", self.problem.batch_difference, x, y, snapshot, indices)

    def stepped(self, x, rate, gradient, difference):
        """x − rate·(gradient + difference) with what `batch_difference` gave: part of it, not counted."""
        return self._timed("gradient", self.problem.stepped, x, rate, gradient, difference)

    @cached_property
    def dual(self):
        """Oracles over the set of y alone, which count and time into the same tables."""
        dual = DualOracles(self.problem, self.problem.dual_set, self.rng, lmo_tol=self.lmo_tol)
        dual.counts, dual.timers, dual.tally = self.counts, self.timers, self.tally
        dual.guard = lambda: self.guard()
        return dual

    def best_response(self, payoff):
        """argmax over y at a known payoff: one PO."""
        self.counts["PO"] += 1
        return self._timed("project", self.problem.best_response, payoff)

    def _count_lo(self, number):
        super()._count_lo(number)
        self.tally.add(lo_x=number)


class DualOracles(constrained.Oracles):
    """Oracles over the set of y alone."""

    def _count_lo(self, number):
        super()._count_lo(number)
        self.tally.add(lo_y=number)
