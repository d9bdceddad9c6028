"""Verdicts over findings: seeds first, then panels; parts, provisional runs, stand-ins, what was not run."""

from itertools import product

import numpy as np
import pytest

from referee.judge import Finding, at_length, verdict
from referee.judge.claims import Claim
from referee.judge.findings import VERDICTS, cells, together, word
from referee.judge.runner import Call, _verdicts, robustness

TRUTH = {"y": True, "n": False, "-": None}


def found(cells, **keywords):
    """Findings of one seed: a letter a panel."""
    return [Finding(f"p{k}", "a below b", 0, truth=TRUTH[c], **keywords) for k, c in enumerate(cells)]


@pytest.mark.parametrize(
    ("seeds", "expected"),
    [("yyy", True), ("nnn", False), ("yyn", None), ("yyyyn", True), ("nnnny", False), ("y--", None)]
    + [("y-", True), ("yy-", True), ("---", None), ("", None), ("yyyn", None)],
)
def test_a_panel_has_the_word_of_four_fifths_of_its_decided_seeds_if_half_are_decided(seeds, expected):
    assert word(TRUTH[s] for s in seeds) is expected


@pytest.mark.parametrize(
    ("panels", "everywhere", "mostly", "somewhere"),
    [
        ("yy", "holds", "holds", "holds"),
        ("y-", "not_testable", "not_testable", "holds"),
        ("yn", "holds_in_part", "fails", "holds"),
        ("n-", "fails", "fails", "not_testable"),
        ("nn", "fails", "fails", "fails"),
        ("--", "not_testable", "not_testable", "not_testable"),
        ("yy-", "not_testable", "holds", "holds"),
        ("yyn", "holds_in_part", "holds", "holds"),
        ("yn-", "holds_in_part", "not_testable", "holds"),
        ("", "not_testable", "not_testable", "not_testable"),
    ],
)
def test_a_quantifier_is_decided_as_soon_as_open_panels_cannot_change_it(
    panels, everywhere, mostly, somewhere
):
    asked = {"everywhere": everywhere, "mostly": mostly, "somewhere": somewhere}
    assert {ask: verdict(found(panels), ask) for ask in asked} == asked


@pytest.mark.parametrize("ask", ["mostly", "somewhere"])
def test_no_outcome_of_open_panels_turns_a_decided_quantifier(ask):
    for panels in product("yn-", repeat=4):
        known = verdict(found(panels), ask)
        filled = {verdict(found(f), ask) for f in product(*("yn" if p == "-" else p for p in panels))}
        assert (known == "not_testable") == (len(filled) > 1) and (len(filled) > 1 or filled == {known})


def test_an_unknown_quantifier_is_named():
    with pytest.raises(ValueError, match="often"):
        verdict([], "often")


def test_a_run_that_is_too_short_fails_nothing_and_says_so():
    short = found("nn", length="12 of 30 s")
    assert verdict(short) == "fails" and verdict(at_length(short)) == "not_run"
    assert "12 of 30 s" in at_length(short)[0].reason
    assert verdict(at_length(found("yy", length="12 of 30 s"))) == "holds"
    assert verdict(at_length(found("nn"))) == "fails"


def test_a_false_of_numpy_is_false():
    (found,) = at_length([Finding("p", "w", low=np.float64(1), truth=np.False_, length="12 of 30 s")])
    assert found.truth is None and type(found.low) is float
    assert Finding("p", "w", truth=np.True_).truth is True


def test_stand_ins_have_no_part_where_there_are_real_data():
    real, other = found("y"), [Finding("q", "a below b", 0, truth=False, data="stand-in")]
    assert verdict(real + other) == "holds" and verdict(other) == "fails"


def test_a_pair_that_was_not_run_leaves_a_panel_where_others_ran_and_leaves_open_one_where_none_did():
    gone = Finding("p0", "c below b", absent=True)
    assert verdict([*found("y"), gone]) == "holds"
    assert verdict([*found("y"), Finding("p1", "a below b", absent=True)]) == "not_testable"
    assert list(cells([gone]).values()) == [None]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (["holds", "holds"], "holds"),
        (["holds", "fails"], "holds_in_part"),
        (["holds_in_part"], "holds_in_part"),
        (["fails", "not_testable"], "fails"),
        (["holds", "not_testable"], "not_testable"),
        (["holds", "not_run"], "not_run"),
        (["holds", "not_judged"], "holds"),
        (["not_judged"], "not_judged"),
        (["fails", "holds_in_part"], "holds_in_part"),
    ],
)
def test_a_claim_says_of_its_parts_what_a_part_says_of_its_panels(parts, expected):
    assert together(parts) == expected and expected in VERDICTS


def test_a_claim_fails_with_what_it_needs():
    assert together(["holds", "fails"], needed=["fails"]) == "fails"
    assert together(["fails", "holds"], "somewhere") == "holds"
    assert together(["fails", "fails", "holds"], "mostly") == "fails"


@pytest.mark.parametrize(
    ("base", "verdict", "turns", "said"),
    [("holds", "fails", True, "Different with: X (U6)"), ("holds", "holds", False, "Same verdict in 1 of 1")]
    + [
        ("not_testable", "holds", False, "Undecided as judged; holds with X (U6)"),
        ("holds", "not_run", False, ""),
    ],
)
def test_a_choice_turns_what_is_decided_and_decides_what_is_not(base, verdict, turns, said):
    found = robustness([{"reading": "X", "choice": "U6", "base": base, "verdict": verdict}])
    assert found["depends"] is turns and found["readings"][0]["turns"] is turns
    assert said in found["robustness"] and bool(said) == bool(found["robustness"])


def test_what_follows_has_both_columns_and_takes_the_published_one_where_there_is_no_other():
    claims = [Claim("C1", function=print), Claim("C2", function=print), Claim("C3", of=["C1", "C2"])]
    true, false = Finding("p", "w", truth=True), Finding("p", "w", truth=False)
    judged = [Call(claims[0], "published", findings=[true]), Call(claims[1], "published", findings=[true])]
    assert _verdicts(claims, judged)["C3"] == {"published": "holds"}
    judged.append(Call(claims[0], "fair", findings=[false]))
    assert _verdicts(claims, judged)["C3"] == {"published": "holds", "fair": "holds_in_part"}
