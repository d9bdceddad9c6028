"""Scalar losses with all their constants.

Each loss is a frozen dataclass with elementwise ``value(t, y)``, ``slope(t, y)`` (φ' in t),
``curvature(t, y)`` (φ''), the fused ``value_slope(t, y)``, and the bounds ``sup_curvature``,
``inf_curvature``, ``sup_slope`` (of ``|φ'|``). Residual losses see z = t − y. Arrays t and y are of one
shape; nothing here overflows to NaN, and values of t that are not finite stay so: a run that diverged is seen
by it.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np

from .common import parameters
from .common.names import unknown
from .common.parameters import Positive, checked
from .linalg.scratch import PIECE, pieces
from .linalg.validation import matrix, real

UNDERFLOWS = -800.0  # exp of it is 0


def _elementwise(method):
    """A method(self, t, y) -> array, or pair of arrays, of what `_pair` lets in, block by block if long."""

    @functools.wraps(method)
    def blockwise(self, t, y):
        if np.ndim(t) != 1 or np.shape(t) != np.shape(y) or len(t) <= PIECE:
            return method(self, *_pair(t, y))
        count = 2 if method.__name__ == "value_slope" else 1
        results = tuple(np.empty(len(t)) for _ in range(count))
        for part in pieces(len(t)):
            parts = method(self, *_pair(t[part], y[part]))  # to double precision a block at a time
            for result, values in zip(results, parts if count == 2 else (parts,), strict=True):
                result[part] = values
        return results if count == 2 else results[0]

    return blockwise


def _pair(t, y):
    t, y = real("t", t), real("y", y)
    if t.shape != y.shape:
        raise ValueError(f"y must have the shape of t, {t.shape}, not {y.shape}")
    return t, y


class Loss:
    """Base class of losses; a loss with a faster way overrides :meth:`value_slope`."""

    def value_slope(self, t, y):
        return self.value(t, y), self.slope(t, y)


@dataclass(frozen=True)
class _Gaussian(Loss):
    """height·(1 − exp(−z²/width)): saturating, and convex only for z² < width/2."""

    sigma: Positive = 1.0

    @_elementwise
    def value(self, t, y):
        return -self._height * np.expm1(self._exponent(t - y))

    @_elementwise
    def slope(self, t, y):
        z = t - y
        return (2.0 * self._height / self._width) * z * np.exp(self._exponent(z))

    @_elementwise
    def curvature(self, t, y):
        exponent = np.maximum(self._exponent(t - y), UNDERFLOWS)  # no ∞·0 far out
        return self.sup_curvature * (1.0 + 2.0 * exponent) * np.exp(exponent)

    @_elementwise
    def value_slope(self, t, y):
        z = t - y
        exponent = self._exponent(z)
        slope = z * np.exp(exponent)  # far out 1 + expm1 has lost its digits
        slope *= 2.0 * self._height / self._width
        return -self._height * np.expm1(exponent), slope

    def _exponent(self, z):
        return z * z / -self._width

    @property
    def sup_curvature(self) -> float:
        """At z = 0."""
        return 2.0 * self._height / self._width

    @property
    def inf_curvature(self) -> float:
        """At z² = 3·width/2."""
        return -2.0 * math.exp(-1.5) * self.sup_curvature

    @property
    def sup_slope(self) -> float:
        """At z² = width/2."""
        return self.sup_curvature * math.sqrt(self._width / 2.0) * math.exp(-0.5)


@checked
@dataclass(frozen=True)
class SL0(_Gaussian):
    """Smoothed l0: 1 − exp(−z²/σ)."""

    _height = 1.0

    @property
    def _width(self):
        return self.sigma


@checked
@dataclass(frozen=True)
class CIL(_Gaussian):
    """Correntropy induced: 1 − exp(−z²/(2σ))."""

    _height = 1.0

    @property
    def _width(self):
        return 2.0 * self.sigma

    @property
    def sup_third(self) -> float:
        """sup ``|φ'''|``, at z² = (3 − √6)·σ."""
        square = 3.0 - math.sqrt(6.0)
        return math.sqrt(square) * (3.0 - square) * math.exp(-square / 2.0) * self.sigma**-1.5


@checked
@dataclass(frozen=True)
class COR(_Gaussian):
    """Correntropy, scaled to be z²/2 near 0: (σ²/2)(1 − exp(−z²/σ²))."""

    @property
    def _height(self):
        return 0.5 * self.sigma**2

    @property
    def _width(self):
        return self.sigma**2


@dataclass(frozen=True)
class SQ(Loss):
    """z²/2."""

    sup_curvature = 1.0
    inf_curvature = 1.0
    sup_slope = math.inf

    @_elementwise
    def value(self, t, y):
        return 0.5 * (t - y) ** 2

    @_elementwise
    def slope(self, t, y):
        return t - y

    @_elementwise
    def curvature(self, t, y):
        return np.ones(t.shape)


@checked
@dataclass(frozen=True)
class HUB(Loss):
    """Smoothed l1: z²/(2s) for ``|z|`` ≤ s, else ``|z| − s/2``."""

    s: Positive = 1.0

    sup_slope = 1.0
    inf_curvature = 0.0

    @property
    def sup_curvature(self) -> float:
        return 1.0 / self.s

    @_elementwise
    def value(self, t, y):
        size = np.abs(t - y)
        inner = np.minimum(size, self.s)
        return inner / self.s * (size - 0.5 * inner)

    @_elementwise
    def slope(self, t, y):
        return np.clip((t - y) / self.s, -1.0, 1.0)

    @_elementwise
    def curvature(self, t, y):
        return np.where(np.abs(t - y) <= self.s, 1.0 / self.s, 0.0)


def _sig2_curvature(p):
    """φ'' of SIG2 for y = 0 as a function of p."""
    return 2.0 * p * p * (1.0 - p) * (2.0 - 3.0 * p)


@dataclass(frozen=True)
class SIG2(Loss):
    """Squared sigmoid (y − p)² with p = 1/(1 + e^t) and y in {0, 1}."""

    # Stationary points of φ'' for y = 0 (y = 1 mirrors it).
    sup_curvature = _sig2_curvature((15.0 - math.sqrt(33.0)) / 24.0)
    inf_curvature = _sig2_curvature((15.0 + math.sqrt(33.0)) / 24.0)
    sup_slope = 8.0 / 27.0

    @_elementwise
    def value(self, t, y):
        return _miss(t, y)[0] ** 2

    @_elementwise
    def slope(self, t, y):
        miss, spread, _ = _miss(t, y)
        return 2.0 * miss * spread

    @_elementwise
    def curvature(self, t, y):
        miss, spread, lean = _miss(t, y)
        return 2.0 * spread * (spread - miss * lean)

    @_elementwise
    def value_slope(self, t, y):
        miss, spread, _ = _miss(t, y)
        return miss * miss, 2.0 * miss * spread


@dataclass(frozen=True)
class LOG(Loss):
    """Logistic log(1 + e^{−yt}), y in {−1, +1}."""

    _factor = 1.0
    inf_curvature = 0.0

    @property
    def sup_curvature(self) -> float:
        return 0.25 * self._factor

    @property
    def sup_slope(self) -> float:
        return self._factor

    @_elementwise
    def value(self, t, y):
        margin = y * t
        return self._factor * (np.log1p(np.exp(-np.abs(margin))) - np.minimum(margin, 0.0))

    @_elementwise
    def slope(self, t, y):
        return -self._factor * y * _falling(y * t)[0]

    @_elementwise
    def curvature(self, t, y):
        return self._factor * _falling(y * t)[1]

    @_elementwise
    def value_slope(self, t, y):
        margin = y * t
        tail = np.exp(-np.abs(margin))
        value = np.log1p(tail)
        value -= np.minimum(margin, 0.0)
        value *= self._factor
        head = 1.0 / (1.0 + tail)
        tail *= head
        return value, -self._factor * y * np.where(margin > 0.0, tail, head)  # bit by bit as `slope`


@dataclass(frozen=True)
class LOGH(LOG):
    """Half the logistic loss: ½ log(1 + e^{−yt}), y in {−1, +1}."""

    _factor = 0.5


@dataclass(frozen=True)
class SOFTMAX(Loss):
    """−log softmax_y(w): scores w (n, k), integer labels y (n,) in 0..k−1; a k×k Hessian per row."""

    sup_curvature = 0.5  # spectral norm of the Hessian of one row
    inf_curvature = 0.0
    sup_slope = math.sqrt(2.0)  # Euclidean norm of the gradient of one row

    def value(self, w, y):
        """(n,)."""
        w = matrix("w", w)
        shifted = w - w.max(axis=1, keepdims=True)
        return np.log(np.exp(shifted).sum(axis=1)) - shifted[np.arange(len(w)), _labels(w, y)]

    def slope(self, w, y):
        """(n, k): softmax(w) minus the one-hot label."""
        w = matrix("w", w)
        p = softmax(w)
        p[np.arange(len(w)), _labels(w, y)] -= 1.0
        return p

    def curvature(self, w, y):
        """(n, k, k): diag(p) − p pᵀ."""
        p = softmax(matrix("w", w))
        return np.eye(p.shape[1]) * p[:, None, :] - p[:, :, None] * p[:, None, :]


def softmax(w) -> np.ndarray:
    """Row-wise softmax of scores (n, k), safe for any size of score."""
    p = np.exp(w - w.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    return p


def _falling(t):
    """(p, p(1−p)) for p = 1/(1 + e^t), exact in both tails."""
    tail = np.exp(-np.abs(t))
    head = 1.0 / (1.0 + tail)
    return np.where(t > 0.0, tail * head, head), tail * head * head


def _miss(t, y):
    """(y − p, p(1 − p), 1 − 2p) for p = 1/(1 + e^t) and y in {0, 1}, exact in both tails."""
    tail = np.exp(-np.abs(t))
    head = 1.0 / (1.0 + tail)
    tail *= head
    p, q = np.where(t > 0.0, tail, head), np.where(t > 0.0, head, tail)
    return y * q - (1.0 - y) * p, tail * head, q - p


def _labels(w, y):
    y = np.asarray(y)
    if not np.issubdtype(y.dtype, np.integer) or y.shape != (len(w),):
        raise ValueError(f"labels must be {len(w)} integers, not {y.dtype} of shape {y.shape}")
    if y.size and not (y.min() >= 0 and y.max() < w.shape[1]):
        raise ValueError(f"labels run from {y.min()} to {y.max()}; the scores have {w.shape[1]} classes")
    return y


_KNOWN = {loss.__name__.lower(): loss for loss in (SL0, CIL, COR, SQ, SIG2, LOGH, LOG, HUB, SOFTMAX)}


def available() -> tuple[str, ...]:
    """Names of all losses."""
    return tuple(_KNOWN)


def make(name: str, **given) -> Loss:
    """The loss called `name` (``sl0, cil, cor, sq, sig2, logh, log, hub, softmax``) with its parameters.

    Raises
    ------
    ValueError
        For an unknown name or parameter, listing the known ones, or a value out of its range.
    """
    if name not in _KNOWN:
        raise ValueError(unknown("loss", name, _KNOWN))
    return parameters.call(_KNOWN[name], given)
