"""From traces to verdicts."""

import json
from pathlib import Path

import click

from projfree.ground.sealed import atomic_write

from .. import study
from ..ground import bounded
from ..ground.bounded import read_json
from ..ground.project import project_root
from ..ground.work import work_root
from .shared import FROM, RUN, made_by, place, published, the_one


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
      projfree judge ncgs --run quick           to results/quick/claims/ncgs.json
      projfree judge --from reports/reference   check the published verdicts; nothing is written

    With --from, the verdicts of PAPERS (default: all) are computed again from their published evidence. Each
    difference is reported, and the exit code is 1 if there is one.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    if reports:
        return _judge_again(reports, papers)
    from ..evidence.claims import evaluate

    paper = the_one(papers)
    loaded, tables = study.load(paper, run_name), place(run_name, "evidence", paper)
    claims = evaluate(loaded.model, tables, _tried(loaded, tables), of_base(paper, run_name))
    atomic_write(place(run_name, "claims", f"{paper}.json"), json.dumps(claims, indent=1, ensure_ascii=False))


def _tried(loaded, tables):
    """Tables of tried values of the methods that have runs; under an alternative those of its base run."""
    folder = place(loaded.tuned_in, "tuning", loaded.paper)
    for name, values in loaded.experiments.items():
        tuned = [method for method in values.methods if loaded.searches(name, method)]
        if tuned and (table := tables / f"{name}.csv").exists():
            there = {*bounded.table(table, usecols=["method"])["method"], *values.from_base}
            yield from (folder / name / f"{method}.json" for method in tuned if method in there)


def of_base(paper, run_name):
    """The evidence of the run that a run is an alternative to, if it is one."""
    from ..evidence.panel import Evidence

    base, alternative, _ = run_name.partition("@")
    return Evidence(study.load(paper, base).model, place(base, "evidence", paper)) if alternative else None


def _judge_again(reports, papers):
    from ..evidence.published import differences

    found = {paper: differences(reports / paper) for paper in published(reports, papers)}
    for paper, lines in found.items():
        click.echo("\n".join([f"{paper}: {len(lines) or 'no'} differences", *lines]))
    if any(found.values()):
        raise SystemExit(1)


@click.command()
@click.argument("paper", required=False)
@RUN
@click.option("--controls", is_flag=True, help="Show negative controls and uninformative claims.")
def claims(paper, run_name, controls):
    """Show the verdicts on the claims of PAPER (default: all papers).

    \b
      projfree claims ncgs                      after `make quick`
      projfree claims ncgs --controls           what each test must reject
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    from ..evidence.words import explain, explain_controls

    _require_paper(paper)
    for name in [paper] if paper else study.papers():
        study.load(name, run_name)  # an unknown run is told first
        path = place(run_name, "claims", f"{name}.json")
        if not path.exists():
            raise FileNotFoundError(not_judged(name, run_name, path))
        entries = read_json(path)
        click.echo(explain_controls(entries) if controls else explain(entries))


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
