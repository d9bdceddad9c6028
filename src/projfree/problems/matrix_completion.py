"""Robust matrix completion: a scalar loss on observed entries (ncgs eq. 9)."""

import numpy as np

from .. import losses
from ..linalg.sampled import ObservedAtoms, Pattern, SparseOnPattern, gather, sample_outer


class Problem:
    """F(X) = w Σ_{(i,j) observed} φ(X_ij − Y_ij), with w = 1 (``sum``) or 1/n (``mean``).

    As a finite sum F = (1/n) Σ f_i with f_i = n w φ_i (SPEC-ncgs C1). An iterate is a dense (m, q) array, or
    `ObservedAtoms`, which carries only its values on the observed pattern; gradients come in the same kind.

    Parameters
    ----------
    arrays : dict
        ``rows, cols`` (n,) positions, ``values`` (n,) observations, ``truth`` (m, q) or ``shape`` (2,).
    loss : str
        A residual loss of `losses` (``sl0``, ``cil``, ``cor``, ``sq``, ``hub``).
    weight : {"sum", "mean"}
    loss_params
        Parameters of the loss, for example ``sigma``.
    """

    def __init__(self, arrays, *, loss="sl0", weight="sum", constants=None, **loss_params):
        if weight not in ("sum", "mean"):
            raise ValueError(f"weight must be 'sum' or 'mean', got {weight!r}")
        self.observed = np.asarray(arrays["values"], dtype=np.float64)
        if self.observed.size == 0:
            raise ValueError("matrix completion needs at least one observed entry")
        bad = np.flatnonzero(~np.isfinite(self.observed))
        if bad.size:
            raise ValueError(f"observation {bad[0]} is {self.observed[bad[0]]}")
        self.truth = arrays.get("truth")
        self.shape = tuple(self.truth.shape if self.truth is not None else arrays["shape"])
        self.pattern = Pattern(arrays["rows"], arrays["cols"], self.shape)
        self.observed = self.observed[self.pattern.order]  # the pattern sorts the positions
        self.loss = losses.make(loss, **loss_params)
        self.n = self.observed.size
        self.weight = 1.0 if weight == "sum" else 1.0 / self.n
        self.constants = constants or self._constants()

    @property
    def metrics(self):
        """What can be recorded besides the set's metrics."""
        known = {"objective": self.value}
        return known if self.truth is None else {**known, "reconstruction_error": self.reconstruction_error}

    @classmethod
    def small(cls, rng):
        """Small instances, for compiling kernels and for contract tests."""
        for shape in ((12, 10), (70, 60)):
            rows, cols = np.nonzero(rng.random(shape) < 0.5)
            values = rng.standard_normal(rows.size)
            yield cls({"rows": rows, "cols": cols, "values": values, "truth": np.zeros(shape)})

    def _constants(self):
        """SPEC-common 0.2: the Hessian is diagonal, so every bound is the loss's own."""
        sup = max(self.loss.sup_curvature, -self.loss.inf_curvature)
        return {
            "L_full": sup * self.weight,
            "L_vr": sup * self.weight * float(np.sqrt(self.n)),
            "L_max": sup * self.weight * self.n,
            "l_lower": max(0.0, -self.loss.inf_curvature) * self.weight,
        }

    def start(self, kind="array"):
        """Zero, as an array or as a sum of no atoms."""
        return np.zeros(self.shape) if kind == "array" else ObservedAtoms(self.pattern)

    def value(self, x):
        """F(x)."""
        return self.weight * float(np.sum(self.loss.value(self._entries(x), self.observed)))

    def gradient(self, x):
        """∇F(x) in the kind of x."""
        return self._like(x, self.weight * self.loss.slope(self._entries(x), self.observed))

    def anchor(self, x):
        """∇F(x) and the slopes n w φ'_i of all components at x."""
        slopes = self.component_slopes(x)
        return self._like(x, slopes / self.n), slopes

    def component_slopes(self, x, indices=slice(None)):
        """s_i = n w φ'(x_i − y_i), so that ∇f_i(x) = s_i E_i."""
        return self.n * self.weight * self.loss.slope(self._entries(x)[indices], self.observed[indices])

    def combine(self, weights, indices, like=None):
        """Σ w_i E_i; indices may repeat (scatter-add)."""
        total = np.bincount(indices, weights=weights, minlength=self.n)
        return self._like(like, total)

    def component_gradient(self, x, indices):
        """(1/b) Σ ∇f_i(x) over the batch."""
        return self.combine(self.component_slopes(x, indices) / len(indices), indices, x)

    def component_gradient_difference(self, x, slopes, indices):
        """(1/b) Σ (∇f_i(x) − s_i E_i) over the batch, s_i the slopes at the anchor."""
        change = self.component_slopes(x, indices) - slopes[indices]
        return self.combine(change / len(indices), indices, x)

    def line(self, x, v):
        """γ ↦ F(x + γ(v − x)) for an atom v, O(n) a trial."""
        at_x = self._entries(x).copy()
        direction = sample_outer(self.pattern, v.u, v.v, v.scale) - at_x

        def trial(gamma):
            return self.weight * float(np.sum(self.loss.value(at_x + gamma * direction, self.observed)))

        return trial

    def reconstruction_error(self, x):
        """‖X − X_true‖_F / √(mq)."""
        x = x if isinstance(x, np.ndarray) else x.toarray()
        return float(np.linalg.norm(x - self.truth) / np.sqrt(self.truth.size))

    def _entries(self, x):
        return x.values if isinstance(x, ObservedAtoms) else gather(self.pattern, x)

    def _like(self, x, values):
        sparse = SparseOnPattern(self.pattern, values)
        return sparse if isinstance(x, ObservedAtoms) else sparse.toarray()
