"""The multi-view probes on tiny instances: what they measure is what they say."""

import numpy as np
import probed
import pytest
from generated import make

from projfree.penalties.multi_view import Penalty
from projfree.problems.multi_view import Problem


@pytest.fixture
def views():
    arrays = make("two_views", rows=[12, 15], columns=10, rank=2)
    return Problem(arrays), Penalty(4.0, (12, 15), (1.0, 5.0))


def rows(name, problem=None, penalty=None, **params):
    return [row.metrics for row in probed.rows("gcg", name, problem, penalty, seed=1, **params)]


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
