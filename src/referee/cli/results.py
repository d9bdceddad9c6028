"""`projfree merge`: take the finished traces of other checkouts."""

import sys
from functools import cache
from pathlib import Path

import click

from .. import study
from ..ground.work import work_root
from ..publish import merge as merging
from ..publish.wanted import Wanted
from .shared import PAPERS, RUN, SEEDS

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command()
@click.argument("folders", metavar="FOLDER…", nargs=-1, required=True, type=FOLDER)
@RUN
@PAPERS
@SEEDS
def merge(folders, run_name, papers, seeds):
    """Take finished traces from another checkout's FOLDERs.

    A FOLDER is results/<run>: traces and tuning tables of the same code, parameters and data are copied if
    they are missing here. Nothing is overwritten: two traces that differ by more than clocks are a conflict,
    which names both files and the first difference (exit code 1). Others are refused with the reason. FOLDER
    is trusted, with all who can write to it.
    """
    known(papers)
    outcome = merging.Outcome()
    load = cache(lambda paper: study.load(paper, run_name, seeds=seeds))

    @cache
    def wanted_of(paper, experiment, method):
        return Wanted(load(paper), experiment, method, _results(run_name))

    for folder in folders:
        if not merging.finished(folder):
            what = f"{folder} holds no traces/<paper>/<experiment>/<method>.h5"
            raise click.UsageError(f"{what}: name a folder results/<run>")
        merging.merge(folder, papers, wanted_of, outcome)
    for line in outcome.taken + outcome.conflicts + outcome.refused:
        click.echo(line)
    for paper in known(papers):
        _tidy_bundles(load(paper), run_name)
    click.echo(str(outcome))
    sys.exit(bool(outcome.conflicts))


def known(papers) -> list[str]:
    """The papers, or all; an unknown name is an error that lists the known."""
    every = study.papers()
    for paper in papers:
        study.lookup(dict.fromkeys(every), paper, "paper", "papers")
    return list(papers) or every


def _tidy_bundles(loaded, run_name):
    """Write the tidy tables of bundles that are complete: their one job counts as done only with it."""
    from ..evidence.tidy import tidy  # pandas with it, slow to import

    for experiment, values in loaded.experiments.items():
        traces = [Wanted(loaded, experiment, m, _results(run_name)).trace for m in values.run_here]
        output = _results(run_name) / "evidence" / loaded.paper / f"{experiment}.csv"
        if values.bundle and traces and all(trace.exists() for trace in traces):
            newest = max(trace.stat().st_mtime_ns for trace in traces)
            if not output.exists() or output.stat().st_mtime_ns < newest:
                tidy(traces, output)


def _results(run_name) -> Path:
    """The folder of a run's results."""
    return work_root() / "results" / run_name
