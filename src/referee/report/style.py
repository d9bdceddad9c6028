"""Style of each method and label of each axis, the same in every figure of a paper."""

from collections import Counter
from io import StringIO
from itertools import cycle
from pathlib import Path

import matplotlib.style
from matplotlib.colors import to_hex, to_rgb

from ..study.views import drawable, methods_in, panels_of

MPLSTYLE = Path(__file__).with_name("projfree.mplstyle")

# Okabe & Ito's colour-blind safe colours, yellow left out (unreadable on white), three of Tol's added.
FAMILY_COLOURS = {
    "ncgs": "#0072B2",
    "ncgs_vr": "#D55E00",
    "sncgs": "#56B4E9",
    "frank_wolfe": "#1A1A1A",
    "fw": "#1A1A1A",
    "sfw": "#7A7A7A",
    "svfw": "#009E73",
    "svfw_s": "#66B032",
    "sagafw": "#999933",
    "svrg": "#CC79A7",
    "spider": "#E69F00",
    "casvrg": "#0072B2",
    "caspider": "#009E73",
    "nfwu": "#332288",
    "sg": "#7A7A7A",
    "full": "#1A1A1A",
}
SPARE_COLOURS = ("#E69F00", "#882255", "#332288", "#44AA99", "#D55E00", "#0072B2", "#009E73", "#CC79A7")
ROLE_DASHES = {"paper": "solid", "strong": "dashed", "extra": "dotted"}
MARKERS = "os^DvP<X>*hp"
SERIES_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A7A7A", "#882255")
REFERENCE_DASHES = ("dashed", "dashdot", "dotted")


def figure_style():
    """A context in which figures look the same on every machine, whatever its matplotlibrc says."""
    return matplotlib.style.context(["default", str(MPLSTYLE)])


def svg(figure) -> str:
    """A figure as SVG to stand within a page; same figure, same text."""
    text = StringIO()
    figure.savefig(text, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    return "<svg" + text.getvalue().partition("<svg")[2]


def method_styles(spec):
    """Style of every method of a paper: name -> dict(label, role, family, colour, dash, marker).

    Colour is the family, the solver's unless the method names another; dash is the role; methods that would
    look alike get another shade, and every method of a family its own marker. The same in all figures of the
    paper: methods count in the order in which the paper's figures name them.
    """
    looks = _looks(spec)
    families = dict.fromkeys(look["family"] for look in looks.values())
    taken = {FAMILY_COLOURS.get(family) for family in families}
    spare = iter([colour for colour in SPARE_COLOURS if colour not in taken])
    colours = {f: FAMILY_COLOURS.get(f) or next(spare, "#555555") for f in families}
    alike, family_size = Counter(), Counter()
    for look in looks.values():
        family, role = look["family"], look["role"]
        # The colour itself, then lighter, darker, much lighter, and round again.
        towards, share = ((0, 0), (1, 0.42), (0, 0.4), (1, 0.62))[alike[family, role] % 4]
        look |= {
            "colour": to_hex([(1 - share) * part + share * towards for part in to_rgb(colours[family])]),
            "dash": ROLE_DASHES[role],
            "marker": MARKERS[family_size[family] % len(MARKERS)],
        }
        alike[family, role] += 1
        family_size[family] += 1
    return looks


def series_styles(figures, stem):
    """Style of every column that panels of a figure draw as `series`, by the column's name."""
    panels = panels_of(drawable(figures)[stem], stem)
    labels = {name: label for panel in panels for name, label in panel.get("series", {}).items()}
    return {
        name: {"label": label, "role": "paper", "colour": colour, "dash": "solid", "marker": marker}
        for (name, label), colour, marker in zip(labels.items(), cycle(SERIES_COLOURS), cycle(MARKERS))
    }


def _looks(spec):
    """Label, role and family of each method: as the figures name them, then those that no figure draws."""
    looks = {}
    for stem, figure in spec["figures"].items():
        for panel in [panel for panel in panels_of(figure, stem) if not panel.get("series")]:
            experiment = panel["experiment"]
            defined = methods_in(spec, experiment)
            for name in panel.get("methods") or spec["experiments"][experiment]["methods"]:
                look = _look(name, defined.get(name, {}))
                if looks.setdefault(name, look) != look:
                    raise ValueError(
                        f"method {name!r} of {experiment} and of another experiment that is drawn differ in "
                        "label, role or family; give one another name"
                    )
    return looks | {
        name: _look(name, method) for name, method in spec["methods"].items() if name not in looks
    }


def _look(name, method):
    role = method.get("role", "paper")
    if role not in ROLE_DASHES:
        raise ValueError(f"method {name!r} has the role {role!r}; known: {', '.join(ROLE_DASHES)}")
    family = (method.get("family") or method.get("solver", name)).replace("-", "_")
    known = [f for f in FAMILY_COLOURS if family == f or family.startswith(f + "_")]
    family = max(known, key=len, default=family)  # `ncgs_vr` for `ncgs-vr` and `ncgs_vr_b1`
    return {"label": method.get("label", name), "role": role, "family": family}
