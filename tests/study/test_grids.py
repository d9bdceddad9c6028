"""The panels of a figure, listed or as a grid."""

from referee.study.views import drawable, methods_in, panels_of

GRID = {
    "title": "T",
    "also": ["LO"],
    "grid": {
        "cells": {"x": "iteration", "methods": ["a"]},
        "rows": [
            {"name": "gap", "y": "fw_gap", "title": "gap", "methods": ["c"]},
            {"name": "rmse", "y": "e"},
        ],
        "columns": [
            {"name": "10", "experiment": "p10", "title": "b = n/10"},
            {"name": "20", "methods": ["b"]},
        ],
    },
}
LISTED = {"title": "L", "panels": [{"y": "a", "name": "left"}, {"y": "b"}]}


def test_a_grid_is_its_rows_times_its_columns_and_the_column_wins():
    panels = panels_of(GRID, "fig1")
    assert [p["name"] for p in panels] == ["fig1-gap-10", "fig1-gap-20", "fig1-rmse-10", "fig1-rmse-20"]
    assert panels[0] == {
        "name": "fig1-gap-10",
        "x": "iteration",
        "methods": ["c"],
        "y": "fw_gap",
        "experiment": "p10",
        "title": "gap, b = n/10",
    }
    assert [p["methods"] for p in panels] == [["c"], ["b"], ["a"], ["b"]]
    assert panels[2]["title"] == "b = n/10" and "title" not in panels[3]


def test_listed_panels_stay_as_they_are():
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
