"""The estimators keep scikit-learn's contract, and find what was planted."""

import pickle
import tracemalloc
import warnings
from copy import copy

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from projfree.completion.model import DEVIATIONS
from projfree.estimators import MatrixCompletion, OscarRegressor, RobustLowRank, TraceNormClassifier

ALL = [kind() for kind in (MatrixCompletion, OscarRegressor, RobustLowRank, TraceNormClassifier)]


def named(value):
    return type(value).__name__ if hasattr(value, "fit") else None


@parametrize_with_checks(ALL)
def test_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


def low_rank(n=40, p=25, rank=2, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, rank)) @ rng.standard_normal((rank, p)), rng


def partly(rows=40, share=0.3):
    """A matrix of low rank, and the same with NaN at a share of its entries."""
    X, rng = low_rank(rows)
    return X, np.where(rng.random(X.shape) < share, np.nan, X)


def test_completion_fills_what_was_hidden_in_all_forms_of_a_matrix():
    X, given = partly()
    hidden = np.isnan(given)
    fitted = MatrixCompletion().fit(given)
    filled = fitted.transform(given)
    assert np.sqrt(np.mean((filled - X)[hidden] ** 2)) < 0.3 * np.std(X[hidden])
    np.testing.assert_array_equal(filled[~hidden], X[~hidden])
    assert fitted.certificate_ <= 1e-3 and fitted.weight_ in fitted.lambda_path_
    stored = sparse.csr_array((X[~hidden], np.nonzero(~hidden)), shape=X.shape)
    for form in (np.ma.masked_array(X, hidden), stored):
        np.testing.assert_allclose(MatrixCompletion().fit_transform(form), filled)


@pytest.mark.parametrize("form", ["coo", "csr", "csc"])
def test_an_entry_that_a_sparse_matrix_stores_twice_is_refused_not_summed(form):
    X, _ = low_rank(6, 5)
    once = sparse.coo_array(X)
    data, row, col = np.append(once.data, 4.0), np.append(once.row, 2), np.append(once.col, 3)
    twice = sparse.coo_array((data, (row, col)), shape=X.shape)
    if form != "coo":  # by hand, as conversion sums
        major, minor = (row, col) if form == "csr" else (col, row)
        order, lines = np.argsort(major, kind="stable"), X.shape[form == "csc"]
        starts = np.searchsorted(major[order], np.arange(lines + 1))
        twice = getattr(sparse, f"{form}_array")((data[order], minor[order], starts), shape=X.shape)
    fitted = MatrixCompletion(weight=2.0).fit(once)
    for door in (fitted.transform, fitted.partial_fit, fitted.fit):
        with pytest.raises(ValueError, match=r"several ratings: \d+, 3$"):
            door(twice)


def test_no_sparse_matrix_is_made_dense_by_a_fit():
    """20,000 × 5,000 of 20,000 entries: dense it takes 800 MB, the fit 102."""
    rng, side = np.random.default_rng(0), 5000
    values = rng.integers(1, 6, 4 * side).astype(float)
    places = np.arange(4 * side), rng.integers(0, side, 4 * side)
    X = sparse.csr_array((values, places), shape=(4 * side, side))
    model = MatrixCompletion(weight=20.0, folds=2, tol=1e-1)
    tracemalloc.start()
    try:
        model.fit(X).partial_fit(X[:9])
        with pytest.raises(MemoryError, match="5,000 entries take 0.8 GB; use predict_ratings or"):
            model.set_params(memory=10**8).transform(X)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 4e8 and model.fit_.U.shape[0] == X.shape[0] + 9


def own(fitted):
    """The matrix of a fit by its own factors and offsets."""
    fit = fitted.fit_
    return fit.U @ fit.V.T + fit.row_offset[:-1, None] + fitted.column_offset_


def excess(fitted) -> float:
    """What the certificate leaves: how much the objective of the fit may lie above the least one."""
    return fitted.certificate_ * fitted.fit_.objective


