"""Thresholds in plain words: nobody has to know that a 6 is a factor."""

import re

import made_paper
import pytest
from frames import sentences

from referee.report.claims import required

PAIR = {"a": "x", "than": "y"}
TIME, END = {"time": {"metric": "m", "lowest": 0}}, {"value": "m"}
WAY = {"value": {"metric": "m", "at": {"share": [0.1, 0.5]}}}
SLOPE = {"slope": {"metric": "m", "against": "1/m"}}


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ({"less": {**PAIR, "factor": 6}, **TIME}, "at least 6 times fewer component gradients (IFO)"),
        (
            {"less": {**PAIR, "factor": 6, "quota": 0.5}, **TIME},
            "at least 6 times fewer component gradients (IFO), at 50 % of the levels or more",
        ),
        ({"less": PAIR, **END}, "smaller"),
        ({"less": {**PAIR, "factor": 0.95}, **END}, "at most 1.053 times as much"),
        ({"order": {"methods": ["x", "y"]}, **END}, "X, y, smallest m at the end first"),
        ({"equal": {"a": "x", "to": "y", "within": 0.1}, **END}, "equal within a factor of 1.1"),
        (
            {"equal": {"a": "x", "to": "y", "within": 1, "quota": 0.5}, **WAY},
            "equal within a factor of 2, at 50 % of the values compared or more",
        ),
        ({"equal": {"to": 0, "within": 1e-12}, **END}, "0 (tolerance 10⁻¹²)"),
        ({"at_most": {"bound": 10, "factor": 0.5}, **END}, "at most 5"),
        ({"at_most": {"bound": 100, "at_least": True}, **END}, "at least 100"),
        ({"at_most": {"bound": 1, "slack": 0.05}, **END}, "at most 1 (tolerance 0.05 of it)"),
        ({"at_most": {"bound": 0, "within": 1e-6}, **END}, "at most 0 (tolerance 10⁻⁶)"),
        ({"slope_at_most": {"order": -1}, **SLOPE}, "an exponent of at most −1 (tolerance 0.25)"),
        ({"monotone": {}, **WAY}, "never rising"),
        (
            {"monotone": {"rising": True, "within": 0.1}, **WAY},
            "never falling by more than 0.1 (on a logarithmic axis 1.1 times)",
        ),
    ],
)
def test_what_is_required(test, words):
    (sentence,) = sentences({"all": ["e"], "over": "IFO", **test})
    assert required(sentence, {"x": "X"}).partition(": ")[2] == words


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
