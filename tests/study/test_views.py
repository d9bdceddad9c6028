"""What is left of a claim where experiments or methods are left out."""

import pytest

from projfree import study
from projfree.study.views import claims_on, on_figures

TEST = {"kind": "beats", "experiments": ["fig*"], "a": "fast", "b": "slow"}


def test_a_claim_without_parts_is_kept():
    claim = {"id": "C1", "tests": [TEST], "strong": {"swap": {}}}
    found = claims_on(claim, {"fig1": {}, "other": {}}, set())
    assert found["tests"][0]["experiments"] == ["fig1"] and found["strong"] is None
    assert claims_on(claim, {"other": {}}, set()) is None


def test_tests_that_name_what_is_left_out_are_dropped():
    other = {**TEST, "b": "third"}
    claim = {"id": "C1", "parts": {"a": {"tests": [TEST, other]}, "b": {"tests": [other]}}}
    found = claims_on(claim, {"fig1": {}}, {"third"})
    assert list(found["parts"]) == ["a"] and [t["b"] for t in found["parts"]["a"]["tests"]] == ["slow"]


def test_a_part_of_a_paper_has_what_its_figures_need():
    spec = {
        "figures": {"a": {"panels": [{"experiment": "x"}], "claims": ["C1", "C2"]}, "b": {"panels": []}},
        "experiments": {"x": {"instance_of": "y"}, "y": {}, "z": {}},
        "claims": [
            {"id": "C1", "tests": [{**TEST, "experiments": ["x"]}]},
            {"id": "C2", "tests": [{**TEST, "experiments": ["z"]}]},
        ],
        "tables": {"t": {}},
    }
    found = on_figures(spec, ["a"], "here")
    assert list(found["experiments"]) == ["x", "y"] and not found["tables"]
    assert [claim["id"] for claim in found["claims"]] == found["figures"]["a"]["claims"] == ["C1"]
    with pytest.raises(study.StudyError, match="unknown figure 'c'"):
        on_figures(spec, ["c"], "here")


def test_the_taste_is_the_quick_run_of_one_figure():
    taste, quick = (study.load("ncgs", run) for run in ("taste", "quick"))
    assert list(taste.figures) == list(taste.experiments) == ["fig1-left"] and taste.claims
    for method in taste.experiment("fig1-left").methods:
        given = [one.job("fig1-left", method).plain() | {"run": ""} for one in (taste, quick)]
        assert given[0] == given[1]
