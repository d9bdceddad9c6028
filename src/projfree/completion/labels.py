"""Ids of users and items as people give them: compared as they are, or as texts if their types differ."""

import warnings

import numpy as np

#: What arrays hold, by the kind of their dtype.
HELD = {"i": "whole numbers", "u": "whole numbers", "b": "whole numbers", "f": "floats", "U": "texts"}


def text_of(value) -> str:
    """An id as a table has it: 3, also where a column of them became floats; empty for NaN and None."""
    if value is None or value != value:  # noqa: PLR0124 - NaN
        return ""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return value.decode() if isinstance(value, bytes) else str(value)


def texts(labels) -> np.ndarray:
    """Labels as `text_of` writes them, (n,)."""
    return np.array([*map(text_of, labels)], dtype=str)


def checked(labels, what: str) -> np.ndarray:
    """Labels (n,) as numbers or texts.

    Raises ValueError if they are not one-dimensional, or one is missing (None, NaN, empty). Labels of several
    types are taken as texts, with a warning.
    """
    array = np.asarray(labels)
    if array.dtype.kind == "U" and not isinstance(labels, np.ndarray):  # 3.0 among texts became '3.0'
        array = np.array(list(labels), dtype=object)
    if array.dtype.kind not in HELD and array.ndim == 1:
        if not array.size:
            return array.astype(str)
        types = sorted({type(label).__name__ for label in array.tolist() if text_of(label)})
        whole = all(name in ("int", "bool") for name in types)
        if len(types) > 1 and not whole:
            warnings.warn(f"{what}s are of several types ({', '.join(types)}): taken as texts", stacklevel=4)
        found = texts(array.tolist())
        array = array.astype(np.int64) if whole and (found != "").all() else found
    if array.ndim != 1:
        raise ValueError(f"{what}s must be a list of labels, given an array of shape {array.shape}")
    missing = np.isnan(array) if array.dtype.kind == "f" else array == "" if array.dtype.kind == "U" else None
    if missing is not None and missing.any():
        raise ValueError(f"the {what} at place {int(np.argmax(missing))} is missing")
    return array


def places(known, asked, what: str) -> np.ndarray:
    """Places of labels among the known ones, int64 (n,), −1 for others.

    Labels of another type than the known ones are compared as texts, with a warning.
    """
    asked = checked(asked, what)
    types = HELD[known.dtype.kind], HELD[asked.dtype.kind]
    if types[0] != types[1] and asked.size:
        told = f"{what}s were fitted as {types[0]} and are asked for as {types[1]}: compared as texts"
        warnings.warn(told, stacklevel=3)
        known, asked = texts(known.tolist()), texts(asked.tolist())
    order = np.argsort(known, kind="stable")
    at = np.minimum(np.searchsorted(known, asked, sorter=order), len(known) - 1)
    return np.where(known[order[at]] == asked, order[at], -1)
