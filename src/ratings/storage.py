"""Storage of a command's ratings: in memory, on disk in blocks, or with Dask's workers."""

import contextlib
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import numpy as np
import pandas as pd

from projfree.completion.prepared import Prepared, half_of_the_machine
from projfree.completion.ratings import Meaning, Ratings
from projfree.linalg.scratch import rooms_in

from .tables import Reading, enough, in_order, rated, read_ratings

TIMES = {
    ".gz": 60,
    ".bz2": 80,
    ".zip": 60,
}  # bytes in memory for a byte of a table while it is read, by what packs it
PLAIN = 15
#: Of workers on this machine. Who reaches Dask and has its key may run code; its own default is no key, and a
#: dashboard for the whole network. These keys are made anew and kept in memory.
OWN = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "security": True, "threads_per_worker": 1}
USERS = 4096  # whose ratings are sorted together
SPILLED = np.dtype([("row", "i4"), ("col", "i4"), ("value", "f8"), ("line", "i8")])
SORTED = {"rows": np.int32, "cols": np.int32, "values": np.float32}


@contextlib.contextmanager
def opened(table, asked: dict, output, memory=None, workers=None, scheduler=None):
    """The ratings of a table, (path, columns, duplicates), as `fit_path` takes them.

    Under a bound, `memory` bytes, long vectors of the solver are in files below `output`; and so are the
    ratings, in blocks, if reading them would take more than half of it, or of the machine's memory if it is
    not given. With `workers`, a number, or a `scheduler`, they are with Dask.
    """
    times = asked.get("times")
    needed = table[0].stat().st_size * TIMES.get(table[0].suffix, PLAIN)
    most = memory // 2 if memory else half_of_the_machine()
    on_disk = workers or scheduler or needed > most
    if on_disk and times:
        why = "without --workers and --scheduler, and with more --memory if there is a bound"
        raise click.ClickException(f"--times needs the ratings in memory: {why}")
    if not (on_disk or memory):
        yield read_ratings(*table, **asked)
        return
    output.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="ratings-", dir=output) as folder, rooms_in(folder):
        if not on_disk:  # the solver's long vectors are there alone
            yield read_ratings(*table, **asked)
            return
        click.echo(f"Ratings stay on disk: in memory they take up to {needed / 1e9:.2g} GB.")
        plain = {name: value for name, value in asked.items() if name != "times"}
        prepared = prepare_ratings(table[0], folder, *table[1:], **plain)
        if workers or scheduler:
            with _client(workers, scheduler) as client:
                from projfree.distributed.engine import Distributed, forget

                yield Distributed(prepared, client)
                client.run(forget)
        else:
            yield prepared


@contextlib.contextmanager
def _client(workers, scheduler):
    """A client of Dask, of the scheduler or of processes that end with it."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        way = 'pip install ".[distributed]" in its folder'
        raise click.ClickException(f"--workers and --scheduler need Dask: {way}") from None
    with contextlib.ExitStack() as stack:
        where = scheduler or stack.enter_context(LocalCluster(n_workers=workers, **OWN))
        # of a foreign cluster the scheduler alone may be within reach
        client = stack.enter_context(Client(where, direct_to_workers=not scheduler))
        click.echo(f"Dask: {len(client.nthreads())} workers; dashboard {client.dashboard_link}")
        yield client


def prepare_ratings(path, folder, columns=None, duplicates="error", **how) -> Prepared:
    """The ratings that `read_ratings` reads, prepared in a folder.

    A text is read some lines at a time, and its ratings are sorted by users in files next to it; HDF5 and
    Parquet are read at once. Raises FormatError.
    """
    users, items, how = {}, {}, Reading(columns, duplicates, **how)
    with TemporaryDirectory(dir=folder) as scratch:
        scratch, lines, meaning = Path(scratch), 0, Meaning()
        tables, message = how.pieces(path)
        for table in tables:
            lines += len(table["line"])
            table, values = rated(path, table, message, how, tell=lambda text: None)
            meaning.add(values)
            places = (_numbered(known, table[n]) for known, n in ((users, "user"), (items, "item")))
            _spill(scratch, *places, values, table["line"])
        names = [np.array([*known], dtype=object) for known in (users, items)]
        how.meant(path, meaning)
        parts = [_sorted(path, part, scratch, names, duplicates) for part in sorted(scratch.glob("[0-9]*"))]
        ratings = Ratings(*(np.memmap(scratch / n, kind, "r") for n, kind in SORTED.items()), *names)
        enough(path, ratings, meaning)
        if left_out := lines - sum(parts):
            how.tell(f"{left_out:,} of {lines:,} lines are left out: they have no rating")
        return Prepared.write(folder, ratings.blocks(), *names)


def _numbered(known: dict, texts) -> np.ndarray:
    """Numbers of texts in the order in which they were first seen."""
    codes, numbers = pd.factorize(texts)
    return np.array([known.setdefault(text, len(known)) for text in numbers], np.int32)[codes]


def _spill(scratch, rows, cols, values, lines):
    """Append ratings to the files of their users."""
    held = np.empty(len(rows), SPILLED)
    held["row"], held["col"], held["value"], held["line"] = rows, cols, values, lines
    for part in np.unique(rows // USERS):
        with open(scratch / f"{part:06d}", "ab") as file:
            file.write(held[rows // USERS == part].tobytes())


def _sorted(path, part, scratch, names, duplicates) -> int:
    """Append the ratings of some users to the sorted ones; how many lines they had."""
    held = np.fromfile(part, SPILLED)
    part.unlink()
    places = (held[field] for field in ("row", "col", "value", "line"))
    *arrays, _ = in_order(path, *places, *names, duplicates, held["line"])
    for name, array in zip(SORTED, arrays, strict=True):
        with open(scratch / name, "ab") as file:
            file.write(array.tobytes())
    return len(held)
