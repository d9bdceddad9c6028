"""Step lengths of conditional gradients without a constant, for methods with one array as iterate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...common.parameters import checked
from ...linalg.atoms import as_array
from ...linalg.dense import blend
from . import active_steps


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
    """Step lengths, as of methods with active sets."""

    def start(self, oracles, rng):
        """The problem's start."""
        return State(Point(np.ascontiguousarray(oracles.start())), self.first_curvature(oracles))

    def go(self, oracles, s, v):
        """x + γ(v − x) by the rule, for an array or an atom v."""
        x, v = s.active.x, as_array(v)

        def point(gamma):
            return blend(x, v, gamma)

        s.active.x = point(self.length(oracles, s, point, v - x, s.gap, 1.0))
