"""The README's table of times, and the critical path: both from kept costs."""

import json

import pytest
from places import ROOT

from projfree import study
from projfree.results import critical, times


def test_the_readme_tells_the_times_that_are_kept():
    readme = (ROOT / "README.md").read_text()
    assert times.renewed(readme, ROOT / "reports/reference") == readme, "projfree plan --learn renews them"


def test_times_are_sums_over_jobs_with_the_machine_they_are_of(tmp_path):
    quick = {"jobs": {"page": [60, 100], "judge": [30, 300]}, "disk_mb": 200, "machine": "abacus"}
    full = {"jobs": {"page": [6000, 1200]}, "disk_mb": 1500}
    for name, runs in {"one": {"quick": quick, "full": full}, "two": {"quick": quick}}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "costs.json").write_text(json.dumps(runs))
    assert times.table(tmp_path).splitlines()[2:] == [
        "| `make quick` | 180 s | 0.3 GB | 0.4 GB | abacus |",
        "| `make replicate TARGETS=one` | 1 h 40 min | 1.2 GB | 1.5 GB | not noted |",
        "| `make replicate TARGETS=two` | not kept | | | |",
    ]
    with pytest.raises(ValueError, match="README.md lacks the lines <!-- times -->"):
        times.renewed("no marks", tmp_path)


def test_the_critical_path_is_the_longest_chain_from_data_to_page():
    loaded = study.load("ncgs", "full")
    each = {"instance fig1-left": 2, "solve fig1-left/fw": 10, "tidy fig1-left": 1, "figures": 4, "page": 3}
    drawn = ["instance fig1-left", "solve fig1-left/fw", "tidy fig1-left", "figures", "page"]
    assert [job for job, _ in critical.critical_path(loaded, each)] == drawn
    each |= {"tune fig1-left/ncgs-2-tuned": 30, "solve fig1-left/ncgs-2-tuned": 5, "judge": 6}
    path = critical.critical_path(loaded, each)
    tuned = ["instance fig1-left", "tune fig1-left/ncgs-2-tuned", "solve fig1-left/ncgs-2-tuned"]
    assert [job for job, _ in path] == [*tuned, "tidy fig1-left", "judge", "page"]
    assert critical.told(path).startswith("critical path 47 CPU s: instance fig1-left 2 → tune ")


def test_what_no_figure_shows_does_not_hold_up_the_figures():
    loaded = study.load("ncgs", "quick")
    each = {"bundle theory": 20, "bundle fig3": 10, "figures": 8, "judge": 1}
    assert [job for job, _ in critical.critical_path(loaded, each)] == ["bundle theory", "judge"]
    assert [j for j, _ in critical.critical_path(loaded, each | {"figures": 12})] == [
        "bundle fig3",
        "figures",
    ]
