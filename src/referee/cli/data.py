"""`projfree data`: see, fetch, verify, add and prepare datasets."""

from pathlib import Path

import click

from referee import study
from referee.data import catalog, fetch, store
from referee.data.doctor import examine, state
from referee.data.errors import DataError
from referee.ground.project import project_root

NAMES = click.argument("names", nargs=-1, metavar="NAME…")


class _Group(click.Group):
    """Shows errors about data as one message, without a traceback."""

    def invoke(self, context):
        """Run the command."""
        try:
            return super().invoke(context)
        except DataError as error:
            raise click.ClickException(str(error)) from None


@click.group(cls=_Group)
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=project_root,
    show_default="the one this is called in",
    help="Project folder with config/datasets.yaml.",
)
@click.option(
    "--mirror", envvar="PROJFREE_MIRROR", help="Folder or http address asked first (PROJFREE_MIRROR)."
)
@click.option(
    "--offline", is_flag=True, envvar="PROJFREE_OFFLINE", help="Never use the network (PROJFREE_OFFLINE=1)."
)
@click.pass_context
def data(context, root, mirror, offline):
    """See, fetch, verify, add and prepare the datasets of the five papers.

    \b
    projfree data list                 what there is, what is here, what needs you
    projfree data fetch covertype      mirror first, then the official addresses; verified
    projfree data add aloi ~/aloi.bz2  a file you have: verified the same way, then used
    projfree data verify               hash every raw file again
    projfree data prepare covertype    raw file -> data/prepared/covertype.h5
    projfree data doctor               which are real here, what each stand-in costs, how to make it real

    Raw files live read-only in data/raw/<dataset>/. Where the catalog cannot know a hash, the first
    one seen is kept in data/downloads.lock.json, and the content is checked against published counts.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    context.obj = store.settings(root, mirror, offline, progress=True)


def _chosen(settings, names):
    return catalog.datasets(names or catalog.load(settings.root), settings.root)


@data.command("list")
@click.pass_obj
def list_(settings):
    """Show all datasets: who uses them, their state, size and licence.

    \b
    ready          a raw file is here (or ships with the project, or is in the mirror folder)
    fetchable      `projfree data fetch` can get it
    needs a file   only you can get it: `projfree data add`; its error tells how
    stand-in       as above, but a declared stand-in is used, and stamped, meanwhile
    """  # noqa: D301 - as above
    rows = [("dataset", "used by", "state", "size", "licence")]
    for dataset in _chosen(settings, ()):
        size = sum(f.bytes or 0 for f in dataset.files)
        rows.append(
            (dataset.name, ",".join(dataset.used_by), state(dataset, settings), _size(size), dataset.licence)
        )
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    for row in rows:
        click.echo(
            "  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[4]]).rstrip()
        )


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size else "?"


@data.command("doctor")
@NAMES
@click.option("--run", default="full", show_default=True, help="Whose experiments and claims are meant.")
@click.pass_obj
def doctor_(settings, names, run):
    """Tell which datasets of the study are real here, which claims a stand-in touches, and what cures it.

    \b
    real           the official data
    real in part   real, but for what the line below it says
    STAND-IN       generated with the published sizes; verdicts on it say so and prove nothing of the data
    not here       `projfree data fetch` can try; no stand-in is prepared yet
    ABSENT         neither here nor to be fetched, and without a stand-in

    A run takes the real data by itself once they are there; the command of a cure replaces a stand-in.
    """  # noqa: D301 - as above
    papers = [study.load(paper, run, settings.root) for paper in study.papers(settings.root)]
    wanted = dict.fromkeys(name for paper in papers for name in paper.datasets())
    found = [examine(dataset, settings) for dataset in _chosen(settings, names or wanted)]
    for finding in found:
        name = finding.dataset.name
        click.echo(f"{name}: {finding.kind} ({finding.dataset.title})")
        touched = "; ".join(f"{p.paper} {', '.join(ids)}" for p in papers if (ids := p.claims_on(name)))
        told = {} if finding.kind == "real" else {"claims": touched or "none", **finding.remarks}
        for word, text in told.items():
            click.echo(f"  {word + ':':<8}{text}")
    kinds = [finding.kind for finding in found]
    click.echo(", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)))


@data.command("fetch")
@NAMES
@click.option("--all", "everything", is_flag=True, help="All datasets that can be had without you.")
@click.pass_obj
def fetch_(settings, names, everything):
    """Download datasets: mirror first, then the official addresses; verified, read-only.

    Exits with 1 if one of the datasets cannot be had, after trying them all.
    """
    if not names and not everything:
        raise click.UsageError("name a dataset, or say --all; `projfree data list` shows them")
    chosen = _chosen(settings, names)
    if everything:
        chosen = [d for d in chosen if state(d, settings) in ("ready", "ready (mirror)", "fetchable")]
    _each(chosen, lambda dataset: _paths(fetch.fetch(dataset, settings)))


def _paths(files) -> str:
    return ", ".join(str(path) for path in files.values()) or "no files, generated when prepared"


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


@data.command("verify")
@NAMES
@click.pass_obj
def verify_(settings, names):
    """Hash the raw files again and compare with catalog and records (all datasets, or those named).

    Exits with 1 if a file is wrong. 'not seen before' means placed by hand and not used yet: `fetch` it to
    check its content and keep its hash.
    """
    wrong = 0
    for dataset in _chosen(settings, names):
        for file, verdict in fetch.verify(dataset, settings).items():
            if names or verdict != "absent":
                click.echo(f"{dataset.name}/{file}: {verdict}")
            wrong += verdict.startswith("WRONG")
    if wrong:
        raise click.ClickException(f"{wrong} wrong; remove and fetch again")


@data.command("add")
@click.argument("name")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--as", "as_", metavar="FILE", help="Which file of the dataset it is, where there are several.")
@click.pass_obj
def add_(settings, name, file, as_):
    """Put a file that you have in the place of a download, verified like one.

    It is copied; hash, format and content (shape, labels) must fit the catalog, or nothing is added.
    """
    dataset = catalog.dataset(name, settings.root)
    click.echo(f"{name}: {fetch.add(dataset, file, settings, as_)}")


@data.command("prepare")
@NAMES
@click.option(
    "--stand-in/--no-stand-in", default=True, help="Whether a declared stand-in may take the place."
)
@click.pass_obj
def prepare_(settings, names, stand_in):
    """Turn raw files into data/prepared/NAME.h5, fetching what is absent.

    If a dataset cannot be had and has a stand-in, that is written, marked as such inside.
    """
    if not names:
        raise click.UsageError("name a dataset; `projfree data list` shows them")
    from referee.data import prepare  # with readers of all formats, and SciPy

    def work(dataset):
        output = settings.root / "data" / "prepared" / f"{dataset.name}.h5"
        options = {"root": settings.root, "mirror": settings.mirror, "offline": settings.offline}
        attrs = prepare.prepare(dataset.name, output, allow_stand_in=stand_in, **options)
        return f"{output}{' — STAND-IN' if attrs['stand_in'] else ''}"

    _each(_chosen(settings, names), work)


@data.command("sample")
@click.option(
    "--output", type=click.Path(path_type=Path), help="Default: data/samples/covertype-sample.csv.gz."
)
@click.pass_obj
def sample_(settings, output):
    """Make the shipped sample of covertype again from the whole file (same bytes each time)."""
    from referee.data import sample

    dataset = catalog.dataset("covertype", settings.root)
    (raw,) = fetch.fetch(dataset, settings).values()
    output = output or settings.root / "data" / "samples" / "covertype-sample.csv.gz"
    click.echo(f"{output}: {sample.make_sample(raw, output)} rows")
