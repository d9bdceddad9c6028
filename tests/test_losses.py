"""Losses by finite differences, and their constants by a fine grid."""

import math

import numpy as np
import pytest

from projfree import losses
from projfree.linalg.scratch import PIECE

RESIDUAL = [("sl0", 1.0), ("sl0", 0.3), ("cil", 2.0), ("cor", 1.0), ("cor", 0.4)]
ALL = [losses.make(name, sigma=sigma) for name, sigma in RESIDUAL]
ALL += [losses.make("hub", s=0.7), *(losses.make(name) for name in ("sq", "sig2", "log", "logh"))]
CASES = [pytest.param(loss, id=repr(loss)) for loss in ALL]


def labels_of(loss):
    return {"SIG2": [0.0, 1.0], "LOG": [-1.0, 1.0], "LOGH": [-1.0, 1.0]}.get(type(loss).__name__, [-0.7, 0.4])


def grid(loss, n=200_001):
    t = np.linspace(-12, 12, n)
    return [(t, np.full(n, y)) for y in labels_of(loss)]


@pytest.mark.parametrize("loss", CASES)
def test_slope_and_curvature_by_central_differences(loss):
    rng, step = np.random.default_rng(0), 1e-5
    for y in labels_of(loss):
        t = 2 * rng.standard_normal(400)
        t = t[np.abs(np.abs(t - y) - 0.7) > 1e-4]  # the kink of φ' of the Huber loss
        y = np.full_like(t, y)
        slope = (loss.value(t + step, y) - loss.value(t - step, y)) / (2 * step)
        curvature = (loss.slope(t + step, y) - loss.slope(t - step, y)) / (2 * step)
        np.testing.assert_allclose(loss.slope(t, y), slope, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(loss.curvature(t, y), curvature, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("loss", CASES)
def test_bounds_are_attained_on_a_fine_grid(loss):
    slopes = np.concatenate([np.abs(loss.slope(t, y)) for t, y in grid(loss)])
    curvatures = np.concatenate([loss.curvature(t, y) for t, y in grid(loss)])
    assert curvatures.max() == pytest.approx(loss.sup_curvature, rel=1e-6)
    assert curvatures.max() <= loss.sup_curvature * (1 + 1e-12)
    assert curvatures.min() == pytest.approx(loss.inf_curvature, rel=1e-6, abs=1e-5)
    assert curvatures.min() >= loss.inf_curvature - 1e-12
    assert slopes.max() <= loss.sup_slope * (1 + 1e-12)
    if math.isfinite(loss.sup_slope):
        assert slopes.max() == pytest.approx(loss.sup_slope, rel=1e-5)


@pytest.mark.parametrize("loss", CASES)
@pytest.mark.parametrize("size", [1e4, 1e100])
def test_far_out_everything_is_finite(loss, size):
    t = np.array([-size, size])
    for y in labels_of(loss):
        y = np.full(2, y)
        slope = loss.slope(t, y)
        assert np.isfinite(slope).all() and np.isfinite(loss.curvature(t, y)).all()
        assert np.isfinite(loss.value(t, y)).all()
        if type(loss).__name__ in ("SL0", "CIL", "COR", "SIG2"):
            assert not slope.any()


@pytest.mark.parametrize("name", ["sl0", "cil", "cor"])
def test_where_squares_overflow_the_saturated_losses_are_flat(name):
    loss, t = losses.make(name), np.array([-1e200, 1e155, 1e170])
    with np.errstate(over="ignore", invalid="raise"):
        assert np.ptp(loss.value(t, np.zeros(3))) == 0 < loss.value(t, np.zeros(3))[0]
        assert not loss.slope(t, np.zeros(3)).any() and not loss.curvature(t, np.zeros(3)).any()


@pytest.mark.parametrize("loss", CASES)
@pytest.mark.parametrize("n", [1, 1000, PIECE, 3 * PIECE + 5])
def test_fused_and_blocked_forms_agree(loss, n):
    rng = np.random.default_rng(1)
    t, y = 3 * rng.standard_normal(n), rng.choice(labels_of(loss), n)
    before = t.copy(), y.copy()
    value, slope = loss.value_slope(t, y)
    np.testing.assert_allclose(value, loss.value(t[:, None], y[:, None])[:, 0], rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(slope, loss.slope(t[:, None], y[:, None])[:, 0], rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(value, loss.value(t, y), rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(slope, loss.slope(t, y), rtol=1e-13, atol=1e-14)
    assert np.array_equal(t, before[0]) and np.array_equal(y, before[1])


def test_softmax_by_central_differences():
    rng, step = np.random.default_rng(2), 1e-5
    loss, w, y = losses.make("softmax"), rng.standard_normal((7, 4)), rng.integers(0, 4, 7)
    slope, curvature = loss.slope(w, y), loss.curvature(w, y)
    for k in range(4):
        move = step * np.eye(4)[k]
        down, up = w - move, w + move
        np.testing.assert_allclose(
            slope[:, k], (loss.value(up, y) - loss.value(down, y)) / (2 * step), atol=1e-8
        )
        np.testing.assert_allclose(
            curvature[:, k], (loss.slope(up, y) - loss.slope(down, y)) / (2 * step), atol=1e-8
        )
    assert np.linalg.norm(slope, axis=1).max() <= loss.sup_slope
    assert np.linalg.eigvalsh(curvature).max() <= loss.sup_curvature and loss.inf_curvature == 0.0
    tie = loss.curvature(np.array([[5.0, 5.0, -1e4]]), np.array([0]))
    assert np.linalg.eigvalsh(tie).max() == pytest.approx(loss.sup_curvature)
    value, fused = loss.value_slope(w, y)
    assert np.array_equal(value, loss.value(w, y)) and np.array_equal(fused, slope)


def test_softmax_is_safe_and_checks_labels():
    loss, w = losses.make("softmax"), np.array([[1e4, 0.0], [-1e4, 1e4]])
    np.testing.assert_allclose(loss.value(w, np.array([1, 1])), [1e4, 0.0])
    np.testing.assert_allclose(loss.slope(w, np.array([1, 1])), [[1, -1], [0, 0]])
    for labels in (np.array([0, 2]), np.array([-1, 0]), np.array([0.0, 1.0]), np.array([0])):
        with pytest.raises(ValueError, match="labels"):
            loss.value(w, labels)


def test_names_and_parameters():
    assert set(losses.available()) == {"sl0", "cil", "cor", "sq", "sig2", "logh", "log", "hub", "softmax"}
    with pytest.raises(ValueError, match="unknown loss 'l7'. Known are: cil, cor"):
        losses.make("l7")
    with pytest.raises(ValueError, match="loss 'sl0': unknown parameter 's'. Known are: sigma"):
        losses.make("sl0", s=1.0)
    with pytest.raises(ValueError, match="loss 'sq': unknown parameter 'sigma'. Known are: none"):
        losses.make("sq", sigma=1.0)
    for name, parameter in (("sl0", "sigma"), ("cor", "sigma"), ("hub", "s")):
        for number in (0.0, -1.0, math.nan, math.inf):
            with pytest.raises(ValueError, match=parameter):
                losses.make(name, **{parameter: number})


def test_squared_sigmoids_keep_their_digits_in_both_tails():
    loss, t = losses.make("sig2"), np.array([50.0, 300.0])
    small = np.exp(-t)
    for sign, y in ((1.0, np.zeros(2)), (-1.0, np.ones(2))):
        np.testing.assert_allclose(loss.value(sign * t, y), small**2, rtol=1e-13)
        np.testing.assert_allclose(loss.slope(sign * t, y), -sign * 2 * small**2, rtol=1e-13)
        np.testing.assert_allclose(loss.curvature(sign * t, y), 4 * small**2, rtol=1e-13)
        np.testing.assert_array_equal(
            loss.value_slope(sign * t, y), (loss.value(sign * t, y), loss.slope(sign * t, y))
        )


def test_the_huber_loss_of_a_tiny_width_is_no_zero():
    assert losses.make("hub", s=1e-200).value([1e-200], [0.0])[0] == pytest.approx(5e-201, rel=1e-14)


@pytest.mark.parametrize("loss", CASES)
@pytest.mark.parametrize("method", ["value", "slope", "curvature", "value_slope"])
def test_bad_arguments_are_refused_by_name(loss, method):
    call = getattr(loss, method)
    for t, y, words in (
        (np.ones(2, complex), np.ones(2), "t must be real numbers, not complex128"),
        (np.ones(2), ["a", "b"], "y must be real numbers, not <U1"),
        (np.ones(2), np.ones(3), r"y must have the shape of t, \(2,\), not \(3,\)"),
        (np.ones((2, 1)), np.ones(2), r"y must have the shape of t"),
    ):
        with pytest.raises(ValueError, match=words):
            call(t, y)
