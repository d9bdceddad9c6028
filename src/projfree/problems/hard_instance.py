"""The hard instance of the lower bound on linear minimisations (nfwu Theorem 5.1, Appendix 7.1)."""

import numpy as np

from ..common.parameters import Count, Positive, checked
from ..families import constrained
from ._zero_chain import chain_gradient, chain_value

#: Radius of the ball over √T, bound on V_C(x_t)/R before T linear minimisations, bound on (H(0) − min H)/T.
RADIUS, BOUND, DEPTH = 230.0, 0.08, 12.0
#: ℓ: ‖∇²H_T‖ ≤ sup|Ψ''| sup Φ + sup Ψ sup|Φ''| + 2 sup Ψ' sup Φ' = 151.3 (nfwu prints 3^15).
CURVATURE = 152.0
#: What of a point is rounding, relative to the point.
ROUNDING = 1e-12


class Problem:
    """F(x) = (L μ²/ℓ_f) [f(x/μ) + 12T] with f(x) = ‖x‖²/10 + H_T(Vᵀx), ‖x‖ ≤ 230 μ√T; n = 1.

    The T orthonormal columns of V answer the method: a *resisting oracle* draws column m + 1 when a gradient
    needs it, at random and orthogonal to all points asked before, so that every answer agrees with the
    finished F. A gradient needs at most one new column, and none at a point where it was asked already or
    where ``|v_mᵀx| ≤ μ/2``; values need none. (The paper draws one a query and asks for v_k ⊥ x_r, r ≤ k; as
    x_1 may depend on v_1, only r < k is possible.) Where d is too small for more points, V is completed. One
    instance serves one run.

    The shift by 12T ≥ −min f makes F ≥ 0, as step lengths of theory expect. The component's slope is its
    gradient, s_1 = ∇f_1 with the identity for A_1.

    Parameters
    ----------
    arrays : dict
        ``seed`` (), the seed of the columns.
    chain : int
        T.
    dimension : int, optional
        d ≥ 2T + 1; None is 2T + 20.
    curvature : float
        ℓ, the bound on ‖∇²H_T‖; ℓ_f = ℓ + 1/5.
    smoothness : float, optional
        L of the scaled form (nfwu eq. 17); None is ℓ_f, so that with μ = 1 the instance is not scaled.
    scale : float
        μ.
    """

    family = constrained.FAMILY
    n = 1

    @checked
    def __init__(
        self,
        arrays,
        *,
        chain: Count = 10,
        dimension: Count | None = None,
        curvature: Positive = CURVATURE,
        smoothness: Positive | None = None,
        scale: Positive = 1.0,
        constants=None,
    ):
        dimension = 2 * chain + 20 if dimension is None else dimension
        if dimension < 2 * chain + 1:
            raise ValueError(f"need d ≥ 2T + 1, got T = {chain} and d = {dimension}")
        self.chain, self.shape, self.scale = chain, (dimension,), scale
        total = curvature + 0.2
        smoothness = total if smoothness is None else smoothness
        self.weight = smoothness * scale**2 / total
        self.constants = constants or {
            **dict.fromkeys(("L_full", "L_vr", "L_max"), smoothness),
            "l_lower": smoothness * (curvature - 0.2) / total,
        }
        self.radius = RADIUS * scale * np.sqrt(chain)
        self._rng = np.random.Generator(np.random.PCG64DXSM(int(arrays["seed"])))
        self._columns = np.zeros((dimension, 0))  # v_1 … v_m
        self._known = np.zeros((dimension, 0))  # orthonormal basis of these and of all points asked
        self._answers = []  # (function, point, answer) while V is unfinished
        self.queries = 0

    @property
    def drawn(self) -> int:
        """m, the number of columns drawn."""
        return self._columns.shape[1]

    @property
    def metrics(self):
        return {"objective": self.value}

    @classmethod
    def small(cls, rng):
        """None: its iterates are vectors, and an instance serves one run only."""
        return iter(())

    def start(self, kind="array"):
        """Zero; iterates are arrays (d,) for every method."""
        return np.zeros(self.shape)

    def value(self, x):
        return self._answer(self._value, x / self.scale)

    def gradient(self, x):
        """∇F(x), (d,)."""
        return self._answer(self._gradient, x / self.scale)

    def anchor(self, x):
        """∇F(x) and the component's slope, (1, d)."""
        gradient = self.gradient(x)
        return gradient, gradient[None].copy()

    def component_slopes(self, x, indices):
        """s_1 = ∇F(x) for each of the batch, (b, d)."""
        return np.tile(self.gradient(x), (len(indices), 1))

    def combine(self, weights, indices, like=None):
        """Σ w_i A_i with the identity for A_1, w (b, d)."""
        return weights.sum(axis=0)

    def add_components(self, g, weights, indices):
        """g ← g + Σ w_i A_i in place."""
        g += self.combine(weights, indices)
        return g

    def component_gradient(self, x, indices):
        """∇F(x) for every batch."""
        return self.gradient(x)

    def component_gradient_difference(self, x, slopes, indices):
        """∇F(x) − s_1, s_1 the slope at the anchor."""
        return self.gradient(x) - slopes[0]

    def line(self, x, v):
        """γ ↦ F(x + γ(v − x)) for a vector v; a query a trial."""
        x, direction = x.copy(), v - x
        return lambda gamma: self.value(x + gamma * direction)

    def finish(self):
        """Draw the rest of V; from then on F is fixed."""
        while self.drawn < self.chain:
            self._draw()

    def inconsistency(self) -> float:
        """Largest relative difference between an earlier answer and the finished F; finishes F."""
        self.finish()
        differences = (
            np.linalg.norm(function(z) - given) / np.linalg.norm(given)
            for function, z, given in self._answers
        )
        return float(max(differences, default=0.0))

    def overlaps(self, x) -> np.ndarray:
        """⟨v_k, x⟩ of the columns drawn so far, (m,)."""
        return self._columns.T @ x

    def _answer(self, function, z):
        self.queries += 1
        if self.drawn == self.chain:
            return function(z)
        self._remember(z)
        answer = function(z)
        self._answers.append((function, z, np.copy(answer)))  # the caller may write into its own
        return answer

    def _value(self, z):
        chain = chain_value(self._coordinates(z)) + DEPTH * self.chain
        return self.weight * float(z @ z / 10 + chain)

    def _gradient(self, z):
        slopes = chain_gradient(self._coordinates(z))
        if self.drawn < self.chain and slopes[self.drawn] != 0.0:
            self._draw()
        return (self.weight / self.scale) * (z / 5 + self._columns @ slopes[: self.drawn])

    def _coordinates(self, z):
        """y = Vᵀz, zero for the columns that are still to be drawn."""
        y = np.zeros(self.chain)
        y[: self.drawn] = self.overlaps(z)
        return y

    def _draw(self):
        column = self._new_direction(self._rng.standard_normal(self.shape))
        self._columns = np.column_stack((self._columns, column))
        self._known = np.column_stack((self._known, column))

    def _remember(self, z):
        """Keep later columns orthogonal to z; complete V if no space would be left for them."""
        direction = self._new_direction(z)
        if direction is None:
            return
        if self._known.shape[1] + self.chain - self.drawn < z.size:
            self._known = np.column_stack((self._known, direction))
        else:
            self.finish()

    def _new_direction(self, z):
        """The unit vector of z's part outside all that is known (Gram-Schmidt twice); None if it has none."""
        rest = z
        for _ in range(2):
            rest = rest - self._known @ (self._known.T @ rest)
        norm = np.linalg.norm(rest)
        return rest / norm if norm > ROUNDING * np.linalg.norm(z) else None


def scaled(epsilon, delta, smoothness, curvature=CURVATURE) -> dict:
    """Parameters of the instance that is L-smooth, with F(0) − min F ≤ Δ and V_C(x_t) ≥ εD for all t < T.

    μ = 25 ℓ_f ε/L and T = ⌊LΔ/(7500 ℓ_f ε²)⌋ (nfwu eq. 18 with c_1 = 12, c_2 = 0.04), D = 460 μ√T.
    """
    total = curvature + 0.2
    chain = int(smoothness * delta / (7500 * total * epsilon**2) * (1 + 1e-12))
    if chain < 1:
        raise ValueError(f"LΔ/(7500 ℓ_f ε²) is below 1 for ε = {epsilon}, Δ = {delta}, L = {smoothness}")
    return {
        "chain": chain,
        "curvature": curvature,
        "smoothness": smoothness,
        "scale": 25 * total * epsilon / smoothness,
    }
