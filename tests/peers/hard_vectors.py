"""Vectors that floating point finds hard, and the forms in which an array may come."""

import numpy as np

FORMS = {
    "float32": lambda x: x.astype(np.float32),
    "integers": lambda x: x.astype(np.int64),
    "reversed": lambda x: x[..., ::-1].copy()[..., ::-1],
    "every other": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "Fortran": np.asfortranarray,
    "read-only": lambda x: _locked(x.copy()),
    "list": lambda x: x.tolist(),
}


def _locked(x):
    x.flags.writeable = False
    return x


def moderate(rng, largest=12):
    """Of one scale near 1, with ties, zeros and equal entries among them."""
    x = rng.standard_normal(int(rng.integers(1, largest + 1))) * 10.0 ** rng.integers(-2, 3)
    if rng.random() < 0.4:
        x = np.round(x, int(rng.integers(0, 2)))
    x[rng.random(x.size) < 0.15] = 0.0
    return np.full(x.size, x[0]) if rng.random() < 0.1 else x


def extreme(rng, largest=12):
    """(vector, its scale): that of `moderate` from 1e-300 to 1e300, denormal, or mixed in one vector."""
    x, kind = moderate(rng, largest), rng.integers(4)
    if kind == 0:
        return 5e-324 * rng.integers(-9, 10, x.size), 5e-323
    x = x * 10.0 ** rng.uniform(-300, 300, x.size if kind == 1 else 1)
    return x, max(float(np.abs(x).max()), 5e-324)


def whole(rng, size):
    """Small whole numbers, which every form can hold."""
    return rng.integers(-9, 10, size).astype(float)