def test_rows_that_come_later_give_what_all_rows_at_once_give():
    _, given = partly(60)
    whole = MatrixCompletion(weight=2.0, tol=1e-7).fit(given)
    parts = MatrixCompletion(weight=2.0, tol=1e-7)
    for rows in np.split(given, 3):
        early = parts.partial_fit(rows).transform(given)
    # What single precision of the entries adds to the certificate, see `completion.model`.
    known, objective = ~np.isnan(given), parts.fit_.objective
    miss, size = np.linalg.norm((own(parts) - given)[known]), np.sqrt(np.mean(given[known] ** 2))
    lost = DEVIATIONS * np.finfo(np.float32).eps * size * miss / objective
    assert parts.certificate_ <= 1e-7 + lost and objective == pytest.approx(whole.fit_.objective, rel=3e-7)
    # ½‖W − W*‖² over the known entries is at most what each certificate leaves.
    apart = np.linalg.norm((own(parts) - own(whole))[known])
    assert apart <= np.sqrt(2 * excess(parts)) + np.sqrt(2 * excess(whole)) < 0.03
    assert np.abs(early - whole.transform(given)).max() < 0.03
    first = MatrixCompletion(weight=2.0, tol=1e-7).fit(given[:20]).transform(given)
    assert np.abs(first - whole.transform(given)).max() > 0.2, "the later rows matter"
    chosen = MatrixCompletion().partial_fit(given[:40])
    weight = chosen.weight_
    assert chosen.partial_fit(given[40:]).weight_ == weight in chosen.lambda_path_


def test_a_row_is_filled_as_the_fit_itself_has_it():
    """Given the columns, the row of the optimum is the ridge regression that `transform` solves.

    Its objective falls by ½‖d‖²_H for a row that moves by d, with H = VᵀV + diag(λ, …, λ, ρ), and by no more
    than the certificate leaves; so the entry j moves by at most √(2·excess·(‖v_j‖²/λ + 1/ρ)).
    """
    _, given = partly()
    fitted = MatrixCompletion(weight=2.0, tol=1e-7).fit(given)
    moved = np.abs(fitted.transform(given) - own(fitted))
    most = np.sqrt(2 * excess(fitted) * (np.sum(fitted.fit_.V**2, axis=1) / 2.0 + 1 / 3.0))
    assert fitted.certificate_ <= 1e-6 and most.max() < 0.02  # of which single precision is a part
    assert (moved <= most)[np.isnan(given)].all()


def test_ratings_by_labels():
    X, given = partly()
    rows, cols = np.nonzero(~np.isnan(given))
    users, items, ratings = np.array([f"u{i:02}" for i in rows]), cols + 100, X[rows, cols]
    fitted = MatrixCompletion().fit_ratings(users, items, ratings)
    assert np.corrcoef(fitted.predict_ratings(users, items), ratings)[0, 1] > 0.9
    with pytest.warns(UserWarning, match="1 of 1 pairs have an unknown user or item"):
        assert np.isfinite(fitted.predict_ratings(["nobody"], [100])).all()
    for far in (lambda: fitted.fit_ratings(users, items, ratings + 1e9), lambda: fitted.fit(X + 1e9)):
        with pytest.raises(ValueError, match="in single precision, which goes by 64 there; subtract"):
            far()


@pytest.fixture(scope="module")
def films():
    """Ratings by 40 users of 25 films by name, to a small tolerance: (fitted, users, films, ratings)."""
    X, rng = low_rank()
    rows, cols = np.nonzero(rng.random(X.shape) < 0.5)
    users, names = rows + 100, np.array([f"film {j:02}" for j in cols])
    model = MatrixCompletion(weight=2.0, tol=1e-7)
    return model.fit_ratings(users, names, X[rows, cols]), users, names, X[rows, cols]


