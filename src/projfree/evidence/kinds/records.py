"""Kinds that check every record: bounds of theorems, identities, ratios of measured quantities."""

import numpy as np

from .base import Finding, kind


def _column(frame, limit):
    """A limit given as a number or as the name of a metric, one value per record."""
    return frame[limit].to_numpy(float) if isinstance(limit, str) else np.full(len(frame), float(limit))


def _columns(*names):
    return [name for name in names if isinstance(name, str)]


@kind
def bound(panel, seed, *, metric, limit, threshold=1.0, slack=0.0, methods=None):
    """In every record metric ≤ threshold · limit (1 + slack); the limit is a metric or a number."""
    frame = panel.records(methods, seed, _columns(metric, limit))
    value, most = frame[metric].to_numpy(float), threshold * _column(frame, limit) * (1 + slack)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(most > 0, value / most, np.where(value <= most, 0.0, np.inf)) * threshold
    worst = float(ratio.max())
    kept = value <= most
    return Finding(
        bool(kept.all()), {"worst ratio": worst, "violations": int((~kept).sum()), "records": len(kept)}
    )


@kind
def exceeds(panel, seed, *, metric, threshold, methods=None):
    """In some record metric ≥ threshold: something that must go wrong does go wrong."""
    most = float(panel.records(methods, seed, [metric])[metric].max())
    return Finding(most >= threshold, {"largest": most})


@kind
def identity(panel, seed, *, metric, threshold, equals=0.0, methods=None):
    """In every record |metric − equals| ≤ threshold; `equals` is a metric or a number."""
    frame = panel.records(methods, seed, _columns(metric, equals))
    error = np.abs(frame[metric].to_numpy(float) - _column(frame, equals))
    return Finding(
        bool(error.max() <= threshold), {"largest error": float(error.max()), "records": len(error)}
    )


@kind
def growth(panel, seed, *, metric, method, threshold):
    """Bounded growth: iteration · metric at the last record is ≤ threshold times that at the first."""
    frame = panel.records([method], seed, [metric])
    scaled = frame[metric].to_numpy(float) * frame["iteration"].to_numpy(float)
    ratio = float(scaled[-1] / scaled[0]) if scaled[0] > 0 else np.inf
    return Finding(ratio <= threshold, {"last / first": ratio, "records": len(scaled)})


@kind
def metric_ratio(panel, seed, *, numerator, denominator, method, threshold):
    """Median over the records of numerator / denominator is at least threshold."""
    frame = panel.records([method], seed, [numerator, denominator])
    ratio = float((frame[numerator] / frame[denominator]).median())
    return Finding(
        ratio >= threshold,
        {
            "ratio": ratio,
            numerator: float(frame[numerator].median()),
            denominator: float(frame[denominator].median()),
        },
    )
