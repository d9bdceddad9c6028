"""The place of a method among others, and the page that shows it with its curves and claims."""

import math
from dataclasses import dataclass
from pathlib import Path

import jinja2
import numpy as np
from markupsafe import Markup
from matplotlib.figure import Figure

from projfree.common.atomic_io import atomic_write

from ...common import bounded
from ...evidence.tidy import first_runs, read_tidy
from ...judge import Evidence, asked, call
from ...judge.claims import claims_of
from ...judge.evidence import CLOCK
from ...report.style import SPARE_COLOURS, figure_style, svg
from .method import OUTSIDE

#: The verdict on a claim with a method that was not in the set all the time.
LEFT = "left the set"


@dataclass(frozen=True)
class Row:
    """One method of an experiment, medians over seeds; infinite is what it has no number for.

    Its place, 1 for the best; the criterion at the end; CPU seconds until it stays at or below what the best
    rival ends at; CPU seconds in all; how its runs ended.
    """

    place: int
    method: str
    end: float
    reached: float
    seconds: float
    status: str


def ranking(frame, criterion: str, mine: str) -> list[Row]:
    """Rows of a tidy table, the best first; what left the set or has no number at its end is last.

    Rivals compare by their ends; with the tried method each at equal CPU seconds, those of the shorter run.
    """
    out = {mine} if left_the_set(frame, mine) else set()
    frame = frame.assign(**{criterion: frame[criterion].mask(frame.method.isin(out))})
    methods = {name: dict(list(rows.groupby("seed"))) for name, rows in frame.groupby("method", sort=False)}

    def median(name, of):
        return float(np.median([of(run, seed) for seed, run in methods[name].items()]))

    ends = {name: median(name, lambda run, _: _value(run, criterion)) for name in methods}
    level = min([end for name, end in ends.items() if name != mine] or [ends[mine]])

    def against(name, other):
        """The criterion of a method at the end of the shorter run."""
        return median(
            name, lambda run, seed: _value(run, criterion, _last(run, methods[other].get(seed, run)))
        )

    def is_behind(name, other):
        if mine not in (name, other) or math.inf in (ends[name], ends[other]):
            return ends[name] > ends[other]
        return against(name, other) > against(other, name)

    endings = {
        name: sorted({run["end_status"].iloc[-1] for run in runs.values()}) + [LEFT] * (name in out)
        for name, runs in methods.items()
    }
    rows = [
        Row(
            1 + sum(is_behind(name, other) for other in methods) if end < math.inf else len(methods),
            name,
            end,
            median(name, lambda run, _: _settled(run, criterion, level)),
            median(name, lambda run, _: run["cpu_seconds"].iloc[-1]),
            ", ".join(endings[name]),
        )
        for name, end in ends.items()
    ]
    return sorted(rows, key=lambda row: (row.place, row.end, row.method == mine))


def left_the_set(frame, name: str) -> bool:
    """Whether a method was seen outside of the set; only the tried one is looked at."""
    return OUTSIDE in frame and bool((frame[frame.method == name][OUTSIDE] > 0).any())


def _last(*runs):
    """CPU seconds up to which all runs are known: what converged stays where it is."""
    going = [run for run in runs if run["end_status"].iloc[-1] != "converged"]
    return min((run["cpu_seconds"].iloc[-1] for run in going), default=math.inf)


def _value(run, criterion, seconds=math.inf):
    """The criterion at the end of a run, or at its last record within so many CPU seconds."""
    values = run[criterion][run["cpu_seconds"] <= seconds]
    whole = len(values) < len(run) or run["end_status"].iloc[-1] != "diverged"
    return float(values.iloc[-1]) if len(values) and whole and math.isfinite(values.iloc[-1]) else math.inf


def _settled(run, criterion, level):
    """CPU seconds after which a run stays at or below a level."""
    above = np.flatnonzero(~(run[criterion] <= level))  # NaN is not below
    stays = above[-1] + 1 if above.size else 0
    return float(run["cpu_seconds"].iloc[stays]) if stays < len(run) else np.inf


def claims(paper: str, tidy_dir, experiments, hero: str, mine: str, run: str = "full") -> list[dict]:
    """Verdicts on the sentences about a paper's method, as published and with the tried method instead.

    Only claims over seconds or at the end, all of whose panels are among the experiments, and that compare or
    bound the hero: iterations and calls are what the tried method makes of them. With a method that left the
    set none holds.
    """
    frames = {name: first_runs(bounded.table(tidy_dir / f"{name}.csv", read_tidy)) for name in experiments}
    out = {name for name, frame in frames.items() if left_the_set(frame, mine)}
    plain, rows = Evidence(paper, tables=[tidy_dir], run=run), []
    other = Evidence(paper, tables=[tidy_dir], run=run, instead={hero: mine})
    prefix, panels_of = plain.study.prefix, asked(paper)
    for claim in (claim for claim in claims_of(paper) if claim.function):
        panels = panels_of[f"{prefix}-{claim.id}"]
        if not panels or not panels <= set(experiments):
            continue
        theirs = call(claim, plain)
        timed = {f.over for f in theirs.findings} <= {CLOCK, ""}
        if not timed or hero not in {name for _, name in theirs.used | plain.in_forms}:
            continue
        own = LEFT if panels & out else call(claim, other).verdict
        verdicts = {"hero": theirs.verdict, "mine": own}
        rows.append({"id": claim.id, "statement": claim.statement} | verdicts)
    return rows


def write_page(path, name: str, source: str, run: str, panels: list[dict], claims: list[dict]) -> None:
    """HTML in one file: no scripts, nothing loaded. Panels and claims are those of `command`."""
    folder = jinja2.FileSystemLoader(Path(__file__).parent)
    template = jinja2.Environment(loader=folder, autoescape=True).get_template("page.html.j2")
    drawn = [{**panel, "figure": Markup(figure(panel, name))} for panel in panels]
    papers = ", ".join(sorted({panel["paper"] for panel in panels}))
    about = {"name": name, "source": source, "run": run, "papers": papers, "inf": math.inf}
    atomic_write(path, template.render(panels=drawn, claims=claims, **about))


def figure(panel: dict, mine: str) -> str:
    """The criterion of all methods against CPU seconds, seed 0, as SVG."""
    frame, criterion = panel["frame"], panel["criterion"]
    seed = frame[frame.seed == frame.seed.min()]
    with figure_style():
        drawing = Figure(figsize=(9, 3.4), layout="constrained")
        axis = drawing.subplots()
        for number, (method, rows) in enumerate(seed.groupby("method", sort=False)):
            look = {"color": SPARE_COLOURS[number % len(SPARE_COLOURS)], "lw": 1.2, "zorder": 2}
            look = {"color": "black", "lw": 2.5, "zorder": 3} if method == mine else look
            axis.plot(rows["cpu_seconds"], rows[criterion], label=method, **look)
        positive = bool((seed[criterion].dropna() > 0).all())
        axis.set(xlabel="CPU seconds", ylabel=criterion, yscale="log" if positive else "linear")
        axis.legend(fontsize=7)
        return svg(drawing)
