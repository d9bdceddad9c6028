"""A run's reports as one file that can be cited."""

import os
from datetime import UTC, datetime
from pathlib import Path

import click

from projfree.ground.names import require

from .. import study
from ..ground import revision
from ..ground.ours import NotOurs
from ..ground.project import project_root
from ..ground.work import work_root
from .shared import RUN, made_by, place

#: What is archived beside the reports: the study, what it runs in, how it is cited.
KEPT = ("requirements.lock", "pyproject.toml", "CITATION.cff", "LICENSE", "data/downloads.lock.json")


@click.command()
@click.argument("papers", nargs=-1)
@RUN
@click.option("--output", type=click.Path(path_type=Path), help="File to write. Default: reports/<run>.zip.")
@click.option(
    "--date",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Date of publication. Default: SOURCE_DATE_EPOCH, or the day of the commit.",
)
def archive(papers, run_name, output, date):
    """Write the reports of PAPERS (default: all) as one citable zip.

    The RO-Crate holds pages, tables, figures, the results tables that verdicts were computed from, the study,
    the lock of the environment, and the address, size and hash of each dataset. Unpacked,
    `projfree judge --from report` computes the verdicts again. Equal reports give equal bytes.
    """
    from ..report.archive import is_archive, write_archive

    reports = work_root() / "reports" / run_name
    known = [
        path.parent.name
        for path in sorted(reports.glob("*/index.html"))
        if path.parent.name in study.papers()
    ]
    if not known:
        again = "make pages" if run_name == "reference" else made_by(run_name)
        raise FileNotFoundError(f"{run_name} has no reports yet (no {reports}). Make them with: {again}")
    require(papers, known, "paper", str(reports))
    papers = list(dict.fromkeys(papers)) or known
    about = _about(papers, run_name, date or _date())
    for paper in papers:
        _with_evidence(paper, run_name, reports / paper / "evidence")
    output = output or reports.with_suffix(".zip")
    if output.exists() and not is_archive(output):
        raise NotOurs(output.parent, output.name)
    count = write_archive(reports, papers, _project(), about, output)
    click.echo(f"wrote {output}: {count} files, {output.stat().st_size / 1e6:.1f} MB")


def _with_evidence(paper, run_name, folder):
    """Put the tidy tables beside a report that was not published, as publishing does."""
    from ..evidence.published import keep

    tables = place(run_name, "evidence", paper)
    if tables.is_dir():
        keep(study.load(paper, run_name).spec, tables, place(run_name, "tuning", paper), folder)
    elif not folder.is_dir():
        click.echo(f"{paper}: published without evidence, so archived without", err=True)


def _project():
    """Name in the archive → file of the project."""
    from ..report.archive import within

    root = project_root()
    paths = [*(root / name for name in KEPT), *(root / "config").rglob("*"), *root.glob("papers/**/*.yaml")]
    return {path.relative_to(root).as_posix(): path for path in within(root, paths)}


def _about(papers, run_name, date):
    from ..study import files

    cite = files.read(project_root() / "CITATION.cff")
    return {
        "name": cite["title"],
        "description": f"Verdicts, figures and evidence of the {run_name} run: {', '.join(papers)}.",
        "version": str(cite["version"]),
        "date": f"{date:%Y-%m-%d}",
        "licence": cite["license"],
        "authors": [_person(author) for author in cite["authors"]],
        "datasets": list(_datasets({paper: _used(paper, run_name) for paper in papers})),
    }


def _person(author):
    return author.get("name") or f"{author['given-names']} {author['family-names']}"


def _date():
    """The day told by the environment, else of the commit: an archive does not depend on when it is made."""
    if told := os.environ.get("SOURCE_DATE_EPOCH"):
        return _of_epoch(told)
    if day := revision.commit_day():
        return datetime.fromisoformat(day)
    raise click.UsageError(
        f"{project_root().resolve()} is not a git checkout, so the archive has no date: "
        "give --date YYYY-MM-DD or set SOURCE_DATE_EPOCH"
    )


def _of_epoch(seconds):
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise click.UsageError(f"SOURCE_DATE_EPOCH: not seconds since 1970: {seconds!r}") from error


def _used(paper, run_name):
    """The datasets of a paper's experiments, under the run that its report is of."""
    from ..report.page import read_context

    page = work_root() / "reports" / run_name / paper / "index.html"
    loaded = study.load(paper, read_context(page)["run"])
    return {loaded.dataset(experiment) for experiment in loaded.experiments}


def _datasets(used):
    """Each dataset that a paper uses, with its official files."""
    from ..data import catalog

    rows = {name: row for name, row in catalog.load().items() if name in set().union(*used.values())}
    for name, row in rows.items():
        yield {
            "name": name,
            "title": row.title,
            "license": row.licence,
            "citation": row.citation,
            "papers": [paper for paper, names in used.items() if name in names],
            "files": [_official(file) for file in row.files],
        }


def _official(file):
    address = next((source.address for source in file.addresses if not source.login), None)
    return {"name": file.name, "bytes": file.bytes, "sha256": file.sha256, "address": address}
