"""HDF5 files that are whole or not there, and that tell when they were damaged."""

import fcntl
import gc
import os
import stat
import subprocess
import sys
import threading

import h5py
import numpy as np
import pytest

from projfree.common import atomic_io
from projfree.common.atomic_io import DamagedFile, atomic_copy, atomic_h5, atomic_write, read_h5

FULL = """
import resource, sys
import numpy as np
from projfree.common.atomic_io import atomic_h5
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    with atomic_h5(sys.argv[1]) as handle:
        for i in range(20):
            handle.create_group(f"g{i}").attrs["v"] = "y" * 900
            handle[f"g{i}/d"] = np.arange(500.0)
except OSError as error:
    sys.exit(str(error))
"""


def write(path, size=300):
    with atomic_h5(path) as handle:
        handle["a"] = np.arange(float(size))
        handle.attrs["b"] = "text"
    return path


def test_any_reader_reads_it(tmp_path):
    path = write(tmp_path / "x.h5")
    for reader in (read_h5, h5py.File):
        with reader(path) as handle:
            assert handle.attrs["b"] == "text" and handle["a"][-1] == 299
    assert [p.name for p in tmp_path.iterdir()] == ["x.h5"]


def test_every_flipped_byte_is_seen_or_harmless(tmp_path):
    path = write(tmp_path / "x.h5")
    content, seen = path.read_bytes(), 0
    for at in [*range(30), *range(500, len(content), 37)]:
        damaged = bytearray(content)
        damaged[at] ^= 0x10
        path.write_bytes(damaged)
        try:
            with read_h5(path) as handle:
                assert handle.attrs["b"] == "text" and handle["a"][()].tolist() == list(range(300))
        except DamagedFile as error:
            assert str(error).startswith(str(path)) and "\n" not in str(error)
            seen += 1
    assert seen >= len(range(512, len(content), 37))


@pytest.mark.parametrize("share", [0, 0.05, 0.3, 0.9, 0.999])
def test_a_truncated_file_is_seen(tmp_path, share):
    path = write(tmp_path / "x.h5")
    os.truncate(path, int(share * path.stat().st_size))
    with pytest.raises(DamagedFile, match="x.h5: damaged"), read_h5(path):
        pass


def test_a_file_without_a_seal_is_read_as_it_is(tmp_path):
    with h5py.File(tmp_path / "old.h5", "w") as handle:
        handle["a"] = 1
    with read_h5(tmp_path / "old.h5") as handle:
        assert handle["a"][()] == 1
    with pytest.raises(FileNotFoundError), read_h5(tmp_path / "none.h5"):
        pass


