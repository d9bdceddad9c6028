"""What traces hold, how far a run is, what it will take."""

import sys
from pathlib import Path

import click

from projfree.ground.names import nearest, unknown

from .. import study
from ..ground.work import work_root
from .shared import PAPERS, RUN


class _Trace(click.Path):
    """A file that exists; the error for another names the first part of its path that does not."""

    def convert(self, value, param, ctx):
        """The path."""
        for path in reversed([Path(value), *Path(value).parents]):
            if not path.exists():
                self.fail(_missing(Path(value), path), param, ctx)
        return Path(value)


def _missing(wanted, path):
    """What is wrong with a path to a trace of which `path` is the first part that does not exist."""
    beside = list(path.parent.iterdir()) if path.parent.is_dir() else []
    traces = [other.name for other in beside if other.suffix == ".h5"]
    if path == wanted and traces:
        return unknown("trace", path.name, traces, path.parent)
    near = nearest(path.name, [other.name for other in beside])
    return (
        f"no trace {str(wanted)!r}: {str(path)!r} does not exist.{near} "
        "Traces are results/<run>/traces/<paper>/<experiment>/<method>.h5."
    )


@click.command()
@click.argument("path", type=_Trace())
@click.argument("other", required=False, type=_Trace())
def trace(path, other):
    """Show what a trace holds, or compare two traces.

    Of one trace it shows parameters and the last record of every seed. Two are compared in all but clocks;
    the exit code is 1 if they differ.
    """
    from ..publish.compare import describe, differences

    if not other:
        return click.echo(describe(path))
    found = differences(path, other)
    click.echo("\n".join(found) or "the same in all but clocks")
    sys.exit(bool(found))


@click.command()
@RUN
@PAPERS
def status(run_name, papers):
    """Show how far a run is: time left, running jobs, failures.

    It reads only the files of the run, so it works during a run on this machine or a cluster, and after one.
    """
    from ..publish.progress import summary

    for name in papers or study.papers():
        click.echo(summary(study.load(name, run_name), work_root()))


@click.command()
@RUN
def plan(run_name):
    """Predict jobs, CPU hours, memory and disk of a run.

    The prediction is what the published run took on its machine, which is named, scaled to what this run
    requires. A job that was not published is predicted from its budget.
    """
    from ..publish.progress import forecast

    for name in study.papers():
        click.echo(forecast(study.load(name, run_name)))
