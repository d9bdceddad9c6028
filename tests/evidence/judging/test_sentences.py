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
from referee.evidence.judging.ranges import Range
from referee.evidence.judging.sentences import required_text, verdict_text
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
    found = [judge(made, sentence) for sentence in sentences(test)]
    return verdict_text(found, {"a": "Ours", "b": "Theirs"}, {name: titles or name for name in experiments})


TIME = {"time": {"metric": "m", "lowest": 0}}
END = {"value": {"metric": "m", "lowest": 0}}


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (
            {"less": {"a": "a", "than": "b"}, **TIME},
            "Ours reached the same m with 4.3–6.7 times fewer component gradients (IFO) than Theirs (“e”). "
            "Required: fewer component gradients (IFO); met in 2 of 2 seeds.",
        ),
        (
            {"less": {"a": "b", "than": "a"}, **TIME},
            "Theirs reached the same m with 4.3–6.7 times more component gradients (IFO) than Ours (“e”). "
            "Required: fewer component gradients (IFO); met in 0 of 2 seeds.",
        ),
        (
            {"less": {"a": "a", "than": "b", "factor": 2}, "time": {"metric": "m", "level": 0.01}},
            "Ours reached the level 0.01 of the m with 4.6–6.0 times fewer component gradients (IFO) than "
            "Theirs (“e”). Required: at least 2 times fewer component gradients (IFO); met in 2 of 2 seeds.",
        ),
        (
            {"less": {"a": "b", "than": "a"}, "time": {"metric": "m", "level": 1e-6}},
            "Theirs did not reach the level 10⁻⁶ of the m within 39 component gradients (IFO); Ours did in",
        ),
        ({"less": {"a": "a", "than": "b", "factor": 4}, **END}, "Required: at least 4 times smaller; met in"),
        (
            {"less": {"a": "a", "than": "b", "factor": 0.8}, **END},
            "Required: at most 1.25 times as much; met",
        ),
        (
            {"less": {"a": "b", "than": "a"}, **END},
            "times larger than that of Ours at the end (“e”). Required: sm",
        ),
        (
            {"equal": {"a": "a", "to": "a", "within": 2}, **END},
            "The m of Ours was 1 times that of Ours at the end (“e”). Required: equal within a factor of 3;",
        ),
        (
            {"equal": {"a": "a", "to": "b"}, **END},
            "Required: equal, as far as the figure shows; met in 0 of 2",
        ),
        (
            {"equal": {"to": 0, "within": 1}, "value": {"metric": "m", "at": "last"}},
            "The largest m at the last iterate was 0.020 (“e”). Required: 0 (tolerance 1)",
        ),
        (
            {"order": {"methods": ["a", "b"]}, **END},
            "The required order was found (“e”). Required: Ours, Theirs, smallest m at the end first;",
        ),
        (
            {"order": {"methods": ["b", "a"]}, **END},
            "times larger than that of Ours at the end (“e”). Required: Theirs, Ours, smallest m at the end",
        ),
        (
            {"at_most": {"bound": 2, "factor": 0.75}, "quantile": "m"},
            "The m was at most 1 (“e”). Required: at most 1.5;",
        ),
        (
            {"at_most": {"bound": "f"}, "quantile": "m"},
            "The m was at most 100 % of the f (“e”). Required: at most as much;",
        ),
        (
            {"at_most": {"bound": 0, "within": 0.5}, "quantile": "m"},
            "The m was at most 1 (“e”). Required: at most 0 (tolerance 0.5); met in 0 of 2 seeds.",
        ),
        (
            {
                "at_most": {"bound": 0, "at_least": True, "within": 0.1},
                "value": {"metric": "f", "at": "last"},
            },
            "The f at the last iterate was at least 40 (“e”). Required: at least 0 (tolerance 0.1); met in 2",
        ),
        (
            {"monotone": {"methods": "a"}, "mean": {"metric": "m", "windows": 3}},
            "The mean of the m of Ours never rose on the way (“e”). Required: never rising; met in 2 of 2",
        ),
    ],
)
def test_each_relation_is_a_sentence(test, words):
    assert words in said(test)


def test_no_sentence_says_that_small_is_good_or_denies_a_requirement():
    for test in ({"less": {"a": "b", "than": "a"}, **END}, {"order": {"methods": ["b", "a"]}, **TIME}):
        words = said(test)
        assert "is good" not in words and "in none" not in words and " ratio " not in words


def test_one_sentence_for_each_of_some_against_each_of_others_where_all_are_alike():
    test = {"each": {"a": ["a", "b"], "than": ["c"]}, "less": {}, **END}
    words = said(test)
    assert words.startswith("The m of each of Ours and Theirs was ") and words.count("Required") == 1
    assert "met in 4 of 4 comparisons." in words


def test_pairs_that_come_out_otherwise_have_a_sentence_each():
    test = {"each": {"a": ["a", "c"], "than": ["b"]}, "less": {"factor": 1.5}, **END}
    words = said(test)
    assert words.count("Required") == 2 and "each of" not in words


