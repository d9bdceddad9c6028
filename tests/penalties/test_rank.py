"""Rank-constrained proximal points: dense decompositions, gaps, and the error formula of block power."""

from types import SimpleNamespace

import numpy as np
import pytest

from projfree.linalg.low_rank import LowRankPlusSparse
from projfree.linalg.sampled import Pattern, SparseOnPattern
from projfree.penalties.prox import truncated_svd
from projfree.penalties.rank import Penalty


def matrix(rng, shape=(60, 50), inner=6, share=0.2):
    """A LowRankPlusSparse."""
    rows, cols = np.nonzero(rng.random(shape) < share)
    pattern = Pattern(rows, cols, shape)
    U, V = rng.standard_normal((shape[0], inner)), rng.standard_normal((shape[1], inner))
    return LowRankPlusSparse(U, V, SparseOnPattern(pattern, rng.standard_normal(pattern.n)))


def product(found):
    return found.x[0] @ found.x[1].T


def truncated(Y, rank):
    U, s, Vt = np.linalg.svd(Y.toarray())
    return (U[:, :rank] * s[:rank]) @ Vt[:rank], s


@pytest.mark.parametrize("sweeps", [1, 2, 4])
def test_block_power_error_is_the_closed_form(sweeps):
    rng = np.random.default_rng(2)
    penalty, gamma, Y = Penalty(5), 0.7, matrix(rng)
    found = penalty.prox(Y, gamma, method="block_power", first=sweeps, rng=rng)
    best, s = truncated(Y, 5)
    direct = np.sum((product(found) - Y.toarray()) ** 2) - np.sum((best - Y.toarray()) ** 2)
    assert direct > 0 and direct == pytest.approx(np.sum(s[:5] ** 2) - np.sum(found.x[1] ** 2), rel=1e-9)
    assert penalty.error(found.x, Y, gamma) == pytest.approx(direct / (2 * gamma), rel=1e-6, abs=1e-8)
    assert np.isnan(found.gap) and found.matvecs == 2 * sweeps * 5


def test_sweeps_in_single_precision_end_where_double_ones_do():
    """The error of the range is of second order in its rounding."""
    rng = np.random.default_rng(11)
    Y = matrix(rng)
    found = Penalty(5).prox(Y, 1.0, method="block_power", first=100, rng=rng)
    assert 0 <= np.sum(truncated(Y, 5)[1][:5] ** 2) - np.sum(found.x[1] ** 2) < 1e-9


def test_a_warm_start_and_oversampling_help():
    rng = np.random.default_rng(3)
    penalty, Y = Penalty(5), matrix(rng)

    def error(**options):
        found = penalty.prox(Y, 1.0, method="block_power", rng=rng, **options)
        assert found.x[0].shape[1] == 5
        return penalty.error(found.x, Y, 1.0)

    warm, plain = penalty.prox(Y, 1.0, method="block_power", rng=rng).warm, error(first=1)
    assert error(warm=warm, sweeps=1) < 0.5 * plain and error(first=1, oversample=10) < plain


def test_a_warm_started_lanczos_finds_the_new_triplets():
    rng = np.random.default_rng(4)
    for solver in ("propack", "arpack"):
        Y, Z = matrix(rng), matrix(rng)
        warm = Penalty(4).prox(Y, 1.0, method=solver, rng=rng).warm
        found = Penalty(4).prox(Z, 1.0, method=solver, warm=warm, start="warm", rng=rng)
        np.testing.assert_allclose(product(found), truncated(Z, 4)[0], atol=1e-6 * truncated(Z, 4)[1][0])


def test_planted_errors():
    rng = np.random.default_rng(6)
    for target in (1e-6, 1e-2, 10.0):
        Y = matrix(rng)
        found = Penalty(4).prox(Y, 0.3, method="perturbed", tol=target, rng=rng)
        assert found.x[0].shape[1] == 4
        assert Penalty(4).error(found.x, Y, 0.3) == pytest.approx(target, rel=1e-4, abs=1e-8)


def test_rank_at_least_the_smaller_side_is_the_matrix_itself():
    Y = matrix(np.random.default_rng(7), shape=(9, 6), inner=2)
    for method in ("propack", "arpack", "dense", "block_power"):
        np.testing.assert_allclose(product(Penalty(6).prox(Y, 1.0, method=method)), Y.toarray(), atol=1e-10)


def test_bad_parameters():
    for bad in (0, -1, 2.5):
        with pytest.raises(ValueError, match="whole number"):
            Penalty(bad)
    with pytest.raises(ValueError, match="Known are: arpack, block_power, dense"):
        Penalty(1).prox(None, 1.0, method="svd")
    with pytest.raises(ValueError, match="larger than the smaller side"):
        Penalty.for_problem(SimpleNamespace(shape=(5, 3)), 4)


