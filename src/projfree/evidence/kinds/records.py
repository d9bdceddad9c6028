"""Kinds that check every record: bounds of theorems, identities, ratios of measured quantities."""

import numpy as np
import pandas as pd

from ...ground.names import require
from ..panel import Missing, flat
from .base import Finding, kind
from .compare import quotient


def _column(frame, limit):
    """A limit given as a number or as the name of a metric, one value per record."""
    return frame[limit].to_numpy(float) if isinstance(limit, str) else np.full(len(frame), float(limit))


def _columns(*names):
    return [name for name in names if isinstance(name, str)]


@kind
def bound(
    panel, seed, *, metric, limit, threshold=1.0, slack=0.0, methods=None, over="every", at_least=False
):
    """In every record metric ≤ threshold · limit (1 + slack); the limit is a metric or a number.

    `over`: ``mean`` or ``last`` judge the mean over each method's records, or its last record, instead of
    every record. `at_least`: metric ≥ threshold · limit (1 − slack).
    """
    frame = _reduced(panel, methods, seed, _columns(metric, limit), over)
    value, side = frame[metric].to_numpy(float), -1 if at_least else 1
    end = threshold * _column(frame, limit) * (1 + side * slack)
    kept = side * value <= side * end
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(end > 0, value / end, np.where(kept ^ at_least, 0.0, np.inf)) * threshold
    worst = float(ratio.min() if at_least else ratio.max())
    return Finding(
        bool(kept.all()), {"worst ratio": worst, "violations": int((~kept).sum()), "records": len(kept)}
    )


def _reduced(panel, methods, seed, columns, over):
    """Records of the methods: every one, or of each method the mean or the last."""
    if over == "every":
        return panel.records(methods, seed, columns)
    reductions = {"mean": lambda frame: frame.mean(), "last": lambda frame: frame.iloc[-1]}
    require([over], ["every", *reductions], "over")
    runs = [panel.records([name], seed, columns)[columns] for name in flat(methods) or panel.methods]
    return pd.DataFrame([reductions[over](run) for run in runs])


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
def metric_ratio(panel, seed, *, numerator, denominator, method, threshold, at_most=False):
    """Median over the records of numerator / denominator: ≥ threshold, or ≤ with `at_most`."""
    frame = panel.records([method], seed, [numerator, denominator])
    ratio = float((frame[numerator] / frame[denominator]).median())
    return Finding(
        ratio <= threshold if at_most else ratio >= threshold,
        {
            "ratio": ratio,
            numerator: float(frame[numerator].median()),
            denominator: float(frame[denominator].median()),
        },
    )


def _chosen(panel, seed, methods, metric, by, values):
    """Records of the methods, and the metric in those whose column `by` has one of the values."""
    frame = panel.records(methods, seed, [metric, by])
    kept = np.isclose(frame[by].to_numpy(float)[:, None], np.asarray(values, float), rtol=1e-9, atol=0).any(
        axis=1
    )
    if not kept.any():
        raise Missing(f"a record with {by} in {values} in {panel.name}")
    return frame, frame.loc[kept, metric].to_numpy(float)


@kind
def among_best(panel, seed, *, method, metric, by, values, threshold):
    """In the records with `by` among values the metric is ≤ (1 + threshold) · the least of all records."""
    frame, chosen = _chosen(panel, seed, [method], metric, by, values)
    ratio = quotient(float(chosen.max()), float(frame[metric].min()))
    return Finding(bool(ratio <= 1 + threshold), {"worst of them / best of all": ratio})


@kind
def among(panel, seed, *, methods, metric, by, values, threshold):
    """In the records with `by` among values the metric is ≤ threshold."""
    _, chosen = _chosen(panel, seed, methods, metric, by, values)
    return Finding(bool(chosen.max() <= threshold), {"largest": float(chosen.max()), "records": len(chosen)})