def test_what_is_recommended_by_rating_is_the_best_of_the_unseen(films):
    model, users, names, _ = films
    model = copy(model).set_params(ranking="rating")
    result, values = model.recommend(103, 5)
    unseen = sorted(set(model.items_) - set(names[users == 103]))
    predicted = model.predict_ratings([103] * len(unseen), unseen)
    order = np.argsort(-predicted)[:5]
    assert result.tolist() == [unseen[k] for k in order]
    np.testing.assert_allclose(values, predicted[order])
    np.testing.assert_allclose(model.scores(103, unseen), predicted)
    assert len(model.recommend(103, 1000)[0]) == len(unseen)
    assert {*model.recommend(103, 1000, rated=True)[0]} == {*model.items_}


def test_what_is_recommended_is_the_best_of_the_unseen_by_the_top_n_fit(films):
    model, users, names, ratings = films
    fit, rows = model.ranking_, np.searchsorted(model.users_, users)
    place = rows == np.searchsorted(model.users_, 103)
    cols = np.searchsorted(model.items_, names)
    scores = fit.scores(cols[place], ratings[place])
    scores[cols[place]] = -np.inf
    order = np.argsort(-scores)[:5]
    result, values = model.recommend(103, 5)
    assert result.tolist() == model.items_[order].tolist()
    np.testing.assert_allclose(values, scores[order], rtol=1e-6)
    assert {*model.recommend(103, 1000)[0]} == {*model.items_} - {*names[users == 103]}
    assert {*model.recommend(103, 1000, rated=True)[0]} == {*model.items_}
    assert (model.recommend({}, 25)[1] == -np.sort(-fit.popularity)).all()
    assert 0 <= fit.relative_gap <= 1e-3 and model.ranking_ is fit


def test_the_ranking_is_that_of_the_last_fit():
    _, given = partly(share=0.5)
    model = MatrixCompletion(weight=2.0)
    assert not hasattr(model, "ranking_")
    first = model.fit(given[:20]).ranking_
    known = np.flatnonzero(np.isfinite(given[3]))
    for ranking in ("rating", "top-n"):
        assert not np.isin(model.set_params(ranking=ranking).recommend(3, 25)[0], known).any()
    second = model.partial_fit(given[20:]).ranking_
    np.testing.assert_array_equal(second.factor, clone(model).fit(given).ranking_.factor)
    assert first is not second and pickle.loads(pickle.dumps(model)).ranking_.ndcg == second.ndcg
    with pytest.raises(ValueError, match="unknown ranking 'popularity'.* rating"):
        model.set_params(ranking="popularity").recommend(3)
    few = MatrixCompletion(weight=2.0).fit_ratings([1, 2, 3], [1, 2, 1], [3, 4, 5])
    with pytest.raises(ValueError, match="too few to choose the ranking 'top-n'"):
        few.recommend(1)
    assert few.set_params(ranking="rating").recommend(1)[0].tolist() == [2]


def test_somebody_new_is_as_a_user_of_the_fit_with_his_ratings(films):
    model, users, names, ratings = films
    for user in (100, 117):
        his = dict(zip(names[users == user], ratings[users == user], strict=True))
        np.testing.assert_allclose(model.scores(his), model.scores(user), atol=2e-3)
        assert model.recommend(his, 4)[0].tolist() == model.recommend(user, 4)[0].tolist()
    few = {"film 03": 2.0, "film 07": -1.0}
    assert not set(few) & set(model.recommend(few, 25)[0])
    np.testing.assert_allclose(model.scores({}), model.fit_.row_offset[-1] + model.column_offset_)
    with pytest.warns(UserWarning, match="1 of 2 items of the new user are unknown: left out"):
        part = model.scores({"film 03": 2.0, "no film": 3.0})
    np.testing.assert_array_equal(part, model.scores({"film 03": 2.0}))


def test_items_are_alike_whose_predictions_are(films):
    model, *_ = films
    beyond = model.fit_.U @ model.fit_.V.T
    cosines = np.corrcoef(np.vstack([beyond, -beyond]).T)[list(model.items_).index("film 04")]
    order = [k for k in np.argsort(-cosines) if model.items_[k] != "film 04"][:6]
    result, values = model.similar("film 04", 6)
    assert result.tolist() == model.items_[order].tolist()
    np.testing.assert_allclose(values, cosines[order], atol=1e-6)