@pytest.mark.parametrize("width", [1, 9, 10, 13, 20])
def test_products_with_blocks_of_any_width(width):
    rng = np.random.default_rng(width)
    Y = matrix(rng)
    A, B, C = Y.toarray(), rng.standard_normal((50, width)), rng.standard_normal((60, width))
    for operator, accuracy in ((Y, 1e-12), (Y.in_single(), 1e-4)):
        np.testing.assert_allclose(operator.matmat(B), A @ B, atol=accuracy)
        np.testing.assert_allclose(operator.rmatmat(C), A.T @ C, atol=accuracy)
    assert Y.in_single().matmat(B).dtype == np.float32
    np.testing.assert_allclose(Y.matvec(B[:, 0]), A @ B[:, 0], atol=1e-11)
    np.testing.assert_allclose(Y.rmatvec(C[:, 0]), A.T @ C[:, 0], atol=1e-11)
    assert Y.matvecs == 2 * width + 2
    assert Y.inner(C, B) == pytest.approx(np.sum(A * (C @ B.T)))


def of_rank(rng, shape, rank, form):
    """Exactly that rank, as factors or on a full pattern, and the array."""
    U, V = rng.standard_normal((shape[0], rank)), rng.standard_normal((shape[1], rank))
    if form == "factors":
        S = SparseOnPattern(Pattern([0], [0], shape), [0.0])
        return LowRankPlusSparse(U, V, S), U @ V.T
    pattern = Pattern(*np.nonzero(np.ones(shape)), shape)
    S = SparseOnPattern(pattern, (U @ V.T).ravel())
    return LowRankPlusSparse(np.zeros((shape[0], 0)), np.zeros((shape[1], 0)), S), U @ V.T


@pytest.mark.parametrize("form", ["factors", "entries"])
@pytest.mark.parametrize("method", ["dense", "propack", "arpack", "block_power"])
def test_a_rank_below_r_is_found_whole(method, form):
    """Where PROPACK's space collapses it returns anything: (30, 20) of rank 1 with r = 2, for one."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        for true, rank in ((1, 2), (1, 3), (2, 3), (2, 5)):
            Y, array = of_rank(rng, (30, 20), true, form)
            found = Penalty(rank).prox(Y, 1.0, method=method, rng=np.random.default_rng(seed))
            np.testing.assert_allclose(product(found), array, atol=1e-7 * np.linalg.norm(array))
            assert found.matvecs > 0


def test_triplets_that_are_none_are_not_sound():
    rng = np.random.default_rng(12)
    Y = matrix(rng)
    U, s, Vt = np.linalg.svd(Y.toarray(), full_matrices=False)
    assert truncated_svd.sound(Y, U[:, :4], s[:4], Vt[:4])
    assert (np.diff(truncated_svd.leading(Y, 4)[1]) <= 0).all()
    kept = [0, 1, 3, 4]
    assert not truncated_svd.sound(Y, U[:, kept], s[kept], Vt[kept])  # one is missing
    twice = [0, 1, 2, 2]
    assert not truncated_svd.sound(Y, U[:, twice], s[twice], Vt[twice])
    for V in (-Vt[:4], rng.permutation(Vt[:4].T).T, np.full((4, 50), np.nan)):
        assert not truncated_svd.sound(Y, U[:, :4], s[:4], V)
    assert not truncated_svd.sound(Y, U[:, :4], 1.001 * s[:4], Vt[:4])


@pytest.mark.parametrize("oversample", [0, 1])
def test_block_power_starts_from_a_zero_matrix_too(oversample):
    rng = np.random.default_rng(0)
    zero, _ = of_rank(rng, (12, 9), 0, "factors")
    found = Penalty(3).prox(zero, 1.0, method="block_power", oversample=oversample)
    again = Penalty(3).prox(matrix(rng, (12, 9)), 1.0, method="block_power", warm=found.warm)
    assert not product(found).any() and np.isfinite(product(again)).all()


@pytest.mark.parametrize("method", ["dense", "propack", "arpack", "block_power"])
def test_points_at_all_scales(method):
    rng = np.random.default_rng(13)
    Y = matrix(rng, (30, 20), inner=2)
    least = np.linalg.norm(truncated(Y, 3)[1][3:])
    for e in range(-900, 901, 60):
        S = SparseOnPattern(Y.sparse.pattern, np.ldexp(Y.sparse.values, e))
        Z = LowRankPlusSparse(np.ldexp(Y.U, e // 2), np.ldexp(Y.V, e - e // 2), S)
        options = {"first": 60} if method == "block_power" else {}
        found = Penalty(3).prox(Z, 1.0, method=method, rng=np.random.default_rng(0), **options)
        assert np.linalg.norm(np.ldexp(product(found), -e) - Y.toarray()) <= least * (1 + 1e-6), e
