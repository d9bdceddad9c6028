"""Two runs beside each other, in the terminal."""

import sys

import click

from projfree.ground.names import require

from ..ground.work import work_root
from .shared import NAMES


@click.command()
@click.argument("first")
@click.argument("second")
@click.argument("names", metavar="[PAPER|CLAIM]…", nargs=-1)
def compare(first, second, names):
    """Compare two runs: origin, verdicts, counts and seconds.

    FIRST and SECOND are runs (quick), folders of results (../other/results/full) or published reports
    (reports/reference). Name papers (ncgs) or claims (NCGS-C1, NCGS-C1.a) to compare only these.

    The exit code is 1 if counts of the same job differ at the same step.
    """
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
    require(names, [*papers, *claims], "paper or claim", lists=NAMES)
    chosen = [claims.get(name, name) for name in names]
    return list(dict.fromkeys(chosen)), [name for name in names if name in claims]
