"""Two runs beside each other, in the terminal and as a page."""

import sys
from pathlib import Path

import click

from .. import study
from ..ground.names import require
from ..ground.root import project_root
from .shared import NAMES


@click.command()
@click.argument("first")
@click.argument("second")
@click.argument("names", metavar="[PAPER|CLAIM]…", nargs=-1)
@click.option("--page", type=click.Path(file_okay=False, path_type=Path), help="Also a page, in this folder.")
def compare(first, second, names, page):
    """Compare two runs: machines, commits, libraries, verdicts, counts, seconds.

    FIRST and SECOND are runs (quick), folders of results (../other/results/full) or published reports
    (reports/reference). NAMES limit it to papers (ncgs) or claims (NCGS-C1, NCGS-C1.a).

    Exit code 1 where a count differs that must not: of the same job, at the same step.
    """
    from ..results.side import Side
    from ..results.two_runs import contrast, told, unequal

    sides = [Side.of(where, project_root()) for where in (first, second)]
    papers, claims = _split(names, sides)
    found = contrast(*sides, papers, claims)
    click.echo(told(found))
    if page:
        _write(found, sides, page)
        click.echo(f"wrote {page / 'index.html'}")
    sys.exit(bool(unequal(found)))


def _split(names, sides):
    """Papers and claims among the names; an unknown one is an error that lists the known."""
    papers = [paper for paper in sides[0].judged if paper in sides[1].judged]
    claims = {name: paper for paper in papers for side in sides for name in side.claims(paper)}
    require(names, [*papers, *claims], "paper or claim", lists=NAMES)
    chosen = [claims.get(name, name) for name in names]
    return list(dict.fromkeys(chosen)), [name for name in names if name in claims]


def _write(found, sides, folder):
    """The page, with looks and axes of the first run's study."""
    from ..report.compared import write_comparison

    specs = {paper: study.load(paper, _run(sides[0], paper)).spec for paper in found}
    tables = {
        paper: {p["experiment"]: [s.tables(paper)[p["experiment"]] for s in sides] for p in table["panels"]}
        for paper, table in found.items()
    }
    write_comparison(found, [str(side.folder) for side in sides], specs, tables, folder)


def _run(side, paper):
    """The run that a side is of, as its verdicts' traces are named."""
    traces = (trace for entry in side.claims(paper).values() for trace in entry["traces"])
    return next(traces, "results/quick").split("/")[1]
