"""Quantifiers over panels and seeds, grammar, views, fragility, words, and the keys of an entry."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from frames import paper, run, sentences, spec, write

from referee.evidence.claims import evaluate
from referee.evidence.judging.fragility import graded
from referee.evidence.judging.grammar import READ, words_of
from referee.evidence.judging.judge import Judgement, together
from referee.evidence.judging.quantifiers import PanelCells, verdict_of
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
        ("all", [(T, T, T, F)], "holds_in_part"),
        ("all", [(T, T), (F, F)], "holds_in_part"),  # one panel
        ("all", [(F, F, F, F, F, F)], "fails"),
        ("all", [(T, F, F, F, F, F)], "fails"),  # under 20 % of the cells
        ("all", [(T, F, F, F, F)], "holds_in_part"),
        ("all", [(T, T, N), (T, N)], "holds"),  # untestable cells leave
        ("all", [(T, N, N), (N, N)], "not_testable"),  # under half of the cells
        ("all", [()], "not_testable"),
        ("all", [(T, T), ()], "holds"),
        ("most", [(T,), (T,), (F,)], "holds"),
        ("most", [(T,), (F,)], "holds_in_part"),
        ("named", [(T, T), (T, T)], "holds"),
        ("named", [(T, T, T, T), ()], "not_testable"),
        ("named", [(T, T), (F, F)], "holds_in_part"),
    ],
)
def test_quantifiers(quantifier, panels, verdict):
    assert verdict_of(quantifier, [panel(*truths) for truths in panels], 0.8) == verdict


def test_pooled_cells_do_not_hide_a_whole_panel():
    """Nine panels hold and one, of which "always" speaks, does not."""
    panels = [panel(T, T)] * 9 + [panel(F, F)]
    assert verdict_of("all", panels, 0.8) == "holds_in_part" and verdict_of("most", panels, 0.8) == "holds"


@pytest.mark.parametrize(
    ("sentences", "verdict"),
    [
        ([[(T, T)], [(N, N)]], "not_testable"),  # each has to hold
        ([[(F, F)], [(N, N)]], "fails"),
        ([[(F, F)], [(N, N)], [(N, N)]], "not_testable"),
        ([[(F, F), (F, F)], [(T, T), (N, N), (N, N)]], "holds_in_part"),  # one panel
    ],
)
def test_a_sentence_for_each_competitor_is_refuted_by_one(sentences, verdict):
    asked = SimpleNamespace(quantifier="all", quota=0.8)
    assert together([Judgement(asked, [panel(*p) for p in panels]) for panels in sentences]) == verdict


def test_the_vocabulary_is_small_and_told():
    words = [word for names in words_of("toy").values() for word in names]
    assert len(words) == 22
    told = (Path(__file__).parents[3] / "docs/judging.md").read_text()
    assert not [word for word in [*words, *READ, *ClaimTest.model_fields] if f"`{word}" not in told]


GOOD = {"all": ["e"], "less": {"a": "a", "than": "b"}, "end": "m", "over": "IFO"}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"les": {}}, "unknown word 'les'. Did you mean 'less'?"),
        ({"most": ["e"]}, "exactly one quantifier: all, most, named; given: all, most"),
        ({"less": None}, "exactly one relation: less, equal, order"),
        ({"end": None, "ends": "m"}, "unknown word 'ends'. Did you mean 'end'?"),
        ({"less": {"a": "a", "then": "b"}}, "unknown parameter 'then'. Did you mean 'than'?"),
        ({"less": {"a": "a"}}, "than"),
        ({"less": {"a": "a", "than": "b", "factor": -1}}, "factor is a positive number, not -1"),
        ({"end": {"metric": "m", "levell": 1}}, "unknown parameter 'levell'"),
        ({"end": {"excess": True}}, "end: missing parameter metric"),
        ({"end": None, "share": {"timer": "lmo", "excess": True}}, "unknown parameter 'excess'"),
        ({"end": None, "less": None, "at_most": {"bound": "m"}, "count": {"oracle": "LO"}}, "is a column"),
        ({"end": None, "slope": "m"}, "slope: missing parameter against"),
        ({"over": None}, "end needs an axis: over:"),
        ({"each": {"b": [1]}}, "each: unknown parameter 'b'"),
        ({"less": None, "order": {"methods": ["a"]}}, "an order needs at least two methods"),
    ],
)
def test_unknown_words_are_answered_with_the_known(changed, message):
    with pytest.raises(ValueError) as caught:
        sentences(GOOD | changed, "toy")
    assert message in str(caught.value)


def test_each_combination_is_a_sentence():
    test = GOOD | {"less": {"factor": 2}, "each": {"a": ["x", "y"], "than": ["z"]}}
    assert [s.label for s in sentences(test, "toy")] == ["x · z", "y · z"]


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


def test_grades():
    views = {str(k): "holds" for k in range(10)}
    assert graded("holds", views)["grade"] == "robust"
    assert graded("holds", views | {"0": "fails", "1": "fails"}) == {
        "grade": "leaning",
        "stays": 0.8,
        "views": 10,
        "flips": ["0", "1"],
    }
    assert graded("fails", views)["grade"] == "fragile"
    assert graded("holds", dict.fromkeys("abcd", "holds"))["grade"] == "ungraded"
    assert graded("holds", views | dict.fromkeys("xyz", "not_testable"))["views"] == 10


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
        "tests": [{"all": ["e", "f"], "end": end, "over": "IFO", **far}],
        "readings": {"less": {"args": {"factor": 1}}},
        "strong": {"swap": {"a": "b", "b": "a"}},
    }
    other = {"tests": [{"most": ["e"], "less": {"a": "a", "than": "b"}, "area": end, "over": "IFO"}]}
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
        assert set(entry["fragility"]) == {"grade", "stays", "views", "flips"} and entry["vacuous"] is False
        assert not re.search(r"NaN|Infinity|∞", json.dumps(entry, ensure_ascii=False))
    first = entries["TOY-C1.a"]
    assert first["cells"] == {"true": 2, "false": 2, "untestable": 0, "reasons": {}}
    assert first["sensitivity"] == {"x0.5": "holds_in_part", "x2": "holds_in_part"}
    assert first["covers"] == ["by far"] and first["verdict_strong"] == "holds_in_part"
    assert first["fragility"]["views"] == 5, first["fragility"]
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
        "TOY-C1.b  holds         swap: fails",
        "TOY-C2    not testable  swap: fails  vacuous: its control holds too",
    ]


def test_the_sentence_says_where_and_by_how_much(entries):
    assert entries["TOY-C1.a"]["sentence"] == (
        "In 1 of 2 panels (2 of 4 seeds, not on “f”) at the end the m of a is at most 0.5 of that of b: "
        "ratio 0.01 … 100; small is good."
    )


def test_what_is_missing_is_named(tmp_path):
    test = {"all": ["e", "gone"], "less": {"a": "a", "than": "b"}, "end": "m", "over": "IFO"}
    write(tmp_path, "e", run("a", {"m": [2, 1.0]}, seed=0, IFO=[0, 1]))
    claim = {"id": "C1", "quote": "q", "where": "w", "statement": "s", "tests": [test]}
    (entry,) = evaluate(paper(spec([claim], e={}, gone={})), tmp_path)
    assert entry["verdict"] == "not_testable"
    assert entry["cells"]["reasons"] == {"b in e": 1, "gone (no traces)": 1}
    assert "b in e (1); gone (no traces) (1)" in entry["note"]
