"""Every example runs and draws."""

import runpy
import shutil
import warnings

import pytest
from places import ROOT

EXAMPLES = sorted(path.name for path in (ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_runs_and_draws(name, tmp_path, monkeypatch):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    shutil.copytree(ROOT / "config", tmp_path / "config")
    monkeypatch.setenv("PROJFREE_ROOT", str(tmp_path))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")
        runpy.run_path(str(ROOT / "examples" / name), run_name="__main__")
    drawn = [axis for number in pyplot.get_fignums() for axis in pyplot.figure(number).axes]
    assert drawn and all(axis.lines or axis.images for axis in drawn)
    assert all(len(line.get_ydata()) for axis in drawn for line in axis.lines)
    pyplot.close("all")


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_gallery_has_a_title_and_cells_of_it(name):
    text = (ROOT / "examples" / name).read_text()
    title, line, blank, *_ = text.removeprefix('"""').splitlines()
    assert line == "=" * len(title) and not blank and "\n# %%\n" in text and text.endswith("\nplt.show()\n")


def test_there_are_ten_and_all_are_listed():
    listed = (ROOT / "examples/README.md").read_text()
    assert len(EXAMPLES) >= 10 and [name for name in EXAMPLES if f"`{name}`" not in listed] == []
