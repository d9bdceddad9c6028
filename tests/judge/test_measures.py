"""One truth table of the measures, on curves that are known."""

import numpy as np
import pandas as pd
import pytest
from planted_judge import SECONDS, falling, plant, rows

from referee.judge import (
    about,
    at_least,
    at_most,
    below,
    call,
    faster,
    lower_at,
    order_about,
    order_at_least,
    order_at_most,
    order_lower,
    ordered,
    settled,
    share_of_time,
    zero,
)
from referee.judge.claims import Claim
from referee.judge.measures import ONCE
from referee.judge.races import Line, Race

FAST, SLOW = falling(), falling(4)
FLAT, RISING = falling(end=1.0), lambda s: 1 + s
CROSSING = lambda s: np.where(s < 5, falling()(s) - 0.2, falling()(s) + 0.2)  # noqa: E731
LAST_ABOVE = lambda s: FAST(s) - 0.15 + 0.3 * (s > 9.5)  # noqa: E731
PANEL = "c5c"  # linear, without an axis of the paper


def panel(tmp_path, **methods):
    return plant(tmp_path, {PANEL: methods})[PANEL]


def truth(found):
    (finding,) = found
    reason = finding.reason.removesuffix(ONCE)
    return finding.truth, reason.partition(":")[0].partition(" ")[0].removesuffix(";")


# What is asked of a and b, curve of a, curve of b → truth, first word of the reason.
PAIRS = [
    (below, {}, FAST, SLOW, True, ""),
    (below, {}, SLOW, FAST, False, "behind"),
    (below, {}, FAST, FAST, None, "close"),
    (below, {}, FAST, falling(end=0.11), None, "close"),
    (below, {}, FAST, falling(end=0.13), True, ""),
    (below, {}, CROSSING, FAST, False, "crosses"),
    (below, {}, FAST, RISING, True, ""),
    (below, {}, lambda s: FAST(s) - 0.15 * (s < 9.9), FAST, True, ""),
    (below, {}, LAST_ABOVE, FAST, False, "crosses"),
    (faster, {"by": 1}, FAST, SLOW, True, ""),
    (faster, {"by": 3}, FAST, SLOW, True, ""),
    (faster, {"by": 6}, FAST, SLOW, False, ""),
    (faster, {"by": 1}, SLOW, FAST, False, ""),
    (faster, {"by": 1}, FAST, FAST, None, "0"),
    (faster, {"by": 3}, FAST, FLAT, True, ""),
    (faster, {"by": 1}, FLAT, FLAT, None, "0"),
    (faster, {"by": 3, "to": 0.2}, FAST, SLOW, True, ""),
    (faster, {"by": 6, "to": 0.2}, FAST, SLOW, False, ""),
    (faster, {"by": 1, "to": 0.01}, FAST, SLOW, None, "neither"),
    (faster, {"by": 2, "to": 0.2}, FAST, FLAT, True, ""),  # at least the axis
    (faster, {"by": 9, "to": 0.2}, FAST, FLAT, None, "the"),
    (lower_at, {}, FAST, falling(end=0.2), True, ""),
    (lower_at, {}, falling(end=0.2), FAST, False, ""),
    (lower_at, {}, FAST, falling(end=0.105), None, "tied"),
    (lower_at, {"by": 2}, FAST, falling(end=0.3), True, ""),
    (lower_at, {"by": 4}, FAST, falling(end=0.3), False, ""),
    (lower_at, {"share": 0.1}, FAST, SLOW, True, ""),
    (about, {}, FAST, FAST, True, ""),
    (about, {}, FAST, SLOW, False, "10"),
    (about, {"within": 1.5}, falling(1.1), FAST, True, ""),
    (about, {"within": 1.5}, SLOW, FAST, False, ""),
]


@pytest.mark.parametrize(("measure", "how", "a", "b", "expected", "reason"), PAIRS)
def test_two_lines_are_judged_as_a_reader_with_a_ruler_does(tmp_path, measure, how, a, b, expected, reason):
    found = truth(measure(panel(tmp_path, a=a, b=b), "a", "b", "objective", **how))
    assert found == (expected, reason)


