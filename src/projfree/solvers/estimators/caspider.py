"""CASPIDER: SPIDER with a zero-mean Hessian correction from the anchor (nfwu GE 5)."""

from dataclasses import dataclass

import numpy as np

from ...linalg.sampled import difference, snapshot
from . import check_sizes, component_batch, relative_curvature, release


@dataclass
class State:
    """The estimate before, where it was made, and the Hessians of the anchor x̃."""

    gradient: object  # g^{t−1}, a running sum: it cannot be recomputed
    point: object  # x^{t−1}, as far as components see it
    curvatures: np.ndarray  # (n,) of all ∇²f_i(x̃)
    age: int = 1  # estimates since the refresh


@dataclass(frozen=True)
class Estimator:
    """SPIDER's g^t with + [∇²F(x̃) − (1/b) Σ_{i∈S} ∇²f_i(x̃)](x^t − x^{t−1}), the Hessians at the anchor x̃.

    n IFO (1 FO) and n SSO a refresh, every `epoch` steps; 2b IFO and b SSO an update. In the mean
    g^t − ∇F(x^t) = g^{t−1} − ∇F(x^{t−1}), as for SPIDER.

    Attributes
    ----------
    batch, epoch : int, b and p
    replace : bool, whether S is drawn with replacement
    """

    batch: int
    epoch: int
    replace: bool = True

    def __post_init__(self):
        check_sizes(self.batch, self.epoch)

    def update(self, oracles, state: State | None, x, rng):
        """The estimate at x, exact where the epoch is over; returns (g, state)."""
        if state is None or state.age >= self.epoch:
            release(state)
            state = self.refresh(oracles, x)
            return state.gradient, state
        batch = component_batch(rng, oracles.n, self.batch, self.replace)
        change = oracles.component_slopes(x, batch) - oracles.component_slopes(state.point, batch)
        step = difference(x, state.point)
        state.point = None  # before there is more: they are long
        change -= oracles.curvature_terms(state.curvatures, step, batch)
        state.gradient += oracles.hessian_product(state.curvatures, step)
        oracles.add_components(state.gradient, change / self.batch, batch)
        del step
        state.point, state.age = snapshot(x), state.age + 1
        return state.gradient, state

    def refresh(self, oracles, x) -> State:
        """Start the sum again from ∇F(x), and move the anchor of the Hessians there."""
        return State(oracles.gradient(x), snapshot(x), oracles.component_curvatures(x))


def theory(constants, n: int, epsilon: float) -> tuple[float, float]:
    """(b, p) for E‖g − ∇F‖² ≤ ε² with steps ε/L: n^{0.75}κ^{0.5}, n^{0.25}κ^{−0.5}, as the error is
    ≤ κ²p³ε²/b; or b = 1, p = κ^{−2/3} where κ ≤ n^{−1.5} (nfwu §4).
    """
    kappa = relative_curvature(constants, epsilon)
    return (1.0, kappa ** (-2 / 3)) if kappa <= n**-1.5 else (n**0.75 * kappa**0.5, n**0.25 * kappa**-0.5)
