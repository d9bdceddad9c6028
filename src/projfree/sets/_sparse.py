"""Sparse points and gradients for sets that treat all entries alike and whose atoms have few non-zeros.

What such a set says of G depends on the values that G stores and on as many of its zeros as an atom has
non-zeros. So the oracles work on these few entries alone, and the atom has G's shape and is sparse.
"""

import functools
import math

import numpy as np
from scipy.sparse import coo_array, issparse


def takes_sparse(cls):
    """Decorator of a set: `lmo`, `support`, `gauge` and `contains` take SciPy's sparse arrays as they are.

    A sparse G has a sparse atom, a ``coo_array`` of G's shape. An atom has at most ``k`` non-zeros, or one if
    the set has no ``k``.
    """
    for name in ("support", "gauge", "contains"):
        setattr(cls, name, _of_few(getattr(cls, name)))
    cls.lmo = _scattered(cls.lmo)
    return cls


def _of_few(method):
    @functools.wraps(method)
    def front(self, x, *args, **options):
        dense = type(x) is np.ndarray or not issparse(x)
        return method(self, x if dense else few(x, self)[0], *args, **options)

    return front


def _scattered(lmo):
    @functools.wraps(lmo)
    def front(self, G, *, start=None, rng=None, tol=0.0):
        if type(G) is np.ndarray or not issparse(G):
            return lmo(self, G)  # exact whatever the options
        values, places = few(G, self)
        v = lmo(self, values)
        kept = np.flatnonzero(v)
        return coo_array((v[kept], np.unravel_index(places[kept], G.shape)), shape=G.shape)

    return front


def stored(x):
    """Values (n,) of what x stores and its flat places (n,), which rise."""
    x = coo_array(x, copy=True)
    x.sum_duplicates()
    places = np.ravel_multi_index(x.coords, x.shape) if x.nnz else np.empty(0, np.int64)
    order = np.argsort(places)
    return x.data[order], places[order]


def few(x, feasible):
    """Values (n,) and flat places (n,) of what x stores and of zeros, as many as an atom has non-zeros."""
    values, places = stored(x)
    wanted = min(getattr(feasible, "k", 1), math.prod(x.shape) - places.size)
    zeros = np.setdiff1d(np.arange(places.size + wanted), places)[:wanted]
    return np.concatenate([values, np.zeros(wanted, values.dtype)]), np.concatenate([places, zeros])
