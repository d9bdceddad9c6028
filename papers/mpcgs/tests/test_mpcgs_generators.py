"""Generators of mpcgs: labelled rows."""

import numpy as np
import pytest
from generated import check_seeds, make, table

from referee.data.errors import DataError


def test_labelled_rows_split_scale_and_number():
    data = table(sizes=(30, 20, 50))
    out = make("labelled_rows", source=data, held_out=0.2)
    assert out["classes"] == 3 and set(out["labels"]) == {0, 1, 2}
    assert np.bincount(out["test_labels"]).tolist() == [6, 4, 10] and out["shape"].tolist() == [80, 4]
    rows = np.add.reduceat(out["data"] ** 2, out["indptr"][:-1])
    np.testing.assert_allclose(rows, 1.0, rtol=1e-12)
    raw = make("labelled_rows", source=data, scaling="raw", rows=40)
    assert raw["shape"].tolist() == [40, 4] and "test_labels" not in raw
    whole = make("labelled_rows", source=data, scaling="raw")
    np.testing.assert_allclose(whole["data"].reshape(100, 4), data["X"])
    assert np.array_equal(whole["labels"] + 1, data["y"])


def test_labelled_rows_errors():
    for params, words in (
        ({"scaling": "max"}, "unknown scaling 'max'. Known are: raw, tf-idf, unit"),
        ({"held_out": 1.0}, "held_out must be a finite number ≥ 0 and < 1"),
        ({"rows": 101}, "101 rows of 100"),
        ({"scaling": "tf-idf"}, "for counts"),
    ):
        with pytest.raises((DataError, ValueError), match=words):
            make("labelled_rows", source=table(), **params)


CASES = [("labelled_rows", {"source": table(), "held_out": 0.3})]


@pytest.mark.parametrize(("name", "params"), CASES)
def test_same_seed_same_arrays_other_seed_others(name, params):
    check_seeds(name, params)
