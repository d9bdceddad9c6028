"""From traces to verdicts, and from one claim or figure to the command that makes just that again."""

import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import click

from .. import study
from ..ground.bounded import read_json
from ..ground.known import unknown
from ..ground.project import project_root
from ..ground.work import work_root
from ..study.views import drawable
from .shared import FROM, LISTS, RUN, made_by, place, published, the_one


@click.command()
@click.argument("output", type=click.Path(path_type=Path))
@click.argument("traces", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def tidy(output, traces):
    """Write the results table OUTPUT of an experiment's TRACES."""
    from ..evidence.tidy import tidy as write

    write(list(traces), output)


@click.command()
@click.argument("paper")
@RUN
def calibrate(paper, run_name):
    """Measure the seconds of each oracle call from a finished run.

    It writes papers/<paper>/unit_costs/<run>.json, to be committed: model seconds (number of calls times
    cost) are computed from it on every machine. The run must have had the machine to itself. A panel that was
    not run here is taken as it is kept in git; a panel or method without runs has no costs.
    """
    from ..publish.calibration import calibrated
    from ..study import unit_costs

    loaded = study.load(paper, run_name)
    found = unit_costs.UnitCosts(**calibrated(loaded, place(run_name), project_root()))
    unit_costs.write(path := unit_costs.place(paper, run_name), found)
    error = f"{found.error['median']:.1%} in the median, {found.error['worst']:.1%} at worst"
    click.echo(f"wrote {path}; off the measured seconds at the ends by {error}")
    if lacking := sorted({e for e, m in loaded.solves() if not loaded.method(e, m).probe} - set(found.costs)):
        click.echo(f"without costs, as there are no runs that took time: {', '.join(lacking)}")


@click.command()
@click.argument("papers", nargs=-1)
@RUN
@FROM
def judge(papers, run_name, reports):
    """Compute the verdicts on all claims of a paper.

    \b
      projfree judge ncgs --run quick           to results/quick/claims/ncgs.json and .csv
      projfree judge --from reports/reference   check the published verdicts; nothing is written

    With --from, the verdicts of PAPERS (default: all) are computed again from their published evidence. Each
    difference is reported, and the exit code is 1 if there is one.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    if reports:
        return _judge_again(reports, papers)
    from ..judge import publish

    paper = the_one(papers)
    files = (place(run_name, "claims", f"{paper}.{end}") for end in ("json", "csv"))
    publish(paper, *files, folders_of(paper, run_name), run=run_name)


def folders_of(paper, run_name):
    """Folders with the tables of a run; of one under an alternative those of its base run too."""
    return [place(run, "evidence", paper) for run in dict.fromkeys((run_name, run_name.partition("@")[0]))]


def _judge_again(reports, papers):
    from ..judge import differences

    found = {paper: differences(reports / paper) for paper in published(reports, papers)}
    for paper, lines in found.items():
        click.echo("\n".join([f"{paper}: {len(lines) or 'no'} differences", *lines]))
    if any(found.values()):
        raise SystemExit(1)


@click.command()
@click.argument("paper", required=False)
@RUN
def claims(paper, run_name):
    """Show the verdicts on the claims of PAPER (default: all papers).

    \b
      projfree claims ncgs                      after `make quick`
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    from ..evidence.words import explain

    _require_paper(paper)
    for name in [paper] if paper else study.papers():
        study.load(name, run_name)  # an unknown run is told first
        path = place(run_name, "claims", f"{name}.json")
        if not path.exists():
            raise FileNotFoundError(not_judged(name, run_name, path))
        click.echo(explain(read_json(path)))


def _require_paper(name):
    """Tell whoever names a claim that it is shown with those of its paper."""
    prefix, dash, _ = (name or "").partition("-")
    for known in study.papers() if dash else ():
        if name != known and study.load(known).model.prefix.lower() == prefix.lower():
            raise ValueError(
                f"unknown paper {name!r}: a claim is shown by its paper, projfree claims {known}; "
                f"rebuild one claim with: projfree reproduce {name}"
            )


def not_judged(paper, run_name, path):
    """The missing file, the command that makes it, and the place of the published verdicts."""
    shown = path.relative_to(work_root()) if path.is_relative_to(work_root()) else path
    return (
        f"{paper} ({run_name}) has no verdicts yet (no {shown}). "
        f"Compute them with: {made_by(run_name, paper)}. "
        f"The published verdicts are in reports/reference/{paper}/README.md"
    )


SNAKEFILE = "Snakefile"


@click.command()
@click.argument("name", required=False)
@RUN
@click.option("--cores", type=click.IntRange(1), default=2, show_default=True, help="Number of cores.")
@click.option("--dry-run", "-n", is_flag=True, help="Only print the command.")
def reproduce(name, run_name, cores, dry_run):
    """Compute one claim, figure or panel again, and nothing else.

    \b
      projfree reproduce                        list all names
      projfree reproduce NCGS-C1.a              one claim: its runs, then its new verdict
      projfree reproduce ncgs/fig1-left         one figure or panel

    The command that makes it is printed and run.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    if name is None:
        return click.echo("\n".join(_known()))
    loaded, claim = find(name, run_name)
    targets = tables_of(loaded, name) if claim else [figure_of(name, run_name)]
    config = [f"run={run_name.partition('@')[0]}", f"papers=[{loaded.paper}]"]
    where = work_root()
    elsewhere = [] if (where / SNAKEFILE).is_file() else ["--snakefile", str(project_root() / SNAKEFILE)]
    command = ["snakemake", *elsewhere, "--cores", str(cores), "--config", *config, "--", *targets]
    click.echo(shlex.join(command))
    if dry_run:
        return
    # Snakemake stands beside this interpreter, also where no environment is activated.
    own = Path(sys.executable).with_name(command[0])
    subprocess.run([own, *command[1:]], cwd=where, check=True)
    if claim:
        from ..evidence.words import explain
        from ..judge import products

        only, tables = [name.partition("-")[2]], folders_of(loaded.paper, run_name)
        entries, _ = products(loaded.paper, tables, run=run_name, only=only)
        click.echo(explain([each for each in entries if name in (each["id"], each["id"].partition(".")[0])]))


def find(name, run_name):
    """The study that has a claim or a figure, and whether it is a claim."""
    known = _known()
    if name not in known:
        raise ValueError(unknown("claim or figure", name, known, "", LISTS))
    loaded = study.load(known[name], run_name)
    if name not in (names := _names(loaded)):
        raise ValueError(unknown(f"claim or figure in the run {run_name}", name, names, "", LISTS))
    return loaded, "/" not in name


def _known():
    """Every claim, part, figure and panel → its paper."""
    return {each: paper for paper in study.papers() for each in _names(study.load(paper, "full"))}


def _names(loaded):
    """Claims and parts that ask for a panel of the run, figures and named panels."""
    claims = [name for name, panels in _asked(loaded.paper).items() if panels & loaded.experiments.keys()]
    return [*claims, *(f"{loaded.paper}/{stem}" for stem in drawable(loaded.spec["figures"]))]


@cache
def _asked(paper):
    from ..judge import FAIR, PUBLISHED, asked

    return asked(paper, (PUBLISHED, FAIR))


def figure_of(name, run_name):
    """The file of a figure."""
    paper, _, stem = name.partition("/")
    return f"reports/{run_name}/{paper}/figures/{stem}.svg"


def tables_of(loaded, claim):
    """The tidy tables that a claim or a part is judged on; of an alternative its base run's too."""
    names = [name for name in loaded.experiments if name in _asked(loaded.paper)[claim]]
    runs = dict.fromkeys((loaded.run, loaded.run.partition("@")[0]))
    return [f"results/{run}/evidence/{loaded.paper}/{name}.csv" for run in runs for name in names]
