"""A regression problem from a prepared table: target, scaling, fewer rows or pixels."""

import warnings
from typing import Literal

import numpy as np

from referee.data import generators
from referee.data.errors import DataError


def generate(
    rng: np.random.Generator,
    *,
    source: dict,
    scaling: Literal["standard", "raw", "unit", "median"] = "standard",
    target: Literal["as_is", "one_against_rest"] = "as_is",
    rows: int | None = None,
    every: int = 1,
    pool: int = 1,
    redraw: dict | None = None,
) -> dict[str, np.ndarray]:
    """Features and targets, by default with mean 0 and standard deviation 1 (population), no intercept.

    Parameters
    ----------
    source : prepared dataset with X (n, d), y (n,).
    scaling : features and targets standardised; as they are (``raw``); columns of unit norm (``unit``); or
        features standardised and targets by median and MAD (``median``).
    target : ``as_is``, or ``one_against_rest``: +1 for the first class, −1 for the others.
    rows, every : the first so many rows, of every so-manieth.
    pool : images of d = side² pixels are averaged over squares of that side.
    redraw : {generator, params}; where the source is a stand-in, a new one is drawn for each seed.

    Returns
    -------
    features float64 (n, d') without constant columns (a warning says how many were dropped), targets (n,).
    """
    if redraw and source["attrs"].get("stand_in"):
        source = generators.generate(redraw["generator"], rng, paper="ipg", **redraw.get("params", {}))
    X = source["X"][::every][:rows]
    y = np.asarray(source["y"][::every][:rows], dtype=np.float64)
    if target == "one_against_rest":
        y = np.where(y == y.min(), 1.0, -1.0)
    X = _pooled(X, pool).astype(np.float64)
    return {"features": _features(X, scaling), "targets": _targets(y, scaling)}


def _pooled(X, pool):
    if pool == 1:
        return X
    side = round(X.shape[1] ** 0.5)
    if side * side != X.shape[1] or side % pool:
        raise DataError(f"{X.shape[1]} pixels are no square that squares of side {pool} fill")
    blocks = X.reshape(len(X), side // pool, pool, side // pool, pool)
    return blocks.mean(axis=(2, 4)).reshape(len(X), -1)


def _features(X, scaling):
    spread = X.std(axis=0)
    constant = spread <= 1e-12 * np.abs(X).max(axis=0)
    if scaling != "raw" and constant.any():
        warnings.warn(f"{int(constant.sum())} constant columns are dropped", stacklevel=3)
        X, spread = np.ascontiguousarray(X[:, ~constant]), spread[~constant]
    if scaling in ("standard", "median"):
        X -= X.mean(axis=0)
        X /= spread
    elif scaling == "unit":
        X /= np.linalg.norm(X, axis=0)
    return X


def _targets(y, scaling):
    if scaling == "raw":
        return y
    if scaling == "median":
        centred = y - np.median(y)
        return centred / np.median(np.abs(centred))
    return (y - y.mean()) / y.std()
