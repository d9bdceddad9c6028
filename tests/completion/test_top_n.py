"""Top-N recommendation: a certified soft-thresholded SVD, chosen on held-out ratings."""

from dataclasses import replace

import numpy as np
import pytest

from projfree.completion import blocks, top_n
from projfree.completion.prepared import Prepared
from projfree.completion.ratings import Ratings
from projfree.completion.times import Timed


def made(seed=0, shape=(120, 80), kinds=4):
    """Stars by users who rate what they like, of a few kinds."""
    rng = np.random.default_rng(seed)
    liking = rng.choice([-1.0, 0.0, 1.5], (shape[0], kinds))[:, np.arange(shape[1]) % kinds]
    rows, cols = np.nonzero(rng.random(shape) < 0.15 * np.exp(liking - rng.random(shape[1])))
    stars = np.clip(np.round(3 + liking[rows, cols] + 0.7 * rng.standard_normal(rows.size)), 1, 5)
    names = (np.array([f"{what}{k}" for k in range(n)], object) for what, n in zip("ui", shape, strict=True))
    return Ratings(rows.astype(np.int32), cols.astype(np.int32), stars.astype(np.float32), *names)


def filled(ratings, found):
    """X and the sides a, c, written out."""
    X = np.zeros(ratings.shape)
    least, greatest = ratings.scale
    X[ratings.rows, ratings.cols] = 1 - 0.8 * (greatest - ratings.values) / (greatest - least)
    counts = (np.bincount(p, minlength=n) for p, n in zip((ratings.rows, ratings.cols), X.shape, strict=True))
    return X, *((0.9 * n / n.mean() + 0.1) ** -found.power for n in counts)


def all_scores(ratings, found):
    """W, of users without ratings too: the ranking gives them popularity."""
    rows = (found.scores(*ratings.row(k)) if len(ratings.row(k)[0]) else 0 for k in range(len(ratings.users)))
    return np.array([row + np.zeros(len(ratings.items)) for row in rows])


CASES = [(k, False) for k in range(3)] + [pytest.param(k, True, marks=pytest.mark.long) for k in range(40)]


