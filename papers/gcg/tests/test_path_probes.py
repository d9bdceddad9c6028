"""The regularisation path and the scale probe on small instances."""

import numpy as np
import pytest
from referee.papers.gcg.probes import completion_scale, regularisation_path

from projfree.penalties import trace_norm
from projfree.problems import ratings_completion


def test_the_path_is_certified_and_its_order_is_that_of_lambda():
    problem = next(ratings_completion.Problem.small(np.random.default_rng(0)))
    weights, params = [0.5, 4.0, 2.0, 100.0], {"tol": 5e-4}
    rows = [
        row.metrics
        for row in regularisation_path.measure(
            None, problem, trace_norm.Penalty(1.0), np.random.default_rng(0), weights=weights, params=params
        )
    ]
    assert [row["weight"] for row in rows] == sorted(weights, reverse=True)
    assert rows[0]["rank"] == 0 and all(row["certified"] for row in rows)
    assert all(row["polar_ratio"] <= 1.0005 + 1e-5 and row["relative_gap"] <= 5e-3 for row in rows)
    assert all(np.diff([row["rmse_train"] for row in rows]) < 0)
    assert all(np.diff([row["objective"] for row in rows]) < 0)


def test_scale_measures_each_size():
    sizes = [{"users": 60, "items": 40, "ratings": 500}, {"users": 90, "items": 50, "ratings": 1500}]
    penalty, rng = trace_norm.Penalty(1.0), np.random.default_rng(0)
    rows = [r.metrics for r in completion_scale.measure(None, None, penalty, rng, sizes=sizes, steps=2)]
    assert [row["ratings"] for row in rows] == [500, 500, 1500, 1500]
    assert all(row["memory_per_rating"] >= 0 and row["seconds_step"] > 0 for row in rows)
    with pytest.raises(RuntimeError, match="a run on"):
        list(completion_scale.measure(None, None, penalty, rng, sizes=[{"users": 5}]))
