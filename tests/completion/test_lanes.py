"""Value and gradients in vectors of eight: those of dense algebra, the same bits wherever factors lie."""

import numpy as np
import pytest

from projfree.completion import lanes


def entries(rng, rows, columns, most, ordered=True):
    """Up to `most` entries a row, none in the first; factors of an eighth of their width are given beside."""
    counts = np.concatenate([[0], rng.integers(1, most + 1, rows - 1)])
    parts = [rng.permutation(columns)[:count] for count in counts]
    cols = np.concatenate([np.sort(part) if ordered else part for part in parts]).astype(np.int32)
    return np.concatenate([[0], np.cumsum(counts)]), cols, rng.standard_normal(cols.size).astype(np.float32)


def factors(rng, rows, columns, width):
    return (rng.standard_normal((side, width)).astype(np.float32) for side in (rows, columns))


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize(
    ("rows", "columns", "most", "width", "tiles"),
    [(30, 20, 11, 8, 1), (30, 40, 13, 48, 1), (25, 2000, 300, 104, 3), (3000, 2000, 5, 104, 1)],
)
def test_value_and_gradients_are_those_of_dense_algebra(rows, columns, most, width, tiles, ordered):
    rng = np.random.default_rng(width)
    indptr, cols, target = entries(rng, rows, columns, most, ordered)
    U, V = factors(rng, rows, columns, width)
    assert -(-columns // lanes.tile(rows, cols.size, V)) == tiles
    value, left, right = lanes.gradients(indptr, cols, target, U, V)
    index, E = np.repeat(np.arange(rows), np.diff(indptr)), np.zeros((rows, columns))
    E[index, cols] = np.einsum("nk,nk->n", U[index].astype(float), V[cols].astype(float)) - target
    assert value == pytest.approx(0.5 * np.sum(E**2), rel=1e-6)
    for result, wanted in ((left, E @ V.astype(float)), (right, E.T @ U.astype(float))):
        np.testing.assert_allclose(result, wanted, rtol=0, atol=1e-6 * np.abs(wanted).max())
        assert result.dtype == np.float32


def test_the_same_bits_wherever_factors_lie():
    rng = np.random.default_rng(1)
    indptr, cols, target = entries(rng, 30, 20, 11)
    U, V = factors(rng, 30, 20, 24)
    wanted = lanes.gradients(indptr, cols, target, U, V)
    for shift in range(1, 17):
        moved = [np.empty(side.size + shift, np.float32)[shift:].reshape(side.shape) for side in (U, V)]
        moved[0][:], moved[1][:] = U, V
        for a, b in zip(lanes.gradients(indptr, cols, target, *moved), wanted, strict=True):
            np.testing.assert_array_equal(a, b)
