"""The panels of a figure, listed or as a grid; the part of a paper that shows some of its figures."""

import pytest
import yaml

from referee import study
from referee.study.views import drawable, methods_in, on_figures, panels_of

GRID = yaml.safe_load("""
title: T
also: [LO]
grid:
  cells: {x: iteration, methods: [a]}
  rows: [{name: gap, y: fw_gap, title: gap, methods: [c]}, {name: rmse, y: e}]
  columns: [{name: "10", experiment: p10, title: b = n/10}, {name: "20", methods: [b]}]
""")
LISTED = {"title": "L", "panels": [{"y": "a", "name": "left"}, {"y": "b"}]}


def test_a_grid_is_its_rows_times_its_columns_and_the_column_wins():
    panels = panels_of(GRID, "fig1")
    assert [p["name"] for p in panels] == ["fig1-gap-10", "fig1-gap-20", "fig1-rmse-10", "fig1-rmse-20"]
    own = {"name": "fig1-gap-10", "experiment": "p10", "title": "gap, b = n/10", "methods": ["c"]}
    assert panels[0] == own | {"x": "iteration", "y": "fw_gap"}
    assert [p["methods"] for p in panels] == [["c"], ["b"], ["a"], ["b"]]
    assert panels[2]["title"] == "b = n/10" and "title" not in panels[3]
    assert panels_of(LISTED, "fig2") is LISTED["panels"]


def test_named_panels_can_be_drawn_alone_with_what_their_figure_says():
    found = drawable({"fig1": GRID, "fig2": LISTED})
    assert list(found)[:2] == ["fig1", "fig2"] and len(found) == 2 + 4 + 1
    assert found["fig1"] is GRID
    assert found["fig1-rmse-20"] == {"title": "T", "also": ["LO"], "panels": [panels_of(GRID, "fig1")[3]]}
    assert found["left"] == {"title": "L", "panels": [LISTED["panels"][0]]}


def test_an_experiment_s_own_methods_come_beside_the_paper_s():
    spec = {"methods": {"a": 1, "b": 2}, "experiments": {"e": {"define": {"b": 3}}, "f": {}}}
    assert methods_in(spec, "e") == {"a": 1, "b": 3}
    assert methods_in(spec, "f") == {"a": 1, "b": 2}


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
    spec = yaml.safe_load("""
    prefix: X
    figures:
      a: {panels: [{experiment: x}], claims: [X-C1, X-C2], deviations: [U1, U3]}
      b: {panels: []}
    experiments: {x: {}, z: {}}
    deviations:
    - {id: U1, figures: [a, b], touches: [X-C2]}
    - {id: U2, touches: [X-C1]}
    - {id: U3, figures: [b], touches: [X-C2]}
    alternatives: {experiments: [x, z], without: {U1-other: dear, U3-other: dear}, share: 0.2}
    """)
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
