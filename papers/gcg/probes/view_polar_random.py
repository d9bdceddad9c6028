"""Random small gradients: what Proposition 21 states of the multi-view polar (GCG-T7)."""

import math

import numpy as np

from projfree.common.parameters import Count
from projfree.penalties.multi_view import Penalty
from projfree.penalties.polar import two_view
from referee.jobs.probes import Row

KINDS = ("gaussian", "signs", "low_rank", "proportional", "orthogonal", "empty")


def measure(job, problem, constraint, rng, *, trials: Count = 300, largest: Count = 5, starts: Count = 20):
    """One row a random G, of each of `KINDS` in turn, of at most `largest` rows a view and columns.

    ``miss`` = 1 − value/bound; ``certified``: the power iteration sufficed; ``below``: how far a value found
    from `starts` other starts exceeds it, relative; ``duality``: |value − min‖D_μG‖| relative;
    ``recovery``: the same of the maximiser that B.4 recovers; ``concave``: the largest violation of
    convexity in μ on a grid; ``closed_form``: relative error where the polar is known (proportional
    views (1 + c)‖G₁‖, orthogonal row spaces √(‖G₁‖² + ‖G₂‖²), an empty view ‖G₁‖).
    """
    for trial in range(trials):
        kind = KINDS[trial % len(KINDS)]
        first, second, known = _drawn(kind, rng, largest)
        polar = Penalty(1.0, (len(first), len(second)))
        found = polar.polar(np.concatenate([first, second]), rng=rng)
        K1, K2 = first.T @ first, second.T @ second
        metrics = {
            "miss": 1.0 - found.value / found.bound,
            "certified": float(found.certified),
            "below": _best_of(K1, K2, rng, starts) / found.value - 1.0,
            "closed_form": abs(found.value / known - 1.0) if known else 0.0,
        }
        yield Row(trial, metrics | _dual(K1, K2, found.value))


def _drawn(kind, rng, largest):
    """G₁, G₂ and the polar where it is known."""
    n1, n2, m = (int(k) for k in rng.integers(1, largest + 1, 3))
    first, second = rng.standard_normal((n1, m)), rng.standard_normal((n2, m))
    if kind == "signs":
        return np.sign(first), np.sign(second), None
    if kind == "low_rank":
        row = rng.standard_normal(m)
        return np.outer(first[:, 0], row), np.outer(second[:, 0], row), None
    norm = float(np.linalg.norm(first, 2))
    if kind == "proportional":
        return first, 2.5 * first, 3.5 * norm
    if kind == "orthogonal":
        wide = np.zeros((n1, m)), np.zeros((n2, m))
        pair = np.hstack([first, wide[0]]), np.hstack([wide[1], second])
        return *pair, math.hypot(norm, float(np.linalg.norm(second, 2)))
    if kind == "empty":
        return first, np.zeros((n2, m)), norm
    return first, second, None


def _best_of(K1, K2, rng, starts):
    best = 0.0
    for _ in range(starts):
        v = rng.standard_normal(len(K1))
        v, _ = two_view.climb(K1, K2, v / np.linalg.norm(v))
        best = max(best, sum(two_view.norms(K1, K2, v)))
    return best


def _dual(K1, K2, value):
    if not K2.any():  # its μ runs to 0
        return dict.fromkeys(("duality", "recovery", "concave"), 0.0)
    mu, squared = two_view.dual(K1, K2)
    again = sum(two_view.norms(K1, K2, two_view.maximiser(K1, K2, mu, squared)))
    grid = mu * np.linspace(0.25, 4.0, 25)
    values = np.array([np.linalg.eigvalsh((1 + t) * K1 + (1 + 1 / t) * K2)[-1] for t in grid])
    return {
        "duality": abs(math.sqrt(squared) / value - 1.0),
        "recovery": abs(again / value - 1.0),
        "concave": float(np.max(-np.diff(values, 2))) / values.max(),
    }
