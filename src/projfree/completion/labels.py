"""Ids of users and items as people give them: compared as they are, or as texts if their types differ."""

import warnings
from numbers import Integral, Real

import numpy as np

#: What arrays hold, by the kind of their dtype.
HELD = {"i": "whole numbers", "u": "whole numbers", "b": "whole numbers", "f": "floats", "U": "texts"}


def text_of(value) -> str:
    """An id as a table has it: 3, also where a column of them became floats; empty for NaN, None, pd.NA."""
    if value is None or type(value).__name__ == "NAType" or value != value:  # noqa: PLR0124 - NaN
        return ""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return value.decode() if isinstance(value, bytes) else str(value)


def texts(labels) -> np.ndarray:
    """Labels as `text_of` writes them, (n,)."""
    return np.array([*map(text_of, labels)], dtype=str)


def checked(labels, what: str) -> np.ndarray:
    """Labels (n,) as numbers or texts.

    Raises ValueError if they are not one-dimensional, or one is missing (None, NaN, pd.NA, empty). Labels of
    several types are taken as texts, with a warning; so are whole numbers that no type of NumPy holds.
    """
    array = np.asarray(labels)
    if array.dtype.kind in "fU" and not hasattr(labels, "dtype"):  # of a list: 3.0 became '3.0', 2⁶³ a float
        array = np.array(list(labels), dtype=object)
    if array.ndim != 1:
        raise ValueError(f"{what}s must be a list of labels, given an array of shape {array.shape}")
    result = array if array.dtype.kind in HELD else texts(array.tolist())
    missing = (
        np.isnan(result) if result.dtype.kind == "f" else result == "" if result.dtype.kind == "U" else False
    )
    if np.any(missing):
        raise ValueError(f"the {what} at place {int(np.argmax(missing))} is missing")
    return result if array.dtype.kind in HELD or not array.size else _numbers(array, result, what)


def _numbers(array, as_texts, what):
    """Objects as numbers, if all are, and exactly; else `as_texts`."""
    if all(isinstance(label, Integral) for label in array):
        fits = [k for k in map(np.iinfo, ("i8", "u8")) if k.min <= min(array) and max(array) <= k.max]
        return array.astype(fits[0].dtype) if fits else as_texts
    if all(isinstance(label, Real) for label in array) and (array.astype(float) == array).all():
        return array.astype(float)
    types = sorted({type(label).__name__ for label in array})
    if len(types) > 1:
        warnings.warn(f"{what}s are of several types ({', '.join(types)}): taken as texts", stacklevel=5)
    return as_texts


def places(known, labels, what: str) -> np.ndarray:
    """Places of labels among the known ones, int64 (n,), −1 for others.

    Labels of another type than the known ones are compared as texts, with a warning.
    """
    labels = checked(labels, what)
    types = HELD[known.dtype.kind], HELD[labels.dtype.kind]
    if types[0] != types[1] and labels.size:
        message = f"{what}s were fitted as {types[0]} and are asked for as {types[1]}: compared as texts"
        warnings.warn(message, stacklevel=3)
        known, labels = texts(known.tolist()), texts(labels.tolist())
    inside = True
    if {known.dtype.kind, labels.dtype.kind} == {"i", "u"}:  # which NumPy compares as floats
        held = np.iinfo(known.dtype)
        inside, labels = (labels >= held.min) & (labels <= held.max), labels.astype(known.dtype)
    order = np.argsort(known, kind="stable")
    at = np.minimum(np.searchsorted(known, labels, sorter=order), len(known) - 1)
    return np.where(inside & (known[order[at]] == labels), order[at], -1)
