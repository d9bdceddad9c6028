"""The order of the curves: as the paper states it, and as it is in the tables; its axis in the drawing."""

import pytest
from frames import run, write
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from places import PAPERS, ROOT

from referee import study
from referee.report.axes import PAPER, draw_axes
from referee.report.curves import panel_data
from referee.report.order import chains
from referee.study.views import panels_of

FALLING = {"a": [8, 4, 2, 1, 1], "b": [8, 6, 5, 4, 4], "c": [8, 4, 2, 1.05, 1.01]}


def shown(folder, paper, runs=FALLING, y="objective"):
    """A panel of three methods, a record a second."""
    ends = {m: "converged" if len(values) < 5 else "budget" for m, values in runs.items()}
    write(folder, "e", *(run(m, {y: values}, end_status=ends[m]) for m, values in runs.items()))
    methods = {name: {"solver": "fw", "label": name.upper(), "role": "paper"} for name in "ab"}
    methods["c"] = {"solver": "svrg", "label": "C", "role": "strong"}
    spec = {
        "methods": methods,
        "experiments": {"e": {"methods": ["c", "a", "b"], "budget": {"cpu_seconds": 4}}},
        "figures": {"fig": {"panels": []}},
    }
    panel = {"experiment": "e", "y": y, "also": [], "x_max": 4, "paper": paper}
    return panel_data(spec, "fig", panel, folder)


@pytest.mark.parametrize(
    "paper, told, here",
    [
        ({"order": "b < a"}, "B < A", "A < B over 0–4 s"),
        ({"order": "b < a, c", "ticks": [0, 40]}, "B < A, C over 0–40 s", "A ≈ C < B over 0–4 s"),
        ({"order": "a = b", "ticks": [0, 0.5]}, "A ≈ B over 0–0.5 s", "A ≈ B over 0–0.5 s"),
        ({"order": "a < b; c < b"}, "A < B; C < B", "A < B; C < B over 0–4 s"),
    ],
)
def test_the_order_is_told_as_it_is_and_as_the_paper_has_it(tmp_path, paper, told, here):
    assert shown(tmp_path, paper)["order"] == {"paper": told, "here": here}


def test_more_is_better_of_accuracies_and_a_stopped_run_keeps_its_end(tmp_path):
    runs = {"a": [0.1, 0.9], "b": [0.1, 0.2, 0.3, 0.4, 0.5], "c": [0, 0, 0, 0, 0]}
    for y, here in (("objective", "B < A"), ("accuracy_test", "A < B")):
        assert shown(tmp_path, {"order": "b < a"}, runs, y)["order"]["here"] == f"{here} over 0–4 s"


def test_a_name_that_no_curve_has_is_refused(tmp_path):
    with pytest.raises(ValueError, match="method 'z'"):
        shown(tmp_path, {"order": "a < z"})


def test_the_paper_s_methods_come_first_and_the_others_are_pale(tmp_path):
    looks = {m["method"]: bool(m.get("pale")) for m in shown(tmp_path, {})["methods"]}
    assert list(looks.items()) == [("a", False), ("b", False), ("c", True)]
    assert not any(m.get("pale") for m in shown(tmp_path, {"order": "c < a"})["methods"])


@pytest.mark.parametrize("ticks, width, marks", [([0, 1, 2], 2, 3), ([0, 2, 8], 4, 2), ([9, 99], 0, 0)])
def test_the_paper_s_range_is_shaded_and_its_ticks_are_marked(tmp_path, ticks, width, marks):
    panel, axes = shown(tmp_path, {"ticks": ticks}), Figure().subplots()
    draw_axes(axes, panel, panel["axes"][0], main=True)
    shades = [patch for patch in axes.patches if to_hex(patch.get_facecolor()) == PAPER.lower()]
    assert sum(patch.get_width() for patch in shades) == width
    assert sum(len(line.get_xdata()) for line in axes.lines if line.get_marker() == 7) == marks
    assert axes.get_xlim() == (0, 4)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_order_names_methods_of_its_panel(paper, monkeypatch):
    monkeypatch.chdir(ROOT)
    spec = study.load(paper).spec
    told = [p for stem, f in spec["figures"].items() for p in panels_of(f, stem) if p.get("paper")]
    assert told
    for panel in told:
        named = {n for chain in chains(panel["paper"].get("order") or "") for n in chain[::2]}
        assert named <= set(panel.get("methods") or spec["experiments"][panel["experiment"]]["methods"])
        ticks = panel["paper"].get("ticks") or [0, 1]
        assert ticks == sorted(ticks)
