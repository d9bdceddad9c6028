"""Probes of gcg on matrix completion: what the theorems say holds, and a broken step is found out."""

import numpy as np
import pytest
from referee.papers.gcg.probes import ball_rates, inexact_polars, relaxed_steps, trace_norm_optimum

from projfree.penalties import trace_norm
from projfree.problems import ratings_completion
from projfree.solvers.inner import conic_search


def rows(probe, **params):
    """The measurements of a probe on a small instance."""
    rng = np.random.default_rng(1)
    i, j = np.nonzero(rng.random((12, 9)) < 0.6)
    X = rng.standard_normal((12, 3)) @ rng.standard_normal((3, 9)) + 0.1 * rng.standard_normal((12, 9))
    problem = ratings_completion.Problem({"rows": i, "cols": j, "values": X[i, j], "shape": (12, 9)})
    return [row.metrics for row in probe.measure(None, problem, trace_norm.Penalty(1.0), rng, **params)]


def worst(found, metric, limit):
    return max(row[metric] / row[limit] for row in found if row.get(limit))


@pytest.mark.parametrize("params", [{}, {"delta": 0.2}, {"averaging": True}])
def test_rates_on_the_ball(params):
    found = rows(ball_rates, steps=300, **params)
    assert worst(found, "excess", "excess_bound") <= 1
    if not params:
        assert worst(found, "gap", "gap_bound") <= 1
        assert max(row["weights_square"] for row in found) == pytest.approx(1.0)
        assert all(row["weights_identity"] == pytest.approx(1.0) for row in found)


def test_atoms_worse_than_allowed_break_the_rate():
    exact, poor = (rows(ball_rates, steps=400, delta=d)[-1] for d in (0.0, 2.0))
    assert poor["excess"] > exact["excess_bound"]


def test_inexact_polars_keep_both_bounds():
    found = rows(inexact_polars, steps=200)
    assert len({(row["alpha"], row["delta"]) for row in found}) == 9
    for limit in ("bound", "bound_multiplicative"):
        assert worst(found, "excess", limit) <= 1


@pytest.mark.parametrize("policy", ["lbfgs", "scaled_lbfgs", "null"])
def test_stages_of_the_outer_iteration(policy):
    found = rows(relaxed_steps, reduce=policy)
    for metric in ("search_excess", "search_rise", "reduce_rise", "bound_deficit", "balance_error"):
        assert max(row[metric] for row in found) <= 1e-9, metric


def test_a_clipped_line_search_is_found_out(monkeypatch):
    def clipped(ww, wp, pp, b, c):
        a, theta = np.linalg.lstsq([[ww, wp], [wp, pp]], [b, c], rcond=None)[0]
        return min(max(a, 0.0), 0.9), max(theta, 0.0)

    monkeypatch.setattr(conic_search, "quadratic_form", clipped)
    assert max(row["search_rise"] for row in rows(relaxed_steps)) > 1e-6


def test_conditions_of_the_optimum():
    for row in rows(trace_norm_optimum):
        assert abs(row["polar_error"]) + abs(row["alignment_error"]) + abs(row["dual_error"]) <= 1e-8
        assert abs(row["gcg_error"]) <= 1e-6
        assert row["LF"] <= row["LF_bound"]
