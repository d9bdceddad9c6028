"""Multi-task learning against plain NumPy, in both precisions, and what it refuses."""

import instances
import numpy as np
import pytest

from projfree.problems.multi_task import Problem

LOSSES = ("sig2", "log")


def reference(loss, theta, arrays):
    """The mean over the samples of (y − p)² or −log P(y), p = 1/(1 + e^t), and its gradient (eq. 2)."""
    features, labels, ptr = (arrays[name] for name in ("features", "labels", "task_ptr"))
    value, gradient = 0.0, np.zeros(theta.shape)
    for i, y in enumerate(labels):
        task = np.searchsorted(ptr, i, side="right") - 1
        p = 1 / (1 + np.exp(features[i] @ theta[:, task]))
        value += (y - p) ** 2 if loss == "sig2" else -np.log(p if y else 1 - p)
        gradient[:, task] += (y - p) * (2 * p * (1 - p) if loss == "sig2" else 1) * features[i]
    return value / len(labels), gradient / len(labels)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("sizes", [(15, 22, 9), (1,), (1, 1, 40), (64,)])
def test_against_plain_numpy(loss, sizes):
    arrays = instances.task_arrays(sizes)
    problem = Problem(arrays, loss=loss)
    rng = np.random.default_rng(0)
    for size in (0.0, 0.3, 3.0):
        theta = size * rng.standard_normal(problem.shape)
        value, gradient = reference(loss, theta, arrays)
        assert problem.value(theta) == pytest.approx(value, rel=1e-10)
        np.testing.assert_allclose(problem.gradient(theta), gradient, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("loss", LOSSES)
def test_float32_features_with_float64_sums(loss):
    """float32 stores the features; everything else is float64, so only their rounding is seen."""
    double, single = (instances.tasks(loss=loss, dtype=dtype) for dtype in (np.float64, np.float32))
    rounded = {**instances.task_arrays(), "features": single.features.astype(np.float64)}
    same = Problem(rounded, loss=loss)
    theta = np.random.default_rng(1).standard_normal(double.shape)
    assert single.features.dtype == np.float32 and single.gradient(theta).dtype == np.float64
    np.testing.assert_allclose(single.gradient(theta), same.gradient(theta), rtol=1e-12, atol=1e-15)
    assert single.value(theta) == pytest.approx(same.value(theta), rel=1e-13)
    np.testing.assert_allclose(single.gradient(theta), double.gradient(theta), rtol=1e-4, atol=1e-7)


def test_accuracy_counts_the_likelier_label():
    arrays = instances.task_arrays()
    held = {f"test_{name}": arrays[key] for name, key in (("features", "features"), ("labels", "labels"))}
    problem = Problem({**arrays, **held, "test_ptr": arrays["task_ptr"]})
    theta = np.random.default_rng(2).standard_normal(problem.shape)
    right = []
    for task, (a, b) in enumerate(zip(problem.ptr[:-1], problem.ptr[1:], strict=True)):
        p = 1 / (1 + np.exp(arrays["features"][a:b] @ theta[:, task]))
        right += list((p >= 0.5) == (arrays["labels"][a:b] == 1))
    assert problem.metrics["accuracy_test"](theta) == pytest.approx(np.mean(right))
    assert "accuracy_test" not in instances.tasks().metrics


def test_margins_beyond_1e4_overflow_nothing():
    for loss in LOSSES:
        problem = instances.tasks(loss=loss)
        far = np.full(problem.shape, 1e6)
        assert np.abs(problem.features @ far).min() > 1e4
        with np.errstate(all="raise", under="ignore"):
            value, gradient = problem.value(far), problem.gradient(far)
        assert np.isfinite(value) and np.isfinite(gradient).all()
        assert gradient.any() == (loss == "log"), "sig2 saturates on either side"


@pytest.mark.parametrize(
    "name, index, value, match",
    [
        ("task_ptr", ..., [0, 15, 15, 46], "task 1 has no samples"),
        ("task_ptr", 3, 45, "rows 0 to 45.*46 rows"),
        ("features", (17, 3), np.nan, "row 17 of the features is not finite"),
        ("features", (45, 0), -np.inf, "row 45 of the features is not finite"),
        ("labels", 4, 2, "labels must be 0 or 1"),
        ("labels", 4, -1, "labels must be 0 or 1"),
    ],
)
def test_refused_at_load(name, index, value, match):
    arrays = instances.task_arrays()
    arrays[name][index] = value
    with pytest.raises(ValueError, match=match):
        Problem(arrays)


def test_a_label_for_each_row_and_one_class_alone_and_constants_that_are_known():
    arrays, constants = instances.task_arrays(), {"L_full": 1.0, "L_vr": 2.0, "L_max": 3.0, "l_lower": 0.5}
    with pytest.raises(ValueError, match="46 rows and 45 labels"):
        Problem(arrays | {"labels": np.zeros(45, np.int8)})
    arrays["labels"][:15] = 1
    problem = Problem(arrays, constants=constants)
    assert np.isfinite(problem.gradient(np.zeros((8, 3)))).all() and problem.constants is constants
