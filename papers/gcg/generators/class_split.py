"""Dense rows of a multi-class dataset, so many of each class for training and for testing (gcg Table 2)."""

from typing import Literal

import numpy as np

from projfree.linalg.tall import row_space
from referee.data.errors import DataError


def generate(
    rng: np.random.Generator,
    *,
    source: dict,
    train: int,
    test: int,
    classes: int | None = None,
    normalise: Literal["power+l2", "l2", "none"] = "power+l2",
    bias: bool = False,
    reduce: bool = True,
) -> dict[str, np.ndarray]:
    """A random split of each class.

    Parameters
    ----------
    source : prepared dataset with X (N, n) dense and y (N,), labels of any kind.
    train, test : rows of each class.
    classes : the first so many labels only; all by default.
    normalise : ``power+l2`` takes sign(x)√|x|, then rows of norm 1, as Fisher vectors are (U31); ``l2``.
    bias : append a column of ones (U25).
    reduce : where there are more features than training rows, pass to coordinates in the rows' span: an
        isometry, so that objective, trace norm and iterates of any method on factors stay.

    Returns
    -------
    ``features, labels, classes, test_features, test_labels``; rows sorted by class.
    """
    known = np.unique(source["y"])
    if classes is not None and not 1 < classes <= known.size:
        raise DataError(f"classes={classes}, but the dataset has {known.size} labels")
    known = known[:classes]
    chosen = np.array([_draw(rng, source["y"], label, train + test) for label in known])
    X = {"": chosen[:, :train], "test_": chosen[:, train:]}
    X = {name: _normalised(source["X"][rows.ravel()], normalise, bias) for name, rows in X.items()}
    if reduce and X[""].shape[1] > X[""].shape[0]:
        X[""], to_coordinates = row_space(X[""])
        X["test_"] = to_coordinates(X["test_"])
    labels = {"labels": np.repeat(np.arange(known.size), train)}
    labels["test_labels"] = np.repeat(np.arange(known.size), test)
    return {
        **{f"{name}features": part for name, part in X.items()},
        **labels,
        "classes": np.int64(known.size),
    }


def _draw(rng, y, label, size):
    members = np.flatnonzero(y == label)
    if members.size < size:
        raise DataError(f"class {label} has {members.size} rows, {size} are asked for")
    return rng.choice(members, size, replace=False)


def _normalised(X, how, bias):
    X = X.astype(np.float64)
    if how == "power+l2":
        X = np.sign(X) * np.sqrt(np.abs(X))
    if how != "none":
        norms = np.linalg.norm(X, axis=1, keepdims=True)
        X /= np.where(norms > 0, norms, 1.0)
    return np.column_stack([X, np.ones(len(X))]) if bias else X