@pytest.mark.parametrize(
    "call, why",
    [
        (lambda model: model.recommend("nobody"), "unknown user 'nobody': 40 were fitted, such as .*100"),
        (lambda model: model.similar("no film"), "unknown item 'no film': 25 were fitted"),
        (lambda model: model.scores(100, ["no film"]), "unknown item .*no film"),
        (lambda model: model.recommend(100, 0), "n must be a whole number above 0, not 0"),
        (lambda model: model.recommend({"film 03": np.nan}), "ratings of a new user must be finite"),
        (lambda model: model.predict_ratings([100, 101], ["film 03"]), "must be pairs, given 2 and 1"),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_what_is_asked_for_wrongly_is_told(films, call, why):
    with pytest.raises(ValueError, match=why):
        call(films[0])


def test_ids_of_another_type_are_compared_as_texts_and_unknown_pairs_are_counted(films):
    model, users, names, _ = films
    exact = model.predict_ratings(users[:9], names[:9])
    for asked in (users[:9].astype(float), users[:9].astype(str), [*map(str, users[:9])]):
        with pytest.warns(UserWarning, match="users were fitted as whole numbers .* asked for as .*texts"):
            np.testing.assert_array_equal(model.predict_ratings(asked, names[:9]), exact)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict_ratings(users[:9].astype(np.uint8), names[:9].astype(object))
    with pytest.warns(UserWarning, match="2 of 3 pairs have an unknown user or item"):
        model.predict_ratings([100, 7, 100], ["film 03", "film 03", "no film"])
    mixed = MatrixCompletion(weight=2.0)
    with pytest.warns(UserWarning, match="users are of several types .int, str.: taken as texts"):
        mixed.fit_ratings([1, "2", 3], ["a", "b", "a"], [3, 4, 5])
    assert mixed.users_.tolist() == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("users", "items", "ratings", "why"),
    [
        ([1, 2], [1], [3, 4], "must be of one length, given 2, 1 and 2"),
        (["a", "a"], [1, 1], [3, 4], "several ratings: a, 1"),
        ([1, 2], [1, 2], [3, np.nan], "1 of 2 ratings are NaN or infinite, the first at place 1"),
        ([1, 2], [1, 2], [1.0, np.inf], "ratings are NaN or infinite"),
        ([1, 2], [1, 2], [1.0, 2.0j], "ratings must be"),
        ([1, 2], [1, 2], ["1", "2"], "ratings must be"),
        ([1, 2], [1, 2], [[1.0, 2.0]], "ratings must be|must be of one length"),
        ([], [], [], "needs at least one rating"),
        ([1, 2, 3], [1, 2, 1], [3, 3, 3], "all ratings are 3: nothing to complete"),
        ([1], [1], [3.0], "nothing to complete|folds must be 2 to 1, .*: give a weight"),
        ([1, 2], [1, 2], [3, 4], "folds must be 2 to 2, the number of ratings, not 3.*: give a weight"),
        ([1, np.nan], [1, 2], [3, 4], "the user at place 1 is missing"),
        ([1, 2], ["a", ""], [3, 4], "the item at place 1 is missing"),
        ([[1], [2]], [1, 2], [3, 4], "users must be a list of labels, given an array of shape"),
    ],
)
def test_errors_about_ratings_speak_of_ratings(users, items, ratings, why):
    with pytest.raises(ValueError, match=why):
        MatrixCompletion().fit_ratings(users, items, ratings)


def test_zeros_and_counts_are_warned_of():
    fit, near = MatrixCompletion(weight=2.0), np.arange(12)
    counts = np.where(near == 5, 400, 2)
    for values, why in ((near % 4, "3 of 12 ratings are 0"), (counts, "up to 400, .* look like counts")):
        with pytest.warns(UserWarning, match=why):
            fit.fit_ratings(near % 5, near, values)
    with pytest.warns(UserWarning, match="24 of 48 ratings are 0.*; make what is not known NaN"):
        fit.fit((np.arange(48) % 2 * 3.0).reshape(6, 8))


def test_a_fast_fit_is_near_and_says_its_gap(films):
    model, users, names, ratings = films
    fast = MatrixCompletion(weight=2.0, fast=True).fit_ratings(users, names, ratings)
    exact = model.fit_.objective
    assert exact <= fast.fit_.objective * (1 + 1e-6) <= exact / (1 - fast.certificate_) * (1 + 1e-5)


def test_oscar_finds_groups_and_bounded_losses_ignore_outliers():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 8))
    beta = np.array([2.0, 2.0, -2.0, 0, 0, 0, 0, 0])
    y = X @ beta + 1.0 + 0.05 * rng.standard_normal(120)
    fitted = OscarRegressor(lambda1=0.01, lambda2=20.0).fit(X, y)
    assert len(set(fitted.groups_[:3])) == 1 and fitted.groups_[0] > 0
    assert fitted.intercept_ == pytest.approx(1.0, abs=0.1)
    y[:10] += 50.0
    plain, robust = (OscarRegressor(lambda1=1e-4, lambda2=0.0, loss=loss).fit(X, y) for loss in ("sq", "cor"))
    assert np.abs(robust.coef_ - beta).max() < 0.1 < np.abs(plain.coef_ - beta).max()


