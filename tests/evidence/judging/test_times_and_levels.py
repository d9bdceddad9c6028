"""Times are intervals, settled; levels are those of the way to the optimum."""

import math

import numpy as np
import pytest
from frames import run
from made_curves import cell, evidence, judged

from referee.evidence.judging.race import Line
from referee.evidence.judging.ranges import Range
from referee.evidence.statistics.times import passed, settled
from referee.evidence.statistics.values import value_at

TIME = {"less": {"a": "a", "than": "b", "factor": 2}, "time": {"metric": "m", "lowest": 0}}


def line(*y, stopped=False):
    return Line(np.arange(len(y), dtype=float), np.array(y, float), stopped)


def test_a_time_lies_between_two_records():
    assert settled(line(8, 4, 2, 1), 2) == Range(1, 2)
    assert settled(line(8, 1, 4, 1), 2) == Range(2, 3)  # it came back up
    assert passed(line(8, 1, 4, 1), 2) == Range(0, 1)
    assert settled(line(1, 1), 2) == Range(0, 0)


def test_never_is_open_for_a_run_that_could_go_on():
    assert settled(line(8, 4), 2) == Range(1, math.inf)
    assert settled(line(8, 4, stopped=True), 2) == Range(math.inf, math.inf)
    assert passed(line(8, 4), 2) == Range(1, math.inf)


@pytest.mark.parametrize("when", [settled, passed])
def test_what_has_not_arrived_has_at_least_the_end_of_the_race(when):
    assert when(line(8, 4), 2, 30.0) == Range(30, math.inf)
    assert when(line(8, 4, stopped=True), 2, 30.0) == Range(math.inf, math.inf)
    assert when(line(8, 4, 2, 1), 2, 30.0) == Range(1, 2)


@pytest.mark.parametrize(("factor", "truth"), [(5, True), (20, None)])
def test_a_first_record_after_the_budget_says_that_there_was_none_before(factor, truth):
    """APG's first decomposition ends after 60 of 30 seconds: cut at record 0, it has "at least 30"."""
    soon = run("a", {"m": [1, 0.5, 0.01, 0.001]}, seconds=[0, 2, 4, 31])
    late = run("b", {"m": [1, 0.001]}, seconds=[0, 60])
    test = TIME | {"less": {"a": "a", "than": "b", "factor": factor}}
    found = cell([soon, late], test, experiments={"e": {"budget": {"IFO": 30}}})
    assert found.verdict is truth and found.measured["ratio"] == Range(0, pytest.approx(4 / 30))


def test_a_value_between_two_records_is_read_off_the_drawn_line():
    """Equal runs, one of few records: cut at 3 s, its value there is not that of the record at 2 s."""
    assert value_at(line(8, 4, 2, 1), 2, "log") == 2
    assert value_at(line(8, 4, 2, 1), 2.5, "log") == pytest.approx(2**0.5)
    assert value_at(line(8, 4, 2, 1), 2.5, "linear") == value_at(line(8, 0, 3, 0), 2.5, "log") == 1.5
    assert value_at(line(8, 4, 2, 1), 9, "log") == 1 and value_at(line(8, 4, math.inf), 1.5, "log") == 4
    x = np.arange(10.0)
    whole, cut = run("a", {"m": 2.0**-x}, seconds=x), run("b", {"m": 2.0 ** -x[:4]}, seconds=x[:4])
    test = {"equal": {"a": "a", "to": "b", "within": 0.3}, "value": {"metric": "m", "lowest": 0}}
    assert cell([whole.iloc[::2], cut], test).verdict is True


def falling(name, rate, size=60, **more):
    x = np.linspace(0, 30, size)
    return run(name, {"m": np.exp(-rate * x)}, seconds=x, **more)


@pytest.mark.parametrize(
    ("rate", "truth"), [(4.0, True), (1.2, False), (1.0, False), (2.0, None), (0.25, False)]
)
def test_less_by_a_factor_holds_fails_or_is_open(rate, truth):
    found = cell([falling("a", rate), falling("b", 1.0)], TIME)
    assert found.verdict is truth and found.control is (rate < 0.5)


