"""The page of two runs beside each other: what differs, and their curves in one drawing."""

import shutil
from pathlib import Path

import pandas as pd

from ..evidence.judging.cost_model import with_model_seconds
from ..evidence.labels import titles_of
from ..evidence.tidy import first_runs, read_tidy
from ..ground.ours import removed
from .claims import panel_of
from .curves import figure_panels
from .explorer import explorer_panel, write_records
from .html import STATIC, write_html
from .options import panel_options
from .style import method_styles, series_styles

#: Side → its mark behind a method's name, and its line.
SIDES = ((" (A)", "solid"), (" (B)", "dashed"))


def write_comparison(found, names, specs, tables, folder):
    """Write ``index.html`` in a folder made anew, with the explorer and the records of both runs beside it.

    A folder that holds anything else is refused.

    Parameters
    ----------
    found : dict
        Paper → its differences, as `results.two_runs.contrast` gives them.
    names : pair of str
        What the two sides are called.
    specs : dict
        Paper → its resolved configuration, for looks and axes.
    tables : dict
        Paper → experiment → tidy tables of both sides.
    folder : Path
    """
    folder = Path(folder)
    removed(folder, ("index.html", "data/*.js"), STATIC)
    shutil.copytree(STATIC, folder)
    panels = [p for paper in found for p in _panels(specs[paper], paper, tables[paper], folder / "data")]
    shown = {"found": found, "names": names, "panels": panels}
    shown["titles"] = {paper: titles_of(specs[paper]["experiments"]) for paper in found}
    write_html("compared.html.j2", folder / "index.html", here="", home="", **shown)


def _panels(spec, paper, tables, data):
    """Panels of a paper's experiments, whose records are written."""
    shown, titles = _shown(spec), titles_of(spec["experiments"])
    for name, paths in tables.items():
        if name in shown:
            panels, options = zip(*shown[name], strict=True)
            key, frame = f"{paper}-{name}", _both(spec, name, paths)
            write_records(key, frame, options, data / f"{key}.js")
            methods = list(spec["experiments"][name]["methods"])
            panel = panel_of(spec, name, titles[name], methods, None, panels, method_styles(spec))
            yield _doubled(panel, key)


def _shown(spec):
    """Experiment → panels of figures that show it, each with its options; none of several columns."""
    found = {}
    for stem in spec["figures"]:
        for panel in figure_panels(spec["figures"], stem):
            options = panel_options(spec, stem, panel)
            styles = series_styles(spec["figures"], stem) if options["series"] else method_styles(spec)
            if not options["series"]:
                pair = explorer_panel(spec, stem, panel, styles), options
                found.setdefault(options["experiment"], []).append(pair)
    return found


def _both(spec, name, paths):
    """The records of both sides, a method of each by its own name."""
    costs = (spec.get("unit_costs") or {}).get(name)
    frames = [with_model_seconds(first_runs(read_tidy(path)), costs) for path in paths]
    marked = [f.assign(method=f["method"] + mark) for f, (mark, _) in zip(frames, SIDES, strict=True)]
    return pd.concat(marked, ignore_index=True)


def _doubled(panel, key):
    looks = {
        name + mark: look | {"label": look["label"] + mark, "dash": dash}
        for name, look in panel["methods"].items()
        for mark, dash in SIDES
    }
    return panel | {"experiment": key, "methods": looks, "only": list(looks)}
