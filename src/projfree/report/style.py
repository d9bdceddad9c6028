"""How a method looks and what an axis is called: the same in every figure of every paper."""

from collections import Counter
from pathlib import Path

from matplotlib.colors import to_hex, to_rgb

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
}
SPARE_COLOURS = ("#E69F00", "#882255", "#332288", "#44AA99", "#D55E00", "#0072B2", "#009E73", "#CC79A7")
ROLE_DASHES = {"paper": "solid", "strong": "dashed", "extra": "dotted"}
MARKERS = "os^DvP<X>*hp"

AXIS_LABELS = {
    "cpu_seconds": "CPU time (s)",
    "wall_seconds": "wall time (s)",
    "iteration": "iterations",
    "FO": "full gradients (FO)",
    "IFO": "component gradients (IFO)",
    "IFO/n": "full-gradient equivalents (IFO/n)",
    "SSO": "Hessian-vector products (SSO)",
    "LO": "linear minimisations (LO)",
    "PO": "projections (PO)",
    "PU": "polar searches (PU)",
    "matvec": "matrix-vector products",
    "objective": "objective F",
    "sq_gradient_mapping": "squared gradient mapping ‖g‖²",
    "fw_gap": "Frank-Wolfe gap",
    "saddle_fw_gap": "saddle Frank-Wolfe gap",
    "rmse_test": "test RMSE",
    "accuracy_test": "test accuracy",
    "reconstruction_error": "reconstruction error",
    "gradient_error": "error of the gradient estimate",
}
COUNTS = ("FO", "IFO", "IFO/n", "SSO", "LO", "PO", "PU", "matvec")


def axis_label(name):
    """Label, with its unit, of a column of the tidy table."""
    return AXIS_LABELS.get(name, name.replace("_", " "))


def method_styles(spec):
    """Style of every method of a paper: name -> dict(label, role, colour, dash, marker).

    Colour is the solver's family, dash the role; methods that would look alike get another shade,
    and every method of a family its own marker. The same in all figures of the paper: methods count in the
    order in which the paper's figures name them.
    """
    spare, alike, family_size, styles = iter(SPARE_COLOURS), Counter(), Counter(), {}
    colours = {}
    for name in _in_order(spec):
        method = spec["methods"][name]
        family, role = _family(method.get("solver", name)), method.get("role", "paper")
        if role not in ROLE_DASHES:
            raise ValueError(f"method {name!r} has the role {role!r}; known: {', '.join(ROLE_DASHES)}")
        if family not in colours:
            colours[family] = FAMILY_COLOURS.get(family) or next(spare, "#555555")
        styles[name] = {
            "label": method.get("label", name),
            "role": role,
            "colour": _shade(colours[family], alike[family, role]),
            "dash": ROLE_DASHES[role],
            "marker": MARKERS[family_size[family] % len(MARKERS)],
        }
        alike[family, role] += 1
        family_size[family] += 1
    return styles


def _in_order(spec):
    """Methods as the figures name them, then those that no figure draws."""
    panels = [panel for figure in spec["figures"].values() for panel in figure["panels"]]
    lists = [panel.get("methods") or spec["experiments"][panel["experiment"]]["methods"] for panel in panels]
    return dict.fromkeys(
        [name for names in lists for name in names if name in spec["methods"]] + [*spec["methods"]]
    )


def _family(solver):
    """The known family a solver belongs to (`ncgs_vr` for `ncgs-vr` and `ncgs_vr_b1`), else its own."""
    name = solver.replace("-", "_")
    known = [f for f in FAMILY_COLOURS if name == f or name.startswith(f + "_")]
    return max(known, key=len, default=name)


def _shade(colour, rank):
    """The colour itself, then lighter, darker, much lighter, and round again."""
    towards, share = ((0, 0), (1, 0.42), (0, 0.4), (1, 0.62))[rank % 4]
    return to_hex([(1 - share) * c + share * towards for c in to_rgb(colour)])
