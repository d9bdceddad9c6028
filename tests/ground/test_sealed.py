"""HDF5 files that are whole or not there, and that tell when they were damaged."""

import os
import subprocess
import sys

import h5py
import numpy as np
import pytest

from projfree.ground.sealed import DamagedFile, atomic_h5, read_h5

FULL = """
import resource, sys
import numpy as np
from projfree.ground.sealed import atomic_h5
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
    with atomic_h5(tmp_path / "x.h5"):
        (mine,) = tmp_path.iterdir()
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left, others = (mine.with_name(mine.name.replace(str(os.getpid()), str(p))) for p in (dead.pid, 1))
    for path in (left, others):
        path.touch()
    write(tmp_path / "x.h5")
    assert sorted(tmp_path.iterdir()) == sorted([others, tmp_path / "x.h5"])
