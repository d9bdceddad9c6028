"""FULL: the exact gradient, as a deterministic control."""

from dataclasses import dataclass

from ...common.parameters import Count, Natural


@dataclass(frozen=True)
class Estimator:
    """g = ∇F(x); n IFO an update. It ignores batch, epoch and replacement."""

    batch: Count | None = None
    epoch: Natural | None = None
    replace: bool = True

    def update(self, oracles, state, x, rng):
        """The gradient, and no state."""
        return oracles.gradient(x), None


def theory(constants, n: int, epsilon: float) -> tuple[float, float]:
    """(b, p): every component, every step."""
    return float(n), 1.0
