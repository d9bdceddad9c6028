"""Common parts of conditional gradient methods with active sets: state, step lengths, a step of each kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...common.parameters import Count, Positive, checked
from ...families import constrained, strongly_convex
from ...linalg.atoms import as_array
from ...linalg.scaling import EPS
from ..frank_wolfe import towards_minimiser
from .active_set import ActiveSet

#: How the estimate of L falls before a step and rises in it (Pedregosa, Negiar, Askari, Jaggi 2020).
FALL, RISE, MOST_TRIALS = 0.9, 2.0, 100
#: In units of the rounding of the function: values, relative to F; slopes ⟨∇F, d⟩ relative to ‖∇F‖‖d‖ that
#: are rounding; gains relative to F that values have too few digits for.
ROUNDING, NOISE, UNTOLD = 4.0, 16.0, 400.0


@dataclass
class State:
    """x_k as a combination of atoms."""

    active: ActiveSet
    L: float  # estimate along the last directions; 0 before the first
    k: int = 0
    gap: float = np.inf  # Frank-Wolfe gap at x_{k−1}
    atom: object = None  # warm start of the next linear minimisation
    converged: bool = False

    @property
    def iterate(self):
        return self.active.x


@checked
@dataclass(frozen=True)
class Settings:
    """Parameters of all methods with active sets.

    Attributes
    ----------
    step_rule : {"adaptive", "secant", "short"}
        ``adaptive``: min{−⟨∇F, d⟩/(M‖d‖²), longest} with an M that backtracking finds, by function values
        (Pedregosa, Negiar, Askari and Jaggi 2020); it stays as it is where what there is to gain is lost in
        their rounding. ``secant``: a root of γ ↦ ⟨∇F(x + γd), d⟩ by the secant method (Hendrych, Besançon,
        Martínez-Rubio and Pokutta 2025), 1 FO a trial. ``short``: the first with M = L.
    smoothness : str
        Which constant of the problem is L, for ``short``.
    refresh : int
        Steps between two sums of x from its atoms.
    secant_tol : float
        The slope, relative to the first, at which the secant method ends.
    trials : int
        Trials of the secant method in a step at most.
    """

    families = (constrained.FAMILY, strongly_convex.FAMILY)
    step_rule: Literal["adaptive", "secant", "short"] = "adaptive"
    smoothness: str = "L_full"
    refresh: Count = 100
    secant_tol: Positive = 0.03
    trials: Count = 40

    def start(self, oracles, rng):
        """The problem's start as the only atom, or the atoms of a warm start."""
        return State(ActiveSet.start(oracles), self.first_curvature(oracles))

    def first_curvature(self, oracles) -> float:
        """L, if the rule needs it; else 0, for not known."""
        return oracles.constants[self.smoothness] if self.step_rule == "short" else 0.0

    def begin(self, oracles, s):
        """∇F(x_k) and the place of the oracle's vertex: 1 FO, 1 LO; None for it if the gap is 0."""
        gradient = oracles.gradient(s.active.x)
        v, s.gap = towards_minimiser(oracles, gradient, s.active.x, s.atom)
        s.k, s.atom, s.converged = s.k + 1, v, s.gap <= 0
        if s.k % self.refresh == 0:
            s.active.refresh()
        return gradient, None if s.converged else s.active.place(v)

    def step(self, oracles, s, rng):
        """One step between the atoms that `ends` names: 1 FO, 1 LO."""
        gradient, v = self.begin(oracles, s)
        if not s.converged:
            self.move(oracles, s, gradient, *self.ends(s, gradient, v))
        return s

    def ends(self, s, gradient, v):
        """The places of the atoms that gain and lose weight; None for the latter is all of them."""
        return v, None

    def move(self, oracles, s, gradient, to, away) -> None:
        """A step from atom `away` (from x) to atom `to` (from `away` on)."""
        d, longest = s.active.direction(to, away), s.active.longest(to, away)
        slope = -float(np.vdot(gradient, d))
        if slope <= 0:  # by rounding: there is nothing to gain
            s.active.go(s.active.x, s.active.weights)
            return
        path = s.active.path(to, away)
        s.active.go(*path(self.length(oracles, s, lambda gamma: path(gamma)[0], d, slope, longest)))

    def length(self, oracles, s, point, d, slope, longest) -> float:
        """The step length γ by the rule, for `point`: γ ↦ x + γd as it is in the set."""
        square = float(np.vdot(d, d))
        if self.step_rule == "short":
            return min(slope / (s.L * square), longest)
        if self.step_rule == "secant":
            return self.secant_length(oracles, point, d, slope, longest)
        F = oracles.value(s.active.x)
        gamma = min(slope / (s.L * square), longest) if s.L else longest
        eps = getattr(oracles.problem, "precision", EPS)
        if eps > EPS and min(gamma, 1.0) * slope <= UNTOLD * eps * abs(F):
            return self.secant_length(oracles, point, d, slope, longest)
        if s.L and gamma * slope <= UNTOLD * EPS * abs(F):
            return gamma
        L = FALL * s.L or first_estimate(oracles, point, slope, square, F, longest)
        for _ in range(MOST_TRIALS):
            gamma = min(slope / (L * square), longest)
            promised = F - gamma * slope + gamma**2 * L * square / 2
            if oracles.value(point(gamma)) <= promised + ROUNDING * eps * abs(F):
                break
            L *= RISE
        s.L = L
        return gamma

    def secant_length(self, oracles, point, d, slope, longest) -> float:
        size, partial = float(np.linalg.norm(d)), getattr(oracles.problem, "partial", False)

        def slope_at(gamma):
            x = point(gamma)
            if partial and not oracles.value(x) < np.inf:  # outside of the domain the function rises
                return np.inf
            gradient = as_array(oracles.gradient(x))
            result = float(np.vdot(gradient, d))
            lost = NOISE * getattr(oracles.problem, "precision", EPS) * size * np.linalg.norm(gradient)
            return result if abs(result) > lost else 0.0

        return secant(slope_at, -slope, longest, self.secant_tol * slope, self.trials)


def first_estimate(oracles, point, slope, square, F, longest) -> float:
    """The curvature over a short step, a first M."""
    gamma = 1e-3 * min(longest, 1.0)
    for _ in range(MOST_TRIALS):
        bend = oracles.value(point(gamma)) - F + gamma * slope
        if bend < np.inf:
            break
        gamma /= RISE
    return max(2 * bend / (gamma**2 * square), 1e-3 * slope / square)


def secant(slope, first: float, longest: float, tol: float, trials: int) -> float:
    """γ in (0, longest] where a slope, `first` < 0 at 0, vanishes to `tol`; longest if it does not.

    The root stays bracketed: a step of the secant that leaves the bracket is halved instead. After the last
    trial it is the lower end, up to where the slope is known to be negative.
    """
    low, low_slope = 0.0, first
    high, high_slope = longest, slope(longest)
    if high_slope <= tol:
        return high
    before, before_slope, gamma, now = low, low_slope, high, high_slope
    for _ in range(trials):
        gamma, before, before_slope = _root(before, before_slope, gamma, now), gamma, now
        if not low < gamma < high:
            gamma = (low + high) / 2
        now = slope(gamma)
        if abs(now) <= tol:
            return gamma
        if now < 0.0:
            low = gamma
        else:
            high = gamma
    return low or gamma


def _root(a, slope_a, b, slope_b) -> float:
    """Where the line through two points of the slope is zero; NaN where it is level."""
    return (a * slope_b - b * slope_a) / (slope_b - slope_a) if slope_b != slope_a else np.nan
