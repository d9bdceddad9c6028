"""Quantifiers over panels and seeds, grammar, words, and the keys of an entry."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from frames import paper, run, sentences, spec, write

from referee.evidence.claims import evaluate
from referee.evidence.judging.grammar import READ, words_of
from referee.evidence.judging.judge import Judgement, together
from referee.evidence.judging.quantifiers import PanelCells, conjunction, disjunction, verdict_of
from referee.evidence.judging.ranges import Range
from referee.evidence.relations.base import Cell
from referee.evidence.words import explain_controls, shown
from referee.study.models.claim import Test as ClaimTest

T, F, N = True, False, None


def panel(*truths):
    cells = {seed: Cell(t, False, {}) for seed, t in enumerate(truths)}
    return PanelCells("e", cells, "" if truths else "e (no traces)")


@pytest.mark.parametrize(
    ("quantifier", "panels", "verdict"),
    [
        ("all", [(T, T), (T, T)], "holds"),
        ("all", [(T, T, T, T, F)], "holds"),  # 80 % of the seeds
        ("all", [(T, T, T, F)], "fails"),  # a share of its seeds is no part of a sentence
        ("all", [(T, T), (F, F)], "holds_in_part"),  # one panel
        ("all", [(F, F), (N, N)], "fails"),  # one that is false decides it
        ("all", [(T, T, N), (T, N)], "holds"),  # open cells leave
        ("all", [(T, N, N), (N, N)], "not_testable"),  # under half of the cells
        ("all", [(T, T), (T, T), ()], "holds"),  # two thirds of the panels
        ("all", [(T, T), ()], "not_testable"),
        ("all", [()], "not_testable"),
        ("most", [(T,), (T,), (F,)], "holds"),
        ("most", [(T,), (F,)], "fails"),  # it has no "in part"
        ("most", [(T,), (T,), (N,), (N,)], "not_testable"),  # half of all, and not more
        ("most", [(F,), (F,), (N,), (T,)], "fails"),
        ("most", [(T,), (T,), (T,), (N,), (F,)], "holds"),
        ("some", [(F,), (T,), (N,)], "holds"),
        ("some", [(F,), (N,)], "not_testable"),
        ("some", [(F,), (F,)], "fails"),
    ],
)
def test_quantifiers(quantifier, panels, verdict):
    assert verdict_of(quantifier, [panel(*truths) for truths in panels], 0.8) == verdict


def test_pooled_cells_do_not_hide_a_whole_panel():
    """Nine panels hold and one, of which "always" speaks, does not."""
    panels = [panel(T, T)] * 9 + [panel(F, F)]
    assert verdict_of("all", panels, 0.8) == "holds_in_part" and verdict_of("most", panels, 0.8) == "holds"


@pytest.mark.parametrize(
    ("toy", "large", "verdict"),
    [
        ([T] * 11, [(N, N)], "not_testable"),
        ([N] * 11, [(T,), (T,)], "holds"),
        ([T] * 3 + [F] * 8, [(F,)], "fails"),
    ],
)
def test_eleven_seeds_of_a_toy_panel_never_vote_in_another(toy, large, verdict):
    assert verdict_of("all", [panel(*toy), *(panel(*truths) for truths in large)], 0.8) == verdict


HOLDS, PART, FAILS, OPEN = "holds", "holds_in_part", "fails", "not_testable"


@pytest.mark.parametrize(
    ("verdicts", "every", "one"),
    [
        ([HOLDS, HOLDS], HOLDS, HOLDS),
        ([HOLDS, FAILS], PART, HOLDS),
        ([FAILS, FAILS], FAILS, FAILS),
        ([FAILS, OPEN], FAILS, OPEN),
        ([HOLDS, OPEN], OPEN, HOLDS),
        ([HOLDS, HOLDS, OPEN], HOLDS, HOLDS),
        ([HOLDS, FAILS, OPEN], PART, HOLDS),
        ([PART, OPEN], PART, PART),
        ([PART, FAILS], PART, PART),
        ([OPEN], OPEN, OPEN),
        ([], OPEN, OPEN),
    ],
)
def test_parts_in_three_valued_logic(verdicts, every, one):
    assert (conjunction(verdicts), disjunction(verdicts)) == (every, one)


def said(quantifier):
    """The same sentence of several methods."""
    same = {
        "panels": (),
        "relation": None,
        "statistic": "",
        "options": {},
        "read": {},
        "over": "",
        "covers": "",
    }
    return SimpleNamespace(quantifier=quantifier, quota=0.8, **same)


@pytest.mark.parametrize(
    ("sentences", "verdict"),
    [
        ([[(T, T)], [(N, N)]], "not_testable"),  # each has to hold
        ([[(F, F)], [(N, N)]], "fails"),
        ([[(F, F)], [(N, N)], [(N, N)]], "fails"),
        ([[(F, F), (F, F)], [(T, T), (N, N), (N, N)]], "holds_in_part"),  # one panel
    ],
)
def test_a_sentence_for_each_competitor_is_refuted_by_one(sentences, verdict):
    asked = said("all")
    assert together([Judgement(asked, [panel(*p) for p in panels]) for panels in sentences]) == verdict


def test_a_panel_of_most_is_no_part_of_it():
    asked = said("most")
    assert together([Judgement(asked, [panel(T), panel(F)])]) == "fails"


def hardly(*truths):
    """A panel of seeds that are true, hardly true, or false."""
    cells = {T: Cell(T, False, {}), F: Cell(F, False, {}), "hardly": Cell(N, False, {}, hardly=True)}
    return PanelCells("e", {seed: cells[t] for seed, t in enumerate(truths)})


@pytest.mark.parametrize(
    ("truths", "verdict"),
    [
        ([T] * 5, "holds"),
        (["hardly"] * 5, "holds_in_part"),
        ([T, "hardly", "hardly", "hardly", F], "holds_in_part"),
        (["hardly", F, F, F, F], "fails"),
    ],
)
def test_what_hardly_holds_in_a_quota_of_the_seeds_holds_in_part(truths, verdict):
    assert verdict_of("all", [hardly(*truths)], 0.8) == verdict


def test_the_vocabulary_is_small_and_told():
    words = [word for names in words_of().values() for word in names]
    assert len(words) == 22
    told = (Path(__file__).parents[3] / "docs/judging-reference.md").read_text()
    assert not [word for word in [*words, *READ, *ClaimTest.model_fields] if f"`{word}" not in told]


GOOD = {"all": ["e"], "less": {"a": "a", "than": "b"}, "value": "m", "over": "IFO"}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"les": {}}, "unknown word 'les'. Did you mean 'less'?"),
        ({"most": ["e"]}, "exactly one quantifier: all, most, some; given: all, most"),
        ({"less": None}, "exactly one relation: less, equal, order"),
        ({"value": None, "valu": "m"}, "unknown word 'valu'. Did you mean 'value'?"),
        ({"less": {"a": "a", "then": "b"}}, "unknown parameter 'then'. Did you mean 'than'?"),
        ({"less": {"a": "a"}}, "than"),
        ({"less": {"a": "a", "than": "b", "factor": -1}}, "factor is a positive number, not -1"),
        ({"less": {"a": "a", "than": "b", "factor": 2, "clearly": True}}, "it has no factor"),
        ({"value": {"metric": "m", "levell": 1}}, "unknown parameter 'levell'"),
        ({"value": {"excess": True}}, "value: missing parameter metric"),
        ({"value": None, "share": {"timer": "lmo", "excess": True}}, "unknown parameter 'excess'"),
        ({"value": None, "less": None, "at_most": {"bound": "m"}, "count": {"oracle": "LO"}}, "is a column"),
        ({"value": None, "slope": "m"}, "slope: missing parameter against"),
        ({"over": None}, "value needs an axis: over:"),
        ({"each": {"b": [1]}}, "each: unknown parameter 'b'"),
        ({"less": None, "order": {"methods": ["a"]}}, "an order needs at least two methods"),
    ],
)
def test_unknown_words_are_answered_with_the_known(changed, message):
    with pytest.raises(ValueError) as caught:
        sentences(GOOD | changed)
    assert message in str(caught.value)


def test_each_combination_is_a_sentence():
    test = GOOD | {"less": {"factor": 2}, "each": {"a": ["x", "y"], "than": ["z"]}}
    assert [s.label for s in sentences(test)] == ["x · z", "y · z"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Range(1.23456, 1.23456), 1.235),
        (Range(2, float("inf")), "at least 2"),
        (Range(0, 3), "at most 3"),
        (Range(1, 2), "1 to 2"),
        (Range(0, float("inf")), "at least 0"),
        (Range(float("-inf"), float("inf")), None),
        (Range(float("nan"), 1), None),
    ],
)
def test_no_infinity_is_shown_as_measured(value, text):
    assert shown(value) == text


@pytest.fixture
def entries(tmp_path):
    """A claim with two parts on two panels, of two seeds: a falls faster on ``e``, not on ``f``."""
    fast, slow = [1, 0.1, 0.01, 0.001], [1, 0.5, 0.2, 0.1]
    for name, curves in {"e": (fast, slow), "f": (slow, fast)}.items():
        both = [(seed, m, y) for seed in (0, 1) for m, y in zip("ab", curves, strict=True)]
        write(tmp_path, name, *(run(m, {"m": y}, seed=seed, IFO=[0, 1, 2, 3]) for seed, m, y in both))
    end = {"metric": "m", "lowest": 0}
    far = {"less": {"a": "a", "than": "b", "factor": 2}, "covers": "by far"}
    part = {
        "tests": [{"all": ["e", "f"], "value": end, "over": "IFO", **far}],
        "readings": {"less": {"args": {"factor": 1}}},
        "race": {"rivals": {"swap": {"a": "b", "b": "a"}}},
    }
    other = {
        "tests": [
            {"most": ["e"], "less": {"a": "a", "than": "b"}, "mean": end | {"height": True}, "over": "IFO"}
        ]
    }
    words = {"id": "C1", "quote": "q", "where": "w", "statement": "s"}
    ran = {"methods": ["a", "b"]}
    made = paper(spec([words | {"parts": {"a": part, "b": other}}], e=ran, f=ran))
    return {entry["id"]: entry for entry in evaluate(made, tmp_path)}


def test_the_contract_of_an_entry(entries):
    assert {name: e["verdict"] for name, e in entries.items()} == {
        "TOY-C1": "holds_in_part",
        "TOY-C1.a": "holds_in_part",
        "TOY-C1.b": "holds",
    }
    for entry in entries.values():
        assert entry["type"] == "comparison" and entry["controls"]["kind"] == "swap"
        assert set(entry["cells"]) == {"true", "false", "untestable", "reasons"}
        assert entry["vacuous"] is False and entry["loosely"] is False and entry["depends"] is False
        assert not re.search(r"NaN|Infinity|∞", json.dumps(entry, ensure_ascii=False))
    first = entries["TOY-C1.a"]
    assert first["cells"] == {"true": 2, "false": 2, "untestable": 0, "reasons": {}}
    assert first["covers"] == ["by far"] and first["verdict_strong"] == "holds_in_part"
    assert [entry["headline"] for entry in entries.values()] == ["in_part", "in_part", "holds"]
    gone = {"sensitivity", "fragility", "verdict_both_strong", "views"}
    assert not [entry["id"] for entry in entries.values() if gone & set(entry)]
    assert first["threshold"] == {"less": 2}


def test_a_claim_of_bounds_has_their_tightness_and_none_of_zero_limits(tmp_path):
    write(tmp_path, "e", run("a", {"m": [1.0, 0.5], "limit": [2.0, 2.0]}))
    column = {"tests": [{"all": ["e"], "at_most": {"bound": "limit"}, "quantile": "m"}]}
    zero = {
        "tests": [{"all": ["e"], "at_most": {"bound": 0, "at_least": True, "within": 0.1}, "quantile": "m"}]
    }
    words = {"quote": "q", "where": "w", "statement": "s"}
    claims = [
        words | {"id": "C1", "parts": {"a": zero}},
        words | {"id": "C2", "parts": {"a": zero, "b": column}},
    ]
    found = {entry["id"]: entry["tightness"] for entry in evaluate(paper(spec(claims, e={})), tmp_path)}
    assert found["TOY-C1"] == found["TOY-C1.a"] == {}
    assert found["TOY-C2"] == found["TOY-C2.b"] == {"worst": 0.5, "best": 0.25}


def test_controls_are_listed(entries):
    blind = entries["TOY-C1.b"] | {"id": "TOY-C2", "verdict": "not_testable", "vacuous": True}
    old = {"id": "TOY-C3", "verdict": "holds"}
    assert explain_controls([entries["TOY-C1.b"], blind, old]).splitlines()[1:] == [
        "TOY-C1.b  holds      swap: fails",
        "TOY-C2    undecided  swap: fails  vacuous: its control holds too",
    ]


def test_the_sentence_says_where_and_by_how_much(entries):
    assert entries["TOY-C1.a"]["sentence"] == (
        "The m of a was 100 times smaller than that of b at the end (“e”); the m of a was 100 times larger "
        "than that of b at the end (“f”). Required: at least 2 times smaller; met in 2 of 4 seeds."
    )


def test_what_is_missing_is_named(tmp_path):
    test = {"all": ["e", "gone"], "less": {"a": "a", "than": "b"}, "value": "m", "over": "IFO"}
    write(tmp_path, "e", run("a", {"m": [2, 1.0]}, seed=0, IFO=[0, 1]))
    claim = {"id": "C1", "quote": "q", "where": "w", "statement": "s", "tests": [test]}
    (entry,) = evaluate(paper(spec([claim], e={}, gone={})), tmp_path)
    assert entry["verdict"] == "not_testable"
    assert entry["cells"]["reasons"] == {"b in e": 1, "gone (no traces)": 1}
    assert "b in e (1); gone (no traces) (1)" in entry["note"]
