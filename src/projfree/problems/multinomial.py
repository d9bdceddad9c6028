"""Multi-class logistic regression on dense features, for trace-norm penalised W (gcg §5.2)."""

import numpy as np

from ..families import regularised
from ..linalg.validation import real
from ..penalties import trace_norm
from ._smoothness import sq_norm_bound


class Problem:
    """F(W) = ℓ(W) + λκ(W) with ℓ(W) = (1/m) Σ_i [log Σ_c exp(Z_ic) − Z_{i,y_i}], logits Z = X W.

    X (m, n) training rows, W (n, C) of factors U (n, k), V (C, k); the image of W is Z. No bias and no class
    weights (U25). Everything that touches X is a product of matrices, so that factors cost 2mnk a side.
    The paper prints L without the minus sign.

    Parameters
    ----------
    arrays : dict
        ``features`` (m, n), ``labels`` (m,) in 0 … C−1, ``classes`` C; ``test_features`` (m', n) and
        ``test_labels`` (m',) for the held-out accuracy.
    constants : dict, optional
        Known constants of this instance; else they are computed.
    """

    family = regularised.FAMILY
    quadratic = False

    def __init__(self, arrays, *, constants=None):
        self.features, self.labels, classes = _checked(arrays, "")
        self.n = self.labels.size
        self.shape = (self.features.shape[1], classes)
        self.rows = np.arange(self.n)
        self.constants = constants or self._constants()
        self.test = _checked(arrays, "test_")[:2] if "test_features" in arrays else None

    @classmethod
    def small(cls, rng):
        """Small instances, more features than rows and fewer, for compiling kernels and contract tests."""
        for rows, features, weight in ((20, 30, 0.02), (40, 9, 0.01)):
            problem = cls(tiny_arrays(rng, rows, features))
            problem.small_constraint = trace_norm.Penalty(weight)
            yield problem

    def _constants(self):
        """L = ½λ_max(XᵀX)/m, as the softmax has ∇² ⪯ ½I; ℓ is convex."""
        return {"L_full": 0.5 * sq_norm_bound(self.features) / self.n, "l_lower": 0.0}

    @property
    def metrics(self):
        """Metrics of W in addition to F."""
        known = {"accuracy_train": lambda W: _accuracy(W.image, self.labels)}
        held_out = {"accuracy_test": self.accuracy_test, "error_test": lambda W: 100 - self.accuracy_test(W)}
        return known | (held_out if self.test else {})

    def accuracy_test(self, W):
        """Percentage of held-out rows whose class has the largest logit."""
        return _accuracy((self.test[0] @ W.U) @ W.V.T, self.test[1])

    # --- the loss -------------------------------------------------------------------------------------

    def left(self, U):
        """X U, the left factor of the image, (m, k)."""
        return self.features @ U

    def image(self, U, V):
        """Z = X U Vᵀ (m, C)."""
        return self.left(U) @ V.T

    def value(self, image):
        return self._softmax(image)[0]

    def slopes(self, image):
        """∂ℓ/∂Z = (P − Y)/m, P the softmax of the rows."""
        return self.value_and_slopes(image)[1]

    def value_and_slopes(self, image):
        """ℓ and ∂ℓ/∂Z, of one softmax."""
        value, P = self._softmax(image)
        P[self.rows, self.labels] -= 1.0
        P /= self.n
        return value, P

    def curvature(self, image, change):
        """d/dt ∂ℓ/∂Z at Z + t·change: (P∘Ż − P∘rowsum(P∘Ż))/m."""
        P = self._softmax(image)[1]
        weighted = P * change
        weighted -= P * weighted.sum(axis=1, keepdims=True)
        return weighted / self.n

    def gradient(self, slopes):
        """∇ℓ = Xᵀ ∂ℓ/∂Z (n, C)."""
        return self.features.T @ slopes

    def products(self, slopes, U, V):
        """∇ℓ V and ∇ℓᵀ U of known slopes, without ∇ℓ."""
        return self.features.T @ (slopes @ V), slopes.T @ self.left(U)

    def factor_gradients(self, U, V):
        """ℓ, ∇ℓ V, ∇ℓᵀ U at W = U Vᵀ: two products with X in all."""
        left = self.left(U)
        value, slopes = self.value_and_slopes(left @ V.T)
        return value, self.features.T @ (slopes @ V), slopes.T @ left

    def factor_curvatures(self, U, V):
        """Diagonals of the Hessian blocks of U (n, k) and V (C, k), for metrics of quasi-Newton methods."""
        left = self.left(U)
        P = self._softmax(left @ V.T)[1]
        of_rows = P @ (V * V) - (P @ V) ** 2  # variance of the columns of V under each row of P
        return (self.features**2).T @ of_rows / self.n, (P - P * P).T @ (left * left) / self.n

    def dual_bound(self, slopes, image, polar, weight):
        """(1/m) Σ H(y_i + τ(p_i − y_i)) ≤ F* with τ = min(1, λ/κ°(∇ℓ)), H the entropy.

        −ℓ* at the slopes τ(P − Y)/m, which lie in the polar ball of radius λ; κ° is even.
        """
        tau = min(1.0, weight / polar) if polar > 0 else 1.0
        q = tau * self.n * slopes
        q[self.rows, self.labels] += 1.0
        q = np.maximum(q, 0.0)
        return float(-np.sum(q * np.log(np.where(q > 0, q, 1.0)))) / self.n

    def _softmax(self, image):
        """ℓ and P, safe for logits of any size."""
        P = image - image.max(axis=1, keepdims=True)
        own = P[self.rows, self.labels]
        np.exp(P, out=P)
        total = P.sum(axis=1, keepdims=True)
        P /= total
        return float(np.mean(np.log(total[:, 0]) - own)), P


def tiny_arrays(rng, rows, features, classes=4):
    """Gaussian rows of norm 1 about class centres, the same number held out."""
    centres = rng.standard_normal((classes, features))
    made = {"classes": np.int64(classes)}
    for prefix in ("", "test_"):
        labels = np.arange(rows) % classes
        X = centres[labels] + rng.standard_normal((rows, features))
        made |= {f"{prefix}features": X / np.linalg.norm(X, axis=1)[:, None], f"{prefix}labels": labels}
    return made


def _checked(arrays, prefix):
    features = np.ascontiguousarray(real(f"{prefix}features", arrays[f"{prefix}features"]))
    labels = np.asarray(arrays[f"{prefix}labels"], dtype=np.int64)
    classes = int(arrays["classes"])
    if features.ndim != 2 or not features.size or features.shape[0] != labels.size:
        raise ValueError(f"{prefix}features of shape {features.shape} do not fit {labels.size} labels")
    bad = ~np.isfinite(features).all(axis=1)
    if bad.any():
        raise ValueError(f"row {int(np.argmax(bad))} of the {prefix}features is not finite")
    if labels.min() < 0 or labels.max() >= classes:
        raise ValueError(
            f"{prefix}labels must lie in 0 … {classes - 1}, found {labels.min()} … {labels.max()}"
        )
    return features, labels, classes


def _accuracy(scores, labels):
    return 100.0 * float(np.mean(np.argmax(scores, axis=1) == labels))
