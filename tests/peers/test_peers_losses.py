"""Losses against decimals of 60 digits at all scales, and against scikit-learn's."""

from decimal import Context, Decimal

import numpy as np
import pytest
from sklearn._loss.loss import HalfBinomialLoss, HalfMultinomialLoss, HalfSquaredError, HuberLoss

from projfree import losses

TRIALS = 1000
FORMS = {
    "float32": np.float32,
    "integers": lambda x: x.astype(np.int64),
    "reversed": lambda x: x[..., ::-1].copy()[..., ::-1],
    "every other": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "read-only": lambda x: np.broadcast_to(x, x.shape),
    "list": lambda x: x.tolist(),
}
SIXTY = Context(prec=60, Emin=-(10**7), Emax=10**7)


def exp(x):
    return SIXTY.exp(x) if x > -2000 else Decimal(0)


def series(x, sign):
    """x + sign·x²/2: of 1 − e^−x and of ln(1 + x), where 60 digits do not hold both 1 and x."""
    return SIXTY.add(x, sign * SIXTY.multiply(x, x) / 2)


def gaussian(height, width):
    """(value, slope) of height(1 − exp(−z²/width))."""

    def exact(t, y):
        z = SIXTY.subtract(Decimal(t), Decimal(y))
        x = SIXTY.divide(SIXTY.multiply(z, z), width)
        decay = exp(-x)
        slope = SIXTY.multiply(SIXTY.multiply(SIXTY.divide(2 * height, width), z), decay)
        rise = series(x, -1) if x < Decimal("1e-20") else SIXTY.subtract(Decimal(1), decay)
        return SIXTY.multiply(height, rise), slope

    return exact


def logistic(t, y):
    margin = Decimal(y * t)
    tail = exp(-abs(margin))
    falling = SIXTY.divide(tail if margin > 0 else Decimal(1), 1 + tail)
    rest = series(tail, -1) if tail < Decimal("1e-20") else SIXTY.ln(SIXTY.add(Decimal(1), tail))
    return SIXTY.add(rest, max(-margin, Decimal(0))), -Decimal(y) * falling


def squared_sigmoid(t, y):
    tail = exp(-abs(Decimal(t)))
    low, high = SIXTY.divide(tail, 1 + tail), SIXTY.divide(Decimal(1), 1 + tail)
    p, q = (low, high) if t > 0 else (high, low)
    miss = q if y == 1.0 else -p
    return SIXTY.multiply(miss, miss), SIXTY.multiply(2 * miss, SIXTY.multiply(p, q))


CASES = {
    "sl0": (losses.make("sl0", sigma=0.5), gaussian(Decimal(1), Decimal(0.5)), None),
    "cil": (losses.make("cil", sigma=2.0), gaussian(Decimal(1), Decimal(4)), None),
    "cor": (losses.make("cor", sigma=4.0), gaussian(Decimal(8), Decimal(16)), None),
    "log": (losses.make("log"), logistic, [-1.0, 1.0]),
    "sig2": (losses.make("sig2"), squared_sigmoid, [0.0, 1.0]),
}


@pytest.mark.parametrize("name", CASES)
def test_values_and_slopes_by_decimals_at_all_scales(name):
    loss, exact, labels = CASES[name]
    rng = np.random.default_rng(0)
    t = rng.choice([-1, 1], TRIALS) * 10.0 ** (rng.choice([1, 100], TRIALS) * rng.uniform(-3, 3, TRIALS))
    t[:300] = 30 * rng.standard_normal(300)
    t[300:310], t[310:320] = 0.0, 5e-324 * np.arange(10)
    y = rng.choice(labels, TRIALS) if labels else np.where(rng.random(TRIALS) < 0.5, t * rng.random(), 0.0)
    with np.errstate(over="ignore", under="ignore"):
        value, slope = loss.value_slope(t, y)
        apart = loss.value(t, y), loss.slope(t, y)
    pairs = [exact(*pair) for pair in zip(t.tolist(), y.tolist(), strict=True)]
    for found, alone, right in zip((value, slope), apart, np.array(pairs).T, strict=True):
        right = np.array([float(v) for v in right])
        np.testing.assert_allclose(found, right, rtol=1e-12, atol=1e-307)
        np.testing.assert_allclose(alone, right, rtol=1e-12, atol=1e-307)


def test_losses_by_scikit_learn():
    rng = np.random.default_rng(1)
    t, y = 3 * rng.standard_normal(TRIALS), np.round(3 * rng.standard_normal(TRIALS), 1)
    t[:100] = y[:100]
    halves = rng.integers(0, 2, TRIALS).astype(float)
    huber = HuberLoss(delta=0.7)
    huber.delta = 0.7
    for loss, scale, peer, labels, own_labels in (
        (losses.make("sq"), 1.0, HalfSquaredError(), y, y),
        (losses.make("hub", s=0.7), 0.7, huber, y, y),
        (losses.make("log"), 1.0, HalfBinomialLoss(), halves, 2 * halves - 1),
        (losses.make("logh"), 2.0, HalfBinomialLoss(), halves, 2 * halves - 1),
    ):
        value, slope = loss.value_slope(t, own_labels)
        np.testing.assert_allclose(scale * value, peer.loss(labels, t), rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(scale * slope, peer.gradient(labels, t), rtol=1e-12, atol=1e-15)


def test_softmax_by_scikit_learn():
    rng = np.random.default_rng(2)
    w, y = 5 * rng.standard_normal((TRIALS, 4)), rng.integers(0, 4, TRIALS)
    loss, peer = losses.make("softmax"), HalfMultinomialLoss(n_classes=4)
    np.testing.assert_allclose(loss.value(w, y), peer.loss(y.astype(float), w), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(loss.slope(w, y), peer.gradient(y.astype(float), w), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", [*CASES, "sq", "hub"])
def test_all_forms_give_one_answer(name, form):
    loss, rng = losses.make(name), np.random.default_rng(3)
    t, y = rng.integers(-9, 10, 50).astype(float), rng.integers(0, 2, 50).astype(float)
    for method in (loss.value, loss.slope, loss.curvature):
        np.testing.assert_array_equal(method(FORMS[form](t), FORMS[form](y)), method(t, y))
