"""Robust multi-class classification: the worst weighting of the samples (mpcgs eq. 4)."""

import math

import numpy as np
from scipy import sparse

from ..common.parameters import Positive, checked
from ..families import saddle
from ..linalg.atoms import Atom
from ..linalg.compiled import njit
from ..linalg.projections import project_simplex
from ..linalg.validation import real
from ..sets import nuclear_ball, simplex
from ._smoothness import norm_bound


class Problem:
    """min_X max_y F(X, y) = Σ y_i ℓ_i(X) − (λ/2)‖n y − 1‖² over X in a nuclear-norm ball, y in the simplex.

    ℓ_i(X) = log Σ_j exp(S_ij) − S_{i,b_i} with scores S = A X, A (n, d) sparse, X (d, h). As a finite sum
    F = (1/n) Σ F_i with F_i = n y_i ℓ_i − (λ/2)‖n y − 1‖². All that needs the data goes through S, so that
    a method can keep S next to X: a move along an atom costs it one product with a vector.

    Parameters
    ----------
    arrays : dict
        ``indptr, indices, data, shape`` of A, ``labels`` (n,) in 0 … h−1, ``classes`` h (a number); and the
        same with prefix ``test_`` (without classes) for held-out accuracies.
    lam, lam_power : float, float
        λ = lam / n^lam_power (the paper's number is lost: U12).
    constants : dict, optional
        Known constants of this instance; else they are computed.
    """

    family = saddle.FAMILY
    small_constraint = nuclear_ball.Set(3.0, linear="gram")

    @checked
    def __init__(self, arrays, *, lam: Positive = 1.0, lam_power: float = 1.0, constants=None):
        self.matrix, self.labels = _features(arrays), np.asarray(arrays["labels"], dtype=np.int64)
        self.n = self.matrix.shape[0]
        self.shape = (self.matrix.shape[1], int(arrays["classes"]))
        _validate(self.matrix, self.labels, self.shape[1])
        self.lam = lam / self.n**lam_power
        self.transposed = self.matrix.T.tocsr()
        self.sq_rows = np.asarray(self.matrix.multiply(self.matrix).sum(axis=1)).ravel()
        self.dual_set = simplex.Set(1.0)
        self.constants = constants or self._constants()
        self.test = None
        if "test_indptr" in arrays:
            held_out = {key[5:]: value for key, value in arrays.items() if key.startswith("test_")}
            self.test = _features(held_out), np.asarray(held_out["labels"], dtype=np.int64)
            _validate(*self.test, self.shape[1])

    @classmethod
    def small(cls, rng):
        """Small instances, for compiling kernels and for contract tests."""
        for classes in (4, 2):
            yield cls(tiny_arrays(rng, classes=classes))

    @property
    def metrics(self):
        """Metrics of (X, y) that do not depend on the sets."""
        held_out = {"accuracy_test": self.accuracy_test, "worst_class_test": self.worst_class_test}
        return {
            "objective": lambda point: self.value(self.scores(point.x), point.y),
            "phi": lambda point: self.phi(self.scores(point.x)),
            "accuracy_train": lambda point: _accuracies(self.scores(point.x), self.labels)[0],
            **(held_out if self.test else {}),
        }

    def _constants(self):
        """L_xx = ½ max‖a_i‖², L_xy = √2 s₁(A), μ = L_yy = λn² (derived: docs/replication-notes.md)."""
        mu = self.lam * self.n**2
        return {
            "L_xx": 0.5 * float(self.sq_rows.max()),
            "L_xy": math.sqrt(2.0) * norm_bound(self.matrix),
            "L_yy": mu,
            "mu": mu,
        }

    def start(self, kind="array"):
        """X = 0; iterates of this problem are dense (d, h) arrays."""
        return np.zeros(self.shape)

    def dual_start(self):
        """y = 1/n."""
        return np.full(self.n, 1.0 / self.n)

    # --- through the scores ---------------------------------------------------------------------------

    def scores(self, x):
        """S = A X (n, h) of a dense X; A p of the atom scale·p qᵀ comes with its q: (scale·A p, q)."""
        if isinstance(x, Atom):
            return self.matrix @ (x.scale * x.u), x.v
        return self.matrix @ x

    def slopes(self, scores, rows=None):
        """P − B at the scores, the part of ∇_X that does not depend on y; of some rows only, if given."""
        scores = np.ascontiguousarray(scores if rows is None else scores[rows])
        out = np.empty_like(scores)
        _residuals_of(scores, self.labels if rows is None else self.labels[rows], out)
        return out

    def payoff(self, scores):
        """ℓ (n,), the coefficients of y in F."""
        out = np.empty(self.n)
        _losses_of(np.ascontiguousarray(scores), self.labels, out)
        return out

    def value(self, scores, y):
        return float(y @ self.payoff(scores)) - 0.5 * self.lam * float(np.sum((self.n * y - 1) ** 2))

    def gradient_x(self, slopes, y):
        """∇_X F = Aᵀ diag(y)(P − B), (d, h)."""
        return self.transposed @ (y[:, None] * slopes)

    def gradient_y(self, payoff, y):
        """∇_y F = ℓ − λn(ny − 1)."""
        return payoff - self.lam * self.n * (self.n * y - 1)

    # --- components -----------------------------------------------------------------------------------

    def rows(self, indices):
        """The rows of A for ∇_X of a batch: gathered once, used in several calls."""
        return self.matrix[indices]

    def batch_gradient_x(self, rows, slopes, y, indices):
        """(1/b) Σ ∇_X F_i = (n/b) Σ y_i a_i(p_i − e_{b_i})ᵀ over the batch, given its rows and slopes."""
        weights = y[indices] * (self.n / len(indices))
        return rows.T @ (weights[:, None] * slopes)

    def batch_gradients(self, x, y, indices):
        """(1/b) Σ ∇F_i(X, y) over the batch, for both blocks; indices may repeat."""
        rows, labels = self.matrix[indices], self.labels[indices]
        scores, losses = rows @ x, np.empty(len(indices))
        _losses_of(scores, labels, losses)
        slopes = np.empty_like(scores)
        _residuals_of(scores, labels, slopes)
        payoff = np.bincount(indices, losses * (self.n / len(indices)), minlength=self.n)
        return self.batch_gradient_x(rows, slopes, y, indices), self.gradient_y(payoff, y)

    def batch_difference(self, x, y, snapshot, indices):
        """(1/b) Σ [∇F_i(X, y) − ∇F_i(snapshot)], snapshot = (S, y): for X as (rows, W), rowsᵀW."""
        rows, labels, share = self.matrix[indices], self.labels[indices], self.n / len(indices)
        scores, at_snapshot = rows @ x, snapshot.scores[indices]
        slopes, before = np.empty_like(scores), np.empty_like(scores)
        _residuals_of(scores, labels, slopes)
        _residuals_of(at_snapshot, labels, before)
        weights = share * (y[indices, None] * slopes - snapshot.y[indices, None] * before)
        losses, earlier = np.empty(len(indices)), np.empty(len(indices))
        _losses_of(scores, labels, losses)
        _losses_of(at_snapshot, labels, earlier)
        payoff = np.bincount(indices, share * (losses - earlier), minlength=self.n)
        return (rows, weights), payoff - self.constants["mu"] * (y - snapshot.y)

    def stepped(self, x, rate, gradient, difference):
        """X − rate·(gradient + rowsᵀW): one pass over the dense ones, and the rows' entries."""
        rows, weights = difference
        out = np.empty_like(x)
        _sparse_step(x, rate, gradient, rows.indptr, rows.indices, rows.data, weights, out)
        return out

    def sq_noise(self, y):
        """σ_x² = 2n Σ y_i²‖a_i‖² ≥ (1/n) Σ ‖∇_X F_i − ∇_X F‖² at y."""
        return 2 * self.n * float(np.sum(y**2 * self.sq_rows))

    # --- y exactly ------------------------------------------------------------------------------------

    def best_response(self, payoff):
        """y*(X) = P(1/n + ℓ/(λn²))."""
        return project_simplex(1.0 / self.n + payoff / self.constants["mu"])

    def phi(self, scores):
        """Φ(X) = max_y F."""
        return self.value(scores, self.best_response(self.payoff(scores)))

    # --- accuracies -----------------------------------------------------------------------------------

    def accuracy_test(self, point):
        """Share of held-out rows whose class has the largest score."""
        return _accuracies(self.test[0] @ point.x, self.test[1])[0]

    def worst_class_test(self, point):
        """Smallest accuracy of a class on the held-out rows."""
        return _accuracies(self.test[0] @ point.x, self.test[1])[1]


