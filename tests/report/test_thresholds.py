"""Thresholds in plain words: nobody has to know that a 6 is a factor."""

import re

import made_paper
import pytest
from frames import sentences

from referee.evidence.relations import RELATIONS
from referee.report.thresholds import WORDS, asked

PAIR = {"a": "x", "than": "y"}
TIME, END = {"time": {"metric": "m", "lowest": 0}}, {"value": "m"}
WAY = {"value": {"metric": "m", "at": {"share": [0.1, 0.5]}}}
SLOPE = {"slope": {"metric": "m", "against": "1/m"}}


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ({"less": {**PAIR, "factor": 6}, **TIME}, "at least 6 times less in the median over the levels"),
        (
            {"less": {**PAIR, "factor": 6, "quota": 0.5}, **TIME},
            "at least 6 times less, at 50 % of the levels or more",
        ),
        ({"less": PAIR, **END}, "visibly less"),
        ({"less": {**PAIR, "factor": 0.95}, **END}, "at most 1.053 times as much"),
        ({"order": {"methods": ["x", "y"]}, **END}, "each visibly less than the next"),
        ({"order": {"methods": ["x", "y"], "factor": 2}, **END}, "each at least 2 times less than the next"),
        (
            {"order": {"methods": ["x", "y"], "factor": 0.8}, **END},
            "each at most 1.25 times as much as the next",
        ),
        ({"equal": {"a": "x", "to": "y", "within": 0.1}, **END}, "equal within 1.1 times"),
        ({"equal": {"a": "x", "to": "y"}, **END}, "not to be told apart"),
        (
            {"equal": {"a": "x", "to": "y", "within": 1, "quota": 0.5}, **WAY},
            "equal within 2 times, at 50 % of the values compared or more",
        ),
        ({"equal": {"to": 0, "within": 1e-12}, **END}, "0 within 1·10⁻¹²"),
        ({"equal": {"to": 1, "within": 0}, **END}, "exactly 1"),
        ({"at_most": {"bound": 10, "factor": 0.5}, **END}, "at most 5"),
        ({"at_most": {"bound": 100, "at_least": True}, **END}, "at least 100"),
        (
            {"at_most": {"bound": "seconds_gradient", "factor": 3}, **END},
            "at most 3 times the time of one gradient",
        ),
        ({"at_most": {"bound": 1, "slack": 0.05}, **END}, "at most 1, give or take 0.05 of it"),
        ({"at_most": {"bound": 0, "within": 1e-6}, **END}, "at most 0, give or take 1·10⁻⁶"),
        ({"slope_at_most": {"order": -1}, **SLOPE}, "at most -1, give or take 0.25"),
        ({"monotone": {}, **WAY}, "never rising visibly"),
        (
            {"monotone": {"rising": True, "within": 0.1}, **WAY},
            "never falling by more than 0.1 (on a logarithmic axis 1.1 times)",
        ),
        (
            {"turns": {"within": 1}, **WAY},
            "falling, then ending above its least value, both by more than 1 (on a logarithmic axis 2 times)",
        ),
    ],
)
def test_what_is_asked(test, words):
    (sentence,) = sentences({"all": ["e"], "over": "IFO", **test})
    assert asked(sentence) == words


def test_every_relation_has_words():
    assert WORDS.keys() == set(RELATIONS.values())


def threshold(text):
    """What a page says of the threshold, and of others, without tags."""
    shown = text[text.index("<dt>Threshold") : text.index("<dt>Seeds")]
    return " ".join(re.sub("<[^>]+>", " ", shown).split())


def test_a_page_says_what_its_threshold_is_of_and_what_the_others_are(rewrite):
    pages = rewrite()
    words = threshold(pages["claim-NCGS-T1.html"])
    assert words.startswith("Threshold the squared gradient mapping ‖g‖² at the end: at most 2.5")
    assert "squared gradient mapping ‖g‖² at the end: at most 2.5</td>" in pages["theory.html"]


def test_words_of_another_register_than_the_judged_are_not_said(rewrite):
    stale = made_paper.claim("NCGS-T1", "holds", threshold={"atmost": {"factor": 0.4, "bound": 5}})
    assert threshold(rewrite([stale])["claim-NCGS-T1.html"]).startswith("Threshold factor bound atmost 0.4 5")


def test_a_claim_that_follows_names_those_that_it_follows_from(rewrite):
    follows = made_paper.claim("NCGS-C2", "holds", threshold={"T1": made_paper.T1_THRESHOLD})
    text = rewrite([*made_paper.claims()[:3], follows, made_paper.claims()[4]])["claim-NCGS-C2.html"]
    assert 'those of <a href="claim-NCGS-T1.html">NCGS-T1</a>' in text


def test_a_page_says_what_visibly_is_where_it_asks_for_that(rewrite):
    pages = rewrite([made_paper.claims()[0], made_paper.claim("NCGS-C1.a", "holds", threshold={"less": 1})])
    words = "visibly less in the median over the levels Visibly: by more than 1 % of the drawn axis,"
    assert words in threshold(pages["claim-NCGS-C1.a.html"])
    assert "Visibly:" not in rewrite()["claim-NCGS-T1.html"]
