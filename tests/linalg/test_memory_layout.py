"""Compiled kernels give the same bits wherever in memory their arrays lie: same seed, same trace."""

import numpy as np
import pytest

from projfree.problems._completion_kernels import _subtracted
from projfree.problems._logistic_kernels import _half_logistic
from projfree.solvers.inner.condg import _move_atom


def laid_out(rng, *arrays):
    """Copies of arrays in one piece of memory, in random order with small random gaps."""
    memory = np.empty(sum(a.size for a in arrays) + 16 * (len(arrays) + 1))
    places, copies = rng.permutation(len(arrays)), [None] * len(arrays)
    begin = rng.integers(16)
    for k in places:
        copies[k] = memory[begin : begin + arrays[k].size].reshape(arrays[k].shape)
        copies[k][...] = arrays[k]
        begin += arrays[k].size + rng.integers(16)
    return copies


def half_logistic(rng, t, y):
    t, y, tails, slopes = laid_out(rng, t, np.sign(y), np.exp(-np.abs(t)), np.zeros(t.size))
    return _half_logistic(t, y, tails, slopes), *slopes


def subtracted(rng, e, target):
    e, target = laid_out(rng, e, target)
    return _subtracted(e, target), *e


def move_atom(rng, a, b):
    x, h, g, u, a, b = laid_out(rng, *[np.outer(a[:3], b + k) for k in range(4)], a[:3], b)
    return *_move_atom(x, h, g, u, a, b, 0.3, 0.4), *x.ravel(), *h.ravel()


@pytest.mark.parametrize("kernel", [half_logistic, subtracted, move_atom])
@pytest.mark.parametrize("size", [12, 37, 60, 72])
def test_the_same_bits_for_every_layout(kernel, size):
    rng = np.random.default_rng(size)
    a, b = rng.standard_normal((2, size))
    assert len({kernel(rng, a, b) for _ in range(600)}) == 1
