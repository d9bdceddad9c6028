"""Completion by Dask: the bits of one machine with any number of workers, and where one is killed."""

import os
import signal
from collections import Counter

import numpy as np
import pytest
from distributed import Client, LocalCluster

from projfree.completion import blocks
from projfree.completion.blocks import Division
from projfree.completion.fitting import Part, Setting
from projfree.completion.prepared import Prepared
from projfree.completion.ratings import Ratings
from projfree.distributed import engine
from projfree.distributed.engine import DaskSweeps, Distributed, group_size
from projfree.linalg import partition
from ratings.tables import read_ratings
from referee.data import catalog, fetch, store
from referee.data.errors import Unavailable


@pytest.fixture(scope="module")
def ratings():
    """300 × 50, of rank 3 with noise, half of it seen, in some 15 blocks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partition, "LEAST", 500)
        rng = np.random.default_rng(4)
        truth = 3 + rng.standard_normal((300, 3)) @ rng.standard_normal((3, 50))
        rows, cols = (places.astype(np.int32) for places in np.nonzero(rng.random(truth.shape) < 0.5))
        values = np.round(2 * truth[rows, cols]) / 2
        names = [np.array([f"{what}{k}" for k in range(size)]) for what, size in (("u", 300), ("i", 50))]
        yield Ratings(rows, cols, values.astype(np.float32), *names)


@pytest.fixture(scope="module")
def prepared(ratings, tmp_path_factory):
    folder = tmp_path_factory.mktemp("prepared")
    return Prepared.write(folder, ratings.blocks(), ratings.users, ratings.items)


def fitted(sweeps):
    """Two outer steps, offsets and who rated what among them."""
    return Part(sweeps, Setting(most_steps=2)).solve(30.0, 1e-2)


@pytest.fixture(scope="module")
def wanted(ratings):
    fit = fitted(ratings.sweeps())
    assert fit.rank > 2 and fit.relative_gap < 0.1
    return fit


def cluster(workers):
    return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)


def same(fit, wanted):
    for name in ("U", "V", "row_offset", "column_offset"):
        np.testing.assert_array_equal(getattr(fit, name), getattr(wanted, name))
    assert fit.relative_gap == wanted.relative_gap and fit.polar_ratio == wanted.polar_ratio


@pytest.mark.parametrize("workers", [2, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 4))])
def test_the_bits_are_those_of_one_process(ratings, prepared, wanted, workers):
    with cluster(workers) as local, Client(local) as client:
        source = Distributed(prepared, client)
        sweeps = source.sweeps()
        assert len(sweeps.groups) >= 2 * workers and len(sweeps.placed()) == workers
        same(fitted(sweeps), wanted)
        division = Division(0, 3, 1, True)
        ours, theirs = (each.sweeps(division).run(blocks.counts, (), (), 50) for each in (source, ratings))
        np.testing.assert_array_equal(ours[0], theirs[0])
        assert ours[1][1] == theirs[1][1] and source.scale == ratings.scale


@pytest.mark.parametrize(
    ("killed", "task", "call"),
    [
        (1, blocks.errors_transposed, 2),  # factors that are kept are lost
        pytest.param(2, blocks.gradients, 9, marks=pytest.mark.long),  # all in the middle of a descent
    ],
)
def test_what_killed_workers_had_is_made_again(killed, task, call, prepared, wanted, monkeypatch):
    calls, alive, run = Counter(), {}, DaskSweeps.run

    def killing(sweeps, asked, *arguments):
        calls[asked] += 1
        if asked is task and calls[task] == call:
            alive.update(sweeps.client.run(os.getpid))
            for process in list(alive.values())[:killed]:
                os.kill(process, signal.SIGKILL)
        return run(sweeps, asked, *arguments)

    monkeypatch.setattr(DaskSweeps, "run", killing)
    monkeypatch.setattr(engine, "SMALL", 5000)  # some factors are results on workers, and lost with one
    with cluster(2) as local, Client(local, direct_to_workers=True) as client:
        same(fitted(Distributed(prepared, client).sweeps()), wanted)
        assert len(alive) == 2 and len(set(alive) & set(client.nthreads())) <= 2 - killed


def test_factors_of_errors_are_sent_once(ratings, prepared, monkeypatch):
    sent, result = Counter(), DaskSweeps.result

    def counting(sweeps, side, *place):
        sent["rows"] += len(side)
        return result(sweeps, side, *place)

    monkeypatch.setattr(DaskSweeps, "result", counting)
    with cluster(1) as local, Client(local) as client:
        U, V = (np.ones((side, 3)) for side in ratings.shape)
        sources = Distributed(prepared, client), ratings
        problems = [Part(source.sweeps(), Setting(implicit=0.0)).problem for source in sources]
        sent.clear()
        answer, wanted = (p.gradient(p.slopes(p.image(U, V))) for p in problems)
        for _ in range(3):
            np.testing.assert_array_equal(answer.matmat(V), wanted.matmat(V))
        assert sent["rows"] == sum(ratings.shape)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_the_certificate_of_movielens_is_that_of_one_process(tmp_path, workers):
    try:
        asked = catalog.dataset("movielens-1m"), store.settings(tmp_path, offline=True)
        (path,) = fetch.fetch(*asked).values()
    except Unavailable:
        pytest.skip("no mirror has MovieLens 1M")
    ratings = read_ratings(path)
    folder = tmp_path / "prepared"
    folder.mkdir()
    prepared = Prepared.write(folder, ratings.blocks(), ratings.users, ratings.items)
    setting = Setting(implicit=0.0, most_steps=2)
    wanted = Part(ratings.sweeps(), setting).solve(80.0, 1e-2)
    with cluster(workers) as local, Client(local) as client:
        same(Part(Distributed(prepared, client).sweeps(), setting).solve(80.0, 1e-2), wanted)


def test_groups_are_aligned_and_enough():
    assert [group_size(blocks, 4) for blocks in (1, 4, 7, 8, 13, 16, 100)] == [1, 1, 2, 2, 4, 4, 32]
