"""What a judgement says to people."""

import numpy as np
import pytest
from frames import run, sentences
from made_curves import evidence
from places import PAPERS

from referee import study
from referee.evidence.aggregates import parts_of
from referee.evidence.judging.judge import Judgement, judge
from referee.evidence.judging.quantifiers import PanelCells
from referee.evidence.judging.sentences import subject, verdict_text
from referee.evidence.judging.views import sentences_of
from referee.evidence.relations.base import Cell


def runs(seeds=2, **rates):
    x = np.arange(40.0)
    return [run(n, {"m": np.exp(-r * x), "f": 1 + x}, seed=s) for n, r in rates.items() for s in range(seeds)]


def said(test, seeds=2, experiments=("e",), rates=None, titles=None):
    """The sentences on a test whose method a is fast on all panels but the last of several."""
    panels = {name: runs(seeds, **(rates or {"a": 1.0, "b": 0.2, "c": 0.1})) for name in experiments}
    if len(experiments) > 1:
        panels[experiments[-1]] = runs(seeds, a=0.1, b=1.0, c=0.5)
    made = evidence(**panels)
    test = {"all": list(experiments), "over": "IFO"} | test
    found = [judge(made, sentence) for sentence in sentences(test, "toy")]
    return verdict_text(found, {"a": "Ours", "b": "Theirs"}, {name: titles or name for name in experiments})


TIME = {"time": {"metric": "m", "lowest": 0}}
END = {"value": {"metric": "m", "lowest": 0}}


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (
            {"less": {"a": "a", "than": "b"}, **TIME},
            "On “e”, in both seeds, Ours needs fewer component gradients (IFO) than Theirs to settle",
        ),
        (
            {"less": {"a": "a", "than": "b", "factor": 2}, **TIME},
            "Ours needs at most 0.5 of the component gradients (IFO) of Theirs to settle at",
        ),
        (
            {"less": {"a": "a", "than": "b", "factor": 4}, **END},
            "at the end the m of Ours is at most 0.25 of that of",
        ),
        ({"less": {"a": "a", "than": "b", "factor": 0.8}, **END}, "is at most 1.25 times that of Theirs"),
        (
            {"less": {"a": "b", "than": "a"}, **END},
            "On “e”, in none of 2 seeds, at the end the m of Theirs is less",
        ),
        (
            {"equal": {"a": "a", "to": "a", "within": 2}, **END},
            "equals that of Ours within a factor 3: ratio 1; 1 is",
        ),
        ({"equal": {"a": "a", "to": "b"}, **END}, "the m of Ours cannot be told apart from that of Theirs"),
        (
            {"equal": {"to": 0, "within": 1}, "value": {"metric": "m", "at": "last"}},
            "at the last iterate the m is 0 within 1: largest error",
        ),
        ({"order": {"methods": ["a", "b"]}, **END}, "at the end the m is ordered Ours < Theirs"),
        (
            {"at_most": {"bound": 2, "factor": 0.75}, "quantile": "m"},
            "the m is at most 1.5: measured / bound 0.667; small is",
        ),
        (
            {"at_most": {"bound": "f"}, "quantile": "m"},
            "the m is at most f: measured / bound 1; small is good, 1 is at",
        ),
        (
            {"at_most": {"bound": 0, "within": 0.5}, "quantile": "m"},
            "the m is at most 0 within 0.5: beyond it by 1",
        ),
        (
            {
                "at_most": {"bound": 0, "at_least": True, "within": 0.1},
                "value": {"metric": "f", "at": "last"},
            },
            "the f is at least 0 within 0.1: it stays 40 away",
        ),
        (
            {"monotone": {"methods": "a"}, "mean": {"metric": "m", "windows": 3}},
            "the mean of the m of Ours never rises",
        ),
    ],
)
def test_each_relation_is_a_sentence(test, words):
    assert words in said(test)


def test_one_sentence_for_each_of_some_against_each_of_others():
    test = {"each": {"a": ["a", "c"], "than": ["b"]}, "less": {"factor": 1.5}, **END}
    assert "(4 comparisons" not in said(test)
    assert said(test).startswith(
        "On “e”, in 2 of 4 comparisons, at the end the m of each of Ours and c is at most"
    )
    assert said(test).count("On “e”") == 1


