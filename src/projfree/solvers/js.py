"""Frank-Wolfe on a ball of the trace norm as Jaggi and Sulovský (2010) use it; JS in gcg §5.

They lift W to Z = [A W; Wᵀ B] ⪰ 0 with tr Z = 2ζ, whose vertices 2ζzzᵀ have z = (u; v)/√2. On the block W
this is Frank-Wolfe on {‖W‖_tr ≤ ζ} with the vertices ζuvᵀ, for the leading pair u, v of −∇ℓ (GCG-T11).
"""

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Literal

import numpy as np

from ..common.parameters import NotNegative, checked
from ..families import regularised
from ..linalg.factored import WeightedAtoms
from . import apg_svt, block_gcg
from .inner import certificate
from .inner.steps import AtX

OPTIMUM: dict[str, Any] = {
    "block_gcg": block_gcg.Solver(tol=2e-5, memory=2),  # its ranks are in the hundreds
    "apg_svt": apg_svt.Solver(tol=2e-5),
}
STEPS = {"block_gcg": 1, "apg_svt": 50}  # between two looks at the norm
GAP, SETTLED, MOST_LOOKS = 1e-4, 1e-2, 200
RADII: dict[tuple, float] = {}  # found in this process: the repetitions of a run are of one problem


@dataclass
class State(AtX):
    """W_k and the start of the next polar."""

    x: WeightedAtoms
    t: int = 0
    warm: np.ndarray | None = None


@checked
@dataclass(frozen=True)
class Solver:
    """W_{k+1} = (1 − γ_k)W_k + γ_k ζu_k v_kᵀ: 1 PU and 1 FO a step.

    Attributes
    ----------
    radius : float or None
        ζ; None is the trace norm of the penalised optimum, computed before the clock starts (U12).
    optimum : {"block_gcg", "apg_svt"}
        Method that computes this optimum: our GCG with blocks, or APG if decompositions are cheap.
    step_rule : {"open_loop", "harmonic", "line_search"}
        γ_k = 2/(k+2); min(1, 2/k) with k from 1, as in the original (U13); exact on the segment.
    polar_tol : float
        Relative residual of the polar.
    """

    radius: NotNegative | None = None
    optimum: Literal[*OPTIMUM] = "block_gcg"  # type: ignore[valid-type]
    step_rule: Literal["open_loop", "harmonic", "line_search"] = "open_loop"
    polar_tol: NotNegative = 1e-3

    families = (regularised.FAMILY,)
    needs = ("rotate",)
    penalised = False

    def prepared(self, oracles):
        """The solver with its radius: the norm of the penalised optimum, computed by `optimum`.

        It ends at a duality gap of 10⁻⁴F, or if the norm changes by less than `SETTLED` between two checks:
        for the small λ of the large rating sets, the gap closes at ranks in the hundreds, long after the norm
        has settled.
        """
        if self.radius is not None:
            return self
        key = self.optimum, *fingerprint(oracles)
        if key not in RADII:
            RADII[key] = self.norm_of_optimum(oracles)
        return replace(self, radius=RADII[key])

    def norm_of_optimum(self, oracles) -> float:
        """The trace norm of the penalised optimum."""
        penalised, steps, rng = OPTIMUM[self.optimum], STEPS[self.optimum], np.random.default_rng(0)
        s, norm = penalised.start(oracles, rng), 0.0
        for _ in range(MOST_LOOKS):
            for _ in range(steps):
                s = penalised.step(oracles, s, rng)
            before, norm = norm, oracles.constraint.value(s.x.U, s.x.V)
            settled = abs(norm - before) <= SETTLED * norm
            if settled or s.converged or certificate.relative_gap(oracles, s.x) <= GAP:
                return norm
        raise ArithmeticError(f"js: the norm of the optimum did not settle in {MOST_LOOKS * steps} steps")

    def start(self, oracles, rng):
        """W_0 = 0."""
        if self.radius is None:
            raise ValueError("js: the radius is neither given nor found by `prepared`")
        return State(oracles.start("atoms"))

    def step(self, oracles, s, rng):
        """One step of Frank-Wolfe."""
        slopes = oracles.slopes(s.x.image)
        atom = oracles.polar(slopes, start=s.warm, tol=self.polar_tol)
        u, v = atom.u[:, None], atom.v[:, None]
        image = oracles.image(u, v)
        gamma = self.share(oracles, s, slopes, image)
        s.x = s.x.moved(1 - gamma, gamma * self.radius, u, v, image)
        s.t, s.warm = s.t + 1, atom.warm
        return s

    def share(self, oracles, s, slopes, image):
        """γ_k."""
        if self.step_rule == "open_loop":
            return 2 / (s.t + 2)
        if self.step_rule == "harmonic":
            return min(1.0, 2 / (s.t + 1))
        with oracles.phase("linesearch"):
            return exact_share(oracles, s.x.image, self.radius * image, slopes)


def fingerprint(oracles):
    """A fingerprint of a problem and its penalty: their values at one random point."""
    rows, columns = oracles.problem.shape
    rng = np.random.default_rng(0)
    u, v = rng.standard_normal((rows, 1)), rng.standard_normal((columns, 1))
    slopes = np.ascontiguousarray(oracles.slopes(oracles.image(u, v)))
    return oracles.constraint.weight, float(oracles.constraint.value(u, v)), sha256(slopes).hexdigest()


def exact_share(oracles, w, vertex, slopes, most=30) -> float:
    """argmin over [0, 1] of ℓ at w + γ(vertex − w): Newton's method on the slope, inside a bracket."""
    direction, low, high, gamma = vertex - w, 0.0, 1.0, 0.0
    slope = float(np.vdot(slopes, direction))
    for _ in range(most):
        if slope == 0 or (gamma == 0 and slope > 0) or (gamma == 1 and slope < 0):
            break
        low, high = (gamma, high) if slope < 0 else (low, gamma)
        bend = float(np.vdot(oracles.curvature(w + gamma * direction, direction), direction))
        proposed = min(max(gamma - slope / bend, 0.0), 1.0) if bend > 0 else high
        if oracles.problem.quadratic:
            return proposed
        if not low <= proposed <= high or proposed == gamma:
            proposed = (low + high) / 2
        moved, gamma = abs(proposed - gamma), proposed
        if moved <= 1e-9:
            break
        slope = float(np.vdot(oracles.slopes(w + gamma * direction), direction))
    return gamma
