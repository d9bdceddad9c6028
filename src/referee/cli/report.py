"""From tables to drawings, from verdicts to pages and publications."""

from functools import cache
from pathlib import Path

import click

from projfree.ground import provenance
from projfree.ground.sealed import atomic_write

from .. import study
from ..ground import bounded, revision
from ..ground.bounded import read_json
from ..ground.project import project_root
from ..ground.work import work_root
from .evidence import not_judged
from .shared import FROM, RUN, by_stem, place, published, renew_times


@click.command()
@click.argument("papers", nargs=-1)
@RUN
@FROM
def page(papers, run_name, reports):
    """Write the pages of PAPERS, or the page over all papers.

    \b
      projfree page ncgs                        of the quick run, to reports/quick/ncgs
      projfree page --from reports/reference    of the published reports

    With --from, the pages and README.md of PAPERS (default: all) and the overview are written again from the
    published evidence, with each figure and table that is missing.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    if reports:
        return _write_again(reports, papers)
    for paper in papers:
        _write_page(paper, run_name)
    if not papers:
        _write_index(run_name)


def _write_page(paper, run_name):
    from ..report.rebuild import ABOUT, write_from, write_json

    report = work_root() / "reports" / run_name / paper
    if not (claims := place(run_name, "claims", f"{paper}.json")).exists():
        raise FileNotFoundError(not_judged(paper, run_name, claims))
    _require_ours(report)
    about = about_run(paper, run_name)
    _write_claims(paper, run_name, report)
    write_json(report / ABOUT, about)
    folders = place(run_name, "evidence", paper), place(run_name, "tuning", paper)
    write_from(study.load(paper, run_name).spec, report, about, *folders)


def _require_ours(report):
    """Refuse a folder of a paper's pages in which others' files are in the way."""
    from ..ground import ours
    from ..report.rebuild import ABOUT

    ours.require_page(report / "index.html")
    ours.require_json(report / ABOUT, "commit")
    ours.require_json(report / "claims.json", "verdict")


def _write_claims(paper, run_name, report):
    """The verdicts of a run with their readings, those under its alternatives where they were collected."""
    from ..evidence.alternatives import read_readings
    from ..evidence.published import ALTERNATIVES
    from ..judge import with_alternatives, written

    entries = read_json(place(run_name, "claims", f"{paper}.json"))
    entries = with_alternatives(entries, read_readings(report / ALTERNATIVES))
    atomic_write(report / "claims.json", written(entries))
    rows = bounded.content(place(run_name, "claims", f"{paper}.csv"))
    atomic_write(report / "verdicts.csv", rows.decode("utf-8"))


def _write_again(reports, papers):
    from ..report.index import write_index
    from ..report.rebuild import rebuild

    for paper in published(reports, papers):
        rebuild(reports / paper)
        click.echo(f"wrote {reports / paper / 'index.html'}")
    made = [paper for paper in published(reports, ()) if (reports / paper / "index.html").exists()]
    write_index(reports, reports / "index.html", made)


def _write_index(run_name):
    from ..report.index import write_index

    reports = work_root() / "reports" / run_name
    made = [paper for paper in study.papers() if (reports / paper / "index.html").exists()]
    write_index(reports, reports / "index.html", made)


@click.command()
@click.argument("paper")
@click.option("--run", "run_name", default="full", show_default=True, help="Run to publish.")
@click.option("--before-alternatives", is_flag=True, help="Publish although no alternative was run.")
@click.option("--again", is_flag=True, help="Judge the published evidence again instead, with kept panels.")
@click.option("--keep", is_flag=True, help="Only keep finished panels in git, for a later run.")
def publish(paper, run_name, before_alternatives, again, keep):
    """Make the report of PAPER the published one, with its evidence.

    The project's README is renewed; `projfree page --from` makes the pages. `publish` refuses uncommitted
    changes, parts made by different sources, unstated choices without the verdicts under their
    alternatives, seconds that were measured once, and seconds of two processors in one panel. A panel
    without traces must equal, byte for byte, a panel of the same jobs that was published or kept before.

    With --again, the published evidence is judged again, with the kept panels instead of their earlier
    versions; drawings that show them are made again.

    With --keep, nothing is published: the finished panels of a run, and of its alternatives, are packed next
    to the evidence of PAPER, to be committed. A later run, on any machine, takes these panels and runs the
    others.
    """
    if again:
        return _publish_again(paper)
    if keep:
        return _keep(paper, run_name)
    from ..evidence import published as evidence_of
    from ..publish import costs, panels
    from ..publish.publishable import refusals
    from ..report.rebuild import publish as copy
    from ..report.rebuild import rebuild

    reports = work_root() / "reports"
    loaded = study.load(paper, run_name)
    runnable = () if before_alternatives else study.alternatives(loaded.spec)
    root = project_root()
    reference = root / "reports" / "reference" / paper
    if not (reports / run_name / paper / "index.html").is_file():
        raise FileNotFoundError(f"{paper} ({run_name}) has no report yet: make replicate TARGETS={paper}")
    found = refusals(root, run_name, paper, runnable, _fitting(cache(study.load), root))
    records, wrong = panels.founded(loaded, place(run_name), root)
    found += [f"with a table that nothing vouches for: {words}" for words in wrong]
    if found:
        raise ValueError("\n".join([f"{paper} ({run_name}) is not to be published:", *found]))
    evidence = reports / run_name / paper / "evidence"
    evidence_of.keep(
        loaded.spec, place(run_name, "evidence", paper), place(run_name, "tuning", paper), evidence
    )
    panels.write(loaded, records, evidence)
    _write_claims(paper, run_name, reports / run_name / paper)
    rebuild(reports / run_name / paper)  # alternatives came after its pages
    copy(reports / run_name / paper, reference, root / "README.md", paper)
    costs.save(loaded, place(run_name), reference / "costs.json")
    renew_times()


def _fitting(load, root):
    """Path of a result → whether it is what its study asks for, or of a panel that is kept as that."""
    from ..publish import panels
    from ..publish.wanted import fitting

    fits, vouches = fitting(load), panels.vouching(load, place, root)
    return lambda path: fits(path) or vouches(path)


def _keep(paper, run_name):
    """Pack the finished panels of a run; say how many are kept now."""
    from ..publish import kept, panels

    load, root = cache(study.load), project_root()
    loaded, fits = load(paper, run_name), _fitting(load, root)
    names = "" if "@" in run_name else study.alternatives(loaded.spec)
    runs = [run_name, *(f"{run_name}@{name}" for name in names if place(f"{run_name}@{name}").exists())]
    for each in runs:
        loaded = load(paper, each)
        new = panels.keep(loaded, place(each), root, fits)
        all_kept, every = kept.kept(loaded, root), kept.panels(loaded)
        words = f"{len(new)} panels kept, with those of before {len(all_kept)} of {len(every)}"
        click.echo(f"{paper} ({each}): {words}; to be committed: {kept.stores(root, paper, each)[0]}")


@click.command()
@click.argument("paper")
@click.argument("experiments", nargs=-1, required=True)
@RUN
def restore(paper, experiments, run_name):
    """Restore kept panels EXPERIMENTS of PAPER to the results of a run.

    A panel of an alternative of the run is ALTERNATIVE/EXPERIMENT.
    """
    from ..publish import panels

    wanted = {}
    for name in experiments:
        alternative, _, experiment = name.rpartition("/")
        run = f"{run_name}@{alternative}" if alternative else run_name
        wanted.setdefault(run, []).append(experiment)
    for run, names in wanted.items():
        panels.restore(study.load(paper, run), names, place(run), project_root())
    click.echo(f"{len(experiments)} panels of {paper} are as they are kept")


def _publish_again(paper):
    """The verdicts of a published report as today's judge finds them, with what is kept; all else stays."""
    from ..publish import kept, panels
    from ..report.rebuild import ABOUT, rejudge, tell

    root, commit = work_root(), revision.git_commit()
    reports = root / "reports" / "reference"
    published(reports, [paper])
    if commit == revision.UNKNOWN or commit.endswith("+changes"):
        raise ValueError(f"{paper} is not to be published: judged by sources that no commit has ({commit})")
    run = read_json(reports / paper / ABOUT)["run"]
    loaded = study.load(paper, run)
    anew = panels.adopt(loaded, project_root())
    origins = panels.origins(kept.index(reports / paper / "evidence")["panels"])
    rejudge(reports / paper, commit, loaded.spec, anew, origins)
    if anew:
        click.echo(f"{paper}: evidence of {', '.join(sorted(anew))} is published anew")
    tell(root / "README.md", reports)


