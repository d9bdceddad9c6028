"""Mishaps of time and neighbours: leftovers of the dead, wrong clocks, a second job on the same output."""

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from child import Child, Ended, start
from conditions import WRONG

from projfree.engine import clock
from referee.data import store

FUTURE = 4_000_000_000  # a time of files, in seconds since 1970: the year 2096


def _killed_in_between(bench, trial, folder, **options):
    """Let a job run for part of its time, and kill it."""
    child = bench.run(trial, folder, **options)
    time.sleep(bench.rng.uniform(0, trial.seconds))
    child.signal(signal.SIGKILL)
    return child.wait()


def leftovers(bench) -> str:
    """Parts of dead processes, and the unfinished work of other code, lie where the job writes."""
    trial, folder = bench.draw(), bench.place()
    own, trial.job = trial.job, trial.job.model_copy(update={"code": "other code"})
    try:
        dead = _killed_in_between(bench, trial, folder)
    finally:
        trial.job = own
    if dead.code == 0:
        (folder / "m.h5").unlink()
    (folder / ".m.unfinished").mkdir(exist_ok=True)
    gone = Child(lambda: None, bench.folder / "log")
    gone.wait()
    for name in ("m.h5", "seed-0.h5", "seed-1.checkpoint.h5"):
        where = folder if name == "m.h5" else folder / ".m.unfinished"
        part = where / f".{name}.{gone.pid:016x}.part"
        part.write_bytes(bench.rng.bytes(1000))
    return bench.judge(trial, folder, bench.run(trial, folder).wait(), "leftovers of the dead")


def stale_lock(bench) -> str:
    """A process is killed while it holds the lock of a dataset: the next one must get it."""
    path, folder = bench.folder / "locks" / ".a.lock", bench.folder / "locks"

    def hold():
        with store.locked(path):
            (folder / "held").touch()
            time.sleep(60)

    def take():
        with store.locked(path):
            (folder / "taken").touch()

    for name in ("held", "taken"):
        (folder / name).unlink(missing_ok=True)
    folder.mkdir(exist_ok=True)
    child = Child(hold, bench.folder / "holder.log")
    while not (folder / "held").exists():
        time.sleep(0.001)
    child.signal(signal.SIGKILL)
    child.wait()
    ended = Child(take, bench.folder / "log").wait()
    found = [] if ended.code == 0 and (folder / "taken").exists() else ["the lock was not to be had"]
    return bench.verdict(bench.trials[0], found, "stale lock", ended)


def wrong_clocks(bench) -> str:
    """Clocks jump forth and back between any two looks, also between kills; files come from the future."""
    trial, folder = bench.draw(), bench.place()
    seed = int(bench.rng.integers(2**31))

    def broken():
        _break_clocks(seed)

    for _ in range(2):
        _killed_in_between(bench, trial, folder, prepare=broken)
        if (folder / "m.h5").exists():
            break
        for path in [trial.instance, *folder.rglob("*")]:
            os.utime(path, (FUTURE, FUTURE))
    return bench.judge(trial, folder, bench.run(trial, folder, prepare=broken).wait(), "wrong clocks")


def _break_clocks(seed):
    """Let all clocks that Python code asks tell the time up to a day off, another error at each look."""
    import numpy as np

    rng = np.random.default_rng(seed)
    for module, name in itertools.chain(
        ((time, n) for n in ("time", "monotonic", "perf_counter", "process_time")),
        ((clock, n) for n in ("perf_counter", "process_time")),
    ):
        true = getattr(module, name)
        setattr(module, name, lambda true=true: true() + rng.uniform(-86_400, 86_400))


def faketime_library():
    """The library of faketime: where FAKETIME_LIB says, or in its usual places; None if it is not here."""
    named = [Path(os.environ["FAKETIME_LIB"])] if "FAKETIME_LIB" in os.environ else []
    usual = [*Path("/usr/lib").glob("*/faketime/libfaketime.so.1")]
    return next((path for path in [*named, *usual] if path.is_file()), None)


RUN = """
import json, sys
from referee.jobs.job import run_job
from referee.study.models.job import Job
run_job(Job.model_validate(json.loads(sys.argv[1])), sys.argv[2], sys.argv[3], checkpoint_seconds=0.0)
"""


def faketime(bench) -> str:
    """A job in a process of its own, killed after some seconds, goes on under another clock and pace."""
    trial, folder = bench.draw(), bench.place()
    plain = json.dumps(trial.job.plain())
    command = [sys.executable, "-c", RUN, plain, str(trial.instance), str(folder / "m.h5")]
    for seconds in (bench.rng.uniform(2, 6), 120):
        pace = f"{bench.rng.integers(-900, 900):+d}d x{bench.rng.choice([0.1, 1, 20])}"
        faked = os.environ | {"LD_PRELOAD": str(bench.faketime), "FAKETIME": pace}
        try:
            with open(bench.folder / "log", "w") as log:
                code = subprocess.run(command, env=faked, stdout=log, stderr=log, timeout=seconds)
        except subprocess.TimeoutExpired:
            continue
        break
    else:
        return bench.verdict(trial, ["hung"], "faketime", Ended(-9, "", 120))
    ended = Ended(code.returncode, (bench.folder / "log").read_text(), 0.0)
    return bench.judge(trial, folder, ended, f"faketime {pace}")


def two_at_once(bench) -> str:
    """Two jobs write the same trace: one ends well at least, and the trace is that of one alone."""
    trial, folder = bench.draw(), bench.place()
    first = bench.run(trial, folder)
    time.sleep(bench.rng.choice([0, bench.rng.uniform(0, trial.seconds)]))
    second = start(trial, Path(folder) / "m.h5", bench.folder / "second.log")
    both = [first.wait(), second.wait()]
    best = min(both, key=lambda ended: ended.code != 0)
    bad = [f"the other ended with {e.code}: {e.told}" for e in both if e.code != 0 and not e.clear]
    if bench.verdict(trial, bad, "two at once", best) == WRONG:
        return WRONG
    return bench.judge(trial, folder, best, "two at once")