def test_levels_that_neither_reaches_say_nothing_instead_of_false():
    runs = [run("a", {"m": [100, 99, 98.0]}), run("b", {"m": [100, 99, 98.5]})]
    found = judged(runs, TIME)
    assert found.verdict == "not_testable"
    assert found.counts["reasons"] == {"neither reaches any of the levels": 1}


def test_the_common_level_is_the_worst_end_that_all_reach():
    a, b = run("a", {"m": [100, 40, 30, 30.0]}), run("b", {"m": [100, 99, 60, 55.0]})
    test = TIME | {"time": {"metric": "m", "lowest": 0, "shares": [0.01]}, "less": {"a": "a", "than": "b"}}
    assert cell([a, b], test).truth is True
    without = test | {"time": test["time"] | {"common": False}}
    assert cell([a, b], without).truth is None


def test_a_run_that_diverged_does_not_win_at_its_own_end():
    diverged = run("b", {"m": [100, 50, 20, 99.9]}, end_status="diverged")
    found = cell([run("a", {"m": [100, 60, 40, 30.0]}), diverged], TIME | {"less": {"a": "b", "than": "a"}})
    assert found.truth is False


def test_a_running_best_never_contains_the_start():
    """Mirror-prox fault: clipped at its start, a method that first rises looks as good as one that falls."""
    a, b = run("a", {"m": [1, 0.9, 0.8, 0.7]}), run("b", {"m": [1, 4000, 2000, 50.0]})
    test = {"less": {"a": "a", "than": "b", "factor": 50}, "value": {"metric": "m", "best": True}}
    assert cell([a, b], test).truth is True
    clipped = np.minimum.accumulate([1, 4000, 2000, 50.0])[-1]
    assert clipped / 0.7 < 50


def test_the_current_value_is_judged_unless_best_is_said():
    noisy = run("a", {"m": [8, 1, 6, 6.0]})
    steady = run("b", {"m": [8, 5, 4, 3.0]})
    test = {"less": {"a": "a", "than": "b"}, "value": {"metric": "m"}}
    assert cell([noisy, steady], test).verdict is False
    assert cell([noisy, steady], test | {"value": {"metric": "m", "best": True}}).verdict is True


def test_unequal_ends_alone_void_nothing():
    short = falling("a", 4.0).iloc[:40]
    assert cell([short, falling("b", 1.0)], TIME).verdict is True


def test_a_metric_that_is_no_objective_has_the_common_level_or_names_its_own():
    runs = [falling("a", 4.0), falling("b", 1.0)]
    assert list(judged(runs, TIME | {"time": "m"}).levels["e"]) == ["the worst end"]
    assert cell(runs, TIME | {"time": "m"}).verdict is True
    with pytest.raises(ValueError, match="m is no objective: its `lowest` value, or a `level`"):
        judged(runs, TIME | {"time": {"metric": "m", "shares": [0.5]}})
    assert cell(runs, TIME | {"time": {"metric": "m", "level": 1e-5}}).verdict is True


def test_large_is_good_by_the_upper_limit():
    a, b = run("a", {"m": [0, 0.9, 0.99]}), run("b", {"m": [0, 0.5, 0.6]})
    assert cell(
        [a, b], {"less": {"a": "a", "than": "b", "factor": 2}, "value": {"metric": "m", "upper": 1}}
    ).verdict


def test_the_optimum_is_the_least_value_known_of_the_instance():
    a, b = run("a", {"objective": [9, 5.2, 5.1]}), run("b", {"objective": [9, 7, 6.0]})
    other = run("long", {"objective": [9, 5, 4.0]})
    test = TIME | {"time": "objective", "less": {"a": "a", "than": "b"}}
    found = judged([a, b], test, {"f": {"instance_of": "e"}, "e": {}}, f=[other])
    panel = found.panels[0]
    assert panel.cells[0].truth is True
    made = evidence({"f": {"instance_of": "e"}, "e": {}}, e=[a, b], f=[other])
    made.has = lambda name: name in ("e", "f")
    assert made.panel("e").lowest(0, "objective") == 4.0
    assert evidence(e=[a, b]).panel("e").lowest(0, "objective") == 5.1
