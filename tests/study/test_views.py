"""The part of a paper that shows some of its figures."""

import pytest

from referee import study
from referee.study.views import on_figures


def test_a_part_of_a_paper_has_what_its_figures_need():
    spec = {
        "figures": {"a": {"panels": [{"experiment": "x"}], "claims": ["C1", "C2"]}, "b": {"panels": []}},
        "experiments": {"x": {"instance_of": "y"}, "y": {}, "z": {}},
        "tables": {"t": {}},
    }
    found = on_figures(spec, ["a"], "here")
    assert list(found["experiments"]) == ["x", "y"] and not found["tables"]
    with pytest.raises(study.StudyError, match="unknown figure 'c'"):
        on_figures(spec, ["c"], "here")


def test_a_part_of_a_paper_keeps_what_is_open_in_it():
    """Entries of the register that touch one of its figures, and their alternatives."""
    entries = [
        {"id": "U1", "figures": ["a", "b"], "touches": ["X-C2"]},
        {"id": "U2", "touches": ["X-C1"]},
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
        "deviations": entries,
        "alternatives": shared,
    }
    found = on_figures(spec, ["a"], "here")
    assert [(e["id"], e["figures"]) for e in found["deviations"]] == [("U1", ["a"])]
    assert found["figures"]["a"]["deviations"] == ["U1"]
    kept = {"experiments": ["x"], "without": {"U1-other": "dear"}, "share": 0.2}
    assert found["alternatives"] == kept


def test_the_taste_is_the_quick_run_of_one_figure():
    taste, quick = (study.load("ncgs", run) for run in ("taste", "quick"))
    assert list(taste.figures) == list(taste.experiments) == ["fig1-left"]
    for method in taste.experiment("fig1-left").methods:
        given = [one.job("fig1-left", method).plain() | {"run": ""} for one in (taste, quick)]
        assert given[0] == given[1]
