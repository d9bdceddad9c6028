"""less, equal, order: hold, fail, open; resolution of five seeds; sides exchanged."""

import numpy as np
import pytest
from frames import run, sentences
from made_curves import cell, evidence, judged

from referee.evidence.judging.judge import judge
from referee.evidence.relations.base import Cell
from referee.evidence.relations.comparisons import scatter

LESS = {"less": {"a": "a", "than": "b"}, "value": {"metric": "m", "lowest": 0}}
EQUAL = {"equal": {"a": "a", "to": "b", "within": 0.25}, "value": {"metric": "m", "lowest": 0}}


def pair(a, b, seed=0, start=1.0):
    return [run("a", {"m": [start, a]}, seed=seed), run("b", {"m": [start, b]}, seed=seed)]


def seeds(ratios):
    return [r for seed, ratio in enumerate(ratios) for r in pair(0.1 * ratio, 0.1, seed)]


def test_scatter_is_paired_and_needs_five_seeds():
    assert scatter([0.1, 0.2, 0.3, 0.4]) == 0.0
    assert scatter([0.0, 0.1, 0.2, 0.3, 0.4]) == pytest.approx(0.2)
    assert scatter([0.0, 0.1, 0.2, 0.3, np.inf]) == 0.0


@pytest.mark.parametrize(("ratio", "truth"), [(0.5, True), (1.0, False), (1.001, False), (2.0, False)])
def test_less_is_strict_and_a_tie_is_false(ratio, truth):
    assert cell(pair(0.1 * ratio, 0.1), LESS).verdict is truth


def test_one_percent_of_the_drawn_axis_is_a_tie():
    """On an axis of ten decades a factor of 1.2 is not seen; on one of one decade it is."""
    far = [*pair(1.0e-5, 1.2e-5), run("c", {"m": [1, 1e-10]})]
    near = pair(0.10, 0.12)
    test = LESS | {"less": {"a": "a", "than": "b"}}
    assert cell(near, test).verdict is True
    wide = {"less": {"a": "a", "than": ["b"]}, "value": {"metric": "m", "lowest": 0}}
    assert cell(far, wide).verdict is True  # c is not compared, so it does not stretch the axis
    assert cell(pair(1.0e-10, 1.2e-10), test).verdict is False


def test_scatter_between_seeds_leaves_it_open():
    found = judged(seeds([0.5, 1.6, 0.7, 1.4, 0.9, 1.2]), LESS)
    assert found.verdict == "not_testable"
    assert judged(seeds([0.5, 0.55, 0.6, 0.5, 0.45]), LESS).verdict == "holds"


def test_instances_that_differ_are_no_scatter_of_the_methods():
    runs = [
        r
        for s, size in enumerate([1, 10, 100, 1000, 1e4])
        for r in pair(0.05 * size, 0.1 * size, s, start=size)
    ]
    assert judged(runs, LESS).verdict == "holds"


def test_a_factor_that_the_range_excludes_is_false_even_for_a_tie():
    assert cell(pair(0.1, 0.1), LESS | {"less": {"a": "a", "than": "b", "factor": 2}}).verdict is False


@pytest.mark.parametrize(
    ("ratio", "truth", "hardly", "verdict"),
    [
        (0.5, True, False, "holds"),
        (0.75, True, False, "holds"),
        (0.9, False, True, "holds_in_part"),
        (1.0, False, False, "fails"),
        (1.3, False, False, "fails"),
    ],
)
def test_clearly_is_by_a_quarter_and_less_than_that_is_hardly(ratio, truth, hardly, verdict):
    found = judged(pair(0.1 * ratio, 0.1), LESS | {"less": {"a": "a", "than": "b", "clearly": True}})
    (one,) = found.panels[0].cells.values()
    assert (one.verdict, one.hardly, found.verdict) == (truth, hardly, verdict)


@pytest.mark.parametrize(("records", "hardly"), [(3, False), (4, True), (5, True)])
def test_hardly_is_told_of_times_by_their_lower_end(records, hardly):
    """1 to 1.15 times sooner is not clearly so; 1.1 to 1.24 and 1.18 to 1.4 times are hardly sooner."""
    x = [0, 10, 10.5, 11.5, 12.4, 14.0]
    times = {"a": 2, "b": records}
    runs = [run(m, {"m": [1.0] * k + [0.1] * (6 - k)}, seconds=x) for m, k in times.items()]
    test = {"less": {"a": "a", "than": "b", "clearly": True}, "time": {"metric": "m", "level": 0.5}}
    found = cell(runs, test)
    assert not found.verdict and found.hardly == hardly


@pytest.mark.parametrize(("ratio", "truth"), [(1.0, True), (1.04, True), (1.2, False), (0.5, True)])
def test_no_worse_than(ratio, truth):
    test = LESS | {"less": {"a": "a", "than": "b", "factor": 1 / 1.1}}
    found = cell(pair(0.1 * ratio, 0.1), test)
    assert found.verdict is truth