def test_each_of_an_order_is_below_the_next(tmp_path):
    lines = panel(tmp_path, a=FAST, b=SLOW, c=FLAT)
    assert [f.truth for f in ordered(lines, ["a", "b", "c"], "objective")] == [True, True]
    assert [f.truth for f in ordered(lines, ["b", "a", "c"], "objective")] == [False, True]


def test_repetitions_widen_what_is_known_and_nothing_else_does(tmp_path):
    apart = [rows(falling(end=end), repetition=k) for k, end in enumerate((0.1, 0.2, 0.3))]
    lines = panel(tmp_path, a=apart, b=falling(end=0.25), c=falling(end=0.4))
    assert truth(below(lines, "a", "b", "objective"))[0] is None
    assert truth(below(lines, "a", "c", "objective"))[0] is True


def test_seconds_that_were_measured_once_are_said_to_be(tmp_path):
    again = [rows(FAST, repetition=k) for k in (0, 1)]
    for other, over, once in ((again, "cpu_seconds", 0), (FAST, "cpu_seconds", 1), (FAST, "IFO", 0)):
        lines = panel(tmp_path, a=again, b=other)
        (found,) = below(lines, "a", "b", "objective", over=over)
        assert (ONCE in found.reason) == once


def test_a_method_with_one_seed_meets_each_seed_of_the_other(tmp_path):
    lines = panel(tmp_path, a=FAST, b=[rows(SLOW, seed=1), rows(falling(3.9), seed=2)])
    assert [(f.seed, f.truth) for f in below(lines, "a", "b", "objective")] == [(1, True), (2, True)]


def test_seeds_meet_those_that_share_their_instance_alone(tmp_path):
    other = falling(4, start=2.0)  # another start: another instance
    lines = panel(tmp_path, a=FAST, b=[rows(SLOW), rows(other, seed=1)], c=[rows(other, seed=1)])
    assert [(f.seed, f.truth) for f in below(lines, "a", "b", "objective")] == [(0, True)]
    (found,) = below(lines, "a", "c", "objective")
    assert found.absent and "a and c share no instance" in found.reason


def test_seeds_that_repeat_one_computation_are_its_repetitions(tmp_path):
    def runs(factors):
        return [rows(FAST, seed=k, seconds=factor * SECONDS) for k, factor in enumerate(factors)]

    curve = FAST(SECONDS)  # one sequence of values, at other times
    planted = {m: [r.assign(objective=curve) for r in runs(f)] for m, f in {"a": (1, 3), "b": (2, 2)}.items()}
    (found,) = faster(panel(tmp_path, **planted), "a", "b", "objective")
    assert found.seed is None and found.truth is None  # 2 times as fast, and 1.5 times as slow


def test_a_height_can_be_one_a_seed(tmp_path):
    slow = [rows(SLOW), rows(falling(3.9), seed=1)]
    lines = panel(tmp_path, a=[rows(FAST, seed=k) for k in (0, 1)], b=slow)
    found = faster(lines, "a", "b", "objective", to=pd.Series({0: 0.2, 1: 0.01}))
    assert [(f.seed, f.truth) for f in found] == [(0, True), (1, None)]


@pytest.mark.parametrize(("gap", "ends"), [([0, 1, 3], (0.5, 1)), ([1, 1, 3], (0.5, np.inf))])
def test_a_bound_of_0_has_a_ratio_only_where_it_is_broken(tmp_path, gap, ends):
    run = rows(FAST, seconds=np.arange(3.0), gap=np.array(gap, float), bound=np.array([0, 2.0, 3]))
    (found,) = at_most(panel(tmp_path, a=[run]), "a", "gap", "bound")
    assert (found.low, found.high) == ends and found.truth is (ends[1] == 1)


def test_a_line_that_diverged_is_above_all_and_comes_nowhere(tmp_path):
    gone = rows(FAST, status="diverged", seconds=SECONDS[:50])
    lines = panel(tmp_path, a=SLOW, b=[gone])
    assert truth(below(lines, "a", "b", "objective"))[0] is True
    assert faster(lines, "a", "b", "objective", to=0.5)[0].truth is True


