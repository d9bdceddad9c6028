"""Two runs compared, in the terminal."""

import sys

import click

from ..ground.known import unknown
from ..ground.work import work_root
from .shared import LISTS


@click.command()
@click.argument("first")
@click.argument("second")
@click.argument("names", metavar="[PAPER|CLAIM]…", nargs=-1)
def compare(first, second, names):
    """Compare two runs: origin, verdicts, counts and seconds.

    \b
      projfree compare full reports/reference           my full run and the published one
      projfree compare quick ../other/results/quick ncgs
      projfree compare full reports/reference NCGS-C1.a

    FIRST and SECOND are runs, folders of results or published reports. Name papers or claims to compare only
    these. The exit code is 1 if counts of the same job differ at the same step.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    from ..publish.side import Side
    from ..publish.two_runs import contrast, contrast_text, unequal

    sides = [Side.of(where, work_root()) for where in (first, second)]
    papers, claims = _split(names, sides)
    found = contrast(*sides, papers, claims)
    click.echo(contrast_text(found))
    sys.exit(bool(unequal(found)))


def _split(names, sides):
    """Papers and claims among the names; an unknown one is an error that lists the known."""
    papers = [paper for paper in sides[0].papers if paper in sides[1].papers]
    claims = {name: paper for paper in papers for side in sides for name in side.claims(paper)}
    for name in names:
        if name not in {*papers, *claims}:
            raise ValueError(unknown("paper or claim", name, [*papers, *claims], "", LISTS))
    chosen = [claims.get(name, name) for name in names]
    return list(dict.fromkeys(chosen)), [name for name in names if name in claims]