def test_the_classifier_has_low_rank_and_a_path_that_ends_at_zero():
    rng = np.random.default_rng(0)
    W = rng.standard_normal((10, 2)) @ rng.standard_normal((2, 6))
    X = rng.standard_normal((400, 10))
    y = np.argmax(X @ W, axis=1)
    fitted = TraceNormClassifier(weight=2e-2).fit(X, y)
    assert fitted.score(X, y) > 0.85 and fitted.rank_ <= 3
    assert np.linalg.matrix_rank(fitted.coef_, tol=1e-6) <= fitted.rank_
    np.testing.assert_allclose(fitted.predict_proba(X).sum(axis=1), 1.0)
    none = TraceNormClassifier(weight=1.01 * fitted.lambda_max_).fit(X, y)
    assert none.rank_ == 0 and not none.coef_.any()


def test_low_rank_under_outliers():
    X, rng = low_rank(60, 30)
    noisy = X.copy()
    spoiled = rng.random(X.shape) < 0.1
    noisy[spoiled] += 50.0 * rng.choice([-1, 1], spoiled.sum())
    fitted = RobustLowRank(n_components=2).fit(noisy)
    true = np.linalg.svd(X, full_matrices=False)[2][:2]
    plain = np.linalg.svd(noisy - noisy.mean(axis=0), full_matrices=False)[2][:2]
    angle = np.linalg.svd(fitted.components_ @ true.T, compute_uv=False).min()
    assert angle > 0.97 > np.linalg.svd(plain @ true.T, compute_uv=False).min()
    assert 0.05 < fitted.outlier_share_ < 0.2


@pytest.mark.parametrize("folds", [1, 9])
def test_folds_that_can_choose_no_weight_are_refused(folds):
    users, items = np.divmod(np.arange(8), 2)
    with pytest.raises(ValueError, match="folds must be 2 to 8, .*: give a weight"):
        MatrixCompletion(folds=folds).fit_ratings(users, items, np.arange(8))


def test_completion_beyond_memory_stays_on_disk():
    _, given = partly(share=0.4)
    here = MatrixCompletion(weight=2.0).fit(given)
    with pytest.warns(UserWarning, match="the ratings stay on disk"):
        there = MatrixCompletion(weight=2.0, memory=1000).fit(given)
    np.testing.assert_array_equal(there.components_, here.components_)


