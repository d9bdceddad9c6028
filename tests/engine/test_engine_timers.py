"""Every second of an oracle is booked once: phases keep what is left, and no sum exceeds the clock."""

import pytest

from projfree.engine import timers
from projfree.engine.timers import Timers
from projfree.trace.timers import belongs


@pytest.fixture
def spend(monkeypatch):
    """A clock that stands still but for what is spent."""
    now = [0.0]
    monkeypatch.setattr(timers, "process_time", lambda: now[0])

    def spend(seconds):
        now[0] += seconds
        return now[0]

    return spend


def test_a_phase_keeps_what_no_oracle_in_it_took(spend):
    booked = Timers(("gradient", "value"), ("reduce",))
    booked.call("gradient", spend, 1)
    with booked.phase("reduce"):
        spend(10)
        booked.call("gradient", spend, 100)
        booked.call("value", spend, 1000)
    booked.call("value", spend, 10000)
    whole = {"gradient": 1, "value": 10000, "reduce": 10}
    assert booked.seconds == whole | {"gradient_in_reduce": 100, "value_in_reduce": 1000}
    for part, total in (("reduce", 1110), ("value", 11000)):
        assert sum(booked.seconds[name] for name in booked.seconds if belongs(name, part)) == total


def test_a_call_inside_a_call_is_booked_once(spend):
    booked = Timers(("polar", "gradient"))
    booked.call("polar", lambda: (spend(3), booked.call("gradient", spend, 4), spend(5)))
    booked.call("polar", spend, 20)
    assert booked.seconds == {"polar": 28, "gradient": 4}


def test_what_is_raised_inside_is_booked_too(spend):
    booked = Timers(("gradient",), ("reduce",))

    def fails():
        spend(2)
        raise ValueError

    with pytest.raises(ValueError), booked.phase("reduce"):
        spend(1)
        booked.call("gradient", fails)
    booked.call("gradient", spend, 5)
    assert booked.seconds == {"gradient": 5, "reduce": 1, "gradient_in_reduce": 2}