def test_sides_are_exchanged_and_what_holds_both_ways_is_open():
    assert Cell(True, True, {}).verdict is None and Cell(True, True, {}).why == "its control holds too"
    assert Cell(True, None, {}).verdict is None and Cell(False, True, {}).verdict is False
    found = judged(pair(0.05, 0.1), LESS)
    assert found.control == {"kind": "swap", "verdict": "fails"}


@pytest.mark.parametrize(("here", "there", "verdict"), [(0.5, 2.0, "holds"), (2.0, 4.0, "fails")])
def test_one_panel_is_not_asked_for_the_contrary_of_another(here, there, verdict):
    """GCG-C4.c: faster on one of two panels; on the other its rival is, which says nothing against that."""
    made = evidence(e=pair(0.1 * here, 0.1), f=pair(0.1 * there, 0.1))
    (sentence,) = sentences({"some": ["e", "f"], "over": "IFO", **LESS})
    found = judge(made, sentence)
    assert found.verdict == verdict and found.control["verdict"] != verdict


@pytest.mark.parametrize(("ratio", "truth"), [(1.0, True), (1.2, True), (1.4, False), (0.7, False)])
def test_equal_within_a_factor(ratio, truth):
    found = cell(pair(0.1 * ratio, 0.1), EQUAL)
    assert found.verdict is truth and found.control is False


@pytest.mark.parametrize(("ratio", "truth"), [(1.01, True), (1.1, None), (1.4, False)])
def test_a_tolerance_finer_than_the_drawn_axis_is_judged_by_its_own_measure(ratio, truth):
    """On an axis of ten decades one percent is a factor of 1.26: between 1.02 and that it stays open."""
    test = EQUAL | {"equal": {"a": "a", "to": "b", "within": 0.02}}
    assert cell(pair(1e-10 * ratio, 1e-10), test).verdict is truth


def test_equal_cannot_be_told_where_its_own_control_passes():
    found = judged(seeds([0.2, 5.0, 1.0, 3.0, 0.4]), EQUAL)
    assert found.verdict == "not_testable" and found.counts["untestable"] == 4


def test_equal_without_tolerance_is_the_resolution():
    test = {"equal": {"a": "a", "to": "b"}, "value": {"metric": "m", "lowest": 0}}
    assert cell(pair(0.1, 0.1005), test).verdict is True
    assert cell(pair(0.1, 0.12), test).verdict is False


def test_differences_of_signed_values():
    runs = [run("a", {"m": [1, -2.0]}), run("b", {"m": [1, 0.5]})]
    test = {"less": {"a": "a", "than": "b"}, "value": {"metric": "m", "signed": True}}
    found = cell(runs, test)
    assert found.verdict is True and found.measured["difference"].low == -2.5


@pytest.mark.parametrize(("values", "truth"), [((1, 2, 3), True), ((1, 3, 2), False), ((1, 2, 2), False)])
def test_order(values, truth):
    runs = [run(name, {"m": [100, value]}) for name, value in zip("abc", values, strict=True)]
    found = judged(runs, {"order": {"methods": ["a", "b", "c"]}, "value": {"metric": "m", "lowest": 0}})
    assert found.panels[0].cells[0].verdict is truth
    assert found.control["kind"] == "swap"


def test_orders_are_told_before_the_curves_merge():
    """An order read off after all have converged is noise; times to levels still know it."""
    x = np.linspace(0, 50, 200)
    end = 1e-5 * np.array([3, 1, 2])
    runs = [
        run(name, {"m": np.exp(-rate * x) + floor}, seconds=x)
        for name, rate, floor in zip("abc", (3.0, 1.5, 0.7), end, strict=True)
    ]
    order = {"order": {"methods": ["a", "b", "c"]}}
    assert cell(runs, order | {"time": {"metric": "m", "lowest": 0}}).verdict is True
    assert cell(runs, order | {"value": {"metric": "m", "lowest": 0}}).verdict is not True


END = {"value": {"metric": "m", "lowest": 0}}


@pytest.mark.parametrize(
    ("a", "than", "truth"),
    [
        ("a", "a@f", True),
        ("a / b", "a@f / b@f", True),
        ("a@f / b@f", "a / b", False),
        (["a", "c"], "b", True),
        ("a", ["b", "c"], False),
    ],
)
def test_operands_are_best_of_lists_quotients_and_other_panels(a, than, truth):
    here = [*pair(0.1, 0.4), run("c", {"m": [1, 0.05]})]
    found = judged(here, {"less": {"a": a, "than": than}, **END}, f=pair(0.3, 0.4))
    assert found.panels[0].cells[0].verdict is truth


def test_a_quota_of_the_entries():
    a, b = [8, 1, 1, 5.0], [8, 2, 2, 4.0]
    runs = [run("a", {"m": a}), run("b", {"m": b})]
    test = {
        "less": {"a": "a", "than": "b"},
        "value": {"metric": "m", "at": {"share": [1 / 3, 2 / 3, 1]}, "lowest": 0},
    }
    assert cell(runs, test).verdict is True  # the median entry
    assert cell(runs, test | {"less": {"a": "a", "than": "b", "quota": 0.9}}).verdict is False
    assert cell(runs, test | {"less": {"a": "a", "than": "b", "quota": 0.6}}).verdict is True
