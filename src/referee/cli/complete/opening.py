"""Where the ratings of a command are: in memory, on disk, or with the workers of Dask."""

import contextlib
from tempfile import TemporaryDirectory

import click

from projfree.completion.prepared import half_of_the_machine
from projfree.linalg.scratch import rooms_in

from .preparing import prepare_ratings
from .tables import read_ratings

TIMES = {".gz": 60, ".bz2": 80}  # bytes in memory for a byte of a table while it is read, by what packs it
PLAIN = 15


@contextlib.contextmanager
def opened(table, asked: dict, output, memory=None, workers=None, scheduler=None):
    """The ratings of a table, (path, columns, duplicates), as `fit_path` takes them.

    Under a bound, `memory` bytes, long vectors of the solver are in files below `output`; and so are the
    ratings, in blocks, where reading them would take more than half of it, or of the machine's where there
    is none. With `workers`, a number, or a `scheduler`, they are with Dask.
    """
    needed = table[0].stat().st_size * TIMES.get(table[0].suffix, PLAIN)
    most = memory // 2 if memory else half_of_the_machine()
    on_disk = workers or scheduler or needed > most
    if not (on_disk or memory):
        yield read_ratings(*table, **asked)
        return
    output.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="ratings-", dir=output) as folder, rooms_in(folder):
        if not on_disk:  # the solver's long vectors are there alone
            yield read_ratings(*table, **asked)
            return
        click.echo(f"Ratings stay on disk: in memory they take up to {needed / 1e9:.2g} GB.")
        prepared = prepare_ratings(table[0], folder, *table[1:], **asked)
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
        way = "pip install projfree[distributed]"
        raise click.ClickException(f"--workers and --scheduler need Dask: {way}") from None
    with contextlib.ExitStack() as stack:
        where = scheduler or stack.enter_context(LocalCluster(n_workers=workers, threads_per_worker=1))
        # of a foreign cluster the scheduler alone may be within reach
        client = stack.enter_context(Client(where, direct_to_workers=not scheduler))
        click.echo(f"Dask: {len(client.nthreads())} workers; dashboard {client.dashboard_link}")
        yield client
