"""What a row of verdicts.csv measured: places, times as much, a difference, or the value itself."""

import math

import numpy as np
import pytest

from referee.report.values import text
from referee.report.verdicts import basis, cells, measured, unit


def row(what, required, over="cpu_seconds", **fields):
    said = {"claim": "X-C1", "column": "published", "call": "", "panel": "p", "data": "real"}
    said |= {"what": what, "metric": "objective", "over": over, "required": required, "low": 2.0, "high": 3.0}
    return said | {"truth": True, "reason": "", "length": ""} | fields


@pytest.mark.parametrize(
    "what, required, over, words",
    [
        ("a below b", 8, "cpu_seconds", "lower at 2 of 10 points, higher at 7, tied at 1"),
        ("a about b", 3, "iteration", "different at 2 of 10 points"),
        ("a about b", 2, "cpu_seconds", "2–3 times"),
        ("a below b by epochs", 1, "", "2–3 times"),
        ("cil below sq", 1 / 1.05, "", "2–3 times"),
        ("a before b", 10, "cpu_seconds", "2–3 times"),
        ("a lower than b", 1, "cpu_seconds", "2–3 times"),
        ("a lower than b", 0, "", "2–3"),
        ("a above b an iteration", 1, "outer", "2–3 times"),
        ("λ = 25 above the least", 0.01, "weight", "2–3"),
        ("gap at most bound", 1, "", "2–3 times"),
        ("seconds_full at least 10 × seconds_pair", 10, "", "2–3 times"),
        ("a: error at most 1e-06", 1e-6, "", "2–3"),
        ("a: share of reduce at least 0.5", 0.5, "", "2–3"),
        ("order of eps of a below that of b", 1, "", "2–3"),
        ("error over that of the squared loss", 1, "", "2–3 times"),
    ],
)
def test_the_unit_is_that_of_the_measure(what, required, over, words):
    assert measured([row(what, required, over)]) == words


def test_a_difference_is_called_one_and_a_function_without_a_name_a_value():
    (cell,) = cells([row("a lower than b", 0.0, "")], {"a": "A", "b": "B"}, {})
    assert (cell["what"], cell["criterion"]) == ("A lower than B", "difference in objective F")
    (cell,) = cells([row("a lower than b", 1.0, "")], {}, {})
    assert cell["criterion"] == "objective F"
    (cell,) = cells([row("a: <lambda> at most 0.001", 0.001, "", metric="<lambda>")], {"a": "A"}, {})
    assert cell["what"] == "A: the value at most 0.001" and cell["criterion"] == ""


@pytest.mark.parametrize(
    "truths, words",
    [
        ([True, True], "✓ 2 of 2"),
        ([False], "✗ 0 of 1"),
        ([True, False], "◐ 1 of 2"),
        ([None], "○ 0 of 1"),
        ([True, None], "✓ 1 of 2, 1 open"),
    ],
)
def test_met_counts_seeds(truths, words):
    (cell,) = cells([row("a below b", 8, truth=truth) for truth in truths], {}, {})
    assert cell["met"] == words


@pytest.mark.parametrize("low, high", [(0.0, math.inf), (math.inf, math.inf), (math.nan, math.nan)])
def test_what_says_nothing_is_a_dash(low, high):
    assert measured([row("a before b", 1, low=low, high=high)]) == "–"


def test_a_truth_of_numpy_reads_as_one():
    assert text(np.bool_(True)) == "yes" and text(np.bool_(False)) == "no" and text(np.int64(3)) == "3"


def test_orders_have_no_unit():
    assert unit(row("order of FO of a at most 1", 1.25, "gap")) == ""


def test_real_data_carry_a_verdict_and_stand_ins_are_shown_only():
    rows = [row("a below b", 8, truth=truth, panel=f"p{i}") for i, truth in enumerate((True, False, None))]
    rows += [row("a below b", 8, panel="s", data="stand-in")]
    counts = "true in 1 of 3 comparisons, false in 1, undecided in 1."
    assert basis(rows, "mostly") == (
        f"Decided on real data: {counts} More than half have to be true. Stand-ins are shown only."
    )
    assert basis(rows[3:], "everywhere") == "Decided on stand-in data: true in 1 of 1 comparisons."
    not_run = row("a below c", 8, panel="p0", truth=None, reason="c was not run")
    assert basis([rows[0], not_run], "everywhere") == "Decided on real data: true in 1 of 1 comparisons."
    assert basis([], "everywhere") == ""