def test_panels_where_it_is_otherwise_are_named_with_a_range_of_their_own():
    words = said({"less": {"a": "a", "than": "b"}, **END}, experiments=("e", "f", "g"))
    held, _, other = words.partition("; ")
    assert "smaller than that of Theirs at the end (“e” and “f”)" in held
    assert "larger than that of Theirs at the end (“g”). Required: smaller; met in 4 of 6 seeds." in other


def judged(paper, *panels, measured=None, **test):
    """A sentence of a paper with cells as given: panel → truths of its seeds."""
    (sentence,) = sentences({"all": [name for name, _ in panels], **test})
    cells = [
        PanelCells(name, {k: Cell(t, False, (measured or {}).get(name, {})) for k, t in enumerate(ts)})
        for name, ts in panels
    ]
    return Judgement(sentence, cells)


def test_a_range_is_over_decided_panels_alone_and_the_others_say_why():
    """FAULTS-3, P7: the range of an undecided panel was printed beside “all 5 testable”."""
    test = {"less": {"a": "a", "than": "b"}, **TIME, "over": "IFO"}
    numbers = {"e": {"ratio": Range(0.25, 0.5)}, "f": {"ratio": Range(0.8, 1.57)}}
    one = judged("toy", ("e", [True, True]), ("f", [None, None]), measured=numbers, **test)
    assert verdict_text([one], {}, {"e": "e", "f": "f"}) == (
        "A reached the same m with 2–4 times fewer component gradients (IFO) than b (“e”). "
        "Required: fewer component gradients (IFO); met in 2 of 2 seeds (2 undecided). "
        "Undecided (“f”): too close to call."
    )


def test_a_ratio_and_a_difference_are_never_one_range():
    """FAULTS-3, P7: “difference -30–-27 … 0.143–0.231”."""
    test = {"less": {"a": "a", "than": "b"}, **END, "over": "IFO"}
    numbers = {"e": {"ratio": Range(0.143, 0.231)}, "f": {"difference": Range(-30.0, -27.0)}}
    one = judged("toy", ("e", [True]), ("f", [True]), measured=numbers, **test)
    assert verdict_text([one], {}, {"e": "e", "f": "f"}).startswith(
        "The m of a was 4.3–7.0 times smaller than that of b at the end; "
        "the m of a was 27–30 below that of b at"
    )


def test_a_statistic_of_a_paper_says_what_it_is():
    near = {"time": {"metric": "error_clean", "near": {"of": ["a"], "by": 0.1}}, "over": "cpu_seconds"}
    level = {"value": {"metric": "rank", "at": {"level": "objective"}}, "over": "iteration"}
    for test, words in (
        (near, "A came near the best reconstruction error 4 times faster than b (“e”). Required: at least 2"),
        (level, "The rank of a was 4 times smaller than that of b at equal levels of the objective (“e”)."),
    ):
        numbers = {"e": {"ratio": Range(0.25, 0.25)}}
        less = {"a": "a", "than": "b", "factor": 2}
        one = judged("gcg", ("e", [True, True]), measured=numbers, **test, less=less)
        assert verdict_text([one], {}, {"e": "e", "f": "f"}).startswith(words)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_statement_of_a_claim_has_a_subject(paper):
    model = study.load(paper, "full").model
    parts = [part for claim in model.claims for part in parts_of(claim).values() if part.tests]
    subjects = {required_text(s, {}): s for part in parts for s in sentences_of(part, model)}
    assert subjects
    assert [
        s.statistic for s in subjects.values() if s.said.what.startswith(s.statistic.replace("_", " "))
    ] == []


@pytest.mark.parametrize(("label", "begin"), [("nmAPG", "nmAPG reached"), ("stochastic A", "Stochastic A r")])
def test_a_method_keeps_its_letters_at_the_beginning(label, begin):
    test = {"less": {"a": "a", "than": "b"}, **TIME, "over": "IFO"}
    found = judged("toy", ("e", [True]), measured={"e": {"ratio": Range(0.5, 0.5)}}, **test)
    assert verdict_text([found], {"a": label}, {"e": "e"}).startswith(begin)


def test_one_seed_is_one_seed():
    test = {"less": {"a": "a", "than": "b"}, **END}
    assert said(test, seeds=1, titles="small").endswith("(“small”). Required: smaller; met in one seed.")
    assert said(test, seeds=1, rates={"a": 0.1, "b": 1.0}).endswith("Required: smaller; not met in one seed.")


def test_what_is_undecided_says_why():
    test = {"less": {"a": "a", "than": "b"}, **TIME, "over": "cpu_seconds"}
    assert said(test) == "Undecided: the seconds were measured once only (“e”)."


def test_what_neither_reached_says_until_when():
    test = {"less": {"a": "a", "than": "b"}, "time": {"metric": "m", "level": 1e-30}}
    assert said(test) == (
        "Undecided: neither Ours nor Theirs reached the level 10⁻³⁰ of the m within "
        "39 component gradients (IFO) (“e”)."
    )


def test_records_that_are_not_there_are_told_in_words():
    test = {"at_most": {"bound": 2}, "quantile": {"metric": "m", "where": {"f": [70, 80]}}}
    assert said(test) == "Undecided: missing: a record with f [70, 80] in e (“e”)."
