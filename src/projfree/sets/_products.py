"""Least eigenvalues of a symmetric matrix that is only known by its products with vectors."""

from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from projfree.linalg.scaling import exponent, rounding
from projfree.linalg.singular import leading_pair
from projfree.linalg.validation import finite, real

#: Up to this side a sparse matrix is made dense: a direct decomposition is as fast as iterations.
DIRECT = 150
#: Up to this side a bound is made by a dense decomposition; beyond, to this relative accuracy if it can be.
DENSE, CERTIFIED = 1000, 1e-10


def by_products(name: str, G) -> tuple[Any, int] | None:
    """G, where it is asked for products only: what has ``matvec``, or a large sparse matrix's symmetric part.

    Returns
    -------
    (operator, e) or None
        2^−e times what has the products, with e other than 0 only for a sparse matrix.

    Raises
    ------
    ValueError
        If G is not square, or a sparse one has entries that are no finite real numbers.
    """
    if not (issparse(G) or (hasattr(G, "matvec") and hasattr(G, "shape"))):
        return None
    if len(G.shape) != 2 or G.shape[0] != G.shape[1]:
        sides = "×".join(map(str, G.shape))
        raise ValueError(f"{name}: G must be square, not {sides}")
    if not issparse(G):
        return G, 0
    if G.shape[0] <= DIRECT:
        return None
    G = csr_array(G)
    G.data = finite(f"{name}: G", real(f"{name}: G", G.data))
    e = exponent(G.data, G.shape)
    G = csr_array((np.ldexp(G.data, -e), G.indices, G.indptr), G.shape)
    S = 0.5 * (G + G.T)
    return LinearOperator(S.shape, S.__matmul__, dtype=float), e


def least(name: str, G, k: int, *, sign=1.0, start=None, tol=0.0, rng=None):
    """The k least eigenvalues of sign·G (n, n) and their vectors (n, k), by ARPACK to the residual `tol`.

    What ARPACK finds is no bound of the others: see `most`.

    start : (n,) or None
        What the iteration begins with; None takes a random vector.

    Raises
    ------
    ValueError
        If G is not symmetric, by the products of two random vectors.
    ArithmeticError
        If ARPACK does not end.
    """
    n, rng = G.shape[0], rng or np.random.default_rng(0)
    first = _probed(name, G, rng)
    if first is None:
        return np.zeros(k), np.eye(n, k)
    if k >= n - 1:  # ARPACK finds fewer than n − 1
        values, U = np.linalg.eigh(sign * _dense(G))
        return values[:k], U[:, :k]
    values, U = _arpack(name, lambda x: sign * G.matvec(x), n, k, first if start is None else start, tol)
    for _ in range(k if k > 1 else 0):
        # The space of one vector holds one vector of each eigenspace: others are looked for beside it.
        rest, top = _Beside(G, U, sign), values[-1] + np.abs(values).max()
        value, w = _arpack(name, lambda x: rest.matvec(x) + top * (U @ (U.T @ x)), n, 1, first, tol)  # noqa: B023
        if not value[0] < values[-1] - max(tol, 1e-12) * abs(values[-1]):
            break
        U = np.linalg.qr(np.column_stack([U, w]))[0]
        values, turn = np.linalg.eigh(sign * (U.T @ np.column_stack([G.matvec(column) for column in U.T])))
        values, U = values[:k], U @ turn[:, :k]
    return values, U


def most(name: str, G, k: int) -> float:
    """A bound of the sum of the k largest eigenvalues of G (n, n), just above it.

    By a dense decomposition up to a side of `DENSE`. Beyond, of k vectors V that ARPACK finds, with
    eigenvalues θ and residuals r: Σ max(θ_i, β) + Σ‖r_i‖, where β bounds the eigenvalues of what is left of G
    beside V, by Lanczos (`linalg.lanczos_bound`).

    Raises
    ------
    As `least`.
    """
    n, rng = G.shape[0], np.random.default_rng(0)
    if _probed(name, G, rng) is None:
        return 0.0
    if n <= DENSE:
        values = np.linalg.eigvalsh(_dense(G))
        return float(values[n - k :].sum()) + rounding(n, k * np.abs(values).max())
    values, V = least(name, G, k, sign=-1.0, rng=rng)
    products = np.column_stack([G.matvec(column) for column in V.T])
    left, shift = np.linalg.norm(products + V * values, axis=0), 2.0 * np.abs(values).max()
    rest = leading_pair(_Beside(G, V, 1.0, shift), rng=rng, tol=CERTIFIED, gap=CERTIFIED).bound - shift
    return float(np.maximum(-values, rest).sum() + left.sum()) + rounding(n, k * shift)


class _Beside:
    """P(sign·G + shift)P of a symmetric G, known by its products, with the projector P beside V's columns."""

    def __init__(self, G, V, sign, shift=0.0):
        self.G, self.V, self.sign, self.shift, self.shape = G, V, sign, shift, G.shape

    def matvec(self, x):
        x = x - self.V @ (self.V.T @ x)
        y = self.sign * self.G.matvec(x) + self.shift * x
        return y - self.V @ (self.V.T @ y)

    rmatvec = matvec


def _dense(G):
    """A symmetric G as an array, from its products."""
    columns = np.column_stack([G.matvec(column) for column in np.eye(G.shape[0])])
    return (columns + columns.T) / 2


def _probed(name, G, rng):
    """A random vector for the iteration, None where G is zero; ValueError for a G that is not symmetric."""
    u, v = rng.standard_normal((2, G.shape[0]))
    Gu, Gv = G.matvec(u), G.matvec(v)
    if not (np.isfinite(Gu).all() and np.isfinite(Gv).all()):
        raise ValueError(f"{name}: products of the operator G are not finite")
    if not (Gu.any() or Gv.any()):
        return None
    size = np.linalg.norm(Gu) * np.linalg.norm(v) + np.linalg.norm(Gv) * np.linalg.norm(u)
    if abs(u @ Gv - v @ Gu) > 1e-10 * size:
        raise ValueError(f"{name}: an operator G must be symmetric")
    return u


def _arpack(name, product, n, k, first, tol):
    try:
        return eigsh(LinearOperator((n, n), product, dtype=float), k=k, which="SA", v0=first, tol=tol)
    except ArpackNoConvergence as error:
        raise ArithmeticError(f"{name}: {k} least eigenvalues were not found ({error})") from error