def about_run(paper, run_name) -> dict:
    """Provenance of a page: commands, commit, environment, data, how long it took."""
    from ..publish import panels
    from ..publish.record import data_hashes, durations, sharing

    loaded, results = study.load(paper, run_name), place(run_name)
    records, _ = panels.founded(loaded, results, project_root())
    return {
        "run": run_name,
        "commit": revision.git_commit(),
        "date": revision.commit_day() or "",
        "command": f"snakemake --cores 2 --config run={run_name} -- {paper}",
        "environment": provenance.environment(),
        "data": panels.data_hashes(loaded, records) | data_hashes(place(run_name, "instances", paper)),
        "durations": durations(place(run_name) / "benchmarks", paper),
        "timing": sharing(place(run_name, "evidence", paper)),
        "panels": panels.origins(records),
    }


#: Of tables; other files are figures.
TABLES = (".csv", ".tex")


@click.command()
@click.argument("paper")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@RUN
def draw(paper, files, run_name):
    """Write the figures and tables after which FILES are named.

    A figure of PAPER is .svg, .pdf or .png, a table .csv or .tex. One table is of a run and its
    alternatives: alternatives.csv has the verdicts under each alternative, next to the verdicts of the run on
    the same panels with no more seeds, repetitions and budget, and of the whole run.
    """
    from ..study.views import drawable

    loaded = study.load(paper, run_name)
    figures = [file for file in files if file.suffix not in TABLES]
    for name, outputs in by_stem(figures, drawable(loaded.spec["figures"]), "figure", paper).items():
        _figure(loaded, name, outputs)
    tables = [file for file in files if file.suffix in TABLES]
    for name, outputs in by_stem(tables, [*loaded.tables, *OVER_RUNS], "table", paper).items():
        OVER_RUNS.get(name, _table)(loaded, name, outputs)


