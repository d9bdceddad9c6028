"""The estimators keep scikit-learn's contract, and find what was planted."""

import pickle
import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

import projfree as pf

ALL = [
    getattr(pf.estimators, name)()
    for name in ("MatrixCompletion", "OscarRegressor", "RobustLowRank", "TraceNormClassifier")
]


@parametrize_with_checks(ALL)
def test_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


def low_rank(n=40, p=25, rank=2, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, rank)) @ rng.standard_normal((rank, p)), rng


def test_completion_fills_what_was_hidden_in_all_forms_of_a_matrix():
    X, rng = low_rank()
    hidden = rng.random(X.shape) < 0.3
    given = np.where(hidden, np.nan, X)
    fitted = pf.estimators.MatrixCompletion().fit(given)
    filled = fitted.transform(given)
    assert np.sqrt(np.mean((filled - X)[hidden] ** 2)) < 0.3 * np.std(X[hidden])
    np.testing.assert_array_equal(filled[~hidden], X[~hidden])
    assert fitted.certificate_ <= 1e-3 and fitted.weight_ in fitted.lambda_path_
    masked = np.ma.masked_array(X, hidden)
    np.testing.assert_allclose(pf.estimators.MatrixCompletion().fit_transform(masked), filled)
    stored = sparse.csr_array((X[~hidden], np.nonzero(~hidden)), shape=X.shape)
    np.testing.assert_allclose(pf.estimators.MatrixCompletion().fit_transform(stored), filled)


@pytest.mark.parametrize("form", ["coo", "csr", "csc"])
def test_an_entry_that_a_sparse_matrix_stores_twice_is_refused_not_summed(form):
    X, _ = low_rank(6, 5)
    once = sparse.coo_array(X)
    twice = sparse.coo_array(
        (np.append(once.data, 4.0), (np.append(once.row, 2), np.append(once.col, 3))), shape=X.shape
    )
    if form != "coo":  # by hand, as conversion sums
        major, minor = (twice.row, twice.col) if form == "csr" else (twice.col, twice.row)
        order, lines = np.argsort(major, kind="stable"), X.shape[form == "csc"]
        starts = np.searchsorted(major[order], np.arange(lines + 1))
        kind = getattr(sparse, f"{form}_array")
        twice = kind((twice.data[order], minor[order], starts), shape=X.shape)
    fitted = pf.estimators.MatrixCompletion(weight=2.0).fit(once)
    for door in (fitted.transform, fitted.partial_fit, fitted.fit):
        with pytest.raises(ValueError, match=r"several ratings: \d+, 3$"):
            door(twice)


def test_no_sparse_matrix_is_made_dense_by_a_fit():
    """20,000 × 5,000 of 20,000 entries: dense it takes 800 MB, the fit 102."""
    rng, side = np.random.default_rng(0), 5000
    entries = (
        rng.integers(1, 6, 4 * side).astype(float),
        (np.arange(4 * side), rng.integers(0, side, 4 * side)),
    )
    X = sparse.csr_array(entries, shape=(4 * side, side))
    model = pf.estimators.MatrixCompletion(weight=20.0, folds=2, tol=1e-1)
    tracemalloc.start()
    try:
        model.fit(X).partial_fit(X[:9])
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 4e8 and model.fit_.U.shape[0] == X.shape[0] + 9


def test_a_row_is_filled_as_the_fit_itself_has_it():
    """Given the columns, the row of the optimum is the ridge regression that `transform` solves."""
    X, rng = low_rank()
    given = np.where(rng.random(X.shape) < 0.3, np.nan, X)
    fitted = pf.estimators.MatrixCompletion(weight=2.0, tol=1e-7).fit(given)
    own = fitted.fit_.U @ fitted.fit_.V.T + fitted.fit_.row_offset[:-1, None] + fitted.column_offset_
    filled = fitted.transform(given)
    hidden = np.isnan(given)
    np.testing.assert_allclose(filled[hidden], own[hidden], atol=5e-6)


def test_rows_that_come_later_give_what_all_rows_at_once_give():
    X, rng = low_rank(60)
    given = np.where(rng.random(X.shape) < 0.3, np.nan, X)
    whole = pf.estimators.MatrixCompletion(weight=2.0, tol=1e-7).fit(given)
    parts = pf.estimators.MatrixCompletion(weight=2.0, tol=1e-7)
    for rows in np.split(given, 3):
        early = parts.partial_fit(rows).transform(given)
    assert parts.certificate_ <= 1e-7 and parts.fit_.objective == pytest.approx(
        whole.fit_.objective, rel=3e-7
    )
    np.testing.assert_allclose(early, whole.transform(given), atol=5e-5)
    first = pf.estimators.MatrixCompletion(weight=2.0, tol=1e-7).fit(given[:20]).transform(given)
    assert np.abs(first - whole.transform(given)).max() > 0.2, "the later rows matter"
    chosen = pf.estimators.MatrixCompletion().partial_fit(given[:40])
    weight = chosen.weight_
    assert chosen.partial_fit(given[40:]).weight_ == weight in chosen.lambda_path_