@pytest.mark.parametrize("seed, at_length", CASES)
def test_scores_are_the_soft_thresholded_decomposition_and_optimal(seed, at_length):
    size = np.random.default_rng(seed).integers(10, 200 if at_length else 90, 2)
    ratings = made(seed, tuple(size))
    result = top_n.top_n(ratings, seed=seed)
    X, a, c = filled(ratings, result)
    Y, W = a[:, None] * X * c, all_scores(ratings, result)
    U, s, Vt = np.linalg.svd(Y, full_matrices=False)
    expected = (U * np.maximum(s - result.threshold, 0)) @ Vt
    M = a[:, None] * W * c
    np.testing.assert_allclose(M, expected, atol=2e-5 * s[0])
    assert result.rank == np.count_nonzero(s > result.threshold) and 0 <= result.relative_gap <= 1e-3
    # 0 ∈ M − Y + τ∂‖M‖: the rest has no singular value above τ, and is τ along M
    trace = np.linalg.norm(M, "nuc")
    assert np.linalg.norm(Y - M, 2) <= result.threshold * (1 + 1e-4)
    assert np.sum((Y - M) * M) == pytest.approx(result.threshold * trace, rel=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_the_certificate_is_the_duality_gap_of_whatever_it_is_given(seed):
    """Of a point that is not the optimum too: never below F − min F."""
    ratings, rng = made(seed), np.random.default_rng(seed)
    part = top_n.Filled(ratings.sweeps(), 0.25, 0.0)
    Y = -part.operator.matmat(np.eye(80, dtype=np.float32)).astype(float)
    U, s, Vt = np.linalg.svd(-Y, full_matrices=False)

    def objective(M, tau):
        return np.sum((M + Y) ** 2) / 2 + tau * np.linalg.norm(M, "nuc")

    for tau in (0.1 * s[0], 0.4 * s[0]):
        least = objective((U * np.maximum(s - tau, 0)) @ Vt, tau)
        for k in (1, 4, 9):
            f = np.abs(s[:k] - tau) * rng.random(k)
            gap, F = part.relative_gap(U[:, :k], f, Vt[:k].T, tau), objective((U[:, :k] * f) @ Vt[:k], tau)
            E = -Y - (U[:, :k] * f) @ Vt[:k]
            E *= min(1, tau / np.linalg.norm(E, 2))
            exact = (F - np.sum(-Y * E) + np.sum(E**2) / 2) / F
            assert (F - least) / F <= gap + 1e-6 and exact <= gap + 1e-6 <= exact + 5e-3


def test_a_basis_that_is_too_small_grows_until_the_gap_is_small(monkeypatch):
    ratings = made(1, (150, 130))
    asked = []

    def noting(operator, count, **options):
        asked.append(options["passes"])
        return leading(operator, count, **options)

    leading = top_n.leading_triplets
    monkeypatch.setattr(top_n, "PASSES", 1)
    monkeypatch.setattr(top_n, "leading_triplets", noting)
    result = top_n.top_n(ratings)
    assert asked[:3] == [1, 1, 1] and asked[3:6] == [1, 2, 4] and result.relative_gap <= 1e-3


def test_scores_do_not_depend_on_the_scale_of_ratings_nor_on_the_order_of_users():
    ratings = made()
    result = top_n.top_n(ratings)
    W = all_scores(ratings, result)
    for factor, shift in ((2.0, 0.0), (0.5, -3.0), (20.0, 7.0)):
        other = replace(ratings, values=(factor * ratings.values + shift).astype(np.float32))
        again = top_n.top_n(other)
        np.testing.assert_allclose(all_scores(other, again), W, atol=1e-5)
        assert again.threshold == pytest.approx(result.threshold) and again.ndcg == pytest.approx(result.ndcg)
    order = np.lexsort((ratings.cols, 119 - ratings.rows))
    columns = (119 - ratings.rows[order], ratings.cols[order], ratings.values[order])
    mirrored = Ratings(*columns, ratings.users[::-1], ratings.items)
    whole = [top_n.Filled(r.sweeps(), 0.25, 0.0).operator for r in (ratings, mirrored)]
    B = np.random.default_rng(0).standard_normal((80, 3)).astype(np.float32)
    np.testing.assert_allclose(whole[1].matmat(B), whole[0].matmat(B)[::-1], rtol=1e-5)


def test_from_disk_with_threads_and_of_ratings_with_times_it_is_the_same(tmp_path):
    ratings = made()
    result = top_n.top_n(ratings)
    prepared = Prepared.write(tmp_path, ratings.blocks(), ratings.users, ratings.items)
    columns = ratings.rows, ratings.cols, ratings.values, ratings.users, ratings.items
    timed = Timed(*columns, np.arange(ratings.n))
    for other in (top_n.top_n(prepared), top_n.top_n(ratings, threads=2), top_n.top_n(timed)):
        np.testing.assert_array_equal(other.factor, result.factor)
        assert (other.power, other.threshold, other.ndcg) == (result.power, result.threshold, result.ndcg)


def test_ndcg_and_recall_are_those_written_out(monkeypatch):
    ratings, rng = made(3), np.random.default_rng(0)
    A, B = rng.standard_normal((120, 3)).astype(np.float32), rng.standard_normal((80, 3)).astype(np.float32)
    division = [blocks.Division(0, 5, 0, out) for out in (False, True)]
    training, held = map(ratings.sweeps, division)
    drawn = np.arange(120) % 3 > 0
    monkeypatch.setattr(blocks, "ROWS", 7)
    top, _ = training.run(blocks.best, (drawn, A), (B,), 10)
    _, (gain, recall, users) = held.run(blocks.gains, (top,), (), 4)
    out = division[1].chosen(0, ratings.n)
    expected = []
    for u in np.flatnonzero(drawn):
        mine = ratings.rows == u
        seen, good = ratings.cols[mine & ~out], set(ratings.cols[mine & out & (ratings.values >= 4)])
        values = B @ A[u]
        values[seen] = -np.inf
        best = np.argsort(-values)[:10]
        assert top[u].tolist() == best.tolist()
        if good:
            weights = 1 / np.log2(2 + np.arange(10))
            hits = np.array([k in good for k in best])
            expected.append((weights @ hits / weights[: len(good)].sum(), hits.sum() / len(good)))
    np.testing.assert_allclose((gain, recall), np.sum(expected, axis=0))
    assert users == len(expected) and (top[~drawn] == -1).all()


def test_it_beats_popularity_where_tastes_differ_and_gives_popularity_to_the_unknown():
    ratings = made(2, (300, 120))
    result = top_n.top_n(ratings)
    assert result.ndcg > 1.3 * result.popular[0] and result.recall > 1.3 * result.popular[1]
    X = filled(ratings, result)[0]
    np.testing.assert_allclose(result.scores([], []), X.mean(axis=0), rtol=1e-5)


def test_ratings_that_are_all_alike_are_ranked_too():
    ratings = made()
    for value in (3.0, -2.0, 0.0, 1e15):
        result = top_n.top_n(replace(ratings, values=np.full(ratings.n, value, np.float32)))
        assert result.ndcg > result.popular[0] and np.isfinite(all_scores(ratings, result)).all()


@pytest.mark.parametrize("shape", [(2, 2), (1, 3), (3, 1)])
def test_too_few_ratings_are_an_error_that_names_the_other_ranking(shape):
    rows, cols = (places.ravel().astype(np.int32) for places in np.indices(shape))
    names = (np.arange(n).astype(str) for n in shape)
    few = Ratings(rows[:2], cols[:2], np.array([1, 2], np.float32), *names)
    with pytest.raises(top_n.TooFew, match="2 ratings are too few .* 'rating'"):
        top_n.top_n(few)
