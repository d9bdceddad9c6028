"""`compare.differences` finds each kind of difference, and clocks are none."""

import copy

import instances
import numpy as np
import pytest

from projfree.trace.format import write_trace
from referee.publish.compare import describe, differences

ATTRS = dict.fromkeys(("paper", "experiment", "method", "run", "solver", "git_commit"), "x")
ATTRS |= {"params": {"a": 1}, "stand_in": True}


@pytest.fixture(scope="module")
def trace():
    return instances.run(instances.completion(), "ncgs", {"iterations": 8})


@pytest.fixture
def found(trace, tmp_path):
    """A function: change of a copy (in place) → the differences."""

    def compare(change):
        other = copy.deepcopy(trace)
        change(other)
        write_trace(tmp_path / "a.h5", ATTRS, [trace])
        write_trace(tmp_path / "b.h5", ATTRS, [other])
        return differences(tmp_path / "a.h5", tmp_path / "b.h5")

    return compare


def put(table, name, index, value):
    def change(trace):
        getattr(trace, table)[name][index] = value

    return change


def clocks(t):
    t.cpu_seconds = [s + 1 for s in t.cpu_seconds]
    t.wall_seconds = [s * 2 for s in t.wall_seconds]
    t.timers["lmo"] = [s + 3 for s in t.timers["lmo"]]


@pytest.mark.parametrize("change", [lambda t: None, clocks], ids=["none", "clocks"])
def test_equal_traces_and_clocks_are_no_difference(found, change):
    assert found(change) == []


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda t: setattr(t, "seed", 5), "seed-0 against seed-5"),
        (lambda t: t.iteration.__setitem__(3, 4), "seed 0: iteration at record 3"),
        (put("oracles", "LO", 2, 7), "oracles/LO at record 2"),
        (put("metrics", "objective", 4, 0.5), "metrics/objective at record 4"),
        (put("metrics", "objective", 4, np.nan), "metrics/objective at record 4"),
        (lambda t: t.metrics.pop("objective"), "metrics/objective has 9 records against 0"),
        (lambda t: t.metrics.update(more=[1.0] * 9), "metrics/more has 0 records against 9"),
        (lambda t: setattr(t, "end_status", "diverged"), ""),
        (lambda t: t.final.update(x=t.final["x"] + 1), ""),
    ],
)
def test_each_difference_is_named(found, change, words):
    assert [line for line in found(change) if words in line], found(change)


def test_undefined_equals_undefined(found, trace):
    assert found(put("metrics", "objective", 4, trace.metrics["objective"][4] * (1 + 1e-9)))
    trace.metrics["undefined"] = [np.nan] * 9
    assert found(lambda t: None) == []
    trace.metrics.pop("undefined")


def test_a_shorter_run_differs(found):
    def shorten(t):
        t.iteration, t.cpu_seconds, t.wall_seconds = t.iteration[:5], t.cpu_seconds[:5], t.wall_seconds[:5]
        for table in (t.oracles, t.metrics, t.timers):
            for name in table:
                table[name] = table[name][:5]

    assert any("iteration has 9 records against 5" in line for line in found(shorten))


def test_a_trace_in_words(trace, tmp_path):
    write_trace(tmp_path / "a.h5", ATTRS, [trace])
    words = describe(tmp_path / "a.h5")
    assert "seed 0: iterations after 8 iterations" in words and "STAND-IN data" in words
    assert f'"FO": {trace.oracles["FO"][-1]}' in words and "objective" in words
