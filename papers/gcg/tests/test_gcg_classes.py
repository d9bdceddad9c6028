"""The law of the stand-in for Fisher vectors; splits of classes, and their reduction."""

import numpy as np
import pytest

from referee.data import generators
from referee.data.errors import DataError


def stand_in(seed=0, **params):
    values = {"classes": 6, "per_class": 300, "dimension": 256, "separation": 0.9} | params
    return generators.generate("fisher_vectors", np.random.default_rng(seed), paper="gcg", **values)


def test_the_stand_in_follows_its_law():
    made = stand_in()
    assert np.bincount(made["y"]).tolist() == [300] * 6 and made["X"].dtype == np.float32
    means = np.array([made["X"][made["y"] == c].mean(axis=0) for c in range(6)])
    within = made["X"] - means[made["y"]]
    assert np.mean(np.sum(within**2, axis=1)) == pytest.approx(1 + np.sum(1 / np.arange(1, 41)), rel=0.1)
    spread = np.linalg.norm(means, axis=1)
    assert 0.5 < np.mean(spread) / np.sqrt(0.9**2 + np.mean(np.sum(within**2, axis=1)) / 300) < 1.5
    other = stand_in(1)
    assert not np.array_equal(made["X"], other["X"])
    np.testing.assert_array_equal(made["X"], stand_in()["X"])


def split(source, seed=0, **params):
    return generators.generate(
        "class_split", np.random.default_rng(seed), paper="gcg", source=source, **params
    )


def test_splits_are_disjoint_and_of_the_sizes_asked_for():
    source = stand_in(per_class=20)
    source = {"X": source["X"], "y": 10 * source["y"] + 7}
    made = split(source, train=12, test=8, reduce=False, normalise="none")
    rows = np.concatenate([made["features"], made["test_features"]])
    assert len(np.unique(rows, axis=0)) == 120
    assert np.bincount(made["labels"]).tolist() == [12] * 6
    assert np.bincount(made["test_labels"]).tolist() == [8] * 6
    first = np.flatnonzero((source["X"] == made["features"][0].astype(np.float32)).all(axis=1))
    assert source["y"][first[0]] == 7
    fewer = split(source, train=5, test=1, classes=3)
    assert fewer["classes"] == 3 and fewer["labels"].max() == 2
    with pytest.raises(DataError, match="class 7 has 20 rows, 21 are asked for"):
        split(source, train=20, test=1)
    with pytest.raises(ValueError, match=r"Known are: l2, none, power\+l2"):
        split(source, train=2, test=1, normalise="l1")


def test_rows_are_normalised():
    source = {"X": np.array([[4.0, -9.0], [0.0, 0.0]]), "y": np.array([0, 1])}
    source = {key: np.repeat(value, 2, axis=0) for key, value in source.items()}
    power = split(source, train=1, test=1)
    np.testing.assert_allclose(power["features"], [[2 / 13**0.5, -3 / 13**0.5], [0, 0]])
    plain = split(source, train=1, test=1, normalise="l2", bias=True, reduce=False)
    np.testing.assert_allclose(plain["features"], [[4 / 97**0.5, -9 / 97**0.5, 1], [0, 0, 1]][:2])


@pytest.mark.parametrize("repeated", [False, True], ids=["full rank", "dependent rows"])
def test_the_reduction_keeps_every_inner_product(repeated):
    source = stand_in(per_class=6)
    if repeated:
        source["X"][6:12] = source["X"][:6]
    whole = split(source, train=4, test=2, reduce=False)
    small = split(source, train=4, test=2)
    assert small["features"].shape[1] == np.linalg.matrix_rank(whole["features"]) <= 24
    for other in ("features", "test_features"):
        expected = whole[other] @ whole["features"].T
        np.testing.assert_allclose(small[other] @ small["features"].T, expected, atol=1e-10)
