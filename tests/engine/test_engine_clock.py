"""The clock runs while the method works, and only then."""

from types import SimpleNamespace

import instances
import numpy as np
import pytest

from projfree.engine.clock import Clock
from projfree.engine.oracles.base import TIMERS


@pytest.fixture
def hands(monkeypatch):
    """Clocks that a test moves: `burn` spends CPU seconds, and as many wall seconds; `rest` wall seconds."""
    now = SimpleNamespace(cpu=0.0, wall=0.0)

    def rest(seconds):
        now.wall += seconds

    def burn(seconds):
        now.cpu += seconds
        rest(seconds)

    for place in ("clock", "timers"):
        monkeypatch.setattr(f"projfree.engine.{place}.process_time", lambda: now.cpu)
    monkeypatch.setattr("projfree.engine.clock.perf_counter", lambda: now.wall)
    return SimpleNamespace(burn=burn, rest=rest)


def slow(hands):
    """A metric that sleeps and computes."""

    def metric(_):
        hands.rest(1.0)
        hands.burn(1.0)
        return 1.0

    return metric


def late(hands, problem, seconds):
    """The problem, whose gradient takes so many seconds."""
    gradient = problem.gradient

    def computed(x):
        hands.burn(seconds)
        return gradient(x)

    problem.gradient = computed
    return problem


def test_a_slow_metric_is_not_in_the_clock(hands):
    problem = instances.completion()
    setting = instances.setting(problem, {"iterations": 10})
    setting.metrics["slow"] = slow(hands)
    trace = instances.run(problem, "ncgs", setting=setting)
    assert len(trace.iteration) == 11
    assert not any(trace.cpu_seconds) and not any(trace.wall_seconds)
    assert not any(trace.timers[name][-1] for name in TIMERS)


def test_a_slow_metric_does_not_spend_the_budget(hands):
    problem = instances.completion()
    setting = instances.setting(problem, {"cpu_seconds": 0.5, "iterations": 12})
    setting.metrics["slow"] = slow(hands)
    assert instances.run(problem, "frank_wolfe", setting=setting).end_status == "iterations"
    spent = instances.run(late(hands, problem, 1.0), "frank_wolfe", setting=setting)
    assert spent.end_status == "budget"


def test_a_slow_oracle_is_in_the_clock_and_in_its_timer(hands):
    problem = late(hands, instances.completion(), 0.5)
    trace = instances.run(problem, "ncgs", {"iterations": 5})
    spent = [0.5 * calls for calls in trace.oracles["FO"]]
    assert trace.timers["gradient"] == trace.cpu_seconds == trace.wall_seconds == spent
    assert np.all(np.diff(spent) >= 0.5)


def test_metrics_add_no_counts():
    problem, names = instances.completion(), ["objective", "fw_gap", "sq_gradient_mapping", "rank"]
    few, many = (
        instances.run(problem, "estimator_frank_wolfe", {"iterations": 10}, metrics=metrics)
        for metrics in (names[:1], names)
    )
    assert few.oracles == many.oracles and few.metrics["objective"] == many.metrics["objective"]


def test_a_clock_adds_up_its_intervals_and_stops_where_a_step_raises(hands):
    clock = Clock()
    with clock:
        hands.burn(2.0)
        assert clock.now() == 2.0 and clock.cpu == 0
    hands.burn(4.0)
    assert clock.now() == clock.cpu == 2.0
    with clock:
        hands.rest(8.0)
    assert clock.wall == 10.0 and clock.cpu == 2.0
    with pytest.raises(ZeroDivisionError), clock:
        hands.burn(1.0)
        1 / 0  # noqa: B018
    assert clock.cpu == clock.now() == 3.0
