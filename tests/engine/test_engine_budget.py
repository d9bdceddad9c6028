"""What ends a run, and what the trace says about it."""

import itertools
from functools import partial

import instances
import numpy as np
import pytest

from projfree.engine.budget import OVERRUN, Budget
from projfree.engine.clock import Clock
from projfree.engine.schedule import Schedule
from projfree.trace.counts import COUNTS

#: A solver and a limit for each count it spends.
SPENDS = [("ncgs", "FO", 7), ("ncgs", "LO", 60), ("ncgs", "matvec", 900)]
SPENDS += [("ncgs_vr", "IFO", 700), ("svrg", "PO", 9)]


@pytest.mark.parametrize("name, count, limit", SPENDS)
def test_counts_end_a_run(name, count, limit):
    trace = instances.run(instances.completion(), name, {count: limit})
    spent = trace.oracles[count]
    assert trace.end_status == "budget"
    assert limit <= spent[-1] <= OVERRUN * limit + max(np.diff(spent))
    assert spent[-2] < limit


def test_every_count_can_be_a_budget():
    clock = Clock(0.0, 0.0)
    for count in COUNTS:
        zeros, nines, limit = dict.fromkeys(COUNTS, 0), dict.fromkeys(COUNTS, 9), Budget.parse({count: 5})
        assert limit.reached(0, clock, {**zeros, count: 5}) == "budget"
        assert limit.reached(0, clock, {**nines, count: 4}) is None


@pytest.fixture
def ticking(monkeypatch):
    """A clock of the method that goes on by as much as it is told, each time it is read; no timer runs."""

    def by(tick):
        monkeypatch.setattr("projfree.engine.timers.process_time", lambda: 0.0)
        for name in ("process_time", "perf_counter"):
            monkeypatch.setattr(f"projfree.engine.clock.{name}", partial(next, itertools.count(1.0, tick)))

    return by


@pytest.mark.parametrize("limit", ["cpu_seconds", "wall_seconds"])
def test_seconds_end_a_run(limit, ticking):
    ticking(1e-4)
    trace = instances.run(instances.completion(), "ncgs", {limit: 0.1}, records=Schedule(ratio=1.5))
    assert trace.end_status == "budget"
    assert 0.1 <= getattr(trace, limit)[-1] < 0.11
    assert trace.iteration[-1] > 5


def test_the_progress_is_the_share_of_the_nearest_limit():
    budget = Budget.parse({"iterations": 10, "cpu_seconds": 4, "wall_seconds": None})
    assert budget.fraction(5, Clock(1.0, 0.0), {}) == 0.5
    assert budget.fraction(5, Clock(3.0, 0.0), {}) == 0.75
    assert budget.limits == {"iterations": 10, "cpu_seconds": 4}


def test_a_metric_that_is_small_enough_ends_a_run():
    problem = instances.completion()
    free = instances.run(problem, "ncgs", {"iterations": 30}, metrics=["objective"])
    level = free.metrics["objective"][11]
    budget = {"iterations": 30, "stop": {"objective": level}}
    trace = instances.run(problem, "ncgs", budget, metrics=["objective"])
    assert trace.end_status == "converged" and "objective ≤" in trace.message
    assert trace.metrics["objective"][-1] <= level < min(trace.metrics["objective"][:-1])
    assert trace.iteration[-1] <= 11


def test_a_budget_that_ends_inside_a_step():
    """The theorem's condg asks for many linear minimisations: the oracle itself ends the second step."""
    problem = instances.completion()
    params = {"rule": "theorem", "eta": 0.03}
    whole = instances.run(problem, "ncgs", {"iterations": 4}, params=params, metrics=["objective"])
    first, second = whole.oracles["LO"][1:3]
    limit = first + (second - first) // 3
    trace = instances.run(problem, "ncgs", {"LO": limit}, params=params, metrics=["objective"])
    assert trace.end_status == "budget" and trace.iteration == [0, 1, 1]
    assert trace.message.startswith("the budget ended inside step 2") and "LO" in trace.message
    assert trace.metrics["objective"] == [*whole.metrics["objective"][:2], whole.metrics["objective"][1]]
    spent = trace.oracles["LO"]
    assert OVERRUN * limit <= spent[-1] <= OVERRUN * limit + 2 < second
    assert trace.oracles["FO"][-1] == 2 and trace.cpu_seconds[-1] > trace.cpu_seconds[-2]
    assert np.isfinite(trace.final["x"]).all()
    assert problem.value(trace.final["x"]) == trace.metrics["objective"][-1]


def test_cpu_seconds_that_end_inside_a_step(ticking):
    ticking(0.01)
    params = {"rule": "theorem", "eta": 1e-9}
    trace = instances.run(instances.completion((30, 30)), "ncgs", {"cpu_seconds": 0.2}, params=params)
    assert trace.end_status == "budget" and "CPU seconds" in trace.message
    assert 0.2 * OVERRUN <= trace.cpu_seconds[-1] < 0.2 * OVERRUN + 0.04


def test_a_budget_that_ends_inside_the_start():
    trace = instances.run(
        instances.completion(), "estimator_frank_wolfe", {"IFO": 10}, params={"estimator": "saga"}
    )
    assert trace.end_status == "budget"


@pytest.mark.parametrize(
    "budget, status, steps",
    [
        ({"iterations": 0}, "iterations", [0]),
        ({"iterations": 5, "stop": {"objective": 1e9}}, "converged", [0]),
        ({"iterations": 3, "FO": 50}, "iterations", [0, 1, 2, 3]),
        ({"iterations": 50, "FO": 3}, "budget", [0, 1, 2, 3]),
    ],
)
def test_the_first_of_several_limits_ends_a_run_maybe_before_a_step(budget, status, steps):
    trace = instances.run(instances.completion(), "ncgs", budget)
    assert (trace.iteration, trace.end_status) == (steps, status)
    if steps == [0]:
        assert not any(values[-1] for values in trace.oracles.values()) and not trace.final["x"].any()


@pytest.mark.parametrize(
    "values, match",
    [
        ({"cpu_second": 5}, "cpu_second'.*Did you mean 'cpu_seconds'.*IFO.*stop"),
        ({}, "at least one limit"),
        ({"stop": {"objective": 1}}, "at least one limit"),
        ({"cpu_seconds": None}, "at least one limit"),
    ],
)
def test_wrong_budgets(values, match):
    with pytest.raises(ValueError, match=match):
        Budget.parse(values)


@pytest.mark.parametrize("schedule", [Schedule(), Schedule(ratio=1.5), Schedule(every=1), Schedule(every=7)])
def test_records_follow_the_schedule_and_the_last_is_the_end(schedule):
    trace = instances.run(instances.completion(), "frank_wolfe", {"iterations": 45}, records=schedule)
    expected = [0]
    while expected[-1] < 45:
        expected.append(min(schedule.after(expected[-1]), 45))
    assert trace.iteration == expected


def test_schedules_by_hand():
    geometric, linear = Schedule(ratio=1.5), Schedule(every=10)
    assert [geometric.after(k) for k in (0, 1, 2, 3, 10, 100)] == [1, 2, 3, 5, 15, 150]
    assert [linear.after(k) for k in (0, 10)] == [10, 20]
    for wrong in ({"every": 0}, {"ratio": 1.0}, {"ratio": 0.9}):
        with pytest.raises(ValueError, match="records"):
            Schedule(**wrong)
