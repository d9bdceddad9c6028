"""The page of a try: curves, the place among others, the claims it would have won, the file itself."""

import math
from io import StringIO
from pathlib import Path

import jinja2
from markupsafe import Markup

from projfree.ground.sealed import atomic_write

from ...report.style import MPLSTYLE, SPARE_COLOURS


def write_page(path, name: str, source: str, run: str, panels: list[dict], claims: list[dict]) -> None:
    """HTML in one file: no scripts, nothing loaded.

    Parameters
    ----------
    path : path of the page
    name, source, run : str, the method, its file, the run's size
    panels : list of dict
        ``paper, experiment, title, params, tried, criterion, rows, frame`` of each experiment.
    claims : list of dict
        ``paper, hero, claims`` of each paper.
    """
    folder = jinja2.FileSystemLoader(Path(__file__).parent)
    template = jinja2.Environment(loader=folder, autoescape=True).get_template("page.html.j2")
    drawn = [{**panel, "figure": Markup(figure(panel, name))} for panel in panels]
    papers = ", ".join(sorted({panel["paper"] for panel in panels}))
    atomic_write(
        path,
        template.render(
            name=name, source=source, run=run, panels=drawn, claims=claims, papers=papers, inf=math.inf
        ),
    )


def figure(panel: dict, mine: str) -> str:
    """The criterion of all methods against CPU seconds and iterations, seed 0, as SVG."""
    import matplotlib.pyplot as plt  # takes a second to load

    frame, criterion = panel["frame"], panel["criterion"]
    seed = frame[frame.seed == frame.seed.min()]
    with plt.style.context([MPLSTYLE, {"svg.fonttype": "none"}]):
        drawing, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained", sharey=True)
        for axis, x in zip(axes, ("cpu_seconds", "iteration"), strict=True):
            for number, (method, rows) in enumerate(seed.groupby("method", sort=False)):
                own = method == mine
                look = {"color": "black"} if own else {"color": SPARE_COLOURS[number % len(SPARE_COLOURS)]}
                width, above = (2.5, 3) if own else (1.2, 2)
                axis.plot(rows[x], rows[criterion], label=method, lw=width, zorder=above, **look)
            positive = bool((seed[criterion].dropna() > 0).all())
            axis.set(xlabel=x.replace("_", " "), yscale="log" if positive else "linear")
        axes[0].set_ylabel(criterion)
        axes[1].legend(fontsize=7)
        text = StringIO()
        drawing.savefig(text, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
        plt.close(drawing)
    return "<svg" + text.getvalue().partition("<svg")[2]
