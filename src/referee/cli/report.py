"""From tables to drawings, from verdicts to pages and publications."""

from pathlib import Path

import click

from projfree.common import owned, provenance
from projfree.common.atomic_io import atomic_copy, atomic_write
from projfree.common.names import require

from .. import study
from ..common import bounded, ours, revision
from ..common.project import project_root
from ..common.work import work_root
from ..evidence.files import read
from .evidence import not_judged, tried
from .shared import (
    FORCE,
    FROM,
    OUTPUT,
    PATH,
    RUN,
    TABLES,
    Command,
    evidence_of,
    place,
    published,
    renew_times,
    the_one,
)

#: Files of tables; other files are figures.
ENDINGS = ("csv", "tex")


@click.command(cls=Command)
@click.argument("paper")
@click.argument("name", required=False)
@RUN
@TABLES
@click.option(
    "--format", "formats", multiple=True, default=("svg",), show_default=True, help="svg, pdf or png."
)
@OUTPUT
@FORCE
def draw(paper, name, run_name, folders, formats, output):
    """Draw figure or table NAME of PAPER, or all of them into a folder.

    \b
      projfree draw ncgs fig1-left --output fig1-left.pdf
      projfree draw ncgs                        all, to results/quick/drawn/ncgs
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    from ..evidence.tables import build_table, write_table
    from ..report.figures import draw as drawn
    from ..study.views import drawable

    loaded = study.load(paper, run_name)
    folders = list(folders) or evidence_of(loaded)
    about = {"run": run_name, "commit": revision.git_commit()}
    figures = drawable(loaded.spec["figures"])
    if name:
        require([name], [*figures, *loaded.tables], "figure or table", paper)
        output = output or Path(f"{name}.{formats[0] if name in figures else ENDINGS[0]}")
        if name in figures:
            return drawn(loaded.spec, name, folders, [output], about | _taken(folders, loaded, name))
        return write_table(build_table(loaded.model, name, folders), [output])
    output = output or place(run_name, "drawn", paper)
    ours.removed(output, ("figures/*", "tables/*"))
    for stem in loaded.spec["figures"]:
        files = [output / "figures" / f"{stem}.{end}" for end in formats]
        drawn(loaded.spec, stem, folders, files, about | _taken(folders, loaded, stem))
    for stem in loaded.tables:
        files = [output / "tables" / f"{stem}.{end}" for end in ENDINGS]
        write_table(build_table(loaded.model, stem, folders), files)


def _taken(folders, loaded, stem):
    """What a figure says of panels that were not computed here."""
    from ..publish import records
    from ..study.views import drawable, panels_of

    names = {panel["experiment"] for panel in panels_of(drawable(loaded.spec["figures"])[stem], stem)}
    return {"taken": records.taken(records.read(folders), names)}


@click.command(cls=Command)
@click.argument("papers", nargs=-1)
@RUN
@TABLES
@click.option("--claims", type=PATH, help="Verdicts. Default: results/<run>/claims/<paper>.json.")
@click.option(
    "--drawn", type=PATH, help="Folder of figures and tables. Default: results/<run>/drawn/<paper>."
)
@click.option("--alternatives", type=PATH, multiple=True, help="Tables of verdicts under alternatives.")
@OUTPUT
@FROM
def page(papers, run_name, folders, claims, drawn, alternatives, output, reports):
    """Write a paper's report: pages, verdicts, figures, tables, in one folder.

    \b
      projfree page ncgs                        of the quick run, to reports/quick/ncgs
      projfree page --from reports/reference    of the published reports

    With --from, the pages and README.md of PAPERS (default: all) and the overview are written again from the
    published evidence, with each figure and table that is missing.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    if reports:
        return _write_again(reports, papers)
    paper = the_one(papers)
    from ..evidence.published import ALTERNATIVES, read_readings
    from ..judge import with_alternatives, written
    from ..report.rebuild import ABOUT, PARTS, write_from, write_json

    loaded = study.load(paper, run_name)
    folders = list(folders) or evidence_of(loaded)
    claims = claims or place(run_name, "claims", f"{paper}.json")
    drawn = drawn or place(run_name, "drawn", paper)
    if not claims.exists():
        raise FileNotFoundError(not_judged(paper, run_name, claims))
    about = _about(loaded, folders, claims.parents[1] / "benchmarks")  # of the run that was judged
    report = output or work_root() / "reports" / run_name / paper
    owned.require(report / "claims.json", rb'\[\s*\{\s*"id": "%s-' % loaded.model.prefix.encode())
    ours.removed(report, PARTS)
    for path in sorted(drawn.glob("*/*")):
        atomic_copy(path, report / path.relative_to(drawn))
    for path in alternatives:
        atomic_copy(path, report / "tables" / path.name)
    entries = with_alternatives(read(claims, "claims.json"), read_readings(report / ALTERNATIVES))
    atomic_write(report / "claims.json", written(entries))
    atomic_write(report / "verdicts.csv", bounded.content(claims.with_suffix(".csv")).decode("utf-8"))
    write_json(report / ABOUT, about)
    # What people wrote is about the full run: a smaller one need not have its numbers.
    texts = ("messages", "sentences", "tasks") if run_name != "full" else ()
    spec = {key: value for key, value in loaded.spec.items() if key not in texts}
    write_from(spec, report, about, folders, sorted(tried(loaded, folders)))


