"""Generators of gcg: pairs of faces, two views."""

import numpy as np
import pytest
from generated import check_seeds
from referee.papers.gcg.generators.face_pairs import box_weights, linear_weights

from referee.data import generators
from referee.data.errors import DataError


def test_box_weights_average_areas_exactly():
    assert box_weights(4, 2).tolist() == [[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]]
    assert box_weights(3, 2) == pytest.approx(np.array([[2, 1, 0], [0, 1, 2]]) / 3)
    for weights in (box_weights(192, 50), box_weights(168, 50), linear_weights(192, 50)):
        assert weights.sum(axis=1) == pytest.approx(np.ones(50))
    line = np.arange(192.0)  # of a line both give the value at the centre, but for the cut pixels
    assert linear_weights(192, 50) @ line == pytest.approx(box_weights(192, 50) @ line, abs=0.02)


def test_pairs_of_lights_with_lost_pixels():
    rng = np.random.default_rng(0)
    source = generators.generate("lit_faces", rng, paper="gcg", subjects=4, shape=(24, 20))
    arrays = generators.generate("face_pairs", rng, paper="gcg", source=source, shape=(24, 20), size=(6, 5))
    noisy, clean = arrays["noisy"], arrays["clean"]
    assert arrays["views"].tolist() == [30, 30] and noisy.shape == (60, 4)
    assert np.array_equal(noisy[:30], clean[:30])
    assert np.count_nonzero(noisy[30:] != clean[30:]) == 12 and (noisy[30:].max() == 1.0)
    assert clean[:30].mean() == pytest.approx(source["X"][::2].mean() / 255)  # area averages keep the mean
    few = generators.generate(
        "face_pairs", rng, paper="gcg", source=source, shape=(24, 20), size=(6, 5), pairs=2
    )
    assert few["noisy"].shape == (60, 2)
    with pytest.raises(DataError, match="the dataset has 4"):
        generators.generate(
            "face_pairs", rng, paper="gcg", source=source, shape=(24, 20), size=(6, 5), pairs=5
        )


def test_two_views_as_the_paper_draws_them():
    rng = np.random.default_rng(1)
    arrays = generators.generate("two_views", rng, paper="gcg", rows=[40, 50], columns=30, rank=3)
    noisy, clean = arrays["noisy"], arrays["clean"]
    change = noisy - clean
    assert np.linalg.matrix_rank(clean) == 3
    assert [np.count_nonzero(part) for part in (change[:40], change[40:])] == [180, 225]
    assert change.min() == 0.0 and change.max() <= 10.0
    dictionary = clean @ np.linalg.pinv(arrays["latent"])
    assert np.linalg.norm(dictionary[:40], axis=0) == pytest.approx(np.ones(3))
    assert np.linalg.norm(dictionary[40:], axis=0) == pytest.approx(5 * np.ones(3))
    with pytest.raises(ValueError, match="Known are: bernoulli, exact"):
        generators.generate("two_views", rng, paper="gcg", rows=[4, 5], columns=3, rank=1, counts="most")


CASES = [("two_views", {"rows": [12, 15], "columns": 10, "rank": 2})]


@pytest.mark.parametrize(("name", "params"), CASES)
def test_same_seed_same_arrays_other_seed_others(name, params):
    check_seeds(name, params)
