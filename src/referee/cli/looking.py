"""Commands that show traces, two runs compared, the progress of a run, and its predicted costs."""

import sys
from pathlib import Path

import click

from projfree.common.names import require, unknown

from .. import study
from ..common.work import work_root
from .shared import PAPERS, PUBLISHED, RUN, papers_of, snakemake

TRACES = "Traces are results/<run>/traces/<paper>/<experiment>/<method>.h5."


class _Trace(click.Path):
    """A file that exists; the error for another names the first part of its path that does not."""

    def convert(self, value, param, ctx):
        """The path."""
        for path in reversed([Path(value), *Path(value).parents]):
            if not path.exists():
                self.fail(_missing(Path(value), path), param, ctx)
        if Path(value).is_dir():
            self.fail(f"{value!r} is a folder. {TRACES}", param, ctx)
        if Path(value).suffix != ".h5":
            self.fail(f"{value!r} is not a trace. {TRACES}", param, ctx)
        return Path(value)


def _missing(wanted, path):
    """The error for a path to a trace; `path` is its first part that does not exist."""
    beside = list(path.parent.iterdir()) if path.parent.is_dir() else []
    traces = [other.name for other in beside if other.suffix == ".h5"]
    if path == wanted and traces:
        return unknown("trace", path.name, traces, path.parent, f"List them with: ls {path.parent}")
    return f"no trace {str(wanted)!r}: {str(path)!r} does not exist. {TRACES}"


@click.command()
@click.argument("path", type=_Trace())
@click.argument("other", required=False, type=_Trace())
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
    found = differences(path, other)
    click.echo("\n".join(found) or "the same in all but clocks")
    sys.exit(bool(found))


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
    told, unequal = contrast(*sides, papers)
    click.echo(told)
    sys.exit(bool(unequal))