def test_a_line_that_stopped_stays_where_it_is(tmp_path):
    stopped = rows(FAST, status="converged", seconds=SECONDS[:40])
    lines = panel(tmp_path, a=[stopped], b=FLAT)
    assert Race.of(lines, "a", "b", "objective", "cpu_seconds", 0).end == 10
    assert truth(below(lines, "a", "b", "objective"))[0] is True


def test_a_run_that_ended_in_an_error_is_none(tmp_path):
    lines = panel(tmp_path, a=FAST, b=[rows(SLOW, status="error")])
    (found,) = below(lines, "a", "b", "objective")
    assert found.absent and found.truth is None and "b" in found.reason


@pytest.mark.parametrize(
    ("y", "expected"),
    [([4, 3, 2, 1], (2, 3)), ([4, 1, 3, 1], (2, 3)), ([1, 1, 1, 1], (0, 0)), ([4, 1, 1, 4], (9, np.inf))],
)
def test_a_line_is_at_a_height_from_the_record_after_its_last_one_above_it(y, expected):
    assert settled(Line(np.arange(4.0), np.array(y, float), "budget"), 1, 9) == expected


def test_the_axis_of_the_paper_ends_a_longer_run_and_marks_a_shorter_one(tmp_path):
    evidence = plant(tmp_path, {"fig3-left": {"ncgs-1": FAST, "fw": SLOW}})
    (found,) = below(evidence["fig3-left"], "ncgs-1", "fw", "objective")
    assert found.length == "10 of 30 s" and found.truth is True
    longer = [rows(FAST, seconds=SECONDS * 6)], [rows(SLOW, seconds=SECONDS * 6)]
    evidence = plant(tmp_path, {"fig3-left": dict(zip(("ncgs-1", "fw"), longer, strict=True))})
    race = Race.of(evidence["fig3-left"], "ncgs-1", "fw", "objective", "cpu_seconds", 0)
    assert race.end == 30 and evidence["fig3-left"].length("ncgs-1", "fw") == ""


def test_a_logarithmic_figure_is_judged_as_it_is_drawn(tmp_path):
    lines = {"ncgs-1": lambda s: np.exp(-2 * s), "fw": lambda s: np.exp(-s)}
    evidence = plant(tmp_path, {"fig1-left": lines, PANEL: lines})
    drawn = below(evidence["fig1-left"], "ncgs-1", "fw", "sq_gradient_mapping")
    assert truth(drawn)[0] is True and drawn[0].low == 10
    linear = below(evidence[PANEL], "ncgs-1", "fw", "objective")
    assert linear[0].low < 10 and truth(linear) == (True, "")


BOUNDS = [
    (at_most, {"measure": "gap", "bound": 2.0}, True),
    (at_most, {"measure": "gap", "bound": 0.5}, False),
    (at_most, {"measure": "gap", "bound": "limit"}, True),
    (at_most, {"measure": "limit", "bound": "gap"}, False),
    (at_most, {"measure": "gap", "bound": 0.5, "by": 2}, True),
    (at_most, {"measure": "gap", "bound": 0.5, "stat": "last"}, True),
    (at_most, {"measure": "gap", "bound": 0.5, "stat": "first"}, False),
    (at_least, {"measure": "gap", "bound": 0.05}, True),
    (at_least, {"measure": "gap", "bound": 0.5, "stat": "last"}, False),
    (at_least, {"measure": "limit", "bound": "gap", "by": 2}, True),
    (zero, {"column": "nothing", "within": 1e-12}, True),
    (zero, {"column": "gap", "within": 1e-12}, False),
    (share_of_time, {"timer": "lmo", "least": 0.5}, True),
    (share_of_time, {"timer": "lmo", "most": 0.5}, False),
    (share_of_time, {"timer": "gradient", "most": 0.2}, True),
]


@pytest.mark.parametrize(("measure", "how", "expected"), BOUNDS)
def test_a_value_is_held_against_its_bound(tmp_path, measure, how, expected):
    timers = {"seconds_lmo": lambda s: 0.4 * s, "seconds_lmo_in_reduce": lambda s: 0.2 * s}
    timers |= {"seconds_gradient": lambda s: 0.1 * s}
    run = rows(FAST, gap=FAST, limit=lambda s: 2 * FAST(s), nothing=0.0, **timers)
    assert truth(measure(panel(tmp_path, a=[run]), "a", **how))[0] is expected