@pytest.mark.parametrize("limit", [0, 700, 5000, 50_000, 90_000])
def test_where_no_more_can_be_written_the_process_tells_and_lives(tmp_path, limit):
    """HDF5 that hears of a failed write crashes the process at its end: SIGSEGV, not exit code 1."""
    path = write(tmp_path / "x.h5")
    before = path.read_bytes()
    done = subprocess.run([sys.executable, "-c", FULL, path, str(limit)], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr == f"{path}: not written (File too large)\n"
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["x.h5"]


def test_what_the_dead_left_is_removed_and_what_the_living_write_is_not(tmp_path):
    left = tmp_path / ".x.h5.0123456789abcdef.part"
    left.touch()
    with atomic_h5(tmp_path / "x.h5") as handle:
        (living,) = tmp_path.iterdir()
        assert living != left
        write(tmp_path / "x.h5", size=7)
        assert living.exists()
        handle["a"] = 1
    assert [p.name for p in tmp_path.iterdir()] == ["x.h5"]


def test_a_part_that_is_swept_while_it_is_made_is_made_again(tmp_path, monkeypatch):
    """Another writer finds the part before it is locked, holds it for a moment, and removes it."""
    true, met = fcntl.flock, []

    def flock(sink, how):
        if not met:
            (part,) = tmp_path.glob(".x.*.part")
            met.append(threading.Thread(target=sweeps, args=(part, ready := threading.Event())))
            met[0].start()
            ready.wait()
        return true(sink, how)

    def sweeps(part, ready):
        with open(part) as handle:
            true(handle, fcntl.LOCK_EX)
            ready.set()
            past.wait(1)  # a writer that does not wait for the lock goes on first
            part.unlink()

    past = threading.Event()
    fstat = os.fstat
    monkeypatch.setattr(atomic_io.os, "fstat", lambda fd: (fstat(fd), past.set())[0])
    monkeypatch.setattr(atomic_io.fcntl, "flock", flock)
    atomic_write(tmp_path / "x", "mine")
    assert (tmp_path / "x").read_text() == "mine" and [p.name for p in tmp_path.iterdir()] == ["x"]


def test_of_two_writers_at_once_each_writes_its_own_and_the_last_to_end_stays(tmp_path):
    path = tmp_path / "x.h5"
    with atomic_h5(path) as first:
        with atomic_h5(path) as second:
            first["a"], second["a"] = np.zeros(5000), np.ones(5000)
            first.flush(), second.flush()
        with read_h5(path) as handle:
            assert handle["a"][()].all()
    with read_h5(path) as handle:
        assert not handle["a"][()].any()


def test_a_name_that_others_put_in_the_way_is_never_written_through(tmp_path, monkeypatch):
    (tmp_path / "theirs").write_text("theirs")
    (tmp_path / ".x.00.part").symlink_to("theirs")
    names = iter(["00", "01"])
    monkeypatch.setattr(atomic_io.secrets, "token_hex", lambda _: next(names))
    with pytest.raises(OSError, match="x: not written"):
        atomic_write(tmp_path / "x", "mine")
    atomic_write(tmp_path / "x", "mine")
    assert (tmp_path / "theirs").read_text() == "theirs" and (tmp_path / "x").read_text() == "mine"


def test_the_order_on_disk_is_content_then_name_then_folder(tmp_path, monkeypatch):
    told = []

    def spied(name, kind):
        true = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *a: (told.append(kind(*a)), true(*a))[1])

    spied("fsync", lambda fd: "folder" if stat.S_ISDIR(os.fstat(fd).st_mode) else "content")
    spied("replace", lambda *_: "name")
    for action in (write, lambda path: atomic_write(path, "text"), lambda path: atomic_copy(__file__, path)):
        action(tmp_path / f"x{len(list(tmp_path.iterdir()))}")
        assert told == ["content", "name", "folder"]
        told.clear()


@pytest.mark.parametrize("kind", [ValueError, KeyError, OSError])
def test_the_first_cause_is_told_and_not_what_hdf5_makes_of_it(tmp_path, kind):
    """A write that failed is found later, by HDF5 as an address past the end, or by whatever reads then."""
    with pytest.raises(OSError, match="x: not written .No space left"), atomic_h5(tmp_path / "x"):
        (part,) = tmp_path.iterdir()
        sink = next(o for o in gc.get_objects() if type(o) is atomic_io._Sink and o.name == part)
        sink.failure = OSError(28, "No space left on device")
        raise kind("address of object past end of allocation")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", [MemoryError, RecursionError, RuntimeError, OSError])
def test_whatever_fails_while_writing_names_the_file_in_one_line(tmp_path, monkeypatch, kind):
    def fails(*_):
        raise kind("a reason")

    monkeypatch.setattr(atomic_io.os, "fsync", fails)
    for action in (write, lambda path: atomic_write(path, "text")):
        with pytest.raises(OSError) as error:
            action(tmp_path / "x")
        assert str(error.value) == f"{tmp_path / 'x'}: not written (a reason)"
        assert not list(tmp_path.iterdir())
    with pytest.raises(OSError, match="x: not written"), atomic_h5(tmp_path / "x"):
        raise kind(f"{tmp_path / 'x'}: not written, by the body")
