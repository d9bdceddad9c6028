"""`projfree trace …`: look at traces, compare them."""

import sys
from pathlib import Path

import click


@click.group()
def trace():
    """Look at traces."""


@trace.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
def show(path):
    """What a trace holds: parameters, and the last record of every seed."""
    from .compare import describe

    click.echo(describe(path))


@trace.command()
@click.argument("first", type=click.Path(exists=True, path_type=Path))
@click.argument("second", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--rtol",
    default=0.0,
    show_default=True,
    help="Relative difference of metrics that still counts as equal.",
)
def diff(first, second, rtol):
    """Compare two traces in all but clocks; exit code 1 and the first difference where they differ."""
    from .compare import differences

    found = differences(first, second, rtol)
    click.echo("\n".join(found) or "the same in all but clocks")
    sys.exit(bool(found))