def test_repetitions_that_differ_decide_nothing(tmp_path):
    runs = [rows(FAST, repetition=k, cost=cost) for k, cost in enumerate((1.0, 3.0))]
    found = at_most(panel(tmp_path, a=runs), "a", "cost", 2)
    assert truth(found) == (None, "repetitions") and (found[0].low, found[0].high) == (1, 3)


def test_a_column_that_nothing_recorded_is_named(tmp_path):
    (found,) = at_most(panel(tmp_path, a=FAST), "a", "gpa", 1)
    assert found.absent and "gpa" in found.reason


ORDERS = [
    (order_at_most, ("a", -1), {}, True),
    (order_at_most, ("a", -2), {}, False),
    (order_at_most, ("a", -1.2), {"margin": 0.1}, False),
    (order_at_least, ("a", -1.1), {}, True),
    (order_at_least, ("a", -0.9), {}, False),
    (order_lower, ("b", "c"), {}, True),
    (order_lower, ("c", "b"), {}, False),
    (order_about, ("b", "b2", 0.25), {}, True),
    (order_about, ("b", "c", 0.25), {}, False),
]


@pytest.mark.parametrize(("measure", "given", "how", "expected"), ORDERS)
def test_an_order_is_the_slope_on_logarithmic_axes(tmp_path, measure, given, how, expected):
    powers = {"a": -1.0, "b": 1.0, "b2": 1.1, "c": 2.0}
    at = np.array([8.0, 16, 32, 64])
    runs = {m: [rows(lambda s, p=p: s**p, seconds=at, n=at)] for m, p in powers.items()}
    lines = panel(tmp_path, **runs)
    names = [g for g in given if isinstance(g, str)]
    found = measure(lines, *names, "objective", "n", *given[len(names) :], **how)
    assert truth(found)[0] is expected


def test_several_methods_and_columns_are_all_measured(tmp_path):
    lines = panel(tmp_path, a=[rows(FAST, gap=FAST, limit=2.0)], b=[rows(SLOW, gap=SLOW, limit=2.0)])
    pairs = [f.what for f in below(lines, ["a", "b"], ["b", "a"], "objective")]
    assert pairs == ["a below b", "a below a", "b below b", "b below a"]
    held = at_most(lines, ["a", "b"], ["gap", "limit"], 1)
    assert [f.truth for f in held] == [True, False, True, False]
    assert [f.truth for f in zero(lines, "a", {"gap": 1, "limit": 1})] == [True, False]


def test_a_reading_reads_other_names_and_names_those_that_nothing_reads(tmp_path):
    runs = {PANEL: {"fw": FAST, "svfw": SLOW}, "ext-stochastic-mtl": {"fw": SLOW, "svfw": FAST}}
    made = plant(tmp_path, runs)
    race = Claim("C1", function=lambda e: below(e.panels(PANEL), "fw", "svfw", "objective"))
    own = Claim("C2", function=lambda e, *, a="fw": at_most(e[PANEL], a, "objective", 0.2, stat="last"))
    assert call(race, made).verdict == "holds"
    assert call(race, made, "methods", {"fw": "svfw", "svfw": "fw"}).verdict == "fails"
    other = {PANEL: "ext-stochastic-mtl", "ext-stochastic-mtl": PANEL}
    assert call(race, made, "panel", other).verdict == "fails"
    assert call(own, made, "panel", other).findings[0].panel == "ext-stochastic-mtl"
    assert call(race, made, "axis", {"cpu_seconds": "IFO"}).findings[0].over == "IFO"
    assert call(own, made, "column", {"objective": "IFO"}).findings[0].metric == "IFO"
    assert call(own, made, "keyword", {"a": "svfw"}).findings[0].what.startswith("svfw")
    assert call(own, made, "method", {"fw": "svfw"}).findings[0].what.startswith("svfw")
    assert made[PANEL].form("fw") == "fw", "what a reading exchanges ends with it"
    with pytest.raises(ValueError, match="C1, typo: .* nothing called ncgs-22"):
        call(race, made, "typo", {"ncgs-22": "fw"})
