"""CASVRG: SVRG with a zero-mean Hessian correction from the anchor (nfwu GE 4; Gower et al. 2018)."""

from dataclasses import dataclass

import numpy as np

from ...common.parameters import Count
from ...linalg.scratch import pieces
from . import component_batch, relative_curvature, release


@dataclass
class State:
    """Gradients and Hessians at the anchor x̃, and its age in steps.

    x̃ itself is in the offsets: ∇f_i(x̃) + ∇²f_i(x̃)(x − x̃) = ∇²f_i(x̃) x + offset.
    """

    offset: object  # ∇F(x̃) − ∇²F(x̃) x̃
    offsets: np.ndarray  # (n,) of all ∇f_i(x̃) − ∇²f_i(x̃) x̃
    curvatures: np.ndarray  # (n,) of all ∇²f_i(x̃)
    age: int = 1  # estimates since the refresh


@dataclass(frozen=True)
class Estimator:
    """g = (1/b) Σ_{i∈S} (∇f_i(x) − ∇f_i(x̃)) + ∇F(x̃) + [∇²F(x̃) − (1/b) Σ_{i∈S} ∇²f_i(x̃)](x − x̃).

    n IFO (1 FO) and n SSO a refresh, 2b IFO and b SSO an update. E g = ∇F(x), and the error is of second
    order in x − x̃: its square is at most (sup φ''')²/(4bn) Σ_i (x_i − x̃_i)⁴ in the mean where components
    see one entry each and F is their mean.

    Attributes
    ----------
    batch, epoch : int, b and p
    replace : bool, whether S is drawn with replacement
    """

    batch: Count
    epoch: Count
    replace: bool = True

    def update(self, oracles, anchor: State | None, x, rng):
        """The estimate at x, exact at the anchor; returns (g, anchor)."""
        if anchor is None or anchor.age >= self.epoch:
            release(anchor)
            return self.refresh(oracles, x)
        anchor.age += 1
        batch = component_batch(rng, oracles.n, self.batch, self.replace)
        g = oracles.hessian_product(anchor.curvatures, x)
        g += anchor.offset
        for part in pieces(self.batch):
            terms = oracles.curvature_terms(anchor.curvatures, x, batch[part])
            terms /= -self.batch
            oracles.add_components(g, terms, batch[part])
        return oracles.add_component_difference(g, x, anchor.offsets, batch), anchor

    def refresh(self, oracles, x):
        """Move the anchor to x; returns (∇F(x), anchor)."""
        curvatures = oracles.component_curvatures(x)
        gradient, slopes = oracles.anchor(x)
        g = gradient.copy()  # before offsets take the place of the slopes, which a sparse one goes with
        return g, State(oracles.offsets(slopes, curvatures, x), slopes, curvatures)


def theory(constants, n: int, epsilon: float) -> tuple[float, float]:
    """(b, p) for E‖g − ∇F‖² ≤ ε² with steps ε/L: n^{0.8}κ^{0.4}, n^{0.2}κ^{−0.4}, as the error is ≤ κ²p⁴ε²/b;
    or b = 1, p = κ^{−1/2} where κ ≤ n^{−2} (nfwu §4).
    """
    kappa = relative_curvature(constants, epsilon)
    return (1.0, kappa**-0.5) if kappa <= n**-2 else (n**0.8 * kappa**0.4, n**0.2 * kappa**-0.4)
