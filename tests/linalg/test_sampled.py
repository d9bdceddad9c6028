"""Matrices on a pattern against dense NumPy."""

import numpy as np
import pytest

from projfree.linalg import pattern as module
from projfree.linalg.atoms import Atom, inner
from projfree.linalg.sampled import (
    Pattern,
    QuotientOnPattern,
    SparseOnPattern,
    difference,
    gather,
    sample_outer,
    sampled_product,
)


@pytest.fixture
def case():
    rng = np.random.default_rng(0)
    flat = rng.permutation(23 * 17)[:150]
    pattern = Pattern(flat // 17, flat % 17, (23, 17))
    given = rng.standard_normal(150)
    dense = np.zeros((23, 17))
    dense[flat // 17, flat % 17] = given
    return rng, pattern, SparseOnPattern(pattern, given[pattern.order]), dense


def test_sorted_positions_are_taken_as_they_come():
    rng = np.random.default_rng(1)
    flat = np.sort(rng.permutation(23 * 17)[:150])
    given = rng.permutation(150)
    straight, shuffled = (Pattern(f // 17, f % 17, (23, 17)) for f in (flat, flat[given]))
    assert straight.order == slice(None) and not isinstance(shuffled.order, slice)
    assert straight.same(shuffled) and straight.rows.dtype == straight.cols.dtype == np.int32
    for part in ("rows", "cols", "indptr"):
        np.testing.assert_array_equal(getattr(straight, part), getattr(shuffled, part))
    values = rng.standard_normal(150)
    np.testing.assert_array_equal(values[straight.order], values[given][shuffled.order])


@pytest.mark.parametrize("swap", [0, 2, 3, 4, 5, 8, 9])
@pytest.mark.parametrize("wide", [True, False])
def test_a_pair_out_of_order_is_seen_wherever_blocks_end(swap, wide, monkeypatch):
    """In blocks of four, a swap of two neighbours inside a block, across two, or at the ends."""
    monkeypatch.setattr(module, "BLOCK", 4)
    flat = np.arange(11)
    flat[[swap, swap + 1]] = flat[[swap + 1, swap]]
    rows, cols = (np.zeros(11, int), flat) if wide else (flat, np.zeros(11, int))
    pattern = Pattern(rows, cols, (11, 11))
    np.testing.assert_array_equal(pattern.cols if wide else pattern.rows, np.arange(11))


def test_patterns_of_one_position_or_none_and_of_every_integer_type():
    assert Pattern([2], [1], (3, 4)).rows.tolist() == [2]
    empty = Pattern(np.zeros(0, int), np.zeros(0, int), (3, 4))
    assert empty.n == 0 and empty.rows.size == 0 and empty.indptr.tolist() == [0, 0, 0, 0]
    for dtype in (np.uint8, np.uint32, np.int64):  # compared as numbers
        pattern = Pattern(np.array([2, 1, 0], dtype), np.array([0, 1, 2], dtype), (3, 3))
        np.testing.assert_array_equal(pattern.rows, [0, 1, 2])


def test_products_and_sums(case):
    rng, pattern, G, dense = case
    v, u, X = rng.standard_normal(17), rng.standard_normal(23), rng.standard_normal((23, 17))
    np.testing.assert_allclose(G.matvec(v), dense @ v, rtol=0, atol=1e-13)
    np.testing.assert_allclose(G.rmatvec(u), dense.T @ u, rtol=0, atol=1e-13)
    assert G.sq_norm == pytest.approx(np.sum(dense**2))
    before = X.copy()
    assert G.add_to(X, -0.5) is X
    np.testing.assert_allclose(X, before - 0.5 * dense, rtol=0, atol=1e-15)
    assert np.array_equal(G.scaled(3.0).toarray(), 3.0 * dense)
    point, ones = SparseOnPattern(pattern, np.ones(150)), np.ones(dense.shape)
    assert difference(G, point) is point and np.array_equal(point.values, G.values - 1), "in its place"
    assert difference(dense, ones) is ones and np.array_equal(ones, dense - 1)
    numbers, weights = np.array([3, 149, 3, 3, 0]), rng.standard_normal(5)
    assert G.add_entries(weights, numbers) is G
    np.add.at(dense, (pattern.rows[numbers], pattern.cols[numbers]), weights)
    np.testing.assert_allclose(G.toarray(), dense, rtol=0, atol=1e-15)


def test_arithmetic_on_the_pattern(case):
    rng, pattern, G, dense = case
    H = SparseOnPattern(pattern, rng.standard_normal(150))
    np.testing.assert_array_equal((G - H).toarray(), dense - H.toarray())
    total = G.copy()
    kept = total
    total += H
    assert kept is total, "in place"
    np.testing.assert_array_equal(total.toarray(), dense + H.toarray())
    np.testing.assert_array_equal(G.toarray(), dense)
    assert G.any() and not (G - G.copy()).any()
    back = SparseOnPattern.from_arrays(pattern, G.to_arrays())
    np.testing.assert_array_equal(back.values, G.values)
    back.values[0] += 1
    np.testing.assert_array_equal(G.toarray(), dense)


def test_a_quotient_is_the_sparse_matrix_of_its_values(case):
    rng, pattern, G, dense = case
    quotient, same = QuotientOnPattern(pattern, G.values, 7), SparseOnPattern(pattern, G.values / 7)
    v, total, expected, copy = rng.standard_normal(17), G.copy(), G.copy(), quotient.copy()
    assert np.array_equal(quotient.toarray(), same.toarray()) and quotient.inner(dense) == same.inner(dense)
    assert np.array_equal(quotient.matvec(v), same.matvec(v)) and quotient.any()
    total += quotient
    expected += same
    assert np.array_equal(total.values, expected.values)
    copy.values[0] += 1
    back = QuotientOnPattern.from_arrays(pattern, quotient.to_arrays())
    assert np.array_equal(back.values, same.values) and np.array_equal(quotient.values, same.values)


@pytest.mark.parametrize(
    "rows, cols, message",
    [
        ([0, 1, 0, 1], [2, 1, 2, 1], r"\(0, 2\) is given more than once"),
        ([0, 3], [0, 0], r"position 1, \(3, 0\), is outside the 3×4"),
        ([0, 1, 2], [0, 1, 4], r"position 2, \(2, 4\), is outside"),
        ([-1], [0], "outside"),
        ([0, 1], [0], "one length"),
        ([0.5], [0.0], "integers"),
    ],
)
def test_bad_positions(rows, cols, message):
    with pytest.raises(ValueError, match=message):
        Pattern(rows, cols, (3, 4))


def test_gather_and_sampled_products(case):
    rng, pattern, _, _ = case
    X, U, V = rng.standard_normal((23, 17)), rng.standard_normal((23, 5)), rng.standard_normal((17, 5))
    for form in (X, np.asfortranarray(X)):
        assert np.array_equal(gather(pattern, form), X[pattern.rows, pattern.cols])
    expected = (U @ V.T)[pattern.rows, pattern.cols]
    np.testing.assert_allclose(sampled_product(pattern, U, V), expected, rtol=0, atol=1e-13)
    outer = 2.5 * np.outer(U[:, 0], V[:, 0])[pattern.rows, pattern.cols]
    np.testing.assert_allclose(sample_outer(pattern, U[:, 0], V[:, 0], 2.5), outer, rtol=0, atol=1e-14)


def test_inner_products(case):
    rng, pattern, G, dense = case
    X = rng.standard_normal((23, 17))
    atom = Atom(rng.standard_normal(23), rng.standard_normal(17), -1.5)
    H = SparseOnPattern(pattern, rng.standard_normal(150))
    for other in (X, atom, H):
        full = other if isinstance(other, np.ndarray) else other.toarray()
        assert inner(G, other) == pytest.approx(np.sum(dense * full), abs=1e-12)
        assert inner(other, G) == pytest.approx(np.sum(dense * full), abs=1e-12)


def test_shapes_that_do_not_fit_are_errors(case):
    rng, pattern, G, _ = case
    other = SparseOnPattern(Pattern([0], [0], (23, 17)), [1.0])
    for wrong, told in (
        (lambda: SparseOnPattern(pattern, np.ones(149)), None),
        (lambda: gather(pattern, np.ones((17, 23))), None),
        (lambda: G.add_to(np.zeros((23, 18))), None),
        (lambda: sampled_product(pattern, np.ones((23, 2)), np.ones((17, 3))), None),
        (lambda: sample_outer(pattern, np.ones(17), np.ones(23)), None),
        (lambda: G.matvec(np.ones(23)), None),
        (lambda: G.rmatvec(np.ones(17)), None),
        (lambda: inner(G, other), None),
        (lambda: G.matmat(np.ones((16, 2))), r"block of shape \(16, 2\) where \(17, k\)"),
        (lambda: G.rmatmat(np.ones(23)), r"block of shape \(23,\) where \(23, k\)"),
    ):
        with pytest.raises(ValueError, match=told):
            wrong()


@pytest.mark.parametrize("dtype, tol", [(np.float64, 1e-12), (np.float32, 1e-5)])
@pytest.mark.parametrize("width", [0, 1, 5, 24])
def test_block_products_have_the_precision_of_the_values(case, width, dtype, tol):
    rng, pattern, G, dense = case
    G = SparseOnPattern(pattern, G.values.astype(dtype))
    B, C = (rng.standard_normal((side, width)) for side in (17, 23))
    for found, exact in ((G.matmat(B), dense @ B), (G.rmatmat(C), dense.T @ C)):
        assert found.dtype == dtype
        np.testing.assert_allclose(found, exact, atol=tol)
