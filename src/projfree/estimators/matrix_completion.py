"""Matrix completion by the trace norm, with offsets of rows and columns; λ by cross-validation."""

import warnings
from collections.abc import Mapping
from functools import cached_property
from numbers import Integral
from typing import Literal

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ..common.parameters import Count, Natural, Positive, check
from ..completion import recommending
from ..completion.choice import fit_path
from ..completion.fitting import Fast, Part, Setting, predict
from ..completion.labels import checked, places
from ..completion.prepared import half_of_the_machine, within
from ..completion.ratings import Meaning, Ratings, row_major
from ..completion.top_n import TOL, top_n
from ..linalg.validation import real
from . import settled

#: What a matrix is fitted with, where `fit_ratings` allows for how often each user and item was rated.
PLAIN = {"power": 0.0, "implicit": 0.0}


class MatrixCompletion(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """½ Σ (W_ij + b_i + c_j − X_ij)² + λ‖W‖_tr + (ρ/2)(‖b‖² + ‖c‖²), summed over the known entries.

    An imputer in the sense of scikit-learn: `fit` learns the columns, and `transform` fills each row with the
    best row factor and offset for its known entries. `fit_ratings` takes triplets, like `projfree complete`.
    After either, `recommend` and `scores` give results for one user, and `similar` for one item.
    `recommend` ranks by another fit, `ranking_`: who rates what says more than predicted ratings.

    Parameters
    ----------
    weight : float or None
        λ; None chooses it by cross-validation.
    ridge : float
        ρ.
    folds, count : int
        Number of folds of the cross-validation, and of the values of λ that it tries.
    tol : float
        Relative duality gap of the fit.
    random_state : int
        Seed of the folds.
    memory : int or None
        Bytes that a fit may take before the ratings stay on disk. Default: half of the machine's memory.

    fast : bool
        Use one fold and a few steps instead of `count` and `tol`, like `projfree complete --fast`.
    ranking : {"top-n", "rating"}
        What `recommend` ranks by: the ratings completed with zeros, a soft-thresholded singular value
        decomposition chosen by NDCG@10 on held-out ratings; or the predicted ratings.

    Attributes
    ----------
    weight_ : float, λ
    components_ : (rank, n_features) array, the factor of the columns
    column_offset_ : (n_features,) array
    users_, items_ : (users,), (items,) arrays, the labels of the fit; after a matrix, the numbers of its rows
        and the names or numbers of its columns
    rank_ : int
    lambda_path_ : list of float, the tried values of λ, decreasing; `errors_` (λ, folds) has their errors
    certificate_ : float, the relative duality gap reached
    ranking_ : `completion.top_n.TopN`, computed at the first use, in seconds; its `ndcg` and `recall` are at
        10 items on held-out ratings, `popular` has both of the most popular items
    """

    def __init__(
        self,
        weight: Positive | None = None,
        ridge: Positive = 3.0,
        folds: Count = 3,
        count: Count = 5,
        tol: Positive = 1e-3,
        random_state: Natural | None = 0,
        memory: Count | None = None,
        fast: bool = False,
        ranking: Literal["top-n", "rating"] = "top-n",
    ):
        self.weight, self.ridge, self.folds, self.count = weight, ridge, folds, count
        self.tol, self.random_state, self.memory, self.fast = tol, random_state, memory, fast
        self.ranking = ranking

    def __sklearn_tags__(self):
        """NaN and sparse matrices are accepted."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.sparse = True
        return tags

    def fit(self, X, y=None):
        """Fit X (n, p). Unknown entries are NaN; in a sparse or masked matrix, those that are not stored.

        A sparse matrix that stores an entry twice is an error. Sparse matrices are not made dense.
        """
        X = self._checked(X, reset=True)
        rows, cols, values = _known(X)
        if not rows.size:
            raise ValueError("MatrixCompletion needs at least one entry that is known")
        meaning = Meaning().add(values)
        if odd := meaning.unrated(zeros=2 * meaning.zeros >= meaning.n):
            warnings.warn(
                f"{meaning.shares(odd)}; make what is not known NaN, or do not store it", stacklevel=2
            )
        self.users_, self.items_ = np.arange(X.shape[0]), self._columns()
        self._seen, self._model = Ratings.of(rows, cols, values, self.users_, self.items_), PLAIN
        return self._fit()

    def partial_fit(self, X, y=None):
        """Add rows X (n, p) to those of earlier calls, as `fit` on all rows would at the same λ.

        The first call is `fit`, which chooses λ. The known entries of earlier rows are kept, because the
        optimum depends on all of them; each fit starts from the last one.
        """
        if getattr(self, "_model", None) != PLAIN:
            return self.fit(X)
        X, earlier, last = self._checked(X, reset=False), self._seen, self.fit_
        rows, cols, values = _known(X)
        more = rows + earlier.shape[0], cols, values
        entries = map(np.concatenate, zip((earlier.rows, earlier.cols, earlier.values), more, strict=True))
        self.users_ = np.arange(earlier.shape[0] + X.shape[0])
        self._seen = Ratings.of(*entries, self.users_, earlier.items)
        setting, new = self._setting(), (0, X.shape[0])
        row_offset, column_offset = (o[:-1] - o[-1] for o in (last.row_offset, last.column_offset))
        with within(self._seen, self.memory) as source:
            part = Part(source.sweeps(None, setting.threads), setting)
            part.start = np.pad(last.U, (new, (0, 0))), last.V, np.pad(row_offset, new), column_offset
            return self._keep(part.solve(self.weight_, self.tol))

    def fit_ratings(self, users, items, ratings):
        """Fit triplets (n,) with any labels of users and items, each pair at most once.

        Raises ValueError for arrays of different lengths, missing labels and ratings that are not finite.
        Warns about values that may mean not rated (0, or -1 and 99 apart from the others) and about counts.
        """
        named = [checked(labels, what) for labels, what in ((users, "user"), (items, "item"))]
        values = real("ratings", ratings)
        lengths = [len(named[0]), len(named[1]), values.size]
        if len({*lengths}) > 1 or values.ndim != 1:
            message = "users, items and ratings must be of one length, given {}, {} and {}"
            raise ValueError(message.format(*lengths))
        wrong = np.flatnonzero(~np.isfinite(values))
        if wrong.size:
            message = (
                f"{wrong.size} of {values.size} ratings are NaN or infinite, the first at place {wrong[0]}"
            )
            raise ValueError(f"{message}; leave out what is not rated")
        if not values.size:
            raise ValueError("MatrixCompletion needs at least one rating")
        meaning = Meaning().add(values)
        if odd := meaning.unrated():
            warnings.warn(f"{meaning.shares(odd)}; leave out those that mean not rated", stacklevel=2)
        if message := meaning.counts():
            warnings.warn(f"{message}; fit log(1 + count) if they are", stacklevel=2)
        (self.users_, rows), (self.items_, cols) = (np.unique(w, return_inverse=True) for w in named)
        self.n_features_in_, self._model = len(self.items_), {}
        self._seen = Ratings.of(rows, cols, values, self.users_, self.items_)
        return self._fit()

    def predict_ratings(self, users, items):
        """Predictions (n,) for pairs; a user or item without ratings has the offset of an unknown one.

        A warning gives the number of such pairs. Labels of another type than in the fit are compared as
        texts, with a warning.
        """
        check_is_fitted(self, "users_")
        rows, cols = places(self.users_, users, "user"), places(self.items_, items, "item")
        if rows.size != cols.size:
            raise ValueError(f"users and items must be pairs, given {rows.size} and {cols.size}")
        unknown = np.count_nonzero((rows < 0) | (cols < 0))
        if unknown:
            message = f"{unknown} of {rows.size} pairs have an unknown user or item"
            warnings.warn(f"{message}: their predictions are offsets alone", stacklevel=2)
        return predict(self.fit_, rows, cols)

    def scores(self, user, items=None):
        """Predictions (n,) for one user, of the given items or of all items in the order of `items_`.

        Parameters
        ----------
        user : a label of the fit; or, for a new user, a dict of ratings {item: rating}, from which the row is
            computed without changing the fit
        items : labels (n,), or None for all
        """
        result = self._predicted(*self._rated(user))
        if items is None:
            return result
        cols = places(self.items_, items, "item")
        if (cols < 0).any():
            raise ValueError(f"unknown item {np.asarray(items)[cols < 0][0]!r}: nobody rated it")
        return result[cols]

    def recommend(self, user, n=10, rated=False):
        """The n items (n,) of a user with the greatest scores of `ranking`, and these (n,), decreasing.

        `user` is as for `scores`. Items that he rated are left out, unless `rated`; there are fewer than n if
        fewer are left. `ranking="rating"` ranks by `scores`. The scores of "top-n" approximate, from below, 1
        for the greatest rating and 0 for what is not rated; a user without ratings gets the most popular
        items, and too few ratings to choose the threshold are a ValueError.
        """
        check(type(self), self.get_params(deep=False))
        place, cols, values = self._rated(user)
        if self.ranking == "rating":
            result = self._predicted(place, cols, values)
        else:
            result = self.ranking_.scores(cols, values)
        chosen = recommending.best(result, [] if rated else cols, _count(n))
        return self.items_[chosen], result[chosen]

    @cached_property
    def ranking_(self):
        """The fit of the ratings with zeros, see `completion.top_n.top_n`."""
        check_is_fitted(self, "fit_")
        with within(self._seen, self.memory) as source:
            result = top_n(source, seed=self.random_state)
        settled(self, result.relative_gap <= TOL, f"the gap of the ranking is {result.relative_gap:.3g}")
        return result

    def similar(self, item, n=10):
        """The n items (n,) most similar to one item, and their similarities (n,), decreasing.

        The similarity is the cosine between the predictions for all users without offsets; at most 1.
        """
        check_is_fitted(self, "users_")
        place = self._place(self.items_, item, "item")
        values = recommending.alike(self.fit_, place)
        chosen = recommending.best(values, [place], _count(n))
        return self.items_[chosen], values[chosen]

    def _rated(self, user):
        """Place of a user of the fit, else None; places of the items (n,) that he rated, his ratings (n,)."""
        check_is_fitted(self, "users_")
        if not isinstance(user, Mapping):
            place = self._place(self.users_, user, "user")
            return place, *self._seen.row(place)
        cols, values = places(self.items_, list(user), "item"), np.array([*user.values()], float)
        if not np.isfinite(values).all():
            raise ValueError(f"the ratings of a new user must be finite, given {values}")
        known = cols >= 0
        if not known.all():
            message = (
                f"{np.count_nonzero(~known)} of {known.size} items of the new user are unknown: left out"
            )
            warnings.warn(message, stacklevel=3)
        return None, cols[known], values[known]

    def _predicted(self, place, cols, values):
        """Predictions (items,) for what `_rated` found."""
        fit = self.fit_
        row = self._row(cols, values) if place is None else (fit.U[place], fit.row_offset[place])
        return recommending.scores(fit, *row)

    def _place(self, known, label, what):
        place = places(known, [label], what)[0]
        if place < 0:
            new = "; for somebody new give {item: rating}" if what == "user" else ""
            raise ValueError(f"unknown {what} {label!r}: {len(known)} were fitted, such as {known[0]!r}{new}")
        return place

    def transform(self, X):
        """X with its unknown entries filled in, row by row, as a dense array."""
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        if sparse.issparse(X) and 8 * np.prod(X.shape, dtype=float) > (self.memory or half_of_the_machine()):
            message = "all {:,} × {:,} entries take {:.3g} GB".format(
                *X.shape, 8e-9 * np.prod(X.shape, dtype=float)
            )
            raise MemoryError(f"{message}; use predict_ratings or scores for single predictions")
        X = _dense(X)
        for row in np.flatnonzero(~np.isfinite(X).all(axis=1)):
            known = np.isfinite(X[row])
            result = self._row(np.flatnonzero(known), X[row, known])
            X[row, ~known] = recommending.scores(self.fit_, *result)[~known]
        return X

    def _row(self, cols, values):
        """The factor and the offset of a row, given the columns: ridge regression."""
        setting = self._setting()
        average = self._seen.n / self._seen.shape[0]
        return recommending.row(
            self.fit_, cols, values, ridge=setting.ridge, power=setting.power, average=average
        )

    def _columns(self):
        """Names of the columns if the matrix had names, else their numbers."""
        return np.asarray(getattr(self, "feature_names_in_", np.arange(self.n_features_in_)))

    def _setting(self):
        weights = () if self.weight is None else (float(self.weight),)
        chosen = {"folds": self.folds, "seed": self.random_state}
        if not self.fast:
            chosen |= {"count": self.count, "tol": self.tol}
        model = Fast if self.fast else Setting
        return model(ridge=self.ridge, weights=weights, clip=False, **chosen, **self._model)

    def _fit(self):
        check(type(self), self.get_params(deep=False))
        setting, n = self._setting(), self._seen.n
        if not setting.weights:  # folds must be able to choose one
            if self._seen.scale[0] == self._seen.scale[1]:
                raise ValueError(f"all ratings are {self._seen.scale[0]:g}: nothing to complete")
            if not 2 <= self.folds <= n:
                raise ValueError(
                    f"MatrixCompletion: folds must be 2 to {n}, the number of ratings, not {self.folds}: "
                    "give a weight, or change folds"
                )
        with within(self._seen, self.memory) as source:
            path = fit_path(source, setting)
        self.lambda_path_, self.errors_ = path.weights, path.errors
        return self._keep(path.fit)

    def _keep(self, fit):
        self.__dict__.pop("ranking_", None)
        self.fit_, self.weight_, self.rank_, self.certificate_ = fit, fit.weight, fit.rank, fit.relative_gap
        if not self.fast:  # which stops on purpose before the gap is as small
            settled(self, fit.relative_gap <= self.tol, f"the relative gap is {fit.relative_gap:.3g}")
        self.components_, self.column_offset_ = fit.V.T, fit.column_offset[:-1]
        return self

    def _checked(self, X, reset):
        if isinstance(X, np.ma.MaskedArray):
            X = (X if np.iscomplexobj(X) else X.astype(float)).filled(np.nan)  # complex ones are refused
        return validate_data(
            self,
            X,
            dtype=float,
            accept_sparse=["csr", "csc", "coo"],  # as it came: to convert a matrix sums what is stored twice
            ensure_all_finite="allow-nan",
            reset=reset,
            copy=True,
            ensure_min_samples=2 if reset else 1,
        )


def _known(X):
    """Rows, columns and values of the known entries; in a sparse matrix, of the stored ones."""
    if not sparse.issparse(X):
        rows, cols = np.nonzero(np.isfinite(X))
        return rows, cols, X[rows, cols]
    X = X.tocoo()
    known = np.isfinite(X.data)
    return X.row[known], X.col[known], X.data[known]


def _dense(X):
    """A sparse matrix as an array with NaN for entries that are not stored; an array unchanged."""
    if not sparse.issparse(X):
        return X
    rows, cols, values = _known(X)
    row_major(rows, cols, *map(np.arange, X.shape))  # no entry twice
    dense = np.full(X.shape, np.nan)
    dense[rows, cols] = values
    return dense


def _count(n) -> int:
    if not isinstance(n, Integral) or n < 1:
        raise ValueError(f"n must be a whole number above 0, not {n!r}")
    return int(n)
