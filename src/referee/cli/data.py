"""`projfree data`: list, examine, fetch, add and prepare datasets."""

from pathlib import Path

import click

from referee import study
from referee.common.work import work_root
from referee.data import catalog, fetch, store
from referee.data.doctor import examine, state
from referee.data.errors import DataError

NAMES = click.argument("names", nargs=-1, metavar="NAME…")


class _Group(click.Group):
    """Shows errors about data as one message, without a traceback; commands as they come below."""

    def list_commands(self, context):
        """Commands in the order in which one comes to need them."""
        return list(self.commands)

    def invoke(self, context):
        """Run the command."""
        try:
            return super().invoke(context)
        except DataError as error:
            raise click.ClickException(str(error)) from None


@click.group(cls=_Group, invoke_without_command=True)
@click.option(
    "--mirror", envvar="PROJFREE_MIRROR", help="Folder or http address to try first (PROJFREE_MIRROR)."
)
@click.option(
    "--offline", is_flag=True, envvar="PROJFREE_OFFLINE", help="Never use the network (PROJFREE_OFFLINE=1)."
)
@click.pass_context
def data(context, mirror, offline):
    """List the datasets of the five papers; fetch, add or prepare them.

    Without a command it lists each dataset with its papers, state, size and licence. A state is one of:

    \b
    ready          a raw file is here (or ships with the project, or is in the mirror folder)
    fetchable      `projfree data fetch` can get it
    needs a file   only you can get it: `projfree data add`; its error says how
    stand-in       as above, but stand-in data, marked as such, are used until then

    Raw files are read-only in data/raw/<dataset>/. If the catalog has no hash of a file, its first hash is
    kept in data/downloads.lock.json, and its content is checked against published counts.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    context.obj = store.settings(work_root(), mirror, offline, progress=True)
    if context.invoked_subcommand is None:
        rows = [("dataset", "used by", "state", "size", "licence")]
        for dataset in catalog.datasets(catalog.load()):
            size = sum(f.bytes or 0 for f in dataset.files)
            size = f"{size / 1e6:.1f} MB" if size else "?"
            kind = state(dataset, context.obj)
            rows.append((dataset.name, ",".join(dataset.used_by), kind, size, dataset.licence))
        widths = [max(len(row[i]) for row in rows) for i in range(4)] + [0]
        for row in rows:
            click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


@data.command("doctor")
@NAMES
@click.option("--hash", "hashed", is_flag=True, help="Hash the raw files too; exit code 1 if one is wrong.")
@click.pass_obj
def doctor_(settings, names, hashed):
    """Report which data are real here, and how to get the others.

    It also names the claims that each stand-in affects. Default: all datasets of the full run.

    \b
    real           the official data
    real in part   real, except for what the line below says
    STAND-IN       generated with the published sizes; verdicts on it say so
    not here       `projfree data fetch` can get it; no stand-in is prepared yet
    ABSENT         not here, not available for download, and without a stand-in

    A run uses the real data as soon as they are here; `cure` is the command that replaces a stand-in.
    """  # noqa: D301 - as above
    papers = [study.load(paper, "full") for paper in study.papers()]
    chosen = catalog.datasets(names or dict.fromkeys(name for paper in papers for name in paper.datasets()))
    findings = [examine(dataset, settings) for dataset in chosen]
    for finding in findings:
        name = finding.dataset.name
        click.echo(f"{name}: {finding.kind} ({finding.dataset.title})")
        touched = "; ".join(f"{p.paper} {', '.join(ids)}" for p in papers if (ids := _claims_on(p, name)))
        remarks = {} if finding.kind == "real" else {"claims": touched or "none", **finding.remarks}
        for word, text in remarks.items():
            click.echo(f"  {word + ':':<8}{text}")
    kinds = [finding.kind for finding in findings]
    click.echo(", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)))
    wrong = 0  # "not seen before" is placed by hand and not used yet: fetching checks it and keeps its hash
    for dataset in chosen if hashed else ():
        for file, verdict in fetch.verify(dataset, settings).items():
            click.echo(f"{dataset.name}/{file}: {verdict}")
            wrong += verdict.startswith("WRONG")
    if wrong:
        raise click.ClickException(f"{wrong} wrong; remove and fetch again")


def _claims_on(loaded, dataset):
    """Claims, without their parts, on an experiment that draws from a dataset."""
    from ..judge import asked

    drawing = {name for name in loaded.experiments if loaded.dataset(name) == dataset}
    every = asked(loaded.paper).items()
    return [id.partition("-")[2] for id, panels in every if "." not in id and panels & drawing]


@data.command("fetch")
@NAMES
@click.option("--all", "everything", is_flag=True, help="All datasets that need nothing from you.")
@click.pass_obj
def fetch_(settings, names, everything):
    """Download and verify datasets, from the mirror first.

    Files that are here are verified too. The exit code is 1 if a dataset is not available.
    """
    if not names and not everything:
        raise click.UsageError("name a dataset, or use --all. List them with: projfree data")
    chosen = catalog.datasets(names or catalog.load())
    if everything:
        chosen = [d for d in chosen if state(d, settings) in ("ready", "ready (mirror)", "fetchable")]

    def work(dataset):
        files = fetch.fetch(dataset, settings)
        return ", ".join(str(path) for path in files.values()) or "no files, generated when prepared"

    _each(chosen, work)


def _each(datasets, work) -> None:
    """Do the work for each dataset, report, and exit with 1 at the end if one failed."""
    failed = []
    for dataset in datasets:
        try:
            click.echo(f"{dataset.name}: {work(dataset)}")
        except DataError as error:
            click.echo(f"{dataset.name}: FAILED\n{error}", err=True)
            failed.append(dataset.name)
    if failed:
        raise click.ClickException(f"{len(failed)} failed: {', '.join(failed)}")


@data.command("add")
@click.argument("name")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--as", "as_", metavar="FILE", help="Its name, if the dataset has several files.")
@click.pass_obj
def add_(settings, name, file, as_):
    """Add FILE, which you have, as a file of dataset NAME.

    It is copied if hash, format and content (shape, labels) match the catalog, like a download.
    """
    dataset = catalog.dataset(name)
    click.echo(f"{name}: {fetch.add(dataset, file, settings, as_)}")


@data.command("prepare")
@NAMES
@click.option("--stand-in/--no-stand-in", default=True, help="Whether a stand-in may replace absent data.")
@click.pass_obj
def prepare_(settings, names, stand_in):
    """Turn raw files into data/prepared/NAME.h5; fetch them if absent.

    If a dataset is not available and has a stand-in, the stand-in is written and marked as such.
    """
    if not names:
        raise click.UsageError("name a dataset; `projfree data` lists them")
    from referee.data import prepare  # with readers of all formats, and SciPy

    def work(dataset):
        output = settings.root / "data" / "prepared" / f"{dataset.name}.h5"
        options = {"root": settings.root, "mirror": settings.mirror, "offline": settings.offline}
        attrs = prepare.prepare(dataset, output, allow_stand_in=stand_in, **options)
        return f"{output}{' — STAND-IN' if attrs['stand_in'] else ''}"

    _each(catalog.datasets(names), work)
