"""Generators of gcg: pairs of faces, two views, the stand-in for Fisher vectors, splits of classes."""

import numpy as np
import pytest
from generated import check_seeds, make
from referee.papers.gcg.generators.face_pairs import box_weights, linear_weights

from referee.data.errors import DataError


def test_box_weights_average_areas_exactly():
    assert box_weights(4, 2).tolist() == [[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]]
    assert box_weights(3, 2) == pytest.approx(np.array([[2, 1, 0], [0, 1, 2]]) / 3)
    for weights in (box_weights(192, 50), box_weights(168, 50), linear_weights(192, 50)):
        assert weights.sum(axis=1) == pytest.approx(np.ones(50))
    line = np.arange(192.0)  # of a line both give the value at the centre, but for the cut pixels
    assert linear_weights(192, 50) @ line == pytest.approx(box_weights(192, 50) @ line, abs=0.02)


def test_pairs_of_lights_with_lost_pixels():
    source = make("lit_faces", subjects=4, shape=(24, 20))
    given = {"source": source, "shape": (24, 20), "size": (6, 5)}
    arrays = make("face_pairs", **given)
    noisy, clean = arrays["noisy"], arrays["clean"]
    assert arrays["views"].tolist() == [30, 30] and noisy.shape == (60, 4)
    assert np.array_equal(noisy[:30], clean[:30])
    assert np.count_nonzero(noisy[30:] != clean[30:]) == 12 and (noisy[30:].max() == 1.0)
    assert clean[:30].mean() == pytest.approx(source["X"][::2].mean() / 255)  # area averages keep the mean
    assert make("face_pairs", **given, pairs=2)["noisy"].shape == (60, 2)
    with pytest.raises(DataError, match="the dataset has 4"):
        make("face_pairs", **given, pairs=5)


def test_two_views_as_the_paper_draws_them():
    arrays = make("two_views", rows=[40, 50], columns=30, rank=3)
    noisy, clean = arrays["noisy"], arrays["clean"]
    change = noisy - clean
    assert np.linalg.matrix_rank(clean) == 3
    assert [np.count_nonzero(part) for part in (change[:40], change[40:])] == [180, 225]
    assert change.min() == 0.0 and change.max() <= 10.0
    dictionary = clean @ np.linalg.pinv(arrays["latent"])
    assert np.linalg.norm(dictionary[:40], axis=0) == pytest.approx(np.ones(3))
    assert np.linalg.norm(dictionary[40:], axis=0) == pytest.approx(5 * np.ones(3))
    with pytest.raises(ValueError, match="Known are: bernoulli, exact"):
        make("two_views", rows=[4, 5], columns=3, rank=1, counts="most")


def stand_in(per_class=300):
    return make("fisher_vectors", classes=6, per_class=per_class, dimension=256, separation=0.9)


def test_the_stand_in_follows_its_law():
    made = stand_in()
    assert np.bincount(made["y"]).tolist() == [300] * 6 and made["X"].dtype == np.float32
    means = np.array([made["X"][made["y"] == c].mean(axis=0) for c in range(6)])
    within = made["X"] - means[made["y"]]
    assert np.mean(np.sum(within**2, axis=1)) == pytest.approx(1 + np.sum(1 / np.arange(1, 41)), rel=0.1)
    spread = np.linalg.norm(means, axis=1)
    assert 0.5 < np.mean(spread) / np.sqrt(0.9**2 + np.mean(np.sum(within**2, axis=1)) / 300) < 1.5


def test_splits_are_disjoint_and_of_the_sizes_asked_for():
    source = stand_in(per_class=20)
    source = {"X": source["X"], "y": 10 * source["y"] + 7}
    made = make("class_split", source=source, train=12, test=8, reduce=False, normalise="none")
    rows = np.concatenate([made["features"], made["test_features"]])
    assert len(np.unique(rows, axis=0)) == 120
    assert np.bincount(made["labels"]).tolist() == [12] * 6
    assert np.bincount(made["test_labels"]).tolist() == [8] * 6
    first = np.flatnonzero((source["X"] == made["features"][0].astype(np.float32)).all(axis=1))
    assert source["y"][first[0]] == 7
    fewer = make("class_split", source=source, train=5, test=1, classes=3)
    assert fewer["classes"] == 3 and fewer["labels"].max() == 2
    with pytest.raises(DataError, match="class 7 has 20 rows, 21 are asked for"):
        make("class_split", source=source, train=20, test=1)
    with pytest.raises(ValueError, match=r"Known are: l2, none, power\+l2"):
        make("class_split", source=source, train=2, test=1, normalise="l1")


def test_rows_are_normalised():
    source = {"X": np.repeat([[4.0, -9.0], [0.0, 0.0]], 2, axis=0), "y": np.array([0, 0, 1, 1])}
    power = make("class_split", source=source, train=1, test=1)
    np.testing.assert_allclose(power["features"], [[2 / 13**0.5, -3 / 13**0.5], [0, 0]])
    plain = make("class_split", source=source, train=1, test=1, normalise="l2", bias=True, reduce=False)
    np.testing.assert_allclose(plain["features"], [[4 / 97**0.5, -9 / 97**0.5, 1], [0, 0, 1]])


@pytest.mark.parametrize("repeated", [False, True], ids=["full rank", "dependent rows"])
def test_the_reduction_keeps_every_inner_product(repeated):
    """So that it changes no run (F8)."""
    source = stand_in(per_class=6)
    if repeated:
        source["X"][6:12] = source["X"][:6]
    whole, small = (make("class_split", source=source, train=4, test=2, reduce=r) for r in (False, True))
    assert small["features"].shape[1] == np.linalg.matrix_rank(whole["features"]) <= 24
    for other in ("features", "test_features"):
        expected = whole[other] @ whole["features"].T
        np.testing.assert_allclose(small[other] @ small["features"].T, expected, atol=1e-10)


CASES = [("two_views", {"rows": [12, 15], "columns": 10, "rank": 2})]
CASES += [("fisher_vectors", {"classes": 3, "per_class": 4, "dimension": 9, "separation": 0.9})]
CASES += [("ratings_standin", {"users": 300, "items": 200, "ratings": 9000, "held_out": 9})]


@pytest.mark.parametrize(("name", "params"), CASES)
def test_same_seed_same_arrays_other_seed_others(name, params):
    check_seeds(name, params)
