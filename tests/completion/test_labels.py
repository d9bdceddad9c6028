"""Ids of users and items in every type that holds them."""

import warnings

import numpy as np
import pandas as pd
import pytest

from projfree.completion.labels import checked, places
from projfree.estimators import MatrixCompletion

#: Ids that two types hold alike, by the type; and ids beyond every type.
WHOLE = [0, 1, 7, 2**31, 2**53 + 1, 2**62, 2**63 - 1]
BEYOND = [2**63, 2**64 - 1, 2**64, 2**70 + 1, 3]


def held(ids):
    """The same ids as people give them, by name."""
    texts = [*map(str, ids)]
    result = {"int64": np.array(ids, np.int64), "uint64": np.array(ids, np.uint64), "list": list(ids)}
    result |= {"object": np.array(ids, object), "str": texts, "bytes": np.array(texts, "S")}
    return result | {"Series": pd.Series(ids), "Int64": pd.Series(ids, dtype="Int64")}


@pytest.mark.parametrize("known", held([1]))
@pytest.mark.parametrize("asked", held([1]))
def test_ids_are_found_whatever_type_holds_them(known, asked, long):
    rng = np.random.default_rng(0)
    for _ in range(200 if long else 20):
        ids = [*{*rng.choice(WHOLE, 3).tolist(), *rng.integers(0, 2**63, 40).tolist()}]
        some = rng.permutation(len(ids))[:20]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            labels = checked(held(ids)[known], "user")
            result = places(labels, held([ids[k] for k in some])[asked], "user")
            np.testing.assert_array_equal(result, some)
            assert (places(labels, np.array([2**63 + 5], np.uint64), "user") == -1).all()
            assert (places(labels, [-1, 2**80], "user") == -1).all()


def test_ids_beyond_every_type_are_texts_and_missing_ones_are_told():
    known = checked(BEYOND, "user")
    assert known.tolist() == [*map(str, BEYOND)]
    assert places(known, [*reversed(BEYOND)], "user").tolist() == [4, 3, 2, 1, 0]
    assert checked([2**63, -1], "user").tolist() == [str(2**63), "-1"]
    assert checked([2**63, 1], "user").dtype == np.uint64 and checked([1.5, 2], "user").dtype == float
    for missing in (pd.NA, None, np.nan, pd.NaT, "", float("nan")):
        with pytest.raises(ValueError, match="the item at place 1 is missing"):
            checked([3, missing, 4], "item")
        with pytest.raises(ValueError, match="the item at place 1 is missing"):
            checked(pd.Series(["a", missing], dtype=object), "item")
    with pytest.raises(ValueError, match="the user at place 0 is missing"):
        checked(pd.Series([pd.NA, 1], dtype="Int64"), "user")


def test_a_fit_knows_its_users_in_every_type():
    """Fitted with unsigned ids and asked for with signed ones, and the other way round."""
    rng = np.random.default_rng(0)
    users, items = rng.integers(2**62, 2**63, 50), np.arange(50) % 7
    for fitted, asked in ((np.uint64, np.int64), (np.int64, np.uint64)):
        model = MatrixCompletion(weight=1.0).fit_ratings(users.astype(fitted), items, rng.integers(1, 6, 50))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model.predict_ratings(users.astype(asked), items)
