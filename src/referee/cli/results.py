"""`projfree results`: take the finished traces of other checkouts."""

import sys
from functools import cache
from pathlib import Path

import click

from .. import study
from ..ground.project import project_root
from ..publish import merge as merging
from ..publish.wanted import Wanted

FOLDER = click.Path(file_okay=False, path_type=Path)
RUN = click.option("--run", "run_name", default="quick", show_default=True, help="quick, full, …")
PAPERS = click.option("--paper", "papers", multiple=True, help="This paper only; may be given several times.")
SEEDS = click.option("--seeds", type=click.IntRange(1), help="At most so many seeds, as in the run.")


@click.group()
def results():
    """Share finished traces between checkouts, users and machines.

    \b
    projfree results merge ../other/results/full --run full    take another checkout's traces

    Who can write to a folder that is merged is trusted.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped


@results.command()
@click.argument("folders", metavar="FOLDER…", nargs=-1, required=True, type=FOLDER)
@RUN
@PAPERS
@SEEDS
def merge(folders, run_name, papers, seeds):
    """Take the finished traces and tuning tables of other checkouts' results/<run> FOLDERs into this one.

    Missing here and of this study (code, parameters, data): copied. There in both and equal in all but
    clocks: the same. Otherwise a conflict, told with both files and the first difference; nothing is
    overwritten. What belongs to another study is refused with the reason. Exit code 1 after a conflict.
    """
    known(papers)
    outcome = merging.Outcome()
    load = cache(lambda paper: study.load(paper, run_name, seeds=seeds))

    @cache
    def wanted_of(paper, experiment, method):
        return Wanted(load(paper), experiment, method, _results(run_name))

    for folder in folders:
        if not merging.finished(folder):
            raise click.UsageError(f"{folder} holds no traces/<paper>/<experiment>/<method>.h5")
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
        traces = [Wanted(loaded, experiment, m, _results(run_name)).trace for m in values.methods]
        output = _results(run_name) / "evidence" / loaded.paper / f"{experiment}.csv"
        if values.bundle and traces and all(trace.exists() for trace in traces):
            newest = max(trace.stat().st_mtime_ns for trace in traces)
            if not output.exists() or output.stat().st_mtime_ns < newest:
                tidy(traces, output)


def _results(run_name) -> Path:
    """The folder of a run's results."""
    return project_root() / "results" / run_name
