"""Figures worth printing: few full colours, ends and coincidences said, axes where something happens."""

import copy

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from referee.report.axes import PALE, draw_axes, limit, span_of
from referee.report.curves import FULL_COLOUR, figure_panels, panel_data
from referee.report.figures import compose, draw
from referee.report.legend import coinciding, entries, five, in_words


@pytest.fixture
def data(made):
    """Data of a panel of ten methods."""
    panel = made.spec["figures"]["fig3-left"]["panels"][0]
    return panel_data(made.spec, "fig3-left", panel, made.evidence)


def drawn(curves, x, y_scale="linear"):
    """A panel as `panel_data` gives it, of these curves."""
    axis = {"name": "LO", "label": "LO", "scale": "log", "x": np.array(x, float)}
    axis |= {"silent": [], "references": []}
    values = {m: dict.fromkeys(("median", "low", "high"), np.array(y, float)) for m, y in curves.items()}
    looks = [{"method": m, "label": m.upper(), "colour": "k", "dash": "solid", "marker": "o"} for m in curves]
    panel = {"y_scale": y_scale, "draw": "curves", "title": "t", "paper": {}, "order": {}, "methods": looks}
    return panel | {"axes": [axis | {"curves": [{"method": m} | told for m, told in values.items()]}]}


def on_axes(panel, axis=0, main=True):
    """The axes with a panel on them."""
    axes = Figure().subplots()
    draw_axes(axes, panel, panel["axes"][axis], main=main)
    return axes


def test_the_paper_s_curves_have_their_full_colour_six_at_most(data):
    pale = [m["role"] for m in data["methods"] if m.get("pale")]
    full = [m["role"] for m in data["methods"] if not m.get("pale")]
    assert pale and "paper" not in pale
    assert set(full) == {"paper"} and len(full) <= FULL_COLOUR
    assert sum(line.get_alpha() == PALE for line in on_axes(data).lines) == len(pale)


def test_the_legend_is_in_the_order_of_the_ends_and_has_them_in_five_digits(data):
    ends = {m["label"]: m["end"] for m in data["methods"]}
    pale = {m["label"] for m in data["methods"] if m.get("pale")}
    told = [label for _, label in entries([data], ends=True)]
    order = sorted(ends, key=lambda label: (label in pale, -ends[label]))
    assert [label.split("  ")[0] for label in told] == order
    assert told[0].startswith(f"{order[0]}  {five(ends[order[0]])}")
    assert [*map(five, (0.123456, 1.23456e-7, 32146))] == ["0.12346", "1.2346·10⁻⁷", "32146"]


def test_curves_on_each_other_are_named():
    falling, nan = [4.0, 3, 2, 1], float("nan")
    curves = {"a": falling, "b": [4.0, 3, 2.01, 1], "c": [4.0, 2, 1, 0.5], "d": [nan, nan, nan, 1]}
    panel = drawn(curves, [1, 2, 3, 4])
    assert coinciding(panel) == [["a", "b"]] and in_words([panel]) == ["coincide: A, B"]
    assert coinciding(drawn({"a": [1, 0.1, 0.01], "b": [1, 0.1, 0.02]}, [1, 2, 3], "log")) == []


def test_an_axis_begins_where_the_first_curve_moves_or_a_bound_holds():
    panel = drawn({"a": [5, 5, 5, 5, 3, 2, 1], "b": [5, 5, 5, 5, 5, 5, 4]}, np.geomspace(1, 1e6, 7))
    assert on_axes(panel, main=False).get_xlim() == (1e3, 1e6)
    panel = drawn({"a": [5, 5, 5, 1], "b": [5, 5, 5, 2]}, [1, 10, 100, 1000])
    panel["axes"][0]["references"] = [{"x": 10, "label": "T", "dash": "solid"}]
    assert on_axes(panel).get_xlim() == (7, 1000)


def test_who_never_calls_an_oracle_is_said_once_below_the_axes():
    panel = drawn({"a": [4, 3, 2], "b": [4, 3, 1]}, [1, 2, 3])
    panel["axes"].append(panel["axes"][0] | {"label": "projections (PO)", "silent": ["a", "b"]})
    assert in_words([panel, panel]) == ["no projections (PO): A, B"]
    assert not on_axes(panel, 1, main=False).texts


def test_no_figure_is_taller_than_a_screen(made, tmp_path):
    spec = copy.deepcopy(made.spec)
    panels = spec["figures"]["fig3-left"]["panels"]
    spec["figures"]["fig3-left"]["panels"] = panels * 3
    draw(spec, "fig3-left", made.evidence, [tmp_path / "fig3-left.png"])
    assert Image.open(tmp_path / "fig3-left.png").size[1] <= 1200
    assert all(panel["also"] == [] for panel in figure_panels(spec["figures"], "fig3-left"))


@pytest.mark.parametrize(
    "curves, scale, shown, cut",
    [
        ({"a": [1, 0.5, 0.1], "b": [1, 6462, 10]}, "log", (0.1, 10), "B (1 to 6462)"),
        ({"a": [1, 0.5, 0.1], "b": [1, 8, 5]}, "log", (0.1, 8), ""),
        ({"a": [4, 3, 2], "b": [4, 90, 3]}, "linear", (2, 4), "B (3 to 90)"),
        ({"a": [4, 3, 2], "b": [4, 6, 9]}, "linear", (2, 9), ""),
        ({"a": [4, 3, 2], "b": [4, 50, 99]}, "linear", (2, 4), "B (4 to 99)"),
        ({"a": [1, 3, 5], "b": [1, 1, 4]}, "linear", (1, 5), ""),
        ({"a": [1, 30, 500], "b": [1, 0.001, 4]}, "log", (0.001, 500), ""),
    ],
)
def test_an_excursion_is_cut_and_told_and_what_decides_stays(curves, scale, shown, cut):
    panel = drawn(curves, [1, 2, 3], scale)
    assert span_of(panel["axes"][0]["curves"], scale)[:2] == pytest.approx(shown)
    told = in_words([panel])
    assert told == ([f"beyond the axis: {cut}"] if cut else [])
    axes = on_axes(panel)
    limit(axes, [panel | {"excess": False}])
    low, high = axes.get_ylim()
    assert low <= shown[0] and shown[1] <= high
    assert (max(max(y) for y in curves.values()) > high) == bool(cut)


def test_a_long_title_leaves_room_for_extra(data):
    drawing = compose([data], {"title": "Beyond the paper: " + "seconds " * 10, "extra": True}, "", "")
    FigureCanvasAgg(drawing).draw()
    title, extra = (text.get_window_extent() for text in drawing.texts[:2])
    assert title.x1 < extra.x0
