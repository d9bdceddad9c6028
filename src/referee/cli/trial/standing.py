"""The place of a method among others: by the end of the budget, and by the time to a level."""

from dataclasses import dataclass

import numpy as np

from ...evidence.aggregates import named
from ...evidence.judging.cost_model import unit_costs
from ...evidence.judging.entry import PartJudge
from ...evidence.panel import Evidence
from ...evidence.tidy import first_runs, read_tidy
from ...study.models.claim import View
from ...study.models.paper import Paper
from ...study.views import names_in


@dataclass(frozen=True)
class Row:
    """One method of an experiment: medians over seeds.

    Attributes
    ----------
    place : int, 1 for the lowest end
    method : str
    end : float, the criterion at the end
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
    runs = {name: _runs(rows, criterion) for name, rows in frame.groupby("method", sort=False)}
    ends = {name: float(np.median([run[criterion].iloc[-1] for run in own])) for name, own in runs.items()}
    level = min([end for name, end in ends.items() if name != mine] or [ends[mine]])
    order = sorted(ends, key=ends.get)
    return [
        Row(
            1 + sum(end < ends[name] for end in ends.values()),
            name,
            ends[name],
            float(np.median([_settled(run, criterion, level) for run in runs[name]])),
            float(np.median(frame[frame.method == name].groupby("seed")["iteration"].max())),
            ", ".join(sorted(set(frame[frame.method == name]["end_status"]))),
        )
        for name in order
    ]


def _runs(rows, criterion):
    groups = (group.dropna(subset=[criterion]) for _, group in rows.groupby("seed"))
    return [group for group in groups if len(group)]


def _settled(run, criterion, level):
    """CPU seconds after which a run stays at or below a level."""
    above = np.flatnonzero(run[criterion] > level)
    stays = above[-1] + 1 if above.size else 0
    return float(run["cpu_seconds"].iloc[stays]) if stays < len(run) else np.inf


def claims(paper: Paper, tidy_dir, experiments, hero: str, mine: str) -> list[dict]:
    """Verdicts on the sentences about a paper's method, as they stand and with the tried one in its place.

    Only claims all of whose panels are among the experiments, and that name the hero. Model seconds are by
    the unit costs of these very runs, all made here.
    """
    costs = {name: unit_costs(first_runs(read_tidy(tidy_dir / f"{name}.csv"))) for name in experiments}
    evidence, found = Evidence(paper.model_copy(update={"unit_costs": costs}), tidy_dir), []
    for name, (claim, part) in named(paper.claims).items():
        if not part or not part.tests:
            continue
        judged = PartJudge(evidence, part)
        panels = {panel for sentence in judged.sentences for panel in sentence.panels}
        told = names_in([test.plain() for test in part.tests])
        if not panels or not panels <= set(experiments) or hero not in told:
            continue
        own, theirs = judged.under(View(swap={hero: mine})), judged.verdict(judged.sentences)
        found.append(
            {
                "id": name,
                "statement": part.statement or claim.statement or "",
                "hero": theirs,
                "mine": own,
            }
        )
    return found