@pytest.mark.parametrize("of_X, of_y", [(0, 530), (0, -530), (530, 0), (-530, 0), (1000, 1010), (-480, 500)])
def test_at_the_ends_of_the_floats(of_X, of_y):
    X, rng = low_rank()
    X += 0.1 * rng.standard_normal(X.shape)
    y = X @ np.repeat([1.0, 0.0, -2.0], [2, 20, 3]) + rng.standard_normal(40)
    far_X, far_y = np.ldexp(X, of_X), np.ldexp(y, of_y)
    plain, far = (OscarRegressor().fit(*given) for given in ((X, y), (far_X, far_y)))
    np.testing.assert_allclose(np.ldexp(far.coef_, of_X - of_y), plain.coef_, rtol=1e-9)
    np.testing.assert_array_equal(far.groups_, plain.groups_)
    plain, far = (TraceNormClassifier().fit(given, y > 0) for given in (X, far_X))
    np.testing.assert_allclose(far.predict_proba(far_X), plain.predict_proba(X), rtol=1e-9)
    plain, far = (RobustLowRank(sigma=30.0).fit(given) for given in (X, far_X))
    np.testing.assert_allclose(np.ldexp(far.low_rank_, -of_X), plain.low_rank_, atol=1e-2)


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_a_regression_on_a_sparse_matrix(form):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((50, 6)) * (rng.random((50, 6)) < 0.3)
    y = X @ [2.0, 2.0, 0.0, 0.0, -1.0, 0.0] + 0.1 * rng.standard_normal(50)
    dense, stored = (OscarRegressor().fit(given, y) for given in (X, form(X)))
    np.testing.assert_allclose(stored.coef_, dense.coef_, atol=1e-12)
    np.testing.assert_allclose(stored.predict(form(X)), dense.predict(X))


@pytest.mark.parametrize(
    "estimator",
    [kind(max_iter=1, tol=1e-9) for kind in (OscarRegressor, RobustLowRank, TraceNormClassifier)],
    ids=named,
)
def test_a_fit_that_ends_early_is_warned_of(estimator):
    X, _ = low_rank()
    with pytest.warns(ConvergenceWarning, match=f"{named(estimator)} did not reach tol=.*1 iterations"):
        estimator.fit(X, X[:, 0] > 0)


def test_a_completion_that_ends_early_is_warned_of():
    fitted = MatrixCompletion(weight=2.0).fit(low_rank()[0])
    with pytest.warns(ConvergenceWarning, match="MatrixCompletion did not reach tol=.*the relative gap is"):
        fitted.set_params(tol=fitted.certificate_ / 2)._keep(fitted.fit_)


@pytest.mark.parametrize("kind", [np.asarray, np.ma.masked_array, sparse.csr_array])
@pytest.mark.parametrize("estimator", ALL, ids=named)
def test_no_imaginary_part_is_dropped(estimator, kind):
    with pytest.raises((ValueError, TypeError), match="(?i)complex|sparse data was passed"):
        clone(estimator).fit(kind(np.eye(6) + 1j), np.arange(6) % 2)


@pytest.mark.parametrize("value", ["text", [1.0], {}, -1.0, np.nan])
@pytest.mark.parametrize("estimator, parameter", [(each, name) for each in ALL for name in each.get_params()])
def test_a_parameter_that_is_no_such_number_is_named(estimator, parameter, value):
    """Fit tells the estimator and its parameter, not a line inside."""
    X = np.random.default_rng(0).standard_normal((20, 4))
    y = X[:, 0] > 0 if isinstance(estimator, TraceNormClassifier) else X[:, 0]
    message = rf"(estimator|problem) '\w+': {parameter} must be|unknown (loss|ranking)"
    with pytest.raises(ValueError, match=message):
        clone(estimator).set_params(**{parameter: value}).fit(X, y)


@pytest.mark.parametrize("seed", [11, 13, 24, 30, 31, 32])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_rounding_of_single_precision_is_in_the_certificate(seed):
    """Asked for more than floats can show, a fit of any scale ends at a gap above zero, not below."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=(15, 2)) @ rng.normal(size=(2, 12)) * 10.0 ** (seed % 9 - 4)
    users, items = np.nonzero(rng.random(truth.shape) < 0.5)
    model = MatrixCompletion(weight=0.3 * abs(truth).max(), tol=1e-12, count=2)
    fitted = model.fit_ratings(users, items, truth[users, items])
    assert 0 < fitted.certificate_ < 1e-5
