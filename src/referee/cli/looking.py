"""How far a run is, what it will take, and whether the schemas are what the types say."""

import sys

import click

from projfree.ground.sealed import atomic_write

from .. import study
from ..ground.project import project_root
from .shared import RUN, place, renew_times


@click.command()
@RUN
@click.option("--paper", "papers", multiple=True, help="This paper only; may be given several times.")
def status(run_name, papers):
    """How far a run is: traces done, time left, jobs at work with their progress, failures with their log.

    Only the run's files are read, so it works beside a run on this machine, on a cluster, and after one.
    """
    from ..publish.progress import summary

    for name in papers or study.papers():
        click.echo(summary(study.load(name, run_name)))


@click.command()
@RUN
@click.option(
    "--learn", is_flag=True, help="First keep what the finished run took here, for all later plans."
)
def plan(run_name, learn):
    """Predict jobs, CPU hours, memory and disk of a run before anything runs.

    A run is predicted from what it took on the machine where it was published, which is named, and by what is
    asked now; where a job was not part of it, from its budget, as budgets are usually spent.
    """
    from ..publish import costs
    from ..publish.progress import forecast

    for name in study.papers():
        loaded = study.load(name, run_name)
        if learn:
            costs.save(
                loaded, place(run_name), project_root() / "reports" / "reference" / name / "costs.json"
            )
        click.echo(forecast(loaded))
    if learn:
        renew_times()


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 and the names of those that are old.")
def schemas(check):
    """Write the JSON schemas that editors use, from the types of the configuration."""
    from ..study.schemas import stale

    old = stale()
    for path, text in old.items():
        click.echo(f"{path} is not what the types say" if check else f"wrote {path}")
        if not check:
            atomic_write(path, text)
    sys.exit(bool(check and old))