def test_pairs_that_are_no_product_have_a_sentence_each_and_a_place_is_told_once():
    made = evidence(e=runs(a=1.0, b=0.2, c=0.1))
    tests = [{"less": {"a": "a", "than": "b"}, **END}, {"less": {"a": "b", "than": "c"}, **END}]
    found = [judge(made, s) for t in tests for s in sentences({"all": ["e"], "over": "IFO", **t}, "toy")]
    text = verdict_text(found, {}, {"e": "a small panel"})
    assert text.startswith("On “a small panel”, in both seeds, ") and ". There, in both seeds, " in text


def test_panels_where_it_is_not_so_are_named():
    text = said({"less": {"a": "a", "than": "b"}, **END}, experiments=("e", "f", "g"))
    assert text.startswith("In 2 of 3 panels (4 of 6 seeds, not on “g”) ")


def judged(paper, *panels, **test):
    """A sentence of a paper with cells as given: panel → truths of its seeds."""
    (sentence,) = sentences({"all": [name for name, _ in panels], **test}, paper)
    cells = [PanelCells(name, {k: Cell(t, False, {}) for k, t in enumerate(ts)}) for name, ts in panels]
    return Judgement(sentence, cells)


def test_panels_that_are_open_are_not_counted_among_those_that_hold():
    test = {"less": {"a": "a", "than": "b"}, **TIME, "over": "IFO"}
    one = judged("toy", ("e", [True, None]), ("f", [None]), **test)
    assert verdict_text([one], {}, {"e": "e", "f": "f"}).startswith(
        "In the one testable of 2 panels (1 of 1 seeds, 2 open, open on “f”) "
    )
    other = judged("toy", ("e", [None]), ("f", [True]), **test | {"less": {"a": "a", "than": "c"}})
    assert verdict_text([one, other], {}, {"e": "e", "f": "f"}).startswith(
        "It is open in both panels (2 of 2 comparisons, 3 open) whether a needs fewer"
    )


def test_a_statistic_of_a_paper_says_what_it_is():
    near = {"time": {"metric": "error_clean", "near": {"of": ["a"], "by": 0.1}}, "over": "cpu_seconds"}
    level = {"at_level": {"metric": "rank"}, "over": "iteration"}
    for test, words in (
        (near, "a needs at most 0.5 of the CPU seconds of b to settle near the best reconstruction error"),
        (level, "at equal levels of the objective F the rank of a is at most 0.5 of that of b"),
    ):
        one = judged("gcg", ("e", [True, True]), **test, less={"a": "a", "than": "b", "factor": 2})
        assert verdict_text([one], {}, {"e": "e", "f": "f"}) == f"On “e”, in both seeds, {words}."


@pytest.mark.parametrize("paper", PAPERS)
def test_every_statement_of_a_claim_has_a_subject(paper):
    model = study.load(paper, "full").model
    parts = [part for claim in model.claims for part in parts_of(claim).values() if part.tests]
    subjects = {subject(s): s for part in parts for s in sentences_of(part, model)}
    assert subjects
    assert [
        s.statistic
        for s in subjects.values()
        if s.function.said.what.startswith(s.statistic.replace("_", " "))
    ] == []


def test_one_seed_needs_no_count():
    test = {"less": {"a": "a", "than": "b"}, **END}
    assert said(test, seeds=1, titles="small").startswith("On “small” at the end the m of Ours is less")
    assert said(test, seeds=1, rates={"a": 0.1, "b": 1.0}).startswith(
        "On “e” it is not so that at the end the m of"
    )


def test_what_is_open_says_why():
    test = {"less": {"a": "a", "than": "b"}, **TIME, "over": "cpu_seconds"}
    assert said(test) == (
        "It is open whether Ours needs fewer CPU seconds than Theirs to settle at levels of the m: "
        "seconds that were not measured repeatedly."
    )


def test_records_that_are_not_there_are_told_in_words():
    test = {"at_most": {"bound": 2}, "quantile": {"metric": "m", "where": {"f": [70, 80]}}}
    assert said(test) == (
        "It is open whether the m is at most 2 where f is 70, 80: missing: a record with f [70, 80] in e."
    )
