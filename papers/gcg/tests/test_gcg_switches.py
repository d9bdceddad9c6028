"""What the switches of gcg's register change in a run."""

import numpy as np
import pytest
from generated import make

from projfree.linalg.factored import Factors
from projfree.problems import multi_view, ratings_completion

RATINGS = {"users": 200, "items": 80, "ratings": 3000, "held_out": 600, "scale": [0.0, 100.0]}


def views(**params):
    """Two generated views as a problem."""
    arrays = make("two_views", rows=(16, 20), columns=12)
    return arrays, multi_view.Problem(arrays, **params)


def test_u26_trained_on_the_clean_views_the_truth_is_the_optimum_of_the_loss():
    arrays, problem = views(trained_on="clean")
    _, plain = views()
    assert problem.value(arrays["clean"]) == 0 < plain.value(arrays["clean"])
    at_truth = type("Point", (), {"image": arrays["clean"]})
    assert problem.error_clean(at_truth) == 0
    assert problem.error_noisy(at_truth) == plain.error_noisy(at_truth) > 0


def test_u28_so_many_ratings_are_the_greatest_whatever_user_and_item_say():
    plain, marked = (make("ratings_standin", **RATINGS, mean=50.0, **m)["X"] for m in ({}, {"never": 1000}))
    np.testing.assert_array_equal(plain.indices, marked.indices)
    changed = plain.data != marked.data
    assert (marked.data[changed] == 100).all()
    assert 900 < changed.sum() <= 1000 and changed[1000:].any()


def test_u29_predictions_are_cut_to_the_scale_of_the_ratings():
    rng = np.random.default_rng(0)
    source = make("ratings_standin", **{**RATINGS, "scale": [1.0, 5.0]})
    source = {"X": source["X"], "held_out": source["y"], "attrs": {}}
    arrays = make("ratings", source=source, held_out="official", centre="user-item")
    plain, cut = (ratings_completion.Problem(arrays, **given) for given in ({}, {"clip": [1, 5]}))
    point = Factors(4 * rng.standard_normal((200, 3)), rng.standard_normal((80, 3)), None)
    rows, cols = arrays["test_rows"], arrays["test_cols"]
    offset = arrays["row_offset"][rows] + arrays["column_offset"][cols]
    predicted = (point.U @ point.V.T)[rows, cols] + offset
    error = np.clip(predicted, 1, 5) - arrays["test_values"] - offset
    assert np.any(predicted > 5) and np.any(predicted < 1)
    assert cut.rmse_test(point) == pytest.approx(np.sqrt(np.mean(error**2)), rel=1e-10)
    assert cut.rmse_test(point) < plain.rmse_test(point)
    assert cut.value(cut.image(point.U, point.V)) == plain.value(plain.image(point.U, point.V))