def tiny_arrays(rng, n=60, d=15, classes=4, density=0.4):
    """Gaussian entries of that density in rows of norm 1; labels cover all classes."""
    dense = rng.standard_normal((n, d)) * (rng.random((n, d)) < density)
    norms = np.linalg.norm(dense, axis=1, keepdims=True)
    matrix = sparse.csr_matrix(dense / np.where(norms > 0, norms, 1.0))
    labels = rng.permutation(np.arange(n) % classes)
    csr = {"indptr": matrix.indptr, "indices": matrix.indices, "data": matrix.data}
    return {**csr, "shape": np.array([n, d]), "labels": labels, "classes": classes}


def _features(arrays):
    parts = (real("data", arrays["data"]), arrays["indices"], arrays["indptr"])
    return sparse.csr_matrix(parts, shape=tuple(int(side) for side in arrays["shape"]))


def _validate(matrix, labels, classes):
    if matrix.shape[0] == 0 or matrix.shape[1] == 0:
        raise ValueError(f"a problem needs rows and features, got {matrix.shape[0]} × {matrix.shape[1]}")
    bad = np.flatnonzero(~np.isfinite(matrix.data))
    if bad.size:
        row = int(np.searchsorted(matrix.indptr, bad[0], side="right")) - 1
        raise ValueError(f"row {row} of the features is not finite")
    if len(labels) != matrix.shape[0]:
        raise ValueError(f"{matrix.shape[0]} rows, but {len(labels)} labels")
    if classes < 1 or labels.min() < 0 or labels.max() >= classes:
        raise ValueError(
            f"labels must lie in 0 … {classes - 1}, found {labels.min()} … {labels.max()}; "
            "the generator maps official labels to these"
        )


