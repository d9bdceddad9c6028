"""Probes of gcg: what the theorems say holds, and a broken step is found out."""

import numpy as np
import probed
import pytest
from generated import make

from projfree.penalties import trace_norm
from projfree.penalties.multi_view import Penalty
from projfree.problems import multinomial, ratings_completion
from projfree.problems.multi_view import Problem
from projfree.solvers.inner import conic_search

PROBLEMS = [next(kind.Problem.small(np.random.default_rng(3))) for kind in (ratings_completion, multinomial)]
over_problems = pytest.mark.parametrize("problem", PROBLEMS, ids=["completion", "multinomial"])


def rows(name, problem=None, penalty=None, **params):
    """The measurements of a probe."""
    problem, penalty = problem or PROBLEMS[0], penalty or trace_norm.Penalty(1.0)
    return [row.metrics for row in probed.rows("gcg", name, problem, penalty, seed=1, **params)]


def column(found, name):
    return np.array([row[name] for row in found if name in row])


def worst(found, metric, limit):
    return max(row[metric] / row[limit] for row in found if row.get(limit))


@pytest.mark.parametrize("params", [{}, {"delta": 0.2}, {"averaging": True}])
def test_rates_on_the_ball(params):
    found = rows("ball_rates", steps=300, **params)
    assert worst(found, "excess", "excess_bound") <= 1
    if not params:
        assert worst(found, "gap", "gap_bound") <= 1
        assert column(found, "weights_square").max() == pytest.approx(1.0)
        assert column(found, "weights_identity") == pytest.approx(1.0)


def test_atoms_worse_than_allowed_break_the_rate():
    exact, poor = (rows("ball_rates", steps=400, delta=d)[-1] for d in (0.0, 2.0))
    assert poor["excess"] > exact["excess_bound"]


def test_inexact_polars_keep_both_bounds():
    found = rows("inexact_polars", steps=200)
    assert len({(row["alpha"], row["delta"]) for row in found}) == 9
    for limit in ("bound", "bound_multiplicative"):
        assert worst(found, "excess", limit) <= 1


@pytest.mark.parametrize("policy", ["lbfgs", "scaled_lbfgs", "null"])
def test_stages_of_the_outer_iteration(policy):
    found = rows("relaxed_steps", reduce=policy)
    for metric in ("search_excess", "search_rise", "reduce_rise", "bound_deficit", "balance_error"):
        assert max(row[metric] for row in found) <= 1e-9, metric


def test_a_clipped_line_search_is_found_out(monkeypatch):
    def clipped(ww, wp, pp, b, c):
        a, theta = np.linalg.lstsq([[ww, wp], [wp, pp]], [b, c], rcond=None)[0]
        return min(max(a, 0.0), 0.9), max(theta, 0.0)

    monkeypatch.setattr(conic_search, "quadratic_form", clipped)
    assert max(row["search_rise"] for row in rows("relaxed_steps")) > 1e-6


def test_conditions_of_the_optimum():
    for row in rows("trace_norm_optimum"):
        assert abs(row["polar_error"]) + abs(row["alignment_error"]) + abs(row["dual_error"]) <= 1e-8
        assert abs(row["gcg_error"]) <= 1e-6
        assert row["LF"] <= row["LF_bound"]


def test_the_path_is_certified_and_its_order_is_that_of_lambda():
    weights = [0.5, 4.0, 2.0, 100.0]
    found = rows("regularisation_path", weights=weights, params={"tol": 5e-4})
    assert [row["weight"] for row in found] == sorted(weights, reverse=True)
    assert found[0]["rank"] == 0 and all(row["certified"] for row in found)
    assert max(column(found, "polar_ratio")) <= 1.0005 + 1e-5 and max(column(found, "relative_gap")) <= 5e-3
    for name in ("rmse_train", "objective"):
        assert np.all(np.diff(column(found, name)) < 0), name


def test_scale_measures_each_size():
    sizes = [{"users": 60, "items": 40, "ratings": 500}, {"users": 90, "items": 50, "ratings": 1500}]
    found = rows("completion_scale", sizes=sizes, steps=2)
    assert column(found, "ratings").tolist() == [500, 500, 1500, 1500]
    assert min(column(found, "memory_per_rating")) >= 0 and min(column(found, "seconds_step")) > 0
    with pytest.raises(RuntimeError, match="a run on"):
        rows("completion_scale", sizes=[{"users": 5}])


