"""Matrices that break decompositions, in all layouts and scales, each with the singular values of NumPy."""

import numpy as np

#: Exponents of two: from entries of 1e-300 to 1e300.
EXPONENTS = [0, 0, 0, -997, -700, -530, -400, -270, -140, 140, 270, 400, 530, 700, 990]


def matrices(seed: int, count: int, side: int = 40):
    """`count` pairs (X, e): an array X whose entries are those of an ordinary matrix A times 2^e, and A."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        shape = rng.integers(1, side, 2)
        A = KINDS[k % len(KINDS)](rng, *shape)
        e = EXPONENTS[k % len(EXPONENTS)]
        yield LAYOUTS[k % len(LAYOUTS)](np.ldexp(A, e)), e, A


def dense(rng, m, n):
    return rng.standard_normal((m, n))


def tied(rng, m, n):
    """Orthonormal rows or columns."""
    Q = np.linalg.qr(rng.standard_normal((max(m, n), min(m, n))))[0]
    return Q if m >= n else Q.T


def low_rank(rng, m, n):
    rank = rng.integers(1, max(2, min(m, n) // 2))
    return rng.integers(-3, 4, (m, rank)).astype(float) @ rng.integers(-3, 4, (rank, n))


def decaying(rng, m, n):
    """Values from 1 to 1e-16."""
    k = min(m, n)
    U, V = (np.linalg.qr(rng.standard_normal((side, k)))[0] for side in (m, n))
    return (U * np.geomspace(1, 1e-16, k)) @ V.T


def nearly_tied(rng, m, n):
    k = min(m, n)
    U, V = (np.linalg.qr(rng.standard_normal((side, k)))[0] for side in (m, n))
    return (U * (1 - 1e-5 * rng.random(k))) @ V.T


def small_integers(rng, m, n):
    return rng.integers(-2, 3, (m, n)).astype(float)


def one_entry(rng, m, n):
    A = np.zeros((m, n))
    A[rng.integers(m), rng.integers(n)] = rng.standard_normal()
    return A


def blocks_of_zeros(rng, m, n):
    A = rng.standard_normal((m, n))
    A[rng.random(m) < 0.6] = 0.0
    A[:, rng.random(n) < 0.6] = 0.0
    return A


def wide_range(rng, m, n):
    """Entries from 1e-12 to 1."""
    return rng.standard_normal((m, n)) * 10.0 ** -rng.uniform(0, 12, (m, n))


def constant(rng, m, n):
    return np.ones((m, n))


def zero(rng, m, n):
    return np.zeros((m, n))


KINDS = [dense, tied, low_rank, decaying, nearly_tied, small_integers, one_entry, blocks_of_zeros, wide_range]
KINDS += [constant, dense, zero, tied]


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


def backwards(X):
    return X[::-1, ::-1].copy()[::-1, ::-1]


def every_other(X):
    wide = np.full((2 * X.shape[0], 3 * X.shape[1]), np.nan)
    wide[::2, ::3] = X
    return wide[::2, ::3]


LAYOUTS = [np.array, np.asfortranarray, read_only, backwards, every_other]
