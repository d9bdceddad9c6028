"""Matrix completion by the trace norm, with offsets of rows and columns; λ by cross-validation."""

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ..completion.choice import fit_path
from ..completion.fitting import Part, Setting, predict
from ..completion.prepared import within
from ..completion.ratings import Ratings, lost_in_single
from ..linalg.validation import vector
from . import settled

#: What a matrix is fitted with, where `fit_ratings` allows for how often each user and item was rated.
PLAIN = {"power": 0.0, "implicit": 0.0}


class MatrixCompletion(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """½ Σ (W_ij + b_i + c_j − X_ij)² + λ‖W‖_tr + (ρ/2)(‖b‖² + ‖c‖²) over the entries that are known.

    An imputer as scikit-learn has them: `fit` learns the columns, `transform` fills each row by the best row
    factor and offset for what it knows. `fit_ratings` takes triplets, as `projfree complete` does.

    Parameters
    ----------
    weight : float or None
        λ; None chooses it by cross-validation.
    ridge : float
        ρ.
    folds, count : int
        Of the cross-validation: its folds, and the number of λ tried.
    tol : float
        Relative duality gap of the fit.
    random_state : int
        Of the folds.
    memory : int or None
        Bytes that a fit may take before the ratings stay on disk; None is half of the machine's.

    Attributes
    ----------
    weight_ : float, λ
    components_ : (rank, n_features) array, the factor of the columns
    column_offset_ : (n_features,) array
    rank_ : int
    lambda_path_ : list of float, the λ tried, falling; `errors_` (λ, folds) their errors
    certificate_ : float, the relative duality gap reached
    """

    def __init__(self, weight=None, ridge=3.0, folds=3, count=5, tol=1e-3, random_state=0, memory=None):
        self.weight, self.ridge, self.folds, self.count = weight, ridge, folds, count
        self.tol, self.random_state, self.memory = tol, random_state, memory

    def __sklearn_tags__(self):
        """NaN and sparse matrices are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.sparse = True
        return tags

    def fit(self, X, y=None):
        """Fit X (n, p): NaN are not known; of a sparse or masked matrix what is not stored.

        A sparse matrix that stores an entry twice is an error, and none is made dense.
        """
        X = self._checked(X, reset=True)
        rows, cols, values = _known(X)
        if not rows.size:
            raise ValueError("MatrixCompletion needs at least one entry that is known")
        self._seen = _ratings(rows, cols, values, *map(np.arange, X.shape))
        return self._fit(self._seen, **PLAIN)

    def partial_fit(self, X, y=None):
        """Fit rows X (n, p) beneath those of earlier calls: what `fit` gives for all of them at the same λ.

        The first call is `fit`, which chooses λ. What is known of earlier rows is kept, as the optimum
        depends on all of it; each fit begins where the last has ended.
        """
        if getattr(self, "_seen", None) is None:
            return self.fit(X)
        X, seen, last = self._checked(X, reset=False), self._seen, self.fit_
        rows, cols, values = _known(X)
        more = rows + seen.shape[0], cols, values
        entries = map(np.concatenate, zip((seen.rows, seen.cols, seen.values), more, strict=True))
        self._seen = _ratings(*entries, np.arange(seen.shape[0] + X.shape[0]), seen.items)
        setting, new = self._setting(**PLAIN), (0, X.shape[0])
        row_offset, column_offset = (o[:-1] - o[-1] for o in (last.row_offset, last.column_offset))
        with within(self._seen, self.memory) as source:
            part = Part(source.sweeps(None, setting.threads), setting)
            part.start = np.pad(last.U, (new, (0, 0))), last.V, np.pad(row_offset, new), column_offset
            return self._keep(part.solve(self.weight_, self.tol))

    def fit_ratings(self, users, items, ratings):
        """Fit triplets, users and items by any labels; no pair may come twice. See `predict_ratings`."""
        (self.users_, rows), (self.items_, cols) = (np.unique(w, return_inverse=True) for w in (users, items))
        values = vector("ratings", ratings)
        if not len(rows) == len(cols) == len(values):
            raise ValueError(
                f"{len(rows)} users, {len(cols)} items and {len(values)} ratings: not as many of each"
            )
        self.n_features_in_, self._seen = len(self.items_), None
        return self._fit(_ratings(rows, cols, values, self.users_, self.items_))

    def predict_ratings(self, users, items):
        """Predictions for pairs; a user or item without ratings has the offset of one that is not known."""
        check_is_fitted(self, "users_")
        places = [_places(known, asked) for known, asked in ((self.users_, users), (self.items_, items))]
        return predict(self.fit_, *places)

    def transform(self, X):
        """X with what is not known filled in, each row by itself; a dense array."""
        check_is_fitted(self)
        X = _dense(self._checked(X, reset=False))
        for row in np.flatnonzero(~np.isfinite(X).all(axis=1)):
            known = np.isfinite(X[row])
            u, b = self._row(known, X[row, known])
            X[row, ~known] = (u @ self.components_ + b + self.column_offset_)[~known]
        return X

    def _row(self, known, values):
        """The factor and the offset of a row, given the columns: ridge regression."""
        V = np.column_stack([self.components_.T, np.ones(len(self.column_offset_))])[known]
        ridge = np.full(V.shape[1], self.weight_)
        ridge[-1] = self.ridge
        found = np.linalg.solve(
            V.T @ V + np.diag(ridge), V.T @ (values - self.column_offset_[known] - self.mean_)
        )
        return found[:-1], found[-1] + self.mean_

    def _setting(self, **model):
        weights = () if self.weight is None else (float(self.weight),)
        chosen = {"folds": self.folds, "count": self.count, "tol": self.tol, "seed": self.random_state}
        return Setting(ridge=self.ridge, weights=weights, clip=False, **chosen, **model)

    def _fit(self, ratings, **model):
        if self.weight is None and not (2 <= self.folds <= ratings.n and np.ptp(ratings.values)):
            raise ValueError(
                "MatrixCompletion chooses its weight by folds ≥ 2 of ratings that differ; "
                f"there are {ratings.n} ratings for {self.folds} folds: give a weight, or change folds"
            )
        with within(ratings, self.memory) as source:
            path = fit_path(source, self._setting(**model))
        self.lambda_path_, self.errors_ = path.weights, path.errors
        return self._keep(path.fit)

    def _keep(self, fit):
        self.fit_, self.weight_, self.rank_, self.certificate_ = fit, fit.weight, fit.rank, fit.relative_gap
        self.mean_ = float(fit.row_offset[-1])
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


def _ratings(rows, cols, values, users, items):
    """Entries of a matrix of users and items, by their places, as ratings in row-major order."""
    if reason := lost_in_single(values.min(), values.max()):
        raise ValueError(reason)
    order = _order(rows, cols, users, items)
    places = rows[order].astype(np.int32), cols[order].astype(np.int32)
    return Ratings(*places, values[order].astype(np.float32), users, items)


def _order(rows, cols, users, items):
    """What brings entries in row-major order; ValueError where one comes twice."""
    order = np.lexsort((cols, rows))
    again = (np.diff(rows[order]) == 0) & (np.diff(cols[order]) == 0)
    if again.any():
        at = order[np.argmax(again)]
        user, item = users[rows[at]], items[cols[at]]
        raise ValueError(f"a pair of user and item has several ratings: {user}, {item}")
    return order


def _known(X):
    """Rows, columns and values of the entries that are known, of a sparse matrix those that are stored."""
    if not sparse.issparse(X):
        rows, cols = np.nonzero(np.isfinite(X))
        return rows, cols, X[rows, cols]
    X = X.tocoo()
    known = np.isfinite(X.data)
    return X.row[known], X.col[known], X.data[known]


def _dense(X):
    """A sparse matrix as an array with NaN where nothing is stored; an array as it is."""
    if not sparse.issparse(X):
        return X
    rows, cols, values = _known(X)
    _order(rows, cols, *map(np.arange, X.shape))  # no entry twice
    dense = np.full(X.shape, np.nan)
    dense[rows, cols] = values
    return dense


def _places(known, asked):
    """Places of labels among the sorted known ones, −1 for others."""
    asked = np.asarray(asked)
    places = np.minimum(np.searchsorted(known, asked), len(known) - 1)
    return np.where(known[places] == asked, places, -1)