def _about(loaded, folders, benchmarks) -> dict:
    """Provenance of a page: command, commit, environment, data, durations, what was not computed here."""
    from ..publish import costs, records

    panels = {name: one for name, one in records.read(folders).items() if name in loaded.experiments}
    return {
        "run": loaded.run,
        "commit": revision.git_commit(),
        "date": revision.commit_day() or "",
        "command": f"snakemake --cores 2 --config run={loaded.run} -- {loaded.paper}",
        "environment": provenance.environment(),
        "data": records.data_hashes(loaded, panels),
        "durations": costs.durations(benchmarks, loaded.paper),
        "timing": costs.sharing(folders, panels),
        "panels": records.origins(panels),
        "taken": records.taken(panels),
        "changed since": ", ".join(records.changed(loaded, panels)),
    }


def _write_again(reports, papers):
    from ..publish import records
    from ..report.index import write_index
    from ..report.rebuild import rebuild

    for paper in published(reports, papers):
        evidence = reports / paper / "evidence"
        records.check(evidence)
        index = records.index(evidence)
        changed = records.changed(study.load(paper, index["run"]), index["panels"]) if index else []
        rebuild(reports / paper, {"changed since": ", ".join(changed)} if changed else None)
        origin = records.origins(index.get("panels", {}))
        since = f"; the code or the settings of {len(changed)} panels have changed since" if changed else ""
        click.echo(
            f"wrote {reports / paper / 'index.html'} from published tables: {origin or 'not recorded'}{since}"
        )
    made = [paper for paper in published(reports, ()) if (reports / paper / "index.html").exists()]
    write_index(reports, reports / "index.html", made)


@click.command(cls=Command)
@click.argument("reports", type=PATH, nargs=-1)
@RUN
@OUTPUT
def index(reports, run_name, output):
    """Write the pages over the REPORTS of papers, by default all of the run."""
    from ..report.index import write_index

    usual = work_root() / "reports" / run_name
    reports = reports or [usual / name for name in study.papers() if (usual / name / "index.html").exists()]
    if len(folders := {path.parent for path in reports}) != 1:
        raise click.UsageError(
            f"{run_name}: the papers' reports are not in one folder ({len(folders)} found)"
        )
    (folder,) = folders
    write_index(folder, output or folder / "index.html", [path.name for path in reports])


@click.command()
@click.argument("paper")
@click.option("--run", "run_name", default="full", show_default=True, help="Run to publish.")
@click.option("--before-alternatives", is_flag=True, help="Publish although no alternative was run.")
@click.option("--panels", is_flag=True, help="Only pack the finished panels, for a later sitting.")
@click.option(
    "--again", is_flag=True, help="Judge what is published, with the packed panels, by the claims of today."
)
def publish(paper, run_name, before_alternatives, panels, again):
    """Publish the report of PAPER with its evidence, as the record of a commit.

    The project's README is renewed; `projfree page --from` makes the pages. `publish` refuses uncommitted
    changes, panels that today's code would make anew, unstated choices without the verdicts under their
    alternatives, seconds that were measured once, and seconds of two processors in one panel.

    With --panels, the finished panels of a run, and of its alternatives, are packed next to the evidence of
    PAPER, to be committed. A later sitting, on any machine, goes on with --config published=true. With
    --again, packed panels take the place of published ones, and all claims are judged by today's code.
    """
    from ..publish import records
    from ..report.rebuild import ABOUT, rebuild, rejudge, tell, write_json
    from ..report.rebuild import publish as copy

    root, loaded = project_root(), study.load(paper, run_name)
    if again:  # the verdicts as today's judge finds them; the evidence stays
        reports, commit = work_root() / "reports" / "reference", revision.git_commit()
        published(reports, [paper])
        if commit == revision.UNKNOWN or commit.endswith("+changes"):
            why = f"judged by sources that no commit has ({commit})"
            raise ValueError(f"{paper} is not to be published: {why}")
        evidence = reports / paper / "evidence"
        records.check(evidence)
        today = study.load(paper, records.index(evidence)["run"])
        renewed = records.join(today, evidence)
        made = records.index(evidence)["panels"]
        about = {"panels": records.origins(made), "data": records.data_hashes(today, made)}
        rejudge(reports / paper, about | {"judged_by": commit}, today.spec, renewed)
        records.clear(evidence)
        return tell(work_root() / "README.md", reports)
    if panels:
        names = () if "@" in run_name else study.alternatives(loaded.spec)
        runs = [run_name, *(f"{run_name}@{name}" for name in names if place(f"{run_name}@{name}").exists())]
        for each in (study.load(paper, run) for run in runs):
            new = records.pack(each, evidence_of(each), root)
            there = records.published(each, root, work_root())
            of = f"{len(there)} of {sum(map(len, each.units().values()))}"
            click.echo(f"{paper} ({each.run}): {len(new)} panels packed, {of} are published")
        return None
    from ..evidence.published import keep
    from ..judge import written
    from ..publish import costs

    report, reference = work_root() / "reports" / run_name / paper, root / "reports" / "reference" / paper
    if not (report / "index.html").is_file():
        raise FileNotFoundError(f"{paper} ({run_name}) has no report yet: make replicate TARGETS={paper}")
    folders = evidence_of(loaded)
    made = records.read(folders)
    if wrong := records.refusals(loaded, report, made, before_alternatives):
        raise ValueError("\n".join([f"{paper} ({run_name}) is not to be published:", *wrong]))
    keep(loaded.spec, folders, list(tried(loaded, folders)), report / "evidence")
    records.write(report / "evidence", loaded, records.as_published(made))
    # What was taken from there is there again: the record of each panel names its commit.
    entries = read(report / "claims.json", "claims.json")
    entries = [{key: value for key, value in e.items() if key != records.TAKEN} for e in entries]
    atomic_write(report / "claims.json", written(entries))
    write_json(report / ABOUT, read(report / ABOUT) | {records.TAKEN: ""})
    rebuild(report)  # now with links to the evidence
    copy(report, reference, root / "README.md", paper)
    costs.save(loaded, place(run_name), reference / "costs.json")
    renew_times()
    return None
