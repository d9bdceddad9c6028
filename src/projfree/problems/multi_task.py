"""Multi-task learning with a bounded non-convex loss (ncgs eq. 2)."""

from typing import Literal

import numpy as np

from .. import losses
from ..common.parameters import Share, checked
from ..families import constrained
from . import _task_kernels as kernels
from ._smoothness import sq_norm_bound


class Problem:
    """F(Θ) = (1/N) Σ_τ w_τ Σ_j ℓ(y_j, ⟨x_j, θ_τ⟩), Θ = [θ_1 … θ_T] of shape (d, T).

    The last feature is the constant 1 if the instance has a bias row. Labels are in {0, 1} with
    P(y = 1 | x) = 1/(1 + exp⟨x, θ⟩). Component i is one sample: ∇f_i = w_τ φ'_i x_i e_τᵀ.

    Parameters
    ----------
    arrays : dict
        ``features`` (N, d) float32 or float64, sorted by task, ``labels`` (N,), ``task_ptr`` (T+1,), and
        the same three with prefix ``test_`` (``test_ptr``) for held-out accuracy.
    loss : {"sig2", "log"}
    weight : {"mean", "sum", "task_mean"}
        F is the mean over all samples (w = 1), their sum (N), or the mean of the tasks' means (N/(T n_τ)).
    random_start : float
        Methods start from that share of a random vertex of the set instead of zero (ncgs U13).
    constants : dict, optional
        Known constants of this instance; else they are computed.
    """

    family = constrained.FAMILY

    @checked
    def __init__(
        self,
        arrays,
        *,
        loss: Literal["sig2", "log"] = "sig2",
        weight: Literal["mean", "sum", "task_mean"] = "mean",
        random_start: Share = 0.0,
        constants=None,
    ):
        self.kind = {"sig2": kernels.SIG2, "log": kernels.LOG}[loss]
        self.loss = losses.make(loss)
        self.features, self.labels = arrays["features"], arrays["labels"].astype(np.int8, copy=False)
        self.ptr = arrays["task_ptr"].astype(np.int64, copy=False)
        _validate(self.features, self.labels, self.ptr)
        self.n, d = self.features.shape
        self.shape, self.random_start = (d, self.ptr.size - 1), random_start
        sizes = np.diff(self.ptr)
        self.weights = {  # w_τ, None for 1
            "mean": None,
            "sum": np.full(sizes.size, float(self.n)),
            "task_mean": self.n / (sizes.size * sizes),
        }[weight]
        self.constants = constants or self._constants()
        self.test = [arrays.get(f"test_{name}") for name in ("features", "labels", "ptr")]

    @property
    def metrics(self):
        held_out = self.test[0] is not None and len(self.test[0])
        return {"objective": self.value, **({"accuracy_test": self.accuracy_test} if held_out else {})}

    @classmethod
    def small(cls, rng):
        """Small instances, for compiling kernels and for contract tests."""
        for dtype in (np.float64, np.float32):
            features = rng.standard_normal((90, 8)).astype(dtype)
            features[:, -1] = 1
            labels = rng.integers(0, 2, 90).astype(np.int8)
            yield cls({"features": features, "labels": labels, "task_ptr": np.arange(0, 91, 15)})

    def _constants(self):
        """L_full, L_vr, L_max and l, upper bounds all, by one squared spectral norm a task."""
        full, weighted, largest = 0.0, 0.0, 0.0
        weights = np.ones(self.shape[1]) if self.weights is None else self.weights
        for first, last, w in zip(self.ptr[:-1], self.ptr[1:], weights.tolist(), strict=True):
            block = np.asarray(self.features[first:last], dtype=np.float64)
            norms = np.linalg.norm(block, axis=1)
            largest = max(largest, w * float(norms.max()) ** 2)
            full = max(full, w * sq_norm_bound(block))
            weighted = max(weighted, w * w * sq_norm_bound(block * norms[:, None]))
        sup = max(self.loss.sup_curvature, -self.loss.inf_curvature)
        return {
            "L_full": sup * full / self.n,
            "L_vr": sup * float(np.sqrt(weighted / self.n)),
            "L_max": sup * largest,
            "l_lower": max(0.0, -self.loss.inf_curvature) * full / self.n,
        }

    def start(self, kind="array"):
        """Zero; iterates of this problem are dense (d, T) arrays for every method."""
        return np.zeros(self.shape)

    def value(self, x):
        return self._mean_loss(kernels.margins(self.features, self.ptr, _rows(x)))

    def gradient(self, x):
        """∇F(x), (d, T)."""
        return self._full(x, np.empty(0))

    def anchor(self, x):
        """∇F(x) and the slopes φ'_i of all samples at x, from one pass."""
        slopes = np.empty(self.n)
        return self._full(x, slopes), slopes

    def offsets(self, slopes, curvatures, x):
        """s_i ← s_i − κ_i ⟨A_i, x⟩ in place, what ∇f_i − ∇²f_i x has of A_i; returns ∇F − ∇²F x of these."""
        slopes -= curvatures * self.arguments(x)
        return self.combine(slopes / self.n, np.arange(self.n))

    def _full(self, x, slopes):
        sums = kernels.full_gradient(self.kind, self.features, self.labels, self.ptr, _rows(x), slopes)
        if self.weights is not None:
            sums *= self.weights[:, None]
            slopes *= self._weights_of(slice(slopes.size))
        return np.ascontiguousarray(sums.T) / self.n

    def _weights_of(self, indices):
        """w_τ of samples; 1 for the mean."""
        if self.weights is None:
            return 1.0
        if isinstance(indices, slice):
            return np.repeat(self.weights, np.diff(self.ptr))[indices]
        return self.weights[self._tasks(indices)]

    def _tasks(self, indices):
        return np.searchsorted(self.ptr, indices, side="right") - 1

    def component_slopes(self, x, indices):
        """w_τ φ'_i of a batch, in the order of the batch."""
        order = np.argsort(indices, kind="stable")
        out = np.empty(len(indices))
        out[order] = kernels.batch_slopes(
            self.kind, self.features, self.labels, self.ptr, _rows(x), indices[order]
        )
        return out * self._weights_of(indices)

    def component_curvatures(self, x, indices=slice(None)):
        """w_τ φ''_i of a batch, so that ∇²f_i(Θ) D = w_τ φ''_i ⟨x_i, d_τ⟩ x_i e_τᵀ."""
        t = self.arguments(x, indices)
        return self.loss.curvature(t, self._targets()[indices]) * self._weights_of(indices)

    def arguments(self, x, indices=slice(None)):
        """⟨x_i, θ_τ⟩ of a batch."""
        if isinstance(indices, slice):
            return kernels.margins(self.features, self.ptr, _rows(x))[indices]
        return np.einsum("ij,ij->i", self.features[indices], x.T[self._tasks(indices)], dtype=np.float64)

    def hessian_product(self, curvatures, d):
        """∇²F d = (1/n) Σ φ''_i ⟨x_i, d_τ⟩ x_i e_τᵀ, given all φ''_i: two passes."""
        return self.combine(curvatures * self.arguments(d) / self.n, np.arange(self.n))

    def add_components(self, g, weights, indices):
        """g ← g + Σ w_i x_i e_τᵀ in place."""
        g += self.combine(weights, indices)
        return g

    def combine(self, weights, indices, like=None):
        """Σ w_i x_i e_τᵀ; indices may repeat."""
        order = np.argsort(indices, kind="stable")
        sums = kernels.batch_combine(self.features, self.ptr, weights[order], indices[order])
        return np.ascontiguousarray(sums.T)

    def component_gradient(self, x, indices):
        """(1/b) Σ ∇f_i(x) over the batch."""
        return self.combine(self.component_slopes(x, indices) / len(indices), indices)

    def component_gradient_difference(self, x, slopes, indices):
        """(1/b) Σ (∇f_i(x) − s_i x_i e_τᵀ) over the batch, s_i the slopes at the anchor."""
        if self.weights is not None:
            change = self.component_slopes(x, indices) - slopes[indices]
            return self.combine(change / len(indices), indices)
        sums = kernels.batch_difference(
            self.kind, self.features, self.labels, self.ptr, _rows(x), slopes, np.sort(indices)
        )
        return np.ascontiguousarray(sums.T) / len(indices)

    def line(self, x, v):
        """γ ↦ F(x + γ(v − x)) for an atom v: two passes once, then O(N) a trial."""
        at_x = kernels.margins(self.features, self.ptr, _rows(x))
        direction = kernels.products(self.features, v.u)
        direction *= np.repeat(v.scale * v.v, np.diff(self.ptr))
        direction -= at_x
        return lambda gamma: self._mean_loss(at_x + gamma * direction)

    def accuracy_test(self, x):
        """Share of held-out samples with the likelier label."""
        features, labels, ptr = self.test
        predicted = kernels.margins(features, ptr, _rows(x)) <= 0
        return float(np.mean(predicted == (labels == 1)))

    def _targets(self):
        """Labels as the loss takes them: {0, 1}, or ±1 for the logistic loss (1 where y = 0)."""
        return self.labels if self.kind == kernels.SIG2 else 1 - 2 * self.labels

    def _mean_loss(self, t):
        losses = self.loss.value(t, self._targets())
        return float(np.sum(losses * self._weights_of(slice(None))) / self.n)


def _rows(x):
    """Θ as (T, d), a contiguous row a task."""
    return np.ascontiguousarray(x.T)


def _validate(features, labels, ptr):
    empty = np.flatnonzero(np.diff(ptr) <= 0)
    if empty.size:
        raise ValueError(f"task {empty[0]} has no samples")
    if ptr[0] != 0 or ptr[-1] != len(features) or len(labels) != len(features):
        raise ValueError(
            f"tasks cover rows {ptr[0]} to {ptr[-1]}, "
            f"but there are {len(features)} rows and {len(labels)} labels"
        )
    for first in range(0, len(features), 100_000):
        bad = np.flatnonzero(~np.isfinite(features[first : first + 100_000].sum(axis=1)))
        if bad.size:
            raise ValueError(f"row {first + bad[0]} of the features is not finite")
    if not np.isin(np.unique(labels), (0, 1)).all():
        raise ValueError(f"labels must be 0 or 1, found {np.unique(labels)[:5]}")
