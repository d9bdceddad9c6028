"""Trace files: what is written comes back, and a file appears whole or not at all."""

import h5py
import instances
import numpy as np
import pytest

from projfree.engine.oracles.base import COUNTS, TIMERS
from projfree.trace.format import SeedTrace, read_trace, write_trace

ATTRS = {"paper": "ncgs", "experiment": "e", "method": "m", "run": "quick"}
ATTRS |= {"stand_in": False, "params": {"a": [1]}}


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
        for name in ("iteration", "end_status", "message", "oracles", "metrics", "attrs"):
            assert getattr(read, name) == getattr(made, name), name
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


def test_a_metric_that_a_record_lacks_is_nan_there(tmp_path):
    trace = SeedTrace(0, end_status="iterations")
    for i, metrics in enumerate(({"a": 1.0}, {"b": 2.0}, {"a": 3.0, "b": 4.0})):
        trace.append(i, 0.0, 0.0, {}, {}, metrics)
    write_trace(tmp_path / "t.h5", {"experiment": "e"}, [trace])
    found = read_trace(tmp_path / "t.h5")[1][0].metrics
    np.testing.assert_array_equal(found["a"], [1, np.nan, 3])
    np.testing.assert_array_equal(found["b"], [np.nan, 2, 4])
