"""`projfree trace …`: look at traces, compare them."""

import sys
from pathlib import Path

import click

from projfree.ground.names import unknown


class _Existing(click.Path):
    """A file that is there; one that is not is told with the nearest name."""

    def convert(self, value, param, ctx):
        """The path."""
        for path in reversed([Path(value), *Path(value).parents]):
            if not path.exists():
                there = [p.name for p in path.parent.iterdir() if p.is_dir() or p.suffix == ".h5"]
                self.fail(unknown("file", path.name, there, path.parent), param, ctx)
        return Path(value)


@click.group()
def trace():
    """Look at traces."""


@trace.command()
@click.argument("path", type=_Existing())
def show(path):
    """What a trace holds: parameters, and the last record of every seed."""
    from ..publish.compare import describe

    click.echo(describe(path))


@trace.command()
@click.argument("first", type=_Existing())
@click.argument("second", type=_Existing())
def diff(first, second):
    """Compare two traces in all but clocks; exit code 1 and the first difference where they differ."""
    from ..publish.compare import differences

    found = differences(first, second)
    click.echo("\n".join(found) or "the same in all but clocks")
    sys.exit(bool(found))
