"""SG: the plain mini-batch gradient (nfwu GE 1)."""

from dataclasses import dataclass

from ...common.parameters import Count, Natural
from . import component_batch


@dataclass(frozen=True)
class Estimator:
    """g = (1/b) Σ_{i∈S} ∇f_i(x), S uniform; b IFO an update. E g = ∇F(x).

    Attributes
    ----------
    batch : int, b
    epoch : int, ignored: there is nothing to refresh
    replace : bool, whether S is drawn with replacement
    """

    batch: Count
    epoch: Natural | None = None
    replace: bool = True

    def update(self, oracles, state, x, rng):
        """An unbiased estimate of ∇F(x), and no state."""
        return oracles.component_gradient(x, component_batch(rng, oracles.n, self.batch, self.replace)), None


def theory(constants, n: int, epsilon: float) -> tuple[float, float]:
    """(b, p) for E‖g − ∇F‖² ≤ ε²: b = G²/ε² with G ≥ ‖∇f_i‖ (nfwu §3.1)."""
    return (constants["G"] / epsilon) ** 2, 1.0
