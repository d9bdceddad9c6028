"""From traces to verdicts, and from one claim or figure to the command that makes just that again."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import click

from projfree.ground.sealed import atomic_write

from .. import study
from ..ground import bounded
from ..ground.known import unknown
from ..ground.project import project_root
from ..ground.work import work_root
from ..study.views import drawable
from .shared import FORCE, FROM, LISTS, RUN, made_by, place, published, the_one


@click.command()
@FORCE
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
    from ..evidence.files import read
    from ..evidence.words import explain, explain_controls

    _require_paper(paper)
    for name in [paper] if paper else study.papers():
        study.load(name, run_name)  # an unknown run is told first
        path = place(run_name, "claims", f"{name}.json")
        if not path.exists():
            raise FileNotFoundError(not_judged(name, run_name, path))
        entries = read(path, "claims.json")
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
    targets = tables_of(loaded.spec, claim, run_name) if claim else [figure_of(name, run_name)]
    config = [f"run={run_name.partition('@')[0]}", f"papers=[{loaded.spec['paper']}]"]
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
        from ..evidence.claims import evaluate
        from ..evidence.words import explain
        from ..study.models.paper import Paper

        own = Paper.of_study(loaded.spec | {"claims": [claim]})
        main = of_base(loaded.paper, run_name)
        click.echo(explain(evaluate(own, place(run_name, "evidence", loaded.paper), main=main)))


def find(name, run_name):
    """The study that has a claim or a figure, and the claim, with the requested part; None of a figure."""
    known = _known()
    if name not in known:
        paper = name.partition("/")[0]
        own = [each for each in known if each.startswith(f"{paper}/")] if paper in study.papers() else known
        raise ValueError(unknown("claim or figure", name, own, "", LISTS))
    loaded = study.load(known[name], run_name)
    if name not in (names := _names(loaded.spec)):
        raise ValueError(unknown(f"claim or figure in the run {run_name}", name, names, "", LISTS))
    top, _, letter = name.partition(".")
    return loaded, _only(names[top], letter)


def _known():
    """Every claim, part, figure and panel → its paper."""
    return {each: paper for paper in study.papers() for each in _names(study.load(paper, "full").spec)}


def _names(spec):
    """Claims, their parts, figures and named panels by name; what is drawn has no claim."""
    claims = {f"{spec['prefix']}-{claim['id']}": claim for claim in spec["claims"]}
    parts = {
        f"{name}.{letter}": claim for name, claim in claims.items() for letter in claim.get("parts") or {}
    }
    drawn = dict.fromkeys(f"{spec['paper']}/{stem}" for stem in drawable(spec["figures"]))
    return {**claims, **drawn, **parts}


def _only(claim, letter):
    """The claim with that part alone; whole without a letter."""
    return claim | {"parts": {letter: claim["parts"][letter]}} if letter else claim


def figure_of(name, run_name):
    """The file of a figure."""
    paper, _, stem = name.partition("/")
    return f"reports/{run_name}/{paper}/figures/{stem}.svg"


def tables_of(spec, claim, run_name):
    """The tidy tables that a claim and its parts are judged on; of an alternative its base run's too."""
    told = study.panels_told(claim, spec["experiments"])
    names = [name for name in spec["experiments"] if name in told]
    runs = dict.fromkeys((run_name, run_name.partition("@")[0]))
    return [f"results/{run}/evidence/{spec['paper']}/{name}.csv" for run in runs for name in names]
