"""Metrics of a pair (x, y): the Frank-Wolfe gap of both blocks, bounds of the saddle value."""

from functools import cached_property

import numpy as np

from ...linalg.scaling import rounding
from .base import frank_wolfe_gap, of_tally


class Evaluation:
    """All that the metrics of one pair share, each computed once."""

    def __init__(self, problem, constraint, point):
        self.problem, self.constraint, self.point = problem, constraint, point

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
        return frank_wolfe_gap(-gradient, self.point.y, self.problem.dual_set)

    @cached_property
    def fw_gap_phi(self):
        """The gap at (x, y*(x)), of which the part of y vanishes."""
        return self._gap_x(self.problem.best_response(self.payoff))

    @cached_property
    def saddle_fw_gap(self):
        """G(x, y) ≥ max f(x, ·) − min f(·, y) ≥ 0 (mpcgs §5)."""
        return self.fw_gap_x + self.fw_gap_y

    def _gap_x(self, y):
        return frank_wolfe_gap(self.problem.gradient_x(self.slopes, y), self.point.x, self.constraint)

    @cached_property
    def dual_lower(self):
        """f(x, y) − fw_gap_x ≤ min f(·, y): a certified lower bound of the saddle value."""
        value = self.problem.value(self.scores, self.point.y)
        return value - self.fw_gap_x - rounding(self.problem.n, value)

    @cached_property
    def duality_gap_bound(self):
        """Φ(x) − dual_lower ≥ Φ(x) − min f(·, y); the gap of both blocks, where Φ is not known."""
        if not hasattr(self.problem, "phi"):
            return self.saddle_fw_gap
        phi = self.problem.phi(self.scores)
        return phi - self.dual_lower + rounding(self.problem.n, phi)

    @cached_property
    def infeasibility(self):
        """max(0, gauge − bound) of x, and the distance of y to its set's defining equalities."""
        return max(0.0, self.constraint.gauge(self.point.x) - self.constraint.bound)

    @cached_property
    def spectrum(self):
        return np.linalg.svd(self.point.x, compute_uv=False) if self.point.x.ndim == 2 else np.zeros(1)

    @cached_property
    def rank(self):
        """Singular values above 1e-8 of the first."""
        return int(np.sum(self.spectrum > 1e-8 * max(self.spectrum[0], 1e-300)))


MEASURED = (
    *("saddle_fw_gap", "fw_gap_x", "fw_gap_y", "fw_gap_phi", "dual_lower", "duality_gap_bound"),
    *("infeasibility", "rank"),
)
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
    "svd": 0,  # projections by a full decomposition
    "theorem_bound": np.inf,  # on the primal–dual gap of the pair
}


def known(problem, constraint) -> dict:
    """Metrics by name; those of one pair share what they compute.

    ``saddle_fw_gap`` and its parts ``fw_gap_x, fw_gap_y``, ``fw_gap_phi`` (y exact), ``dual_lower``,
    ``duality_gap_bound``, ``infeasibility``, ``rank``, ``nuclear_norm``; of the tally those of `EFFORT`.
    """
    last = [None]

    def of_pair(name):
        def metric(point):
            if last[0] is None or last[0].point is not point:
                last[0] = Evaluation(problem, constraint, point)
            return getattr(last[0], name)

        return metric

    metrics = {name: of_pair(name) for name in MEASURED}
    metrics |= {name: of_tally(name, before) for name, before in EFFORT.items()}
    return {**metrics, "nuclear_norm": lambda point: constraint.gauge(point.x)}
