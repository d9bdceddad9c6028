"""CASPIDER: SPIDER with a zero-mean Hessian correction from the anchor (nfwu GE 5)."""

from dataclasses import dataclass

import numpy as np

from ...linalg.sampled import difference, snapshot
from ...linalg.scratch import pieces
from . import relative_curvature, spider


@dataclass
class State(spider.State):
    """SPIDER's, and the Hessians of the anchor x̃."""

    curvatures: np.ndarray | None = None  # (n,) of all ∇²f_i(x̃)


@dataclass(frozen=True)
class Estimator(spider.Estimator):
    """SPIDER's g^t with + [∇²F(x̃) − (1/b) Σ_{i∈S} ∇²f_i(x̃)](x^t − x^{t−1}), the Hessians at the anchor x̃.

    n IFO (1 FO) and n SSO a refresh, every `epoch` steps; 2b IFO and b SSO an update. In the mean
    g^t − ∇F(x^t) = g^{t−1} − ∇F(x^{t−1}), as for SPIDER.
    """

    def correct(self, oracles, state, x, batch, change):
        """The step through the Hessians: the batch's out of its change of slopes, all of them into g."""
        step = difference(x, state.point)
        for part in pieces(self.batch):
            change[part] -= oracles.curvature_terms(state.curvatures, step, batch[part])
        state.gradient += oracles.hessian_product(state.curvatures, step)

    def refresh(self, oracles, x) -> State:
        """Start the sum again from ∇F(x), and move the anchor of the Hessians there."""
        curvatures = oracles.component_curvatures(x)  # first: they pass through double precision
        return State(oracles.gradient(x), snapshot(x), curvatures=curvatures)


def theory(constants, n: int, epsilon: float) -> tuple[float, float]:
    """(b, p) for E‖g − ∇F‖² ≤ ε² with steps ε/L: n^{0.75}κ^{0.5}, n^{0.25}κ^{−0.5}, as the error is
    ≤ κ²p³ε²/b; or b = 1, p = κ^{−2/3} where κ ≤ n^{−1.5} (nfwu §4).
    """
    kappa = relative_curvature(constants, epsilon)
    return (1.0, kappa ** (-2 / 3)) if kappa <= n**-1.5 else (n**0.75 * kappa**0.5, n**0.25 * kappa**-0.5)
