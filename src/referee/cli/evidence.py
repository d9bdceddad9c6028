"""From traces to verdicts, and from one claim or figure to the command that makes just that again."""

import json
import shlex
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import click

from projfree.ground.sealed import atomic_write

from .. import study
from ..ground.bounded import read_json
from ..ground.known import unknown
from ..ground.project import project_root
from ..ground.work import work_root
from ..study.views import drawable
from .shared import (
    BASE,
    FROM,
    LISTS,
    OUTPUT,
    PATH,
    PUBLISHED,
    RUN,
    TABLES,
    Command,
    evidence_of,
    made_by,
    papers_of,
    place,
    published,
    the_one,
)


@click.command()
@click.argument("paper")
@RUN
def calibrate(paper, run_name):
    """Measure the seconds of each oracle call from a finished run.

    It writes papers/<paper>/unit_costs/<run>.json, to be committed: model seconds (number of calls times
    cost) are computed from it on every machine. The run must have had the machine to itself. A panel or
    method without runs has no costs.
    """
    from ..publish.calibration import calibrated
    from ..study import unit_costs

    loaded = study.load(paper, run_name)
    found = unit_costs.UnitCosts(**calibrated(loaded, evidence_of(loaded)))
    unit_costs.write(path := unit_costs.place(paper, run_name), found)
    error = f"{found.error['median']:.1%} in the median, {found.error['worst']:.1%} at worst"
    click.echo(f"wrote {path}; off the measured seconds at the ends by {error}")
    if lacking := sorted({e for e, m in loaded.solves() if not loaded.method(e, m).probe} - set(found.costs)):
        click.echo(f"without costs, as there are no runs that took time: {', '.join(lacking)}")


@click.command(cls=Command)
@click.argument("papers", nargs=-1)
@RUN
@TABLES
@BASE
@OUTPUT
@FROM
def judge(papers, run_name, folders, base, output, reports):
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
    from ..publish import records

    paper = the_one(papers)
    loaded = study.load(paper, run_name)
    folders, main, tried = _read(loaded, folders, base)
    claims = records.with_taken(evaluate(loaded.model, folders, tried, main), folders)
    output = output or place(run_name, "claims", f"{paper}.json")
    atomic_write(output, json.dumps(claims, indent=1, ensure_ascii=False))
    if taken := records.taken(records.read(folders)):
        click.echo(f"{paper}: tables are {taken}")


def _read(loaded, folders=(), base=()):
    """Folders of evidence of a run, the evidence of its base run if any, its tables of tried values."""
    from ..evidence.panel import Evidence

    folders, main, source = list(folders) or evidence_of(loaded), None, None
    if loaded.tuned_in != loaded.run:
        of_base = study.load(loaded.paper, loaded.tuned_in)
        source = list(base) or evidence_of(of_base)
        main = Evidence(of_base.model, source)
    return folders, main, list(tried(loaded, source or folders))


def tried(loaded, folders):
    """Tables of tried values, in folders of evidence, of the methods of a run that are tuned."""
    for name, values in loaded.experiments.items():
        for method in (m for m in values.methods if loaded.searches(name, m)):
            places = (folder / "tuning" / name / f"{method}.json" for folder in folders)
            yield from [path for path in places if path.is_file()][:1]


def _judge_again(reports, papers):
    from ..evidence.published import differences
    from ..publish import records

    found = {}
    for paper in published(reports, papers):
        records.check(reports / paper / "evidence")
        found[paper] = differences(reports / paper)
    for paper, lines in found.items():
        click.echo("\n".join([f"{paper}: {len(lines) or 'no'} differences", *lines]))
    if any(found.values()):
        raise SystemExit(1)


