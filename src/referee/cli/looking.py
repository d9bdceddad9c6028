"""Commands that show traces, two runs compared, the progress of a run, and its predicted costs."""

import sys
from pathlib import Path

import click

from projfree.common.names import require

from .. import study
from ..common.work import work_root
from .shared import PAPERS, PUBLISHED, RUN, papers_of, snakemake

TRACE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("path", type=TRACE)
@click.argument("other", required=False, type=TRACE)
def trace(path, other):
    """Show what a trace holds, or compare two traces.

    \b
      projfree trace results/quick/traces/ncgs/fig1-left/ncgs-2.h5
      projfree trace results/quick/…/ncgs-2.h5 ../other/results/quick/…/ncgs-2.h5

    For one trace, it shows the parameters and the last record of each seed. Two traces are compared in
    everything but clocks; the exit code is 1 if they differ.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    from ..publish.compare import describe, differences

    if not other:
        return click.echo(describe(path))
    lines = differences(path, other)
    click.echo("\n".join(lines) or "the same in all but clocks")
    sys.exit(bool(lines))


@click.command()
@RUN
@PAPERS
@PUBLISHED
def status(run_name, papers, published):
    """Show how far a run is: time left, running jobs, failures.

    It reads only the files of the run, so it works during a run on this machine or a cluster, and after one.
    """
    from ..publish.progress import summary

    for name in papers_of(run_name, papers):
        click.echo(summary(study.load(name, run_name), work_root(), published))


@click.command()
@RUN
@PAPERS
@PUBLISHED
@click.option(
    "--calibrate", is_flag=True, help="First make a paper's shortest jobs here, for a minute or so."
)
def plan(run_name, papers, published, calibrate):
    """Count what a run has still to compute; predict hours, memory and disk.

    Runs that are finished are not counted. The prediction starts from the costs of the published run on its
    machine, which is named, and scales them to this run, and to the pace of the jobs that were made here. A
    job that was not published is predicted from its budget. What --calibrate makes is part of the run.
    """
    from ..publish.progress import forecast, shortest

    for name in papers_of(run_name, papers):
        if calibrate and (targets := shortest(study.load(name, run_name), work_root())):
            snakemake(run_name, name, targets)
        click.echo(forecast(study.load(name, run_name), work_root(), published))


@click.command()
@click.argument("first")
@click.argument("second")
@click.argument("papers", nargs=-1)
def compare(first, second, papers):
    """Compare two runs: origin, verdicts, counts and seconds.

    \b
      projfree compare full reports/reference           my full run and the published one
      projfree compare quick ../other/results/quick ncgs

    FIRST and SECOND are runs, folders of results or published reports. Default: all papers of both. The exit
    code is 1 if counts of the same method differ at the same step.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    from ..publish.two_runs import Side, contrast

    sides = [Side.of(where, work_root()) for where in (first, second)]
    both = [paper for paper in sides[0].papers if paper in sides[1].papers]
    require(papers, both, "paper", "both runs")
    text, unequal = contrast(*sides, papers)
    click.echo(text)
    sys.exit(bool(unequal))