def _accuracies(scores, labels):
    """Share of rows classified rightly: over all, and the least over the classes that occur."""
    right = (np.argmax(scores, axis=1) == labels).astype(float)
    sizes = np.bincount(labels)
    by_class = np.bincount(labels, right)[sizes > 0] / sizes[sizes > 0]
    return float(right.mean()), float(by_class.min())


@njit
def _losses_of(scores, labels, out):
    """out_i = log Σ_j exp(S_ij) − S_{i,b_i}, safe for scores of any size."""
    for i in range(scores.shape[0]):
        row = scores[i]
        top = row.max()
        total = 0.0
        for j in range(row.size):
            total += math.exp(row[j] - top)
        out[i] = math.log(total) + (top - row[labels[i]])


@njit
def _residuals_of(scores, labels, out):
    """out = P − B, P the row softmax of S and B one-hot."""
    for i in range(scores.shape[0]):
        row = scores[i]
        top = row.max()
        total = 0.0
        for j in range(row.size):
            out[i, j] = math.exp(row[j] - top)
            total += out[i, j]
        for j in range(row.size):
            out[i, j] /= total
        out[i, labels[i]] -= 1.0


@njit
def _sparse_step(x, rate, gradient, indptr, indices, data, weights, out):
    """out = x − rate·(gradient + rowsᵀ weights), the rows in CSR form."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = x[i, j] - rate * gradient[i, j]
    for row in range(indptr.size - 1):
        for k in range(indptr[row], indptr[row + 1]):
            share, target = rate * data[k], out[indices[k]]
            for j in range(target.size):
                target[j] -= share * weights[row, j]
