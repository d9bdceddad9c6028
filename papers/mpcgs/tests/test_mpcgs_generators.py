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


TEXT = {"rows": 60, "features": 300, "classes": 4, "length": 20.0, "skew": 1.0}
CASES = [("labelled_rows", {"source": table(), "held_out": 0.3}), ("text_rows", TEXT)]


@pytest.mark.parametrize(("name", "params"), CASES)
def test_same_seed_same_arrays_other_seed_others(name, params):
    check_seeds(name, params)


def test_text_rows_are_unit_sparse_and_skewed():
    out = make("text_rows", **TEXT)
    X, y = out["X"], out["y"]
    assert X.shape == (60, 300) and X.dtype == np.float64 and y.min() == 1 and y.max() == 4
    np.testing.assert_allclose(np.sqrt(X.multiply(X).sum(axis=1)), 1.0, rtol=1e-12)
    sizes = np.bincount(y)[1:]
    assert sizes[0] > sizes[1] > sizes[3] > 0 and sizes.sum() == 60
    assert 5 < X.nnz / 60 < 40 and X.data.min() > 0


def test_text_rows_of_one_class_share_words():
    out = make("text_rows", rows=400, features=3000, classes=4, length=60.0)
    inside = (out["X"] @ out["X"].T).toarray()
    alike = out["y"][:, None] == out["y"]
    np.fill_diagonal(inside, 0)
    assert inside[alike].mean() > 1.5 * inside[~alike].mean()
