"""Least eigenvalues of a symmetric matrix that is only known by its products with vectors."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, issparse
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from projfree.linalg.scaling import exponent
from projfree.linalg.validation import finite, real

#: Up to this side a sparse matrix is made dense: a direct decomposition is as fast as iterations.
DIRECT = 150


def by_products(name: str, G):
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

    start : (n,) or None
        What the iteration begins with; None takes a random vector.

    Raises
    ------
    ValueError
        If G is not symmetric, by the products of two random vectors.
    ArithmeticError
        If ARPACK does not end.
    """
    rng, n = rng or np.random.default_rng(0), G.shape[0]
    u, v = rng.standard_normal((2, n))
    Gu, Gv = G.matvec(u), G.matvec(v)
    if not (np.isfinite(Gu).all() and np.isfinite(Gv).all()):
        raise ValueError(f"{name}: products of the operator G are not finite")
    if not (Gu.any() or Gv.any()):
        return np.zeros(k), np.eye(n, k)
    size = np.linalg.norm(Gu) * np.linalg.norm(v) + np.linalg.norm(Gv) * np.linalg.norm(u)
    if abs(u @ Gv - v @ Gu) > 1e-10 * size:
        raise ValueError(f"{name}: an operator G must be symmetric")
    if k >= n - 1:  # ARPACK finds fewer than n − 1
        values, U = np.linalg.eigh(sign * np.column_stack([G.matvec(column) for column in np.eye(n)]))
        return values[:k], U[:, :k]
    product = LinearOperator((n, n), lambda x: sign * G.matvec(x), dtype=float)
    try:
        return eigsh(product, k=k, which="SA", v0=u if start is None else start, tol=tol)
    except ArpackNoConvergence as error:
        raise ArithmeticError(f"{name}: {k} least eigenvalues were not found ({error})") from error
