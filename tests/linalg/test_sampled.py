"""Matrices on a pattern against dense NumPy."""

import numpy as np
import pytest

from projfree.linalg.atoms import Atom, inner
from projfree.linalg.sampled import Pattern, SparseOnPattern, gather, sample_outer, sampled_product


@pytest.fixture
def case():
    rng = np.random.default_rng(0)
    flat = rng.permutation(23 * 17)[:150]
    pattern = Pattern(flat // 17, flat % 17, (23, 17))
    given = rng.standard_normal(150)
    dense = np.zeros((23, 17))
    dense[flat // 17, flat % 17] = given
    return rng, pattern, SparseOnPattern(pattern, given[pattern.order]), dense


def test_pattern_is_sorted_row_by_row(case):
    _, pattern, G, dense = case
    assert pattern.n == 150 and pattern.rows.dtype == pattern.cols.dtype == np.int32
    assert np.all(np.diff(pattern.rows.astype(int) * 17 + pattern.cols) > 0)
    assert np.array_equal(np.diff(pattern.indptr), np.bincount(pattern.rows, minlength=23))
    assert np.array_equal(G.toarray(), dense)


def test_csc_permutation_goes_column_by_column(case):
    _, pattern, _, _ = case
    permutation, indptr = pattern.csc
    assert np.all(np.diff(pattern.cols[permutation].astype(int) * 23 + pattern.rows[permutation]) > 0)
    assert np.array_equal(np.diff(indptr), np.bincount(pattern.cols, minlength=17))


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


def test_products(case):
    rng, _, G, dense = case
    v, u = rng.standard_normal(17), rng.standard_normal(23)
    np.testing.assert_allclose(G.matvec(v), dense @ v, rtol=0, atol=1e-13)
    np.testing.assert_allclose(G.rmatvec(u), dense.T @ u, rtol=0, atol=1e-13)
    assert G.sq_norm == pytest.approx(np.sum(dense**2))


def test_add_to_and_scaled(case):
    rng, _, G, dense = case
    X = rng.standard_normal((23, 17))
    before = X.copy()
    assert G.add_to(X, -0.5) is X
    np.testing.assert_allclose(X, before - 0.5 * dense, rtol=0, atol=1e-15)
    assert np.array_equal(G.scaled(3.0).toarray(), 3.0 * dense)


def test_gather_and_sampled_products(case):
    rng, pattern, _, _ = case
    X, U, V = rng.standard_normal((23, 17)), rng.standard_normal((23, 5)), rng.standard_normal((17, 5))
    assert np.array_equal(gather(pattern, X), X[pattern.rows, pattern.cols])
    assert np.array_equal(gather(pattern, np.asfortranarray(X)), X[pattern.rows, pattern.cols])
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
    for wrong in (
        lambda: SparseOnPattern(pattern, np.ones(149)),
        lambda: gather(pattern, np.ones((17, 23))),
        lambda: G.add_to(np.zeros((23, 18))),
        lambda: sampled_product(pattern, np.ones((23, 2)), np.ones((17, 3))),
        lambda: sample_outer(pattern, np.ones(17), np.ones(23)),
        lambda: G.matvec(np.ones(23)),
        lambda: G.rmatvec(np.ones(17)),
        lambda: inner(G, other),
    ):
        with pytest.raises(ValueError):
            wrong()
