"""Statistics of this paper on curves made by hand."""

import numpy as np
import pytest
from frames import paper, run, sentences, write

from referee.evidence.judging.judge import judge
from referee.evidence.panel import Evidence

ALONG = np.arange(1, 41)


@pytest.fixture
def cell(tmp_path):
    """A function (runs, test) → the only cell of a test on them."""

    def judged(runs, test):
        write(tmp_path, "e", *runs)
        evidence = Evidence(paper({"paper": "ipg", "experiments": {"e": {}}}), tmp_path)
        (sentence,) = sentences({"all": ["e"], **test}, "ipg")
        return judge(evidence, sentence).panels[0].cells[0]

    return judged


def power(method, exponent, floor=0.0):
    """100 · k^(−exponent) after a start of 100, with a floor."""
    return run(method, {"m": np.append(100, np.maximum(100.0 * ALONG**-exponent, floor))})


def test_the_order_of_decay_is_read_before_the_curves_merge(cell):
    test = {"equal": {"a": "a", "to": "b", "within": 0.25}, "over": "iteration"}
    test["order_of_decay"] = {"metric": "m"}
    assert cell([power("a", 1.0), power("b", 1.1)], test).verdict is True
    assert cell([power("a", 1.0), power("b", 0.7)], test).verdict is False
    floors = [power("a", 2.0, 1e-4), power("b", 3.0, 1e-4)]
    assert cell(floors, test).verdict is False, "that both end at one floor does not make rates equal"
    found = cell([power("a", 9.0), power("b", 9.0)], test)
    assert found.verdict is None and "merged" in found.why


def test_what_remains_of_the_start(cell):
    test = {"equal": {"a": "a", "to": 0, "within": 0.1}, "remaining_share": "m"}
    assert cell([run("a", {"m": [np.nan, 8, 4, 0.7]})], test).verdict is True, "the first that is measured"
    assert cell([run("a", {"m": [9, 8, 4, 1.0]})], test).verdict is False


def test_calls_a_pass_do_not_depend_on_the_length_of_a_run(cell):
    calls = [run("a", {"PO": [0, 1, 2, 3]}), run("b", {"PO": np.arange(0, 41, 2)})]
    test = {"less": {"a": "a", "than": "b", "factor": 1.9}, "calls_a_pass": "PO"}
    found = cell(calls, test)
    assert found.verdict is True and found.measured["ratio"].low == pytest.approx(0.5)
    test["less"]["factor"] = 2.1
    assert cell(calls, test).verdict is False
    assert "a pass" in cell([run("a", {"PO": [0]}), run("b", {"PO": [0, 1]})], test).why


def test_the_largest_of_all_records_is_one(cell):
    runs = [run("a", {"m": [1, 2, 3]}), run("b", {"m": [1, 250, 3]})]
    test = {"at_most": {"bound": 100, "at_least": True}, "largest": "m"}
    assert cell(runs, test).verdict is True, "one method at one size is enough"
    assert cell(runs[:1], test).verdict is False


def test_the_worst_of_the_chosen_records_over_the_best_of_all(cell):
    test = {"equal": {"a": "a", "to": 1, "within": 0.25}}
    test["worst_over_best"] = {"metric": "m", "where": {"delta": [0.5, 1]}}

    def grid(*values):
        return [run("a", {"m": values, "delta": [0.1, 0.5, 1]})]

    assert cell(grid(9, 1.2, 1), test).verdict is True
    assert cell(grid(0.9, 1.2, 1), test).verdict is False, "another value is better by more"
    found = cell(grid(1, 1, 1.001), test)
    assert found.verdict is None and "influence of delta" in found.why