def test_ratings_by_labels():
    X, rng = low_rank()
    rows, cols = np.nonzero(rng.random(X.shape) < 0.7)
    users, items = np.array([f"u{i:02}" for i in rows]), cols + 100
    fitted = pf.estimators.MatrixCompletion().fit_ratings(users, items, X[rows, cols])
    assert np.corrcoef(fitted.predict_ratings(users, items), X[rows, cols])[0, 1] > 0.9
    assert np.isfinite(fitted.predict_ratings(["nobody"], [100])).all()
    with pytest.raises(ValueError, match="several ratings: a, 1"):
        fitted.fit_ratings(["a", "a"], [1, 1], [3, 4])
    for far in (fitted.fit_ratings, lambda *_: fitted.fit(X + 1e9)):
        with pytest.raises(ValueError, match="in single precision, which goes by 64 there; subtract"):
            far(users, items, X[rows, cols] + 1e9)


def test_oscar_finds_groups_and_bounded_losses_ignore_outliers():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 8))
    beta = np.array([2.0, 2.0, -2.0, 0, 0, 0, 0, 0])
    y = X @ beta + 1.0 + 0.05 * rng.standard_normal(120)
    fitted = pf.estimators.OscarRegressor(lambda1=0.01, lambda2=20.0).fit(X, y)
    assert len(set(fitted.groups_[:3])) == 1 and fitted.groups_[0] > 0
    assert fitted.intercept_ == pytest.approx(1.0, abs=0.1)
    y[:10] += 50.0
    plain, robust = (
        pf.estimators.OscarRegressor(lambda1=1e-4, lambda2=0.0, loss=loss).fit(X, y) for loss in ("sq", "cor")
    )
    assert np.abs(robust.coef_ - beta).max() < 0.1 < np.abs(plain.coef_ - beta).max()


def test_the_classifier_has_low_rank_and_a_path_that_ends_at_zero():
    rng = np.random.default_rng(0)
    W = rng.standard_normal((10, 2)) @ rng.standard_normal((2, 6))
    X = rng.standard_normal((400, 10))
    y = np.argmax(X @ W, axis=1)
    fitted = pf.estimators.TraceNormClassifier(weight=2e-2).fit(X, y)
    assert fitted.score(X, y) > 0.85 and fitted.rank_ <= 3
    assert np.linalg.matrix_rank(fitted.coef_, tol=1e-6) <= fitted.rank_
    np.testing.assert_allclose(fitted.predict_proba(X).sum(axis=1), 1.0)
    none = pf.estimators.TraceNormClassifier(weight=1.01 * fitted.lambda_max_).fit(X, y)
    assert none.rank_ == 0 and not none.coef_.any()


def test_low_rank_under_outliers():
    X, rng = low_rank(60, 30)
    noisy = X.copy()
    spoiled = rng.random(X.shape) < 0.1
    noisy[spoiled] += 50.0 * rng.choice([-1, 1], spoiled.sum())
    fitted = pf.estimators.RobustLowRank(n_components=2).fit(noisy)
    true = np.linalg.svd(X, full_matrices=False)[2][:2]
    plain = np.linalg.svd(noisy - noisy.mean(axis=0), full_matrices=False)[2][:2]
    angle = np.linalg.svd(fitted.components_ @ true.T, compute_uv=False).min()
    assert angle > 0.97 > np.linalg.svd(plain @ true.T, compute_uv=False).min()
    assert 0.05 < fitted.outlier_share_ < 0.2


@pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)
def test_pickles_give_the_same_answers(estimator):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 5)), rng.integers(0, 3, 30)
    fitted = estimator.fit(X, y)
    answer = "predict" if hasattr(fitted, "predict") else "transform"
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(getattr(fitted, answer)(X), getattr(again, answer)(X))


def test_completion_beyond_memory_stays_on_disk():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 2)) @ rng.standard_normal((2, 30))
    given = np.where(rng.random(X.shape) < 0.6, X, np.nan)
    here = pf.estimators.MatrixCompletion(weight=2.0).fit(given)
    with pytest.warns(UserWarning, match="the ratings stay on disk"):
        there = pf.estimators.MatrixCompletion(weight=2.0, memory=1000).fit(given)
    np.testing.assert_array_equal(there.components_, here.components_)


