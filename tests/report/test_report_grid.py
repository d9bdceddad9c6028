"""Figures of rows and columns: whole, one panel of them, on the page."""

import copy
import json
import re
from types import SimpleNamespace

import made_paper
import pytest
from test_report_figures import words

from referee.report.curves import figure_panels, panel_data
from referee.report.figures import compose_grid, draw
from referee.report.page import write_page
from referee.report.style import method_styles

PANELS = ["grid-gap-10", "grid-gap-20", "grid-value-10", "grid-value-20"]


@pytest.fixture(scope="module")
def paper(tmp_path_factory):
    """The made-up paper with a grid; the grid and one of its panels are drawn, the page is written."""
    root = tmp_path_factory.mktemp("grid")
    spec = made_paper.write(root, made_paper.with_grid(made_paper.spec()))
    report, evidence = root / "reports/quick/ncgs", root / "evidence"
    for stem in ("grid", PANELS[0]):
        draw(spec, stem, evidence, [report / f"figures/{stem}.{end}" for end in ("svg", "png")])
    page, about = report / "index.html", {"run": "quick", "commit": "0"}
    folders = report / "claims.json", report / "figures", report / "tables"
    write_page(spec, *folders, page, about, tidy_dir=evidence)
    return SimpleNamespace(spec=spec, report=report, evidence=evidence, page=page)


def drawn(paper, tmp_path, stem="grid", **changes):
    """The words of a figure that is drawn with a changed grid."""
    spec = copy.deepcopy(paper.spec)
    spec["figures"]["grid"]["grid"] |= changes
    draw(spec, stem, paper.evidence, [tmp_path / "again.svg"])
    return words(tmp_path / "again.svg")


def test_labels_stand_at_the_edges_and_the_legend_once(paper):
    text = words(paper.report / "figures/grid.svg")
    assert text.count("epochs") == 2  # below each column, not in each cell
    assert text.count("objective F") == 1
    for once in ("Figure 5: a grid", "b = n/10", "b = n/20", "NCGS-II own", "lower bound"):
        assert text.count(once) == 1, once
    assert "linear minimisations" not in text and "STAND-IN" not in text


def test_rows_of_several_meanings_have_labels_of_their_own(paper, tmp_path):
    columns = copy.deepcopy(paper.spec["figures"]["grid"]["grid"]["columns"])
    columns[1] |= {"y_label": "another thing", "x_label": "passes"}
    text = drawn(paper, tmp_path, columns=columns)
    assert text.count("another thing") == 2 and text.count("objective F") == 1
    assert text.count("passes") == 1 and text.count("epochs") == 1


def test_a_row_s_vertical_axis_can_be_told_not_to_be_shared(paper, tmp_path):
    numbers = [len(re.findall(r"0\.\d+", drawn(paper, tmp_path, share_y=share))) for share in (True, False)]
    assert numbers[1] >= numbers[0] + 3


def test_one_panel_by_its_name_is_an_ordinary_figure_with_companions(paper):
    text = words(paper.report / f"figures/{PANELS[0]}.svg")
    for word in ("b = n/10", "epochs", "oracle calls over n ((IFO + SSO)/n)", "linear minimisations (LO)"):
        assert word in text, word
    assert "b = n/20" not in text and "objective F" not in text


def test_an_unknown_name_lists_figures_and_panels(paper, tmp_path):
    with pytest.raises(ValueError, match=f"'grid-gap-30'.*Known are: .*{', '.join(sorted(PANELS))}"):
        draw(paper.spec, "grid-gap-30", paper.evidence, [tmp_path / "a.svg"])


def test_stand_ins_and_extras_are_stamped_in_a_grid_too(paper, tmp_path):
    spec = copy.deepcopy(paper.spec)
    spec["experiments"]["grid-p20"]["stand_in"] = True
    spec["figures"]["grid"]["extra"] = True
    draw(spec, "grid", paper.evidence, [tmp_path / "a.svg"])
    text = words(tmp_path / "a.svg")
    assert text.count("STAND-IN") == 2 and text.count("EXTRA") == 1


def test_a_note_that_is_not_true_of_all_panels_says_of_how_many(paper, tmp_path):
    (tmp_path / "evidence").mkdir()
    for name in ("grid-p10", "grid-p20"):
        lines = (paper.evidence / f"{name}.csv").read_text().splitlines()
        kept = [line for line in lines if not (name == "grid-p20" and ",fw," in line)]
        (tmp_path / "evidence" / f"{name}.csv").write_text("\n".join(kept))
    draw(paper.spec, "grid", tmp_path / "evidence", [tmp_path / "b.svg"])
    assert "FW: no data (2 of 4 panels)" in words(tmp_path / "b.svg")


def test_the_page_shows_the_grid_and_links_the_panels_that_are_drawn(paper):
    text = (paper.report / "pages" / "figure-grid.html").read_text()
    assert text.count("<img") == 1
    assert re.findall(r'href="\.\./(figures/grid-[^"]+)"', text) == [f"figures/{PANELS[0]}.svg"]
    assert "projfree reproduce ncgs/grid-gap-10 --run quick" in text
    assert text.count("Final values: ") == 4


def test_cells_of_a_row_share_their_vertical_axis_and_of_a_column_their_horizontal_one(paper):
    panels = figure_panels(paper.spec["figures"], "grid")
    panels = [panel_data(paper.spec, "grid", panel, paper.evidence) for panel in panels]
    axes = compose_grid(panels, paper.spec["figures"]["grid"], "", "").axes
    assert len(axes) == 4
    assert axes[0].get_ylim() == axes[1].get_ylim() != axes[2].get_ylim() == axes[3].get_ylim()
    columns = axes[0].get_shared_x_axes()
    assert columns.joined(axes[0], axes[2]) and not columns.joined(axes[0], axes[1])


def test_the_explorer_has_every_panel_of_a_grid_on_its_own_axis(paper):
    text = (paper.report / "pages" / "figure-grid.html").read_text()
    panels = json.loads(re.search(r'class="panels">(.*?)</script>', text)[1])
    assert [(panel["experiment"], panel["x"], panel["y"]) for panel in panels] == [
        (f"grid-p{epoch}", f"iteration/{epoch}", y)
        for y in ("sq_gradient_mapping", "objective")
        for epoch in (10, 20)
    ]
    assert '"iteration/10":[' in (paper.report / "pages" / "data" / "grid-p10.js").read_text()


def test_an_experiment_s_own_method_has_the_colour_of_its_family(paper):
    styles = method_styles(paper.spec)
    assert styles["ncgs-2-own"]["colour"] == "#0072b2"  # of casvrg
    assert styles["ncgs-2-own"]["dash"] == "dotted"


def test_one_name_with_two_looks_is_refused(paper):
    spec = copy.deepcopy(paper.spec)
    spec["experiments"]["grid-p20"]["define"] = {"ncgs-2-own": {"label": "another", "solver": "ncgs"}}
    with pytest.raises(ValueError, match="method 'ncgs-2-own' of grid-p20 and of another .* differ in label"):
        method_styles(spec)