def _figure(loaded, name, outputs):
    from ..report.figures import draw as drawn

    about = {"run": loaded.run, "commit": revision.git_commit()}
    drawn(loaded.spec, name, place(loaded.run, "evidence", loaded.paper), outputs, about)


def _table(loaded, name, outputs):
    from ..evidence.tables import build_table, write_table

    write_table(build_table(loaded.model, name, place(loaded.run, "evidence", loaded.paper)), outputs)


def _alternatives(loaded, _name, outputs):
    """Verdicts under every alternative of the register, next to the run's own on the same panels.

    The run's own are judged with no more seeds and repetitions and no longer budgets: what another choice
    turns is then not what fewer runs leave open. Beside them are its verdicts at full size.
    """
    from ..evidence.alternatives import write_readings
    from ..judge import under

    paper, run_name = loaded.paper, loaded.run
    full = {e["id"]: e["verdict"] for e in read_json(place(run_name, "claims", f"{paper}.json"))}
    rows, base = [], [place(run_name, "evidence", paper)]
    for name, choice in study.alternatives(loaded.spec).items():
        run = f"{run_name}@{name}"
        tables = [place(run, "evidence", paper), *base]
        rows += under(paper, choice["name"], choice["deviation"], tables, base, run=run)
    for output in outputs:
        write_readings(rows, full, output)


#: Tables that are read from several runs.
OVER_RUNS = {"alternatives": _alternatives}
