"""The place of a method among others, and the page that shows it with its curves and claims."""

import math
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import jinja2
import numpy as np
from markupsafe import Markup

from projfree.ground.sealed import atomic_write

from ...evidence.tidy import first_runs, read_tidy
from ...ground import bounded
from ...judge import Evidence, asked, call
from ...judge.claims import claims_of
from ...report.style import MPLSTYLE, SPARE_COLOURS
from .method import OUTSIDE

#: The verdict on a claim with a method that was not in the set all the time.
LEFT = "left the set"


@dataclass(frozen=True)
class Row:
    """One method of an experiment: medians over seeds.

    Attributes
    ----------
    place : int, 1 for the lowest end; the last for what left the set or has no number at its end
    method : str
    end : float, the criterion at the end; inf if that is no number or the run diverged
    reached : float, CPU seconds until it stays at or below what the best rival ends at; inf if never
    iterations : float
    status : str, how its runs ended
    """

    place: int
    method: str
    end: float
    reached: float
    iterations: float
    status: str


def standing(frame, criterion: str, mine: str) -> list[Row]:
    """Rows of a tidy table, the best first."""
    tables = dict(list(frame.groupby("method", sort=False)))
    runs = {name: [run for _, run in rows.groupby("seed")] for name, rows in tables.items()}
    ends = {name: float(np.median([_end(run, criterion) for run in own])) for name, own in runs.items()}
    out = {name for name in runs if left_the_set(frame, name)}
    ranks = {name: math.inf if name in out else end for name, end in ends.items()}
    level = min([rank for name, rank in ranks.items() if name != mine] or [ranks[mine]])

    def reached(name):
        return float(np.median([_settled(run, criterion, level) for run in runs[name]]))

    return [
        Row(
            1 + sum(other < rank for other in ranks.values()) if rank < math.inf else len(ranks),
            name,
            ends[name],
            math.inf if name in out else reached(name),
            float(np.median([run["iteration"].max() for run in runs[name]])),
            ", ".join([*sorted(set(tables[name]["end_status"])), *[LEFT] * (name in out)]),
        )
        for name, rank in sorted(ranks.items(), key=lambda pair: (pair[1], pair[0] in out))
    ]


def left_the_set(frame, name: str) -> bool:
    """Whether a method was seen outside of the set; only the tried one is looked at."""
    return OUTSIDE in frame and bool((frame[frame.method == name][OUTSIDE] > 0).any())


def _end(run, criterion):
    """The criterion at the end of a run."""
    end = float(run[criterion].iloc[-1])
    return end if math.isfinite(end) and run["end_status"].iloc[-1] != "diverged" else math.inf


def _settled(run, criterion, level):
    """CPU seconds after which a run stays at or below a level."""
    above = np.flatnonzero(~(run[criterion] <= level))  # NaN is not below
    stays = above[-1] + 1 if above.size else 0
    return float(run["cpu_seconds"].iloc[stays]) if stays < len(run) else np.inf


def claims(paper: str, tidy_dir, experiments, hero: str, mine: str, run: str = "full") -> list[dict]:
    """Verdicts on the sentences about a paper's method, as published and with the tried method instead.

    Only claims all of whose panels are among the experiments, and that compare or bound the hero; none holds
    with a method that left the set there.
    """
    frames = {name: first_runs(bounded.table(tidy_dir / f"{name}.csv", read_tidy)) for name in experiments}
    out = {name for name, frame in frames.items() if left_the_set(frame, mine)}
    plain, found = Evidence(paper, tables=[tidy_dir], run=run), []
    other = Evidence(paper, tables=[tidy_dir], run=run, instead={hero: mine})
    prefix, panels_of = plain.study.prefix, asked(paper)
    for claim in (claim for claim in claims_of(paper) if claim.function):
        panels = panels_of[f"{prefix}-{claim.id}"]
        if not panels or not panels <= set(experiments):
            continue
        theirs = call(claim, plain)
        if hero not in {form for _, form in theirs.used}:
            continue
        own = LEFT if panels & out else call(claim, other).verdict
        told = {"hero": theirs.verdict, "mine": own}
        found.append({"id": claim.id, "statement": claim.statement} | told)
    return found


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
