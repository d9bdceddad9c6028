"""The clock runs while the method works, and only then; timers book every second of an oracle once."""

from types import SimpleNamespace

import instances
import numpy as np
import pytest

from projfree.engine.clock import Clock
from projfree.engine.oracles.base import TIMERS
from projfree.engine.timers import Timers
from projfree.trace.timers import belongs


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
    def metric(_):
        hands.rest(1.0)
        hands.burn(1.0)
        return 1.0

    return metric


def late(hands, problem, seconds):
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


def test_a_phase_keeps_what_no_oracle_in_it_took(hands):
    booked = Timers(("gradient", "value"), ("reduce",))
    booked.call("gradient", hands.burn, 1)
    with booked.phase("reduce"):
        hands.burn(10)
        booked.call("gradient", hands.burn, 100)
        booked.call("value", hands.burn, 1000)
    booked.call("value", hands.burn, 10000)
    whole = {"gradient": 1, "value": 10000, "reduce": 10}
    assert booked.seconds == whole | {"gradient_in_reduce": 100, "value_in_reduce": 1000}
    for part, total in (("reduce", 1110), ("value", 11000)):
        assert sum(booked.seconds[name] for name in booked.seconds if belongs(name, part)) == total


def test_a_call_inside_a_call_is_booked_once(hands):
    booked = Timers(("polar", "gradient"))
    booked.call("polar", lambda: (hands.burn(3), booked.call("gradient", hands.burn, 4), hands.burn(5)))
    booked.call("polar", hands.burn, 20)
    assert booked.seconds == {"polar": 28, "gradient": 4}


def test_what_is_raised_inside_is_booked_too(hands):
    booked = Timers(("gradient",), ("reduce",))

    def fails():
        hands.burn(2)
        raise ValueError

    with pytest.raises(ValueError), booked.phase("reduce"):
        hands.burn(1)
        booked.call("gradient", fails)
    booked.call("gradient", hands.burn, 5)
    assert booked.seconds == {"gradient": 5, "reduce": 1, "gradient_in_reduce": 2}
