"""What is left of a claim where experiments or methods are left out."""

import pytest

from referee import study
from referee.study.views import claims_on, names_in, on_figures

TEST = {
    "all": ["fig*"],
    "less": {"a": "fast", "than": "slow"},
    "mean": {"metric": "m", "height": True},
    "over": "IFO",
}


def test_a_claim_without_parts_is_kept():
    claim = {"id": "C1", "tests": [TEST], "race": {"ours": {"swap": {}}}}
    found = claims_on(claim, {"fig1": {}, "other": {}}, set())
    assert found["tests"][0]["all"] == ["fig1"] and found["race"] is None
    assert claims_on(claim, {"other": {}}, set()) is None


def test_tests_that_name_what_is_left_out_are_dropped():
    other = {**TEST, "less": {"a": "fast", "than": "third"}}
    claim = {"id": "C1", "parts": {"a": {"tests": [TEST, other]}, "b": {"tests": [other]}}}
    found = claims_on(claim, {"fig1": {}}, {"third"})
    assert list(found["parts"]) == ["a"] and found["parts"]["a"]["tests"] == [TEST | {"all": ["fig1"]}]


@pytest.mark.parametrize("than", ["slow@fig2", "slow / third", "slow@fig2 / fast@fig1"])
def test_tests_whose_operands_name_what_is_left_out_are_dropped(than):
    claim = {"id": "C1", "tests": [{**TEST, "less": {"a": "fast", "than": than}}]}
    assert claims_on(claim, {"fig1": {}}, {"fig2", "third"}) is None


def test_operands_are_split_into_names_and_labels_are_not():
    tests = [{"all": ["fig1"], "less": {"a": "fast@fig2 / third", "than": ["slow"]}, "label": "best of slow"}]
    assert names_in(tests) == {"fig1", "fast", "fig2", "third", "slow", "best of slow"}


def test_a_part_of_a_paper_has_what_its_figures_need():
    spec = {
        "figures": {"a": {"panels": [{"experiment": "x"}], "claims": ["C1", "C2"]}, "b": {"panels": []}},
        "experiments": {"x": {"instance_of": "y"}, "y": {}, "z": {}},
        "claims": [
            {"id": "C1", "tests": [{**TEST, "all": ["x"]}]},
            {"id": "C2", "tests": [{**TEST, "all": ["z"]}]},
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
