"""Step lengths of conditional gradients without a constant, for methods with one array as iterate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...ground.parameters import Count, Positive, checked
from ...linalg.atoms import as_array
from ...linalg.dense import blend
from . import active_steps

#: Slopes ⟨∇F, d⟩ below this share of ‖∇F‖‖d‖ are rounding.
NOISE = 16 * np.finfo(float).eps


@dataclass
class Point:
    """An iterate instead of an active set."""

    x: np.ndarray


@dataclass
class State(active_steps.State):
    """x_k alone, as `active`; the rest as of methods with active sets."""

    active: Point  # type: ignore[assignment]


@checked
@dataclass(frozen=True)
class Settings(active_steps.Settings):
    """Step lengths.

    Attributes
    ----------
    step_rule : {"adaptive", "secant", "short"}
        ``adaptive``: min{−⟨∇F, d⟩/(M‖d‖²), longest} with an M that backtracking finds, by function values
        (Pedregosa, Negiar, Askari and Jaggi 2020). ``secant``: a root of γ ↦ ⟨∇F(x + γd), d⟩ by the
        secant method (Hendrych, Besançon, Martínez-Rubio and Pokutta 2025), 1 FO a trial.
        ``short``: the first with M = L.
    smoothness : str
        Which constant of the problem is L, for ``short``.
    secant_tol : float
        The slope, relative to the first, at which the secant method ends.
    trials : int
        Trials of the secant method in a step at most.
    """

    step_rule: Literal["adaptive", "secant", "short"] = "adaptive"  # type: ignore[assignment]
    secant_tol: Positive = 1e-8
    trials: Count = 40

    def start(self, oracles, rng):
        """The problem's start."""
        return State(Point(np.ascontiguousarray(oracles.start())), self.first_curvature(oracles))

    def go(self, oracles, s, v):
        """x + γ(v − x) by the rule, for an array or an atom v."""
        x, v = s.active.x, as_array(v)

        def point(gamma):
            return blend(x, v, gamma)

        s.active.x = point(self.length(oracles, s, point, v - x, s.gap, 1.0))

    def first_curvature(self, oracles) -> float:
        """L, if the rule needs it; else 0, for not known."""
        return oracles.constants[self.smoothness] if self.step_rule == "short" else 0.0

    def length(self, oracles, s, point, d, slope, longest) -> float:
        """The step length by the rule."""
        if self.step_rule != "secant":
            return super().length(oracles, s, point, d, slope, longest)
        size = float(np.linalg.norm(d))

        def slope_at(gamma):
            gradient = as_array(oracles.gradient(point(gamma)))
            found = float(np.vdot(gradient, d))
            return found if abs(found) > NOISE * size * np.linalg.norm(gradient) else 0.0

        return secant(slope_at, -slope, longest, self.secant_tol * slope, self.trials)


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
