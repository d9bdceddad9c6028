"""Robust matrix completion: a scalar loss on observed entries (ncgs eq. 9; nfwu eqs. 1, 4 and 5)."""

from typing import Literal

import numpy as np

from .. import losses
from ..common.parameters import Share, checked
from ..families import constrained
from ..linalg.observed import ObservedArray, ObservedAtoms
from ..linalg.sampled import (
    Pattern,
    QuotientOnPattern,
    SparseOnPattern,
    gather,
    sample_outer,
    sampled_product,
)
from ..linalg.scratch import PIECE, pieces
from ..linalg.validation import real


class Problem:
    """F(X) = w Σ_{(i,j) observed} φ(X_ij − Y_ij), with w = 1 (``sum``) or 1/n (``mean``).

    As a finite sum F = (1/n) Σ f_i with f_i = n w φ_i. An iterate is a dense (m, q) array,
    whose gradient is one too; or an `ObservedArray` or `ObservedAtoms`, which carry their values on the
    observed pattern, and have as gradient a `SparseOnPattern`. Each component sees one entry:
    ∇f_i = s_i E_i, ∇²f_i = κ_i E_i ⊗ E_i, so that Hessian-vector products cost as much as gradients (nfwu
    Remark 4.2).

    Parameters
    ----------
    arrays : dict
        ``rows, cols`` (n,) positions, ``values`` (n,) observations, ``truth`` (m, q) or ``shape`` (2,); and
        ``test_rows, test_cols, test_values`` of held-out entries, if any. Observations in float32 stay so.
    loss : str
        A residual loss of `losses` (``sl0``, ``cil``, ``cor``, ``sq``, ``hub``).
    weight : {"sum", "mean"}
    random_start : float
        Methods start from that share of a random vertex of the set instead of zero (ncgs U13).
    loss_params
        Parameters of the loss, for example ``sigma``.
    """

    family = constrained.FAMILY

    @checked
    def __init__(
        self,
        arrays,
        *,
        loss: str = "sl0",
        weight: Literal["sum", "mean"] = "sum",
        random_start: Share = 0.0,
        constants=None,
        **loss_params,
    ):
        self.observed = _finite(arrays["values"], "observation")
        if self.observed.size == 0:
            raise ValueError("matrix completion needs at least one observed entry")
        self.truth = arrays.get("truth")
        self.shape = tuple(self.truth.shape if self.truth is not None else arrays["shape"])
        self.pattern = Pattern(arrays["rows"], arrays["cols"], self.shape)
        self.observed = self.observed[self.pattern.order]  # the pattern sorts the positions
        self.loss = losses.make(loss, **loss_params)
        self.n = self.observed.size
        self.test = None
        if "test_rows" in arrays:
            held_out = Pattern(arrays["test_rows"], arrays["test_cols"], self.shape)
            self.test = held_out, _finite(arrays["test_values"], "held-out value")[held_out.order]
        self.random_start = random_start
        self.weight = 1.0 if weight == "sum" else 1.0 / self.n
        self.constants = constants or self._constants()

    @property
    def metrics(self):
        """Metrics that can be recorded in addition to the set's."""
        return {
            "objective": self.value,
            **({"reconstruction_error": self.reconstruction_error} if self.truth is not None else {}),
            **({"rmse_test": self.rmse_test} if self.test else {}),
        }

    @classmethod
    def small(cls, rng):
        """Small instances, for compiling kernels and for contract tests."""
        for shape in ((12, 10), (70, 60)):
            rows, cols = np.nonzero(rng.random(shape) < 0.5)
            values = rng.standard_normal(rows.size)
            yield cls({"rows": rows, "cols": cols, "values": values, "truth": np.zeros(shape)})

    def _constants(self):
        """The Hessian is diagonal, so every bound is the loss's own.

        In addition, the constants of nfwu's theory, if the loss has them: ``G`` ≥ ‖∇f_i‖ and ``L2_vr``,
        the mean-square Lipschitz constant of the component Hessians.
        """
        sup = max(self.loss.sup_curvature, -self.loss.inf_curvature)
        third = getattr(self.loss, "sup_third", None)
        root = float(np.sqrt(self.n))
        return {
            "L_full": sup * self.weight,
            "L_vr": sup * self.weight * root,
            "L_max": sup * self.weight * self.n,
            "l_lower": max(0.0, -self.loss.inf_curvature) * self.weight,
            **({"L2_vr": third * self.weight * root} if third is not None else {}),
            **({"G": self.loss.sup_slope * self.weight * self.n} if np.isfinite(self.loss.sup_slope) else {}),
        }

    def start(self, kind="array"):
        """Zero, as an ``array``, as an array with its ``observed`` entries, or as a sum of no ``atoms``."""
        kinds = {"array": lambda p: np.zeros(p.shape), "observed": ObservedArray, "atoms": ObservedAtoms}
        if kind not in kinds:
            raise ValueError(f"unknown kind of iterate {kind!r}; known are {', '.join(kinds)}")
        return kinds[kind](self.pattern)

    def value(self, x):
        """F(x)."""
        return self.weight * float(np.sum(self.loss.value(self._entries(x), self.observed)))

    def gradient(self, x):
        """∇F(x) in the kind of x."""
        values = self.loss.slope(self._entries(x), self.observed)
        values *= self.weight  # in place, as elsewhere here: there may be 10^8 of them
        return self._like(x, values)

    def anchor(self, x):
        """∇F(x) and the slopes n w φ'_i of all components at x."""
        slopes = self.component_slopes(x)
        return self._mean(slopes, x), slopes

    def offsets(self, slopes, curvatures, x):
        """s_i ← s_i − κ_i ⟨E_i, x⟩ in place, what ∇f_i − ∇²f_i x has of E_i; returns ∇F − ∇²F x of these."""
        entries = self._entries(x)
        for part in pieces(self.n):
            slopes[part] -= curvatures[part] * entries[part]
        return self._mean(slopes, x)

    def _mean(self, slopes, x):
        """(1/n) Σ s_i E_i in the kind of x; a sparse one goes with the slopes."""
        if isinstance(x, np.ndarray):
            return self._like(x, slopes / self.n)
        return QuotientOnPattern(self.pattern, slopes, self.n)

    def component_slopes(self, x, indices=slice(None)):
        """s_i = n w φ'(x_i − y_i), so that ∇f_i(x) = s_i E_i."""
        return self._derivatives(self.loss.slope, x, indices)

    def component_curvatures(self, x, indices=slice(None)):
        """κ_i = n w φ''(x_i − y_i), so that ∇²f_i(x) d = κ_i ⟨E_i, d⟩ E_i; in the precision of the y_i."""
        return self._derivatives(self.loss.curvature, x, indices).astype(self.observed.dtype, copy=False)

    def _derivatives(self, derivative, x, indices):
        """n w times the loss's; of a batch, which may have millions, by pieces."""
        entries = self._entries(x)
        if isinstance(indices, slice) or len(indices) <= PIECE:
            found = derivative(entries[indices], self.observed[indices])
        else:
            found = np.empty(len(indices))
            for part in pieces(len(indices)):
                picked = indices[part]
                found[part] = derivative(entries[picked], self.observed[picked])
        found *= self.n * self.weight
        return found

    def arguments(self, x, indices=slice(None)):
        """⟨E_i, x⟩, the observed entries of x."""
        return self._entries(x)[indices]

    def hessian_product(self, curvatures, d):
        """∇²F d = (1/n) Σ κ_i ⟨E_i, d⟩ E_i in the kind of d, given all κ_i; in the memory of a sparse d."""
        values = self._entries(d)
        in_place = values if isinstance(d, SparseOnPattern) else None  # an iterate stays
        values = np.multiply(values, curvatures, out=in_place)
        values /= self.n
        return self._like(d, values)

    def combine(self, weights, indices, like=None):
        """Σ w_i E_i; indices may repeat (scatter-add)."""
        total = np.bincount(indices, weights=weights, minlength=self.n)
        return self._like(like, total)

    def add_components(self, g, weights, indices):
        """g ← g + Σ w_i E_i in place, O(b) for a sparse g."""
        if isinstance(g, np.ndarray):
            np.add.at(g, (self.pattern.rows[indices], self.pattern.cols[indices]), weights)
            return g
        return g.add_entries(weights, indices)

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

    def rmse_test(self, x):
        """Root mean square error on the held-out entries."""
        held_out, values = self.test
        if isinstance(x, ObservedAtoms):
            U, w, V = x.factors()
            predicted = sampled_product(held_out, U * w, V)
        else:
            predicted = gather(held_out, x if isinstance(x, np.ndarray) else x.toarray())
        return float(np.sqrt(np.mean((predicted - values) ** 2)))

    def _entries(self, x):
        return gather(self.pattern, x) if isinstance(x, np.ndarray) else x.values

    def _like(self, x, values):
        sparse = SparseOnPattern(self.pattern, values)
        return sparse.toarray() if x is None or isinstance(x, np.ndarray) else sparse


def _finite(values, what):
    """Values as float64, or as float32 if they are; an error names the first that is not finite."""
    values = np.asarray(values)
    values = values if values.dtype == np.float32 else real("values", values)
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        raise ValueError(f"{what} {bad[0]} is {values[bad[0]]}")
    return values
