"""Arrays and numbers from outside, checked where they come in: kind, shape, finiteness.

What is fine already passes as it is, in under a microsecond, so that solvers need no way around the door.
Compiled kernels trust their sizes: no public function reaches one but through here.
"""

import math
from contextlib import contextmanager
from numbers import Real

import numpy as np

from projfree.linalg.compiled import njit

FLOAT64 = np.dtype(np.float64)
INFINITY = int(np.array(np.inf).view(np.int64))  # the bits of ∞; those of NaN are larger, of numbers smaller
ANY = (None, None)  # sides of a matrix that may be as they are
DENSE_ENTRIES = 2**27  # a sparse array of up to so many entries, 1 GiB, is made dense where that is asked for


def real(name: str, data) -> np.ndarray:
    """`data` as an array of float64, of any shape and layout; itself where it is one.

    A sparse array is made dense, up to `DENSE_ENTRIES`; entries that it stores twice are added.

    Raises
    ------
    ValueError
        For what is not an array of real numbers; `name` says in all errors here which argument it is.
    """
    if type(data) is np.ndarray and data.dtype is FLOAT64:
        return data
    array = data if type(data) is np.ndarray else _array(name, data)
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{name} must be real numbers, not {array.dtype}")
    with np.errstate(over="ignore"):  # to ∞, which `finite` tells
        return np.asarray(array, dtype=np.float64)


def entries(name: str, data) -> np.ndarray:
    """`data` as an array of at least one entry, finite or not, of any shape and layout."""
    x = real(name, data)
    if x.size == 0:
        raise ValueError(f"{name} must have at least one entry")
    return x if x.flags.writeable else x.copy()  # kernels would be compiled anew for it


def array(name: str, data) -> np.ndarray:
    """`data` as a finite array of at least one entry, of any shape and layout."""
    return finite(name, entries(name, data))


def vector(name: str, data, size: int | None = None) -> np.ndarray:
    """`data` as a finite, contiguous vector of at least one entry, of exactly `size` if that is given."""
    return finite(name, numbers(name, data, size))


def numbers(name: str, data, size: int | None = None) -> np.ndarray:
    """As `vector`, finite or not: for measures, and for kernels that look at every entry themselves."""
    x = real(name, data)
    if x.ndim != 1 or x.size == 0 or (size is not None and x.size != size):
        expected = "a vector" if size is None else f"a vector of {size}"
        raise ValueError(f"{name} must be {expected}, not {_shape(x)}")
    return x if x.flags.carray else x.copy()  # kernels are compiled for arrays that may be written to, too


def matrix(name: str, data, shape=ANY) -> np.ndarray:
    """`data` as a matrix of at least one entry and any layout; None in `shape` leaves a side free."""
    X = real(name, data)
    other = shape is not ANY and any(s not in (None, n) for s, n in zip(shape, X.shape, strict=False))
    if X.ndim != 2 or X.size == 0 or other:
        sides = "" if shape == ANY else " of {}×{}".format(*("any" if s is None else s for s in shape))
        raise ValueError(f"{name} must be a matrix{sides}, not {_shape(X)}")
    return X


def finite(name: str, x: np.ndarray) -> np.ndarray:
    """The array `x` of float64, if all entries are finite."""
    if not (largest_bits(x.ravel()) < INFINITY if x.flags.carray else np.isfinite(x).all()):
        raise ValueError(f"{name} has entries that are not finite")
    return x


def positive(name: str, number) -> float:
    """A finite number > 0."""
    plain = type(number) is float or (isinstance(number, Real) and not isinstance(number, bool))
    if not (plain and 0.0 < number < math.inf):
        raise ValueError(f"{name} must be a finite number > 0, not {number}")
    return float(number)


@contextmanager
def about(name: str):
    """What is refused inside is refused by the name of the argument that it comes from."""
    try:
        yield
    except ValueError as error:
        message = str(error)
        raise ValueError(message if message.startswith(name) else f"{name}: {message}") from None


@njit
def largest_bits(x):
    """The bits of the largest |x_i| as an integer: integers compare as a vector, floats with NaN do not."""
    bits, largest = x.view(np.int64), 0
    for i in range(bits.size):
        largest = max(largest, bits[i] & 0x7FFFFFFFFFFFFFFF)
    return largest


def _array(name, data):
    if np.ma.is_masked(data):
        raise ValueError(f"{name} has masked entries; say by `filled` what stands for them")
    if hasattr(data, "toarray") and math.prod(data.shape) > DENSE_ENTRIES:
        raise ValueError(f"{name} is sparse, of shape {data.shape}, and too large to be made dense")
    if hasattr(data, "detach"):  # a tensor of PyTorch, which may carry a graph or lie on another device
        data = data.detach().cpu()
    if hasattr(data, "__dlpack__") and not hasattr(data, "__array__"):
        data = np.from_dlpack(data)
    try:
        return np.asarray(data.toarray() if hasattr(data, "toarray") else data)
    except ValueError as error:
        raise ValueError(f"{name} must be an array of real numbers: {error}") from None


def _shape(x):
    return "empty" if x.size == 0 else "a number" if x.ndim == 0 else f"an array of shape {x.shape}"
