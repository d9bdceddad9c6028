"""Common parts of sets: public methods with their checks, scaled unit balls, sets without a projection."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import coo_array, issparse

from ..common.names import unknown
from ..linalg.validation import entries, finite, matrix, numbers, real


class FeasibleSet:
    """The methods of a set; a subclass is given what they have checked.

    It has ``_support(G)``, ``_lmo(G)``, ``_gauge(x)`` and, if it can, ``_project(x)``, of finite arrays, and
    ``norm_bound``, the largest ‖x‖.

    A set with `sparse` takes SciPy's sparse arrays as they are. It treats all entries alike, so that what it
    says of G depends on the values that G stores and on as many of its zeros as an atom has non-zeros, `k`.
    Its oracles work on these few entries alone, and its atom of a sparse G is a ``coo_array`` of G's shape.
    """

    bound: Any = 1.0  # on the gauge
    sparse, k = False, 1
    n: Any = None  # entries of a vector; None allows arrays of any shape
    looks = False  # whether `_lmo` refuses entries that are not finite by itself, in its only pass
    size: int | None
    norm_bound: Any
    _name: str
    _support: Callable[..., float]
    _gauge: Callable[..., float]
    _lmo: Callable[..., np.ndarray]
    _project: Callable[..., np.ndarray]

    def __init_subclass__(cls):
        cls._name = cls.__module__.rpartition(".")[2]

    def support(self, G) -> float:
        """max_{x in set} ⟨G, x⟩."""
        with np.errstate(over="ignore"):  # to ∞
            return float(self._support(self._finite("G", G)))

    def gauge(self, x) -> float:
        """A size of x, at most `bound` in the set; of an x that is not finite, its largest entry's."""
        x = self._read("x", x)
        largest = float(np.abs(x).max())
        return float(self._gauge(x)) if math.isfinite(largest) else largest

    def contains(self, x, slack=1e-9) -> bool:
        """Whether gauge(x) ≤ bound·(1 + slack)."""
        return bool(self.gauge(x) <= self.bound * (1.0 + slack))

    def lmo(self, G, *, start=None, rng=None, tol=0.0):
        """argmin_{x in set} ⟨G, x⟩, exact whatever the options; for a set with `sparse`, of G's kind."""
        if not (self.sparse and issparse(G)):
            return self._lmo(self._read("G", G) if self.looks else self._finite("G", G))
        values, places = few(G, self.k)
        v = self.lmo(values)
        nonzero = np.flatnonzero(v)
        return coo_array((v[nonzero], np.unravel_index(places[nonzero], G.shape)), shape=G.shape)

    def project(self, x, method="full") -> np.ndarray:
        """The nearest point of the set to x."""
        if method != "full":
            raise ValueError(unknown("projection method", method, ["full"], self._name))
        return self._project(self._finite("x", real(f"{self._name}: x", x)))

    def _finite(self, symbol, x):
        return finite(f"{self._name}: {symbol}", self._read(symbol, x))

    def _read(self, symbol, x) -> np.ndarray:
        """What is given as an array of the shape of a point, finite or not."""
        x = few(x, self.k)[0] if self.sparse and issparse(x) else x
        name = f"{self._name}: {symbol}"
        return entries(name, x) if self.n is None else numbers(name, x, self.n)

    def _square(self, symbol, X):
        """The same for sets of square matrices."""
        X = matrix(f"{self._name}: {symbol}", X)
        if X.shape[0] != X.shape[1]:
            raise ValueError(f"{self._name}: {symbol} must be square, not {X.shape[0]}×{X.shape[1]}")
        return X

    def _root_of_size(self) -> float:
        """√size. Oracles need no `size`, but step lengths by the diameter do: ValueError without one."""
        if self.size is None:
            raise ValueError(
                f"{self._name}: its diameter depends on the number of entries; give it as `size`"
            )
        return math.sqrt(self.size)


class Ball(FeasibleSet):
    """{x : gauge(x) ≤ radius}, of norms of at most the radius unless a subclass knows better."""

    radius: float

    @property
    def bound(self) -> float:
        """The bound on the gauge, R."""
        return self.radius

    @property
    def diameter(self) -> float:
        """Largest ‖x − y‖: twice the largest norm, because a ball is symmetric."""
        return 2.0 * self.norm_bound

    @property
    def norm_bound(self) -> float:
        """Largest ‖x‖, R."""
        return self.radius


class OfTotal(FeasibleSet):
    """Sets with orthogonal extreme points of norm ``total``, which bounds their gauge and norm."""

    total: float

    @property
    def diameter(self) -> float:
        """Largest ‖x − y‖, √2·total."""
        return math.sqrt(2.0) * self.total

    @property
    def bound(self) -> float:
        """The bound on the gauge and on ‖x‖, total."""
        return self.total

    norm_bound = bound


class _NoProjection:
    def __get__(self, made, kind):
        raise AttributeError(
            f"{made!r} has no projection in closed form. For the nearest point to y, minimise the distance: "
            "projfree.minimize(lambda x: (0.5 * np.sum((x - y) ** 2), x - y), the_set, x0=the_set.lmo(-y), "
            "constants={'L_full': 1.0})"
        )


class NoProjection(FeasibleSet):
    """Sets without a projection in closed form; whoever asks for one is told of another way."""

    project: Any = _NoProjection()


def few(x, k: int):
    """Values (n,) and flat places (n,) of what x stores, and of k of its zeros."""
    values, places = stored(x)
    count = min(k, math.prod(x.shape) - places.size)
    zeros = np.setdiff1d(np.arange(places.size + count), places)[:count]
    return np.concatenate([values, np.zeros(count, values.dtype)]), np.concatenate([places, zeros])


def stored(x):
    """Values (n,) of what a sparse x stores and its flat places (n,), which rise."""
    x = coo_array(x, copy=True)
    x.sum_duplicates()
    places = np.ravel_multi_index(x.coords, x.shape) if x.nnz else np.empty(0, np.int64)
    order = np.argsort(places)
    return x.data[order], places[order]
