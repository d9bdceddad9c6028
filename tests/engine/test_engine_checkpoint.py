"""Checkpoints that cannot be used are set aside, and the run starts afresh with the same trace."""

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


def rewritten(content):
    return lambda path: path.write_bytes(content(path.read_bytes()))


def edited(change):
    """A change of an HDF5 file that its checksum does not tell, since it is sealed again."""

    def edit(path):
        with h5py.File(path, "r+") as handle:
            change(handle)
        with atomic_io._Sink(path, "r+") as sink:
            atomic_io._seal(sink)

    return edit


def without(name):
    return edited(lambda handle: (handle.attrs if name in handle.attrs else handle).__delitem__(name))


def entry(where, attribute, value):
    return edited(lambda handle: handle[where].attrs.__setitem__(attribute, value))


#: What was done to a checkpoint, and what is said of it.
DAMAGES = {
    "other code": (entry("/", "key", "other code"), "other code or parameters"),
    "another seed": (entry("trace", "seed", 3), "it belongs to seed 3, not 0"),
    "garbage": (rewritten(lambda c: np.random.default_rng(0).bytes(len(c))), "not used"),
}
for share in (0.0, 0.01, 0.5, 0.99):
    DAMAGES[f"cut at {share}"] = rewritten(lambda c, share=share: c[: int(share * len(c))]), "not used"
for part in ("rngs", "clock", "counts", "seconds", "tally", "state", "trace", "state/state/theta"):
    DAMAGES[f"without {part}"] = without(part), "not used"
for where, attribute, value in (
    ("/", "rngs", "{"),
    ("/", "rngs", "{}"),
    ("/", "rngs", '{"method": {"bit_generator": "MT19937"}, "oracle": {}}'),
    ("/", "clock", "[1]"),
    ("/", "clock", '["a", 1]'),
    ("state", "type", "projfree.engine.driver:Gone"),
    ("state", "type", "projfree.gone:A"),
):
    DAMAGES[f"{attribute} {value}"] = entry(where, attribute, value), "not used"


def assert_same(a, b):
    for name in ("iteration", "end_status", "oracles", "metrics"):
        assert getattr(a, name) == getattr(b, name), name
    np.testing.assert_array_equal(a.final["x"], b.final["x"])


def test_a_good_one_is_continued_and_without_one_nothing_is_told(path, tmp_path, whole, capsys):
    assert_same(instances.run(PROBLEM, "ncgs_vr", setting=setting(path)), whole)
    assert "resumed seed 0 at iteration 7" in capsys.readouterr().err
    assert not path.with_suffix(".unusable.h5").exists()
    assert_same(instances.run(PROBLEM, "ncgs_vr", setting=setting(tmp_path / "new.h5")), whole)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("damage", DAMAGES)
def test_one_that_is_damaged_is_set_aside_and_the_run_starts_afresh(path, whole, capsys, damage):
    change, reason = DAMAGES[damage]
    change(path)
    damaged = path.read_bytes()
    trace = instances.run(PROBLEM, "ncgs_vr", setting=setting(path))
    told = capsys.readouterr().err
    assert "starting afresh" in told and str(path) in told and reason in told
    assert path.with_suffix(".unusable.h5").read_bytes() == damaged
    assert "resumed" not in told
    assert_same(trace, whole)


@pytest.mark.parametrize("name", ["os:system", "projfreedom.a:B"])
def test_classes_of_other_packages_are_never_loaded(name):
    with pytest.raises(CheckpointError, match=f"unknown type {name}"):
        _type_from(name)


def test_a_finished_run_is_not_run_again(tmp_path, whole):
    instances.run(PROBLEM, "ncgs_vr", setting=setting(tmp_path / "run.checkpoint.h5"))
    again = setting(tmp_path / "run.checkpoint.h5")
    again.on_step = lambda iteration: pytest.fail("a step after the end")
    assert_same(instances.run(PROBLEM, "ncgs_vr", setting=again), whole)


def test_none_is_written_before_its_time(tmp_path):
    chosen = setting(tmp_path / "run.checkpoint.h5")
    chosen.checkpoint_seconds = 3600.0
    instances.run(PROBLEM, "ncgs_vr", setting=chosen)
    assert list(tmp_path.iterdir()) == []
