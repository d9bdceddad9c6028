"""Kills where they hurt most: before or after the k-th operation that changes what is on disk."""

import os
import signal
from collections.abc import Callable

from projfree.common import atomic_io

#: Of these each call is one operation; `_Sink` is what HDF5 and all other writers write through.
OPERATIONS = [(os, name) for name in ("fsync", "replace", "rename", "unlink", "mkdir", "rmdir")]
OPERATIONS += [(atomic_io._Sink, name) for name in ("write", "truncate")]


def strike(bench, trial, folder, every=0.0):
    """SIGKILL at a random moment of an undisturbed run's; how the job ended, and what was wrong."""
    moment = int(bench.rng.integers(2 * counted(bench, trial)))
    ended = bench.run(trial, folder, every=every, prepare=lambda: _kill_at(moment)).wait()
    fell = ended.code not in (0, -signal.SIGKILL)
    return ended, [f"killed at moment {moment}, it ended with {ended.code}: {ended.told}"] * fell


def counted(bench, trial) -> int:
    """How many durable operations an undisturbed run of a job has."""
    if not hasattr(trial, "operations"):
        folder, told = bench.place(name="counted"), bench.folder / "operations"
        ended = bench.run(trial, folder, prepare=lambda: _watch(lambda k: told.write_text(str(k)))).wait()
        if ended.code:
            raise RuntimeError(f"{trial.name}: watched, it fails\n{ended.told}")
        trial.operations = int(told.read_text()) // 2
    return trial.operations


def _kill_at(moment):
    def look(k):
        if k == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    _watch(look)


def _watch(look: Callable[[int], object]):
    """Let `look` see the number of each moment: two an operation, before it and after it."""
    passed = iter(range(10**9))

    def watched(true):
        def call(*arguments, **options):
            look(next(passed))
            try:
                return true(*arguments, **options)
            finally:
                look(next(passed))

        return call

    for place, name in OPERATIONS:
        setattr(place, name, watched(getattr(place, name)))
