"""Probes of rating sets: optima over λ, cost of decompositions, sizes."""

import numpy as np
import probed
import pytest
from referee.papers.gcg.probes import penalty_weights

from projfree.penalties.trace_norm import Penalty
from projfree.problems.ratings_completion import Problem


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(0)
    truth = rng.standard_normal((40, 3)) @ rng.standard_normal((3, 30))
    rows, cols = np.nonzero(rng.random(truth.shape) < 0.6)
    test = rng.random(len(rows)) < 0.2
    parts = {"": ~test, "test_": test}
    arrays = {f"{k}rows": rows[p] for k, p in parts.items()} | {f"{k}cols": cols[p] for k, p in parts.items()}
    arrays |= {f"{k}values": truth[rows[p], cols[p]] for k, p in parts.items()}
    return Problem(arrays | {"shape": np.array([41, 30])})


def rows(name, problem, weight=9.0, **params):
    return probed.rows("gcg", name, problem, Penalty(weight), seed=1, **params)


def test_optima_over_lambda(problem):
    found = [row.metrics for row in rows("penalty_weights", problem, weights=[1e4, 3, 1], tick=2.0)]
    assert [one["weight"] for one in found] == [1e4, 3, 1] and found[0]["rank"] == 0
    assert all(one["polar_ratio"] <= 1.001 and abs(one["relative_gap"]) < 1e-3 for one in found[1:])
    assert found[1]["objective"] > found[2]["objective"] and found[1]["rank"] <= found[2]["rank"]
    assert all(one["rmse_best"] <= one["rmse_test"] and one["twice"] == 2 * one["objective"] for one in found)


def test_steps_end_a_run(problem):
    (row,) = rows("penalty_weights", problem, weights=[0.1], steps=2)
    assert row.counts["PU"] <= 3 and row.metrics["polar_ratio"] > 1.001


def test_ticks_are_read_three_ways():
    ticks = {6e5: 6 / 5.6, 4e5: 4e5 / 10**5.6, 6e6: 6 / 5.6, 1e5: 1e5 / 10**5.6}
    for weight, read in ticks.items():
        assert penalty_weights.over_tick(weight, 5.6) == pytest.approx(read)


def test_costs_of_decompositions(problem):
    found = rows("svd_costs", problem, 1.0, iterations=[0, 2], tol=1e-6)
    assert [row.iteration for row in found] == [0, 2]
    for row in found:
        assert row.metrics["error"] < 1e-6 and row.metrics["entries"] == 41 * 30
        assert row.metrics["times"] == row.metrics["seconds_full"] / row.metrics["seconds_pair"]


def test_sizes(problem):
    (row,) = rows("ratings_facts", problem, 7.0)
    sizes = {"users": 41, "items": 30, "used_users": 40, "used_items": 30, "weight": 7.0}
    assert row.metrics.items() >= sizes.items()
    assert row.metrics["train"] + row.metrics["test"] == problem.n + problem.test[1].size
