"""Axes that are expressions, points, series and reference lines."""

import numpy as np
import pandas as pd
import pytest
from frames import run, write
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from test_report_figures import words

from referee.report.axes import draw_axes, limit
from referee.report.curves import panel_data
from referee.report.figures import compose, draw
from referee.report.page import write_page

SPEC = {
    "paper": "made",
    "methods": {"a": {"solver": "fw"}, "b": {"solver": "svrg"}},
    "experiments": {"e": {"methods": ["a", "b"], "title": "costs"}},
    "figures": {"fig": {"title": "Costs", "panels": []}},
}
SIZES = {"draw": "points", "x": "size", "x_scale": "log", "y_scale": "log"}
SERIES = {"series": {"seconds_lmo": "one pair", "seconds_full": "all pairs"}, "y_label": "CPU time (s)"}


@pytest.fixture
def folder(tmp_path):
    """A tidy table: two methods, two seeds, three repetitions at each of three sizes."""
    k = np.arange(9)
    shared = {"IFO": 10 * k, "SSO": 5 * k, "size": 100 * 2 ** (k // 3), "bound": (20 - k) / 3}
    runs = []
    for method, factor, seed in (("a", 1, 0), ("a", 1, 1), ("b", 3, 0), ("b", 3, 1)):
        seconds = {"seconds_lmo": k + seed, "seconds_full": 100 * (k + seed)}
        runs.append(run(method, {"objective": factor * (10 - k) + seed}, seed=seed, **shared, **seconds))
    write(tmp_path, "e", *runs)
    return tmp_path


def changed(folder, **columns):
    """Write the table anew with these columns, given or of it."""
    pd.read_csv(folder / "e.csv").assign(**columns).to_csv(folder / "e.csv", index=False)


def figure(*panels):
    return SPEC | {"figures": {"fig": {"title": "Costs", "also": [], "panels": list(panels)}}}


def panel(folder, points=200, **options):
    options = {"experiment": "e", **options}
    return panel_data(figure(options), "fig", options, folder, points)


def curve(data, name, axis=0):
    return next(c for c in data["axes"][axis]["curves"] if c["method"] == name)


def test_sums_over_n_on_the_own_axis_and_beside_it(folder):
    data = panel(folder, y="objective", x="IFO+SSO", x_scale="linear", components=5, also=["(IFO+SSO)/n"])
    assert data["axes"][0]["x"][-1] == 120 and data["axes"][1]["x"][-1] == 24
    assert data["axes"][0]["scale"] == "linear" and data["axes"][1]["scale"] == "log"


def test_iterations_as_epochs_are_told_at_the_records_themselves_and_to_the_budget(folder, monkeypatch):
    epochs = {"y": "objective", "x": "iteration", "x_divide": 4}
    axis = panel(folder, **epochs, x_label="epochs")["axes"][0]
    assert axis["x"].tolist() == [k / 4 for k in range(9)] and axis["label"] == "epochs"
    assert panel(folder, **epochs)["x_label"] == "iterations / 4"
    assert len(panel(folder, y="objective", x="iteration", points=4)["axes"][0]["x"]) == 4
    monkeypatch.setitem(SPEC["experiments"]["e"], "budget", {"iterations": 12})
    assert panel(folder, **epochs)["axes"][0]["x"][-1] == 3


def test_records_without_a_value_are_skipped(folder):
    changed(folder, objective=lambda t: t["objective"].where(t["iteration"] % 4 != 0))
    data = panel(folder, y="objective", x="iteration")
    found, axis = curve(data, "a")["median"], data["axes"][0]["x"].tolist()
    assert np.isnan(found[0])  # nothing before the first value
    assert found[axis.index(3)] == 7.5 and found[axis.index(5)] == 5.5 and 4 not in axis


def test_a_method_without_any_value_says_so_and_not_how_its_runs_ended(folder):
    changed(folder, objective=lambda t: t["objective"].where(t["method"] != "b"))
    assert [m["note"] for m in panel(folder, y="objective")["methods"]] == ["", "no value"]
    changed(folder, end_status="diverged")
    assert [m["note"] for m in panel(folder, y="objective")["methods"]] == ["diverged", "diverged"]


def test_points_are_medians_and_quartiles_over_records_and_seeds(folder):
    data = panel(folder, **SIZES, y="objective")
    axis = data["axes"][0]
    assert axis["x"].tolist() == [100, 200, 400]
    for name, factor in (("a", 1.0), ("b", 3.0)):
        values = [[factor * (10 - k) + s for s in range(2) for k in ks] for ks in ((0, 1, 2), (3, 4, 5))]
        for key, share in (("low", 25), ("median", 50), ("high", 75)):
            expected = np.percentile(values, share, axis=1)
            assert curve(data, name)[key][:2].tolist() == pytest.approx(expected)


def test_points_have_no_companions_and_no_running_best_unless_asked(folder):
    changed(folder, fw_gap=lambda t: t["iteration"])
    data = panel_data(SPEC, "fig", SIZES | {"experiment": "e", "y": "fw_gap"}, folder)
    assert [axis["name"] for axis in data["axes"]] == ["size"]
    assert curve(data, "a")["median"].tolist() == [1, 4, 7]
    assert len(panel(folder, **SIZES, y="objective", also=["IFO"])["axes"]) == 2


def test_series_are_columns_as_curves_of_the_chosen_methods(folder):
    data = panel(folder, **SIZES, **SERIES, methods=["a"])
    assert [m["label"] for m in data["methods"]] == ["one pair", "all pairs"]
    assert len({m["colour"] for m in data["methods"]}) == 2
    assert curve(data, "seconds_lmo")["median"].tolist() == [1.5, 4.5, 7.5]
    assert curve(data, "seconds_full")["median"].tolist() == [150, 450, 750]


def test_series_as_curves_keep_the_runs_of_several_methods_apart(folder):
    data = panel(folder, x="iteration", **SERIES)
    assert curve(data, "seconds_lmo")["low"].tolist() == [k + 0.0 for k in range(9)]
    assert curve(data, "seconds_lmo")["high"].tolist() == [k + 1.0 for k in range(9)]
    assert [m["seeds"] for m in data["methods"]] == [4, 4]


@pytest.mark.parametrize(
    "options", [{}, SERIES | {"y": "objective"}, SERIES | {"excess": True}, {"series": SERIES["series"]}]
)
def test_a_panel_has_either_y_or_labelled_series(folder, options):
    with pytest.raises(ValueError, match="a panel of fig needs `y`, or `series` with `y_label`"):
        panel(folder, **options)


def test_reference_lines_at_a_height_at_a_place_and_along_a_column(folder):
    lines = [{"y": 4, "label": "h"}, {"x": 3, "label": "v"}, {"column": "bound", "label": "c"}]
    data = panel(folder, y="objective", x="iteration", reference=lines, also=["IFO"])
    own, small = (axis["references"] for axis in data["axes"])
    assert [line["label"] for line in own] == ["h", "v", "c"]
    assert [line["label"] for line in small] == ["h", "c"]  # a place on one axis is none on another
    assert own[2]["median"].tolist() == [(20 - k) / 3 for k in range(9)]
    assert own[2]["dash"] == small[1]["dash"] and len({line["dash"] for line in own}) == 3
    with pytest.raises(ValueError, match="unknown column 'nothing'"):
        panel(folder, y="objective", reference=[{"column": "nothing", "label": "c"}])


def limited(data):
    """The axes with a panel on them, within its limits."""
    axes = Figure().subplots()
    draw_axes(axes, data, data["axes"][0], main=True)
    limit(axes, [data])
    return axes


BEST = {"x": "iteration", "y": "objective", "running": "best"}


@pytest.mark.parametrize("scale, level", [("linear", 0.01), ("linear", 90), ("log", 0.01), ("log", 500)])
def test_a_reference_height_lies_inside_the_axes(folder, scale, level):
    axes = limited(panel(folder, **BEST, y_scale=scale, reference=[{"y": level, "label": "level"}]))
    low, high = axes.get_ylim()
    assert low < level < high and not axes.texts
    assert all(line.get_clip_on() for line in axes.lines), "a ring below is not drawn over what stands there"


def test_a_height_that_would_flatten_the_curves_is_told_at_the_edge(folder):
    lines = [{"y": 500, "label": "lowest tick"}]
    axes = limited(panel(folder, **BEST, y_scale="linear", reference=lines))
    assert axes.get_ylim()[1] < 100
    assert [text.get_text() for text in axes.texts] == ["↑ lowest tick: 500"]


def test_equal_values_stand_inside_a_logarithmic_axis(folder):
    changed(folder, objective=9.9e-7)
    low, high = limited(panel(folder, **SIZES, y="objective")).get_ylim()
    assert low < 0.5 * 9.9e-7 and high > 2 * 9.9e-7


@pytest.mark.parametrize("ends, low, high", [([90.0, 40.0], 10, 90), ([2.0, 900.0], 2, 10)])
def test_a_linear_axis_starts_where_the_curves_start_and_holds_where_they_go(folder, ends, low, high):
    end = dict(zip("ab", ends, strict=True))
    changed(folder, objective=lambda t: 10 + (t["method"].map(end) - 10) * t["iteration"] / 8)
    shown, margin = limited(panel(folder, y="objective", y_scale="linear")).get_ylim(), 0.1 * (high - low)
    assert shown == (pytest.approx(low, abs=margin), pytest.approx(high, abs=margin))


def test_points_series_and_references_are_drawn(folder):
    line = {"column": "bound", "label": "the bound"}
    curves = {"experiment": "e", "x": "iteration", "y": "objective", "reference": [{"y": 40, "label": "top"}]}
    spec = figure({"experiment": "e", "reference": [line], **SIZES, **SERIES}, curves)
    draw(spec, "fig", folder, [folder / "fig.svg"])
    text = words(folder / "fig.svg")
    for word in ("one pair", "all pairs", "the bound", "top", "CPU time (s) (log)", "size", "over records"):
        assert word in text, word
    assert [text.split().count(size) for size in ("200", "400")] == [1, 1]  # each size is named
    assert text.split().count("40") == 1  # the line at 40 lies inside the axes


def test_the_page_tells_points_by_their_places(folder):
    spec = figure({"experiment": "e", **SIZES, **SERIES, "reference": [{"column": "bound", "label": "B"}]})
    spec |= {"prefix": "MADE", "title": "Made"}
    (folder / "claims.json").write_text("[]")
    (folder / "verdicts.csv").write_text("")
    page = folder / "index.html"
    about = {"run": "full", "commit": "0"}
    write_page(spec, folder / "claims.json", folder, folder, page, about, tidy_dir=folder)
    text = (folder / "pages" / "figure-fig.html").read_text()
    for cell in ('class="number">200</th>', '<td class="number">450</td>', "all pairs"):
        assert cell in text, cell


def test_a_long_label_of_a_low_axis_is_broken_into_lines(folder):
    label = "excess over the reference (share of the start's)"
    drawing = compose([panel(folder, **SIZES, y="objective", y_label=label)] * 6, {"title": "Six"}, "", "")
    FigureCanvasAgg(drawing).draw()
    for axes in drawing.axes:
        written = axes.yaxis.label.get_window_extent()
        assert written.height < 1.1 * axes.get_window_extent().height and written.x0 > 0