@click.command(cls=Command)
@click.argument("paper")
@RUN
@TABLES
@click.option(
    "--claims", "own", type=PATH, help="Verdicts of the run. Default: results/<run>/claims/<paper>.json."
)
@click.option("--other", "others", type=PATH, multiple=True, help="Verdicts under each alternative.")
@OUTPUT
def under(paper, run_name, folders, own, others, output):
    """Write the verdicts of PAPER under each alternative next to those of the run.

    The run's own are judged with no more seeds and repetitions and no longer budgets: what another choice
    turns is then not what fewer runs leave open. Beside them are its verdicts at full size.
    """
    from ..evidence.alternatives import Under, collect
    from ..evidence.claims import evaluate
    from ..evidence.panel import Evidence
    from ..evidence.tidy import amounts

    loaded, found = study.load(paper, run_name), []
    folders = list(folders) or evidence_of(loaded)
    whole = Evidence(loaded.model, folders)  # tells how well seconds repeat, as for the alternatives
    full = read_json(own or place(run_name, "claims", f"{paper}.json"))
    given = {path.parents[1].name: path for path in others}
    for name, choice in study.alternatives(loaded.spec).items():
        other = study.load(paper, f"{run_name}@{name}")
        experiments = amounts(loaded.experiments, other.experiments)
        asked = {"claims": other.claims, "experiments": experiments, "clock": other.model.clock}
        same = loaded.model.model_copy(update=asked)
        main = evaluate(same, folders, main=whole, short=True)
        verdicts = read_json(given.get(other.run, place(other.run, "claims", f"{paper}.json")))
        panels = [panel for panel, values in other.experiments.items() if values.methods]
        found.append(Under(choice["deviation"], choice["name"], panels, same, main, verdicts, full))
    collect(found, output or place(run_name, "alternatives", paper, "alternatives.csv"))


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
    for name in papers_of(run_name, [paper] if paper else ()):
        study.load(name, run_name)  # an unknown run is told first
        path = place(run_name, "claims", f"{name}.json")
        if not path.exists():
            raise FileNotFoundError(not_judged(name, run_name, path))
        entries = read_json(path)
        click.echo(explain_controls(entries) if controls else explain(entries))
        for words in sorted({entry["taken"] for entry in entries if entry.get("taken")}):
            names = ", ".join(entry["id"] for entry in entries if entry.get("taken") == words)
            click.echo(f"tables {words}: {names}")


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


SNAKEFILE = "workflow/Snakefile"


@click.command()
@click.argument("name", required=False)
@RUN
@click.option("--cores", type=click.IntRange(1), default=2, show_default=True, help="Number of cores.")
@PUBLISHED
@click.option("--dry-run", "-n", is_flag=True, help="Only print the command.")
def reproduce(name, run_name, cores, published, dry_run):
    """Compute one claim, figure or panel, from its data on, and nothing else.

    \b
      projfree reproduce                        list all names
      projfree reproduce NCGS-C1.a              one claim: its runs, then its new verdict
      projfree reproduce ncgs/fig1-left         one figure or panel

    The command that makes it is printed and run.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    if name is None:
        return click.echo("\n".join(_known()))
    from ..publish.workflow import Workflow

    loaded, claim = find(name, run_name)
    base = run_name.partition("@")[0]
    plan = Workflow(study.Config(run=base, papers=[loaded.paper], published=published))
    w, panels = SimpleNamespace(paper=loaded.paper, run=run_name), claim and panels_of(loaded.spec, claim)
    targets = [figure_of(name, run_name)]
    if claim:
        runs = dict.fromkeys((run_name, base))
        paths = [plan.tables(SimpleNamespace(paper=w.paper, run=run), panels) for run in runs]
        targets = [path.replace("<results>", "results") for group in paths for path in group]
    config = [f"run={base}", f"papers=[{loaded.paper}]", *(["published=true"] if published else [])]
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
        _tell(loaded, claim, [where / target for target in targets], panels)


def _tell(loaded, claim, made, panels):
    """The verdict on one claim, from what was just made."""
    from ..evidence.claims import evaluate
    from ..evidence.words import explain
    from ..publish import records
    from ..study.models.paper import Paper

    own = Paper.of_study(loaded.spec | {"claims": [claim]})
    folders = [path for path in made if loaded.run in path.parts]
    base = [path for path in made if loaded.tuned_in in path.parts]
    _, main, tables = _read(loaded, folders, base)
    click.echo(explain(evaluate(own, folders, tables, main)))
    if taken := records.taken(records.read(folders), panels):
        click.echo(f"tables {taken}")


def find(name, run_name):
    """The study that has a claim or a figure, and the claim, with the requested part; None of a figure."""
    known = _known()
    if name not in known:
        raise ValueError(unknown("claim or figure", name, known, "", LISTS))
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
    return f"results/{run_name}/figures/{paper}/{stem}.svg"


def panels_of(spec, claim):
    """The experiments that a claim and its parts are judged on."""
    told = study.panels_told(claim, spec["experiments"])
    return [name for name in spec["experiments"] if name in told]
