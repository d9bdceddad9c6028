"""The clock runs while the method works, and only then."""

import time

import instances
import numpy as np
import pytest

from projfree.engine.clock import Clock
from projfree.engine.oracles.base import TIMERS


def burn(seconds):
    """Spend CPU seconds, not wall seconds."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def slow(_):
    """A metric that sleeps and computes."""
    time.sleep(0.02)
    burn(0.02)
    return 1.0


def test_a_slow_metric_is_not_in_the_clock():
    problem = instances.completion()
    setting = instances.setting(problem, {"iterations": 10})
    setting.metrics["slow"] = slow
    began = time.process_time()
    trace = instances.run(problem, "ncgs", setting=setting)
    in_all = time.process_time() - began
    assert len(trace.iteration) == 11 and in_all > 11 * 0.02
    assert trace.cpu_seconds[-1] < in_all - 11 * 0.02
    assert trace.wall_seconds[-1] < 0.2, "neither sleep nor burn"
    assert sum(trace.timers[name][-1] for name in TIMERS) < 0.1


def test_a_slow_metric_does_not_spend_the_budget():
    problem = instances.completion()
    setting = instances.setting(problem, {"cpu_seconds": 0.15, "iterations": 12})
    setting.metrics["slow"] = slow
    assert instances.run(problem, "frank_wolfe", setting=setting).end_status == "iterations"


def test_a_slow_oracle_is_in_the_clock_and_in_its_timer():
    problem = instances.completion()
    gradient = problem.gradient

    def late(x):
        burn(0.01)
        return gradient(x)

    problem.gradient = late
    trace = instances.run(problem, "ncgs", {"iterations": 5})
    assert trace.timers["gradient"][-1] >= 0.05
    assert trace.cpu_seconds[-1] >= trace.timers["gradient"][-1]
    assert np.all(np.diff(trace.cpu_seconds) >= 0.01) and np.all(np.diff(trace.wall_seconds) >= 0.01)


def test_metrics_add_no_counts():
    problem = instances.completion()
    few, many = (
        instances.run(problem, "estimator_frank_wolfe", {"iterations": 10}, metrics=metrics)
        for metrics in (
            ["objective"],
            ["objective", "fw_gap", "sq_gradient_mapping", "gradient_norm", "rank"],
        )
    )
    assert few.oracles == many.oracles and few.metrics["objective"] == many.metrics["objective"]


def test_a_clock_adds_up_its_intervals():
    clock = Clock()
    with clock:
        burn(0.02)
        assert clock.now() >= 0.02 and clock.cpu == 0
    first = clock.cpu
    burn(0.02)
    assert clock.now() == clock.cpu == first
    with clock:
        time.sleep(0.02)
    assert clock.wall >= 0.04 and clock.cpu < first + 0.015


def test_a_clock_stops_where_a_step_raises():
    clock = Clock()
    with pytest.raises(ZeroDivisionError), clock:
        burn(0.01)
        1 / 0  # noqa: B018
    assert clock.cpu >= 0.01 and clock.now() == clock.cpu
