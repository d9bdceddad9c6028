"""Checkpoints that cannot be used are set aside, and the run starts afresh with the same trace."""

import contextlib
import shutil

import h5py
import instances
import numpy as np
import pytest

from projfree.common import atomic_io
from projfree.engine.checkpoint import CheckpointError, _type_from

PROBLEM = instances.completion()
STEPS = 12


class Killed(BaseException):
    """What ends the first run."""


def setting(path, key="this code", stop_after=None):
    def on_step(iteration):
        if iteration == stop_after:
            raise Killed

    chosen = instances.setting(PROBLEM, {"iterations": STEPS}, checkpoint=path, key=key)
    chosen.checkpoint_seconds, chosen.on_step = 0.0, on_step
    return chosen


@pytest.fixture(scope="module")
def whole():
    return instances.run(PROBLEM, "ncgs_vr", {"iterations": STEPS})


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "run.checkpoint.h5"
    with pytest.raises(Killed):
        instances.run(PROBLEM, "ncgs_vr", setting=setting(path, stop_after=7))
    return path


@pytest.fixture
def path(saved, tmp_path):
    return shutil.copy(saved, tmp_path / "run.checkpoint.h5")


@contextlib.contextmanager
def edited(path):
    """An HDF5 file open for a change that its checksum does not tell, since it is sealed again."""
    with h5py.File(path, "r+") as handle:
        yield handle
    with atomic_io._Sink(path, "r+") as sink:
        atomic_io._seal(sink)


def assert_same(a, b):
    assert (a.iteration, a.end_status, a.oracles, a.metrics) == (
        b.iteration,
        b.end_status,
        b.oracles,
        b.metrics,
    )
    np.testing.assert_array_equal(a.final["x"], b.final["x"])


def assert_starts_afresh(path, whole, capsys, reason):
    damaged = path.read_bytes()
    trace = instances.run(PROBLEM, "ncgs_vr", setting=setting(path))
    told = capsys.readouterr().err
    assert "starting afresh" in told and str(path) in told and reason in told
    assert path.with_suffix(".unusable.h5").read_bytes() == damaged
    assert "resumed" not in told
    assert_same(trace, whole)


def test_a_good_one_is_continued(path, whole, capsys):
    assert_same(instances.run(PROBLEM, "ncgs_vr", setting=setting(path)), whole)
    assert "resumed seed 0 at iteration 7" in capsys.readouterr().err
    assert not path.with_suffix(".unusable.h5").exists()


def test_without_one_nothing_is_told(tmp_path, whole, capsys):
    assert_same(instances.run(PROBLEM, "ncgs_vr", setting=setting(tmp_path / "new.h5")), whole)
    assert capsys.readouterr().err == ""


def test_of_other_code(path, whole, capsys):
    with edited(path) as handle:
        handle.attrs["key"] = "other code"
    assert_starts_afresh(path, whole, capsys, "other code or parameters")


def test_of_another_seed(path, whole, capsys):
    with edited(path) as handle:
        handle["trace"].attrs["seed"] = 3
    assert_starts_afresh(path, whole, capsys, "it belongs to seed 3, not 0")


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
def test_cut_short(path, whole, capsys, share):
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    assert_starts_afresh(path, whole, capsys, "not used")


def test_garbage(path, whole, capsys):
    path.write_bytes(np.random.default_rng(0).bytes(path.stat().st_size))
    assert_starts_afresh(path, whole, capsys, "not used")


def test_without_generators(path, whole, capsys):
    with edited(path) as handle:
        del handle.attrs["rngs"]
    assert_starts_afresh(path, whole, capsys, "not used")


@pytest.mark.parametrize(
    "name", ["clock", "counts", "seconds", "tally", "state", "trace", "state/state/theta"]
)
def test_without_one_of_its_parts(path, whole, capsys, name):
    with edited(path) as handle:
        del (handle.attrs if name in handle.attrs else handle)[name]
    assert_starts_afresh(path, whole, capsys, "not used")


@pytest.mark.parametrize(
    "where, attribute, value",
    [
        ("/", "rngs", "{"),
        ("/", "rngs", "{}"),
        ("/", "rngs", '{"method": {"bit_generator": "MT19937"}, "oracle": {}}'),
        ("/", "clock", "[1]"),
        ("/", "clock", '["a", 1]'),
        ("state", "type", "projfree.engine.driver:Gone"),
        ("state", "type", "projfree.gone:A"),
    ],
)
def test_with_a_wrong_entry(path, whole, capsys, where, attribute, value):
    with edited(path) as handle:
        handle[where].attrs[attribute] = value
    assert_starts_afresh(path, whole, capsys, "not used")


def test_classes_of_other_packages_are_never_loaded():
    with pytest.raises(CheckpointError, match="unknown type os:system"):
        _type_from("os:system")
    with pytest.raises(CheckpointError, match="unknown type projfreedom.a:B"):
        _type_from("projfreedom.a:B")


def test_a_finished_run_is_not_run_again(tmp_path, whole):
    path = tmp_path / "run.checkpoint.h5"
    instances.run(PROBLEM, "ncgs_vr", setting=setting(path))

    def on_step(iteration):
        raise AssertionError("a step after the end")

    again = setting(path)
    again.on_step = on_step
    trace = instances.run(PROBLEM, "ncgs_vr", setting=again)
    assert_same(trace, whole)


def test_none_is_written_before_its_time(tmp_path):
    chosen = setting(tmp_path / "run.checkpoint.h5")
    chosen.checkpoint_seconds = 3600.0
    instances.run(PROBLEM, "ncgs_vr", setting=chosen)
    assert list(tmp_path.iterdir()) == []
