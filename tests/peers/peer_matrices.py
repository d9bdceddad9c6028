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


def of_values(values):
    """Random singular vectors, and these singular values."""

    def kind(rng, m, n):
        U, V = (np.linalg.qr(rng.standard_normal((side, min(m, n))))[0] for side in (m, n))
        return (U * values(rng, min(m, n))) @ V.T

    return kind


def low_rank(rng, m, n):
    rank = rng.integers(1, max(2, min(m, n) // 2))
    return rng.integers(-3, 4, (m, rank)).astype(float) @ rng.integers(-3, 4, (rank, n))


def one_entry(rng, m, n):
    A = np.zeros((m, n))
    A[rng.integers(m), rng.integers(n)] = rng.standard_normal()
    return A


def blocks_of_zeros(rng, m, n):
    return rng.standard_normal((m, n)) * (rng.random((m, 1)) > 0.6) * (rng.random(n) > 0.6)


DENSE = lambda rng, m, n: rng.standard_normal((m, n))  # noqa: E731
TIED = of_values(lambda rng, k: np.ones(k))  # orthonormal rows or columns
KINDS = [
    DENSE,
    TIED,
    low_rank,
    of_values(lambda rng, k: np.geomspace(1, 1e-16, k)),
    of_values(lambda rng, k: 1 - 1e-5 * rng.random(k)),  # nearly tied
    lambda rng, m, n: rng.integers(-2, 3, (m, n)).astype(float),
    one_entry,
    blocks_of_zeros,
    lambda rng, m, n: rng.standard_normal((m, n)) * 10.0 ** -rng.uniform(0, 12, (m, n)),
    lambda rng, m, n: np.ones((m, n)),
    DENSE,
    lambda rng, m, n: np.zeros((m, n)),
    TIED,
]


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


def every_other(X):
    wide = np.full((2 * X.shape[0], 3 * X.shape[1]), np.nan)
    wide[::2, ::3] = X
    return wide[::2, ::3]


#: The fourth goes backwards in memory.
LAYOUTS = [np.array, np.asfortranarray, read_only, lambda X: X[::-1, ::-1].copy()[::-1, ::-1], every_other]
