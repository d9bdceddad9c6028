"""`projfree complete` where the ratings stay on disk or are with Dask: the same model, in bounded memory."""

import os
import subprocess
import sys

import h5py
import numpy as np
import pytest
from click.testing import CliRunner

from projfree.linalg import scratch
from ratings import storage
from ratings.storage import prepare_ratings
from ratings.tables import read_ratings
from referee.cli import main
from referee.data.errors import FormatError


@pytest.fixture
def file(tmp_path):
    """900 ratings, not in the order of users."""
    rng = np.random.default_rng(3)
    truth = 3 + 1.5 * rng.standard_normal((60, 2)) @ rng.standard_normal((2, 30))
    pairs = rng.permutation(np.argwhere(rng.random((60, 30)) < 0.5))
    path = tmp_path / "mine.csv"
    lines = (f"u{i},i{j},{np.round(2 * truth[i, j]) / 2}" for i, j in pairs)
    path.write_text("user,item,rating\n" + "\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("memory", [None, 10**9])
def test_a_bound_has_long_vectors_in_files_where_the_ratings_are_in_memory(file, tmp_path, memory):
    with storage.opened((file,), {}, tmp_path / "out", memory=memory) as ratings:
        long = scratch.room((scratch.LEAST,))
    assert len(ratings.values) == ratings.n and isinstance(long.base, np.memmap) == bool(memory)


@pytest.mark.parametrize("users", [7, 4096])
def test_what_is_prepared_is_what_is_read(file, tmp_path, monkeypatch, users):
    monkeypatch.setattr(storage, "USERS", users)
    ratings, prepared = read_ratings(file), prepare_ratings(file, tmp_path)
    assert prepared.users.tolist() == ratings.users.tolist() and prepared.scale == ratings.scale
    blocks = map(prepared.blocks.block, range(len(prepared.index)))
    for ours, theirs in zip(ratings.blocks(), blocks, strict=True):
        for name in ("indptr", "cols", "values"):
            np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
    assert sorted(os.listdir(tmp_path)) == ["blocks.bin", "index.h5", "mine.csv"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,x,1\na,y,2\nb,x,3\na,x,4\n", "r.csv:4: user 'a' rates item 'x' again"),
        ("a,x,1\nb,x,good\n", "r.csv:2: rating (column 3) 'good' is not a number"),
        ("a,x,1\na,y,2\n", "only one user, 'a'"),
        ("a,x,1\nb,y,1\n", "all ratings are 1"),
        ("a,x,100000001\nb,y,100000003\n", "which goes by 8 there; subtract 100000002 from all"),
        ("a,x,1\nb,y,0\nc,y,2\n", "1 of 3 ratings are 0, the others go from 1 to 2: say --zeros missing"),
    ],
)
def test_faults_are_told_as_ever(tmp_path, text, message):
    path = tmp_path / "r.csv"
    path.write_text(text)
    with pytest.raises(FormatError) as told:
        prepare_ratings(path, tmp_path)
    assert message in str(told.value)


def test_lines_without_a_rating_are_counted(tmp_path):
    path, told = tmp_path / "r.csv", []
    path.write_text("a,x,1\nb,x,NA\nb,y,3\n")
    assert prepare_ratings(path, tmp_path, drop_missing=True, tell=told.append).n == 2
    assert told == ["1 of 3 lines are left out: they have no rating"]
    path.write_text("a,x,\nb,y,NA\n")
    with pytest.raises(FormatError, match="holds no rating"):
        prepare_ratings(path, tmp_path, drop_missing=True)


def completed(file, *options):
    asked = ["complete", str(file), "--weights", "9,3", "--folds", "2", *options]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0, done.output
    with h5py.File(file.with_name("mine.csv-completed") / "model.h5") as model:
        arrays = [model[name][()] for name in ("U", "V", "row_offset", "path/rmse")]
    return done.output, arrays, sorted(os.listdir(file.with_name("mine.csv-completed")))


def same(arrays, wanted):
    for array, other in zip(arrays, wanted, strict=True):
        np.testing.assert_array_equal(array, other)