def test_corrective_weights():
    found = rows("corrective_steps", PROBLEMS[0])
    assert len(found) == 12
    assert column(found, "search_excess").max() <= 1e-12
    assert column(found, "gram_difference").max() <= 1e-10
    assert column(found, "optimum_difference").max() <= 1e-8


@over_problems
def test_the_lifted_method_is_frank_wolfe_on_the_ball(problem):
    found = rows("lifted_ball", problem, problem.small_constraint)
    assert column(found, "difference").max() <= 1e-9
    assert column(found, "trace_error").max() <= 1e-12
    excess = column(found, "constrained_excess")
    assert np.all(excess >= -1e-5) and excess[-1] < 0.05


@over_problems
def test_the_geometry_of_fixed_rank(problem):
    found = rows("fixed_rank_geometry", problem, problem.small_constraint)
    order = column(found, "taylor_order")
    assert np.median(order) > 2.9 and order.min() > 2.5
    for name, limit in {"asymmetry": 1e-9, "vertical": 1e-10, "rise": 1e-12}.items():
        assert column(found, name).max() <= limit, name
    assert column(found, "gap")[-1] <= 1e-8 and column(found, "updates").sum() >= 2


@pytest.fixture
def views():
    arrays = make("two_views", rows=[12, 15], columns=10, rank=2)
    return Problem(arrays), Penalty(4.0, (12, 15), (1.0, 5.0))


def test_the_polar_on_iterates(views):
    found = rows("view_polar", *views, params={"seeds": {"columns": 4}}, steps=4)
    assert len(found) == 4
    assert all(row["miss"] <= 1e-6 and row["disagreement"] <= 1e-6 for row in found)
    assert found[-1]["share_certified"] == np.mean([row["certified"] for row in found])
    ratios = [row["seconds_svds"] / row["seconds_power"] for row in found]
    assert found[-1]["median_svds_over_power"] == pytest.approx(np.median(ratios))


def test_random_polars():
    found = rows("view_polar_random", trials=24, starts=3)
    for name in ("miss", "below", "duality", "recovery", "closed_form"):
        assert max(row[name] for row in found) <= 1e-6, name
    assert max(row["concave"] for row in found) <= 1e-9


def test_random_factors_and_canonical_correlations():
    for row in rows("factor_bounds", trials=30):
        assert row["over_sizes"] >= 1 - 1e-12 and row["sizes_over"] >= 1 - 1e-10 and row["equality"] < 1e-9
    for row in rows("canonical_correlations", trials=10):
        assert max(row.values()) < 1e-8


def test_dictionaries_that_leave_zero(views):
    problem, _ = views
    found = rows("trapped_descent", problem, Penalty(6.0, (12, 15)), columns=[1, 5, 20], draws=50, checked=10)
    shares = [row["escapes"] for row in found]
    assert shares == sorted(shares) and shares[-1] > 0
    assert not any(row["mistakes"] for row in found)


def test_noise_that_pays():
    problem = Problem(make("two_views", rows=[160, 200], columns=20, rank=2))
    found = rows("truth_and_noise", problem, Penalty(1.0, (160, 200), (1.0, 5.0)), weights=[5.0, 100.0])
    slope = np.sqrt(0.15 * 160) + 5 * np.sqrt(0.15 * 200)  # a column has about that much noise
    assert found[0]["slope"] == pytest.approx(slope, rel=0.05)
    assert found[0]["change"] < 0 and found[1]["gain"] == 0 == found[1]["error"]
    loss = problem.value(problem.clean)
    assert loss == pytest.approx(np.abs(problem.target - problem.clean).sum(), rel=1e-3)


def test_a_grid_of_penalties(views):
    params = {"penalty_name": "multi_view", "options": {"gamma": 5}, "params": {"seeds": {"columns": 4}}}
    found = rows("penalty_grid", views[0], weights=[1e6, 4.0], steps=4, **params)
    assert [row["weight"] for row in found] == [1e6, 4.0]
    assert found[1]["least_error"] <= found[1]["error_clean"]
    one = rows("penalty_grid", views[0], penalty_name="trace_norm", weights=[1.0], steps=3)
    assert one[0]["rank"] >= 1
