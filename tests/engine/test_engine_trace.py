"""Trace files: what is written comes back, and a file appears whole or not at all."""

import errno
import os
import subprocess
import sys

import h5py
import instances
import numpy as np
import pytest

from projfree.engine.oracles.base import COUNTS, TIMERS
from projfree.trace.format import SeedTrace, atomic_h5, read_trace, write_trace

ATTRS = {
    "paper": "ncgs",
    "experiment": "e",
    "method": "m",
    "run": "quick",
    "stand_in": False,
    "params": {"a": [1]},
}


def traces():
    for seed, name in ((1, "frank_wolfe"), (0, "ncgs")):
        trace = instances.run(instances.completion(), name, {"iterations": 6}, seed=seed)
        trace.attrs = {"constants": {"L_full": 2.0}, "n": 60}
        yield trace


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("traces") / "a" / "b.h5"
    write_trace(path, ATTRS, list(traces()))
    return path


def test_what_is_written_comes_back(path):
    attrs, seeds = read_trace(path)
    assert [trace.seed for trace in seeds] == [0, 1]
    for read, made in zip(seeds, sorted(traces(), key=lambda trace: trace.seed), strict=True):
        assert (read.iteration, read.end_status, read.message) == (
            made.iteration,
            made.end_status,
            made.message,
        )
        assert (read.oracles, read.metrics, read.attrs) == (made.oracles, made.metrics, made.attrs)
        assert read.timers.keys() == made.timers.keys() and len(read.cpu_seconds) == len(read.iteration)
        for name, array in made.final.items():
            np.testing.assert_array_equal(read.final[name], array)
    assert attrs["paper"] == "ncgs" and not attrs["stand_in"] and attrs["created"].endswith("+00:00")


def test_the_layout_is_the_contract(path):
    with h5py.File(path) as handle:
        assert sorted(handle) == ["seed-0", "seed-1"]
        group = handle["seed-0"]
        assert group["iteration"].dtype == np.int64
        assert sorted(group["oracles"]) == sorted(COUNTS) and sorted(group["timers"]) == sorted(TIMERS)
        assert all(values.dtype == np.int64 for values in group["oracles"].values())
        tables = [group[name] for name in ("cpu_seconds", "wall_seconds")]
        tables += [*group["timers"].values(), *group["metrics"].values()]
        assert all(values.dtype == np.float64 and values.shape == (7,) for values in tables)
        assert all(np.all(np.diff(values) >= 0) for values in (group["cpu_seconds"], group["wall_seconds"]))
        assert set(group.attrs) >= {"seed", "end_status", "message"}


def parts(folder):
    return sorted(p.name for p in folder.iterdir())


def test_an_error_while_writing_leaves_nothing(tmp_path):
    with pytest.raises(ZeroDivisionError), atomic_h5(tmp_path / "new.h5") as handle:
        handle["x"] = np.ones(10)
        1 / 0  # noqa: B018
    assert parts(tmp_path) == []


def test_an_error_while_writing_keeps_what_was_there(tmp_path):
    path = tmp_path / "old.h5"
    with atomic_h5(path) as handle:
        handle["x"] = np.arange(3)
    with pytest.raises(KeyError), atomic_h5(path) as handle:
        handle["x"] = np.arange(9)
        raise KeyError("x")
    with h5py.File(path) as handle:
        assert handle["x"][:].tolist() == [0, 1, 2]
    assert parts(tmp_path) == ["old.h5"]


def test_a_disk_that_is_full_at_the_sync_leaves_nothing(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_trace(tmp_path / "new.h5", ATTRS, list(traces()))
    assert parts(tmp_path) == []


def test_the_file_is_on_disk_before_it_has_its_name(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(os, "fsync", lambda _: seen.append(parts(tmp_path)))
    write_trace(tmp_path / "new.h5", ATTRS, [])
    assert len(seen) == 2 and seen[0] != ["new.h5"] == seen[1] == parts(tmp_path)  # the folder at last


WRITE = """
import resource, sys
import numpy as np
from projfree.trace.format import atomic_h5
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
with atomic_h5(sys.argv[1]) as handle:
    handle["x"] = np.random.default_rng(0).random(1_000_000)
"""


def test_a_write_that_fails_for_real_leaves_nothing(tmp_path):
    """The system refuses what goes over a limit of the file's size, as it does on a full disk."""
    path = tmp_path / "new.h5"
    result = subprocess.run([sys.executable, "-c", WRITE, str(path)], capture_output=True, text=True)
    assert result.returncode == 1 and "OSError" in result.stderr, result.stderr
    assert parts(tmp_path) == []


def test_a_metric_that_a_record_lacks_is_nan_there(tmp_path):
    trace = SeedTrace(0, end_status="iterations")
    for i, metrics in enumerate(({"a": 1.0}, {"b": 2.0}, {"a": 3.0, "b": 4.0})):
        trace.append(i, 0.0, 0.0, {}, {}, metrics)
    write_trace(tmp_path / "t.h5", {"experiment": "e"}, [trace])
    found = read_trace(tmp_path / "t.h5")[1][0].metrics
    np.testing.assert_array_equal(found["a"], [1, np.nan, 3])
    np.testing.assert_array_equal(found["b"], [np.nan, 2, 4])
