"""Scale first: matrices times a power of two, before squares of their entries are formed.

Multiplying by a power of two changes no digit, so that 2^−e X has the singular vectors of X and its singular
values times 2^−e to the last bit, while squares can neither over- nor underflow.
"""

import math

import numpy as np

from projfree.linalg.validation import matrix

EPS = float(np.finfo(float).eps)

#: Relative rounding of floating-point types by their names, in any library of arrays.
PRECISIONS = {"float64": EPS, "float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}

# Largest entries within 2^±SAFE are left alone: their squares are numbers, and so are sums of many.
SAFE = {np.dtype(np.float64): 200, np.dtype(np.float32): 30}


def exponent(entries, shape) -> int:
    """e with 2^−e·entries in [½, 1) at the largest; 0 where all are zero.

    Raises
    ------
    ValueError
        If an entry is not finite; the shape of the matrix is told.
    """
    largest = float(np.maximum(entries.max(), -entries.min())) if entries.size else 0.0
    if not math.isfinite(largest):
        raise ValueError(f"the {shape[0]}×{shape[1]} matrix has entries that are not finite")
    return math.frexp(largest)[1]


def scaled(X) -> tuple[np.ndarray, int]:
    """(Y, e) with X = 2^e Y and Y about 1 in size: X itself and 0 where its squares are safe.

    X is checked as by `validation.matrix` and :func:`exponent`.
    """
    return resized(matrix("X", X))


def resized(X) -> tuple[np.ndarray, int]:
    """:func:`scaled` of an array in float64 or float32, which it stays in."""
    e = exponent(X, X.shape)
    return (X, 0) if abs(e) <= SAFE[X.dtype] else (np.ldexp(X, -e), e)


def times_power(value: float, e: int) -> float:
    """value·2^e, rounded once; inf where that is too large for a float."""
    with np.errstate(over="ignore"):
        return float(np.ldexp(value, e))


def precision(*numbers) -> float:
    """The coarsest relative rounding of the types of some numbers or arrays, of any library."""
    names = (str(getattr(number, "dtype", "float64")).rpartition(".")[2] for number in numbers)
    return max(PRECISIONS.get(name, EPS) for name in names)


def rounding(terms: int, *sizes) -> float:
    """A bound of the rounding errors of a sum of so many terms, of parts of such sizes."""
    return EPS * (8 + math.log2(max(terms, 1))) * sum(map(abs, sizes))