@pytest.mark.parametrize("of_X, of_y", [(0, 530), (0, -530), (530, 0), (-530, 0), (1000, 1010), (-480, 500)])
def test_at_the_ends_of_the_floats(of_X, of_y):
    X, rng = low_rank()
    X += 0.1 * rng.standard_normal(X.shape)
    y, estimators = X @ np.repeat([1.0, 0.0, -2.0], [2, 20, 3]) + rng.standard_normal(40), pf.estimators
    far_X, far_y = np.ldexp(X, of_X), np.ldexp(y, of_y)
    plain, far = (estimators.OscarRegressor().fit(*given) for given in ((X, y), (far_X, far_y)))
    np.testing.assert_allclose(np.ldexp(far.coef_, of_X - of_y), plain.coef_, rtol=1e-9)
    np.testing.assert_array_equal(far.groups_, plain.groups_)
    plain, far = (estimators.TraceNormClassifier().fit(given, y > 0) for given in (X, far_X))
    np.testing.assert_allclose(far.predict_proba(far_X), plain.predict_proba(X), rtol=1e-9)
    plain, far = (estimators.RobustLowRank(sigma=30.0).fit(given) for given in (X, far_X))
    np.testing.assert_allclose(np.ldexp(far.low_rank_, -of_X), plain.low_rank_, atol=1e-2)


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_a_regression_on_a_sparse_matrix(form):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((50, 6)) * (rng.random((50, 6)) < 0.3)
    y = X @ [2.0, 2.0, 0.0, 0.0, -1.0, 0.0] + 0.1 * rng.standard_normal(50)
    dense, stored = (pf.estimators.OscarRegressor().fit(given, y) for given in (X, form(X)))
    np.testing.assert_allclose(stored.coef_, dense.coef_, atol=1e-12)
    np.testing.assert_allclose(stored.predict(form(X)), dense.predict(X))


@pytest.mark.parametrize(
    "estimator",
    [
        pf.estimators.OscarRegressor(max_iter=1),
        pf.estimators.RobustLowRank(max_iter=1, tol=1e-9),
        pf.estimators.TraceNormClassifier(max_iter=1, tol=1e-9),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_a_fit_that_ends_early_is_warned_of(estimator):
    X, rng = low_rank()
    with pytest.warns(
        ConvergenceWarning, match=f"{type(estimator).__name__} did not reach tol=.*1 iterations"
    ):
        estimator.fit(X, X[:, 0] > 0)


def test_a_completion_that_ends_early_is_warned_of():
    X, _ = low_rank()
    fitted = pf.estimators.MatrixCompletion(weight=2.0).fit(X)
    with pytest.warns(ConvergenceWarning, match="MatrixCompletion did not reach tol=.*the relative gap is"):
        fitted.set_params(tol=fitted.certificate_ / 2)._keep(fitted.fit_)


@pytest.mark.parametrize("ratings, folds", [([3.0] * 8, 3), ([3.0], 3), (range(8), 1), (range(8), 9)])
def test_no_weight_is_chosen_where_none_can_be(ratings, folds):
    users, items = np.divmod(np.arange(len(ratings)), 2)
    with pytest.raises(
        ValueError, match=rf"there are {len(ratings)} ratings for {folds} folds: give a weight"
    ):
        pf.estimators.MatrixCompletion(folds=folds).fit_ratings(users, items, ratings)


@pytest.mark.parametrize("kind", [np.asarray, np.ma.masked_array, sparse.csr_array])
@pytest.mark.parametrize("estimator", ALL, ids=lambda estimator: type(estimator).__name__)
def test_no_imaginary_part_is_dropped(estimator, kind):
    X = kind(np.eye(6) + 1j)
    with pytest.raises((ValueError, TypeError), match="(?i)complex|sparse data was passed"):
        clone(estimator).fit(X, np.arange(6) % 2)


def test_triplets_are_of_one_length():
    for given in (([1], [1, 2], [3.0, 4.0]), ([1, 2], [1], [3.0, 4.0]), ([1, 2], [1, 2], [3.0])):
        with pytest.raises(ValueError, match="not as many of each"):
            pf.estimators.MatrixCompletion(weight=1.0).fit_ratings(*given)


@pytest.mark.parametrize("bad", [[1.0, 2.0j], [1.0, np.inf], ["1", "2"], [[1.0, 2.0]], []])
def test_ratings_are_refused_by_name(bad):
    with pytest.raises(ValueError, match="^ratings (must be|has entries that are not finite)"):
        pf.estimators.MatrixCompletion(weight=1.0).fit_ratings(["a", "b"], ["x", "y"], bad)