def test_the_command_stays_on_disk_where_memory_would_not_do(file, monkeypatch):
    told, arrays, _ = completed(file, "--memory", "20GB")
    assert "on disk" not in told
    monkeypatch.setattr(storage, "PLAIN", 1_000_000)
    told, again, left = completed(file, "--memory", "20GB", "--threads", "2")
    assert "Ratings stay on disk: in memory they take up to" in told and left == ["index.html", "model.h5"]
    same(again, arrays)
    for memory, why in (("much", "'much' is not a size such as 2GB"), ("1MB", "the bound is 0.00 GB")):
        done = CliRunner().invoke(main, ["complete", str(file), "--memory", memory])
        assert done.exit_code and why in done.output


@pytest.mark.slow
def test_the_command_starts_workers(file):
    few = "--weights", "5", "--tol", "0.1", "--implicit", "0"
    _, arrays, _ = completed(file, *few)
    assert arrays[0].shape[1] > 0
    told, again, _ = completed(file, *few, "--workers", "1")
    assert "Dask: 1 workers" in told
    same(again, arrays)


@pytest.mark.slow
def test_workers_of_this_machine_listen_to_it_alone_and_to_who_has_their_key():
    psutil, distributed = pytest.importorskip("psutil"), pytest.importorskip("distributed")
    me = psutil.Process()

    def listeners():
        sockets = [s for p in (me, *me.children(recursive=True)) for s in p.net_connections("inet")]
        return {s.laddr for s in sockets if s.status == psutil.CONN_LISTEN}

    before = listeners()  # of other tests
    with storage._client(1, None) as client:
        listening = {address.ip for address in listeners() - before}
        assert listening == {"127.0.0.1"} and "//127.0.0.1:" in client.dashboard_link
        address = client.scheduler.address
        assert address.startswith("tls://")
        none, others = distributed.Security(), distributed.Security.temporary()
        for where, keys in ((address.replace("tls", "tcp"), none), (address, others)):
            with pytest.raises(OSError):
                distributed.Client(where, security=keys, timeout=2)


#: Peak of anonymous memory over a gradient and products, of ratings that are never all in memory.
PEAK = """
import sys, tempfile, threading, time
import numpy as np
from projfree.completion.blocks import Block
from projfree.completion.budget import anonymous
from projfree.completion.fitting import Part, Setting
from projfree.completion.prepared import Prepared

def blocks(count, rng=np.random.default_rng(0)):
    for _ in range(count):
        cols = np.sort(rng.integers(0, 499, (1000, 250), np.int32) * 2 + np.arange(250) % 2, axis=1).ravel()
        values = rng.integers(1, 6, cols.size).astype(np.float32)
        yield Block(np.arange(1001) * 250, cols, values)

def names(count):
    return np.arange(count).astype(str)

def work(count):
    with tempfile.TemporaryDirectory(dir=sys.argv[1]) as folder:
        prepared = Prepared.write(folder, blocks(count), names(1000 * count), names(1000))
        part = Part(prepared.sweeps(), Setting(implicit=0.0))
        U, V = (np.ones((side, 2)) for side in part.problem.shape)
        part.problem.factor_gradients(U, V)
        part.problem.gradient(part.problem.slopes(part.problem.image(U, V))).matvec(V[:, 0])

peak, done = 0, False
def watch():
    global peak
    while not done:
        peak = max(peak, anonymous())
        time.sleep(0.002)

work(1)
watcher = threading.Thread(target=watch)
watcher.start()
for count in (4, 16):
    peak = 0
    work(count)
    print(peak)
done = True
"""


@pytest.mark.slow
def test_memory_does_not_grow_with_the_ratings(tmp_path):
    done = subprocess.run([sys.executable, "-c", PEAK, tmp_path], capture_output=True, text=True, check=True)
    small, large = map(int, done.stdout.split())
    held = 12 * 12_000 * 250  # bytes that 3 million more ratings take in memory
    assert large - small < held / 3, (small, large)
