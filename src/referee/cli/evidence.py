"""From traces to verdicts, and from one claim or figure to the command that makes just that again."""

from functools import cache
from types import SimpleNamespace

import click

from projfree.common.names import unknown

from .. import study
from ..common.work import work_root
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
    snakemake,
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
    costs = unit_costs.UnitCosts(**calibrated(loaded, evidence_of(loaded)))
    unit_costs.write(path := unit_costs.place(paper, run_name), costs)
    error = f"{costs.error['median']:.1%} in the median, {costs.error['worst']:.1%} at worst"
    click.echo(f"wrote {path}; off the measured seconds at the ends by {error}")
    if lacking := sorted({e for e, m in loaded.solves() if not loaded.method(e, m).probe} - set(costs.costs)):
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
      projfree judge ncgs --run quick           to results/quick/claims/ncgs.json and .csv
      projfree judge --from reports/reference   check the published verdicts; nothing is written

    With --from, the verdicts of PAPERS (default: all) are computed again from their published evidence. Each
    difference is reported, and the exit code is 1 if there is one.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    from ..judge import differences, publish
    from ..publish import records

    if reports:
        lines = {}
        for paper in published(reports, papers):
            records.check(reports / paper / "evidence")
            lines[paper] = differences(reports / paper)
        for paper, own in lines.items():
            click.echo("\n".join([f"{paper}: {len(own) or 'no'} differences", *own]))
        raise SystemExit(any(lines.values()))
    paper = the_one(papers)
    loaded = study.load(paper, run_name)
    folders = list(folders) or evidence_of(loaded)
    if loaded.tuned_in != loaded.run:  # of a run under an alternative, those of its base run last
        folders += base or evidence_of(study.load(paper, loaded.tuned_in))
    output = output or place(run_name, "claims", f"{paper}.json")
    panels = records.read(folders)
    publish(paper, output, folders, run=run_name, note=lambda entries: records.with_taken(entries, panels))
    if taken := records.taken(panels):
        click.echo(f"{paper}: tables are {taken}")


def tried(loaded, folders):
    """Tables of tried values, in folders of evidence, of the methods of a run that are tuned."""
    for name, values in loaded.experiments.items():
        for method in (m for m in values.methods if loaded.searches(name, m)):
            places = (folder / "tuning" / name / f"{method}.json" for folder in folders)
            yield from [path for path in places if path.is_file()][:1]


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
    from ..evidence.files import read
    from ..evidence.published import write_readings
    from ..judge import under as judged

    loaded, rows = study.load(paper, run_name), []
    base = list(folders) or evidence_of(loaded)
    path = own or place(run_name, "claims", f"{paper}.json")
    full = {entry["id"]: entry["verdict"] for entry in read(path, "claims.json")}
    folders_by_run = {path.parents[1].name: path.parents[1] for path in others}
    for name, choice in study.alternatives(loaded.spec).items():
        run = f"{run_name}@{name}"
        results = folders_by_run.get(run, place(run))
        units = sorted(path for path in (results / "evidence" / paper).glob("*") if path.is_dir())
        rows += judged(paper, choice["name"], choice["deviation"], [*units, *base], base, run=run)
    write_readings(rows, full, output or place(run_name, "alternatives", paper, "alternatives.csv"))


@click.command()
@click.argument("paper", required=False)
@RUN
def claims(paper, run_name):
    """Show the verdicts on the claims of PAPER (default: all papers).

    \b
      projfree claims ncgs                      after `make quick`
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    from ..evidence.files import read
    from ..evidence.words import explain

    for name in papers_of(run_name, [paper] if paper else ()):
        study.load(name, run_name)  # an unknown run is an error first
        path = place(run_name, "claims", f"{name}.json")
        if not path.exists():
            raise FileNotFoundError(not_judged(name, run_name, path))
        entries = read(path, "claims.json")
        click.echo(explain(entries))
        for words in sorted({entry["taken"] for entry in entries if entry.get("taken")}):
            names = ", ".join(entry["id"] for entry in entries if entry.get("taken") == words)
            click.echo(f"tables {words}: {names}")


def not_judged(paper, run_name, path):
    """The missing file, the command that makes it, and the place of the published verdicts."""
    shown = path.relative_to(work_root()) if path.is_relative_to(work_root()) else path
    return (
        f"{paper} ({run_name}) has no verdicts yet (no {shown}). "
        f"Compute them with: {made_by(run_name, paper)}. "
        f"The published verdicts are in reports/reference/{paper}/README.md"
    )


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
    panels, targets = claim and panels_of(loaded, name), [figure_of(name, run_name)]
    if claim:
        studies = [SimpleNamespace(paper=loaded.paper, run=run) for run in dict.fromkeys((run_name, base))]
        paths = [path for each in studies for path in plan.tables(each, panels)]
        targets = [path.replace("<results>", "results") for path in paths]
    if snakemake(base, loaded.paper, targets, cores, published, dry_run) or not claim:
        return
    from ..evidence.words import explain
    from ..judge import products
    from ..publish import records

    folders = [work_root() / target for target in targets]
    entries, _ = products(loaded.paper, folders, run=loaded.run, only=[name.partition("-")[2]])
    click.echo(explain([each for each in entries if name in (each["id"], each["id"].partition(".")[0])]))
    if taken := records.taken(records.read(folders), panels):
        click.echo(f"tables {taken}")


def find(name, run_name):
    """The study that has a claim or a figure, and whether it is a claim."""
    known = _known()
    if name not in known:
        paper = name.partition("/")[0]
        own = [each for each in known if each.startswith(f"{paper}/")] if paper in study.papers() else known
        raise ValueError(unknown("claim or figure", name, own, "", LISTS))
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
    return f"results/{run_name}/figures/{paper}/{stem}.svg"


def panels_of(loaded, claim):
    """The experiments of a run that a claim or a part is judged on."""
    asked = _asked(loaded.paper)[claim]
    return [name for name in loaded.experiments if name in asked]
