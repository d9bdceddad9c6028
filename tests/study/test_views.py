"""What is left of a claim where experiments or methods are left out."""

import shutil

import pytest
from places import ROOT

from referee import study
from referee.evidence.claims import check_claims
from referee.study.views import claims_on, names_in, on_figures, with_answers

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


def test_a_part_of_a_paper_keeps_what_is_open_in_it():
    """Entries of the register that touch one of its figures or claims, and their alternatives."""
    entries = [
        {"id": "U1", "figures": ["a", "b"], "touches": ["X-C2"]},
        {"id": "U2", "touches": ["X-C1", "X-C1.a"]},
        {"id": "U3", "figures": ["b"], "touches": ["X-C2"]},
    ]
    shared = {"experiments": ["x", "z"], "without": {"U1-other": "dear", "U3-other": "dear"}, "share": 0.2}
    spec = {
        "prefix": "X",
        "figures": {
            "a": {"panels": [{"experiment": "x"}], "claims": ["X-C1", "X-C2"], "deviations": ["U1", "U3"]},
            "b": {"panels": []},
        },
        "experiments": {"x": {}, "z": {}},
        "claims": [{"id": "C1", "parts": {"a": {"tests": [{**TEST, "all": ["x"]}]}}}],
        "deviations": entries,
        "alternatives": shared,
    }
    found = on_figures(spec, ["a"], "here")
    assert [(e["id"], e["figures"], e["touches"]) for e in found["deviations"]] == [
        ("U1", ["a"], []),
        ("U2", [], ["X-C1", "X-C1.a"]),
    ]
    assert (found["figures"]["a"]["claims"], found["figures"]["a"]["deviations"]) == (["X-C1"], ["U1"])
    kept = {"experiments": ["x"], "without": {"U1-other": "dear"}, "share": 0.2}
    assert found["alternatives"] == kept


WHOLE = {"fig1": {"methods": ["fast", "slow"]}, "fig2": {"methods": ["fast", "slow", "third"]}}


def left_of(tests, experiments, **claims):
    """The claims of a run with these experiments."""
    named = [{"id": "C1", "tests": tests}, *({"id": name, **given} for name, given in claims.items())]
    spec = {
        "prefix": "X",
        "experiments": experiments,
        "claims": named,
        "figures": {"f": {"claims": ["X-C1"]}},
    }
    return with_answers(spec, WHOLE)


def test_a_run_that_leaves_nothing_out_keeps_its_claims_as_they_are():
    tests = [TEST, {**TEST, "less": {"a": "fast", "than": "new"}}]
    found = left_of(tests, {**WHOLE, "more": {"methods": []}}, C2={"not_judged": "why", "tests": []})
    assert [claim["id"] for claim in found["claims"]] == ["C1", "C2"]
    assert found["claims"][0]["tests"] == tests and found["figures"]["f"]["claims"] == ["X-C1"]


def test_a_test_loses_the_panels_in_which_one_of_its_methods_is_left_out():
    (claim,) = left_of([TEST], {**WHOLE, "fig2": {"methods": ["fast", "third"]}})["claims"]
    assert claim["tests"] == [{**TEST, "all": ["fig1"]}]
    (claim,) = left_of([{**TEST, "all": ["fig1", "fig2"]}], {"fig1": WHOLE["fig1"]})["claims"]
    assert claim["tests"][0]["all"] == ["fig1"]


@pytest.mark.parametrize("than", ["slow", "slow@fig2", "third@fig2"])
def test_a_claim_that_cannot_be_answered_goes_with_what_follows_from_it(than):
    gone = {"fig1": {"methods": ["fast"]}, "fig2": {"methods": ["fast"]}}
    test = {**TEST, "all": ["fig1"], "less": {"a": "fast", "than": than}}
    follows = {"C2": {"follows": {"from": ["C1"]}}, "C3": {"follows": {"from": ["C2"]}}}
    found = left_of(
        [test], gone, **follows, C4={"tests": [{**TEST, "less": {"a": "fast", "than": "fast@fig2"}}]}
    )
    assert [claim["id"] for claim in found["claims"]] == ["C4"] and found["figures"]["f"]["claims"] == []


def test_the_taste_is_the_quick_run_of_one_figure():
    taste, quick = (study.load("ncgs", run) for run in ("taste", "quick"))
    assert list(taste.figures) == list(taste.experiments) == ["fig1-left"] and taste.claims
    for method in taste.experiment("fig1-left").methods:
        given = [one.job("fig1-left", method).plain() | {"run": ""} for one in (taste, quick)]
        assert given[0] == given[1]


def test_a_run_of_fewer_methods_asks_of_them_alone(tmp_path):
    """Every claim that it keeps can be judged, which an unknown method would end."""
    shutil.copytree(ROOT / "papers/mpcgs", tmp_path / "papers/mpcgs")
    path = tmp_path / "papers/mpcgs/runs.yaml"
    fewer = "{experiments: {fig1-a: {methods: [mpcgs, spfw]}, fig1-b: {methods: [mpcgs]}, t4: null}}"
    path.write_text(f"{path.read_text()}\n  fewer: {fewer}\n")
    run, full = (study.load("mpcgs", name, tmp_path) for name in ("fewer", "full"))
    check_claims(run.model)
    assert {claim.id for claim in full.claims} - {claim.id for claim in run.claims} >= {"C2", "T4"}
    assert "MP-C3" in run.figures["fig1-a"].claims and "MP-C2" not in run.figures["fig1-a"].claims
