"""What is done to jobs besides kills: each function tries one case; the bench keeps what went wrong."""

import ctypes
import os
import resource
import shutil
import signal
import time
from pathlib import Path

import instances
import numpy as np
import operations
from bench import bad_files
from child import Child, start

from projfree.common.atomic_io import atomic_h5, read_h5
from projfree.engine import checkpoint, clock
from referee.common.alone import alone
from referee.evidence.tidy import tidy
from referee.jobs import build

FUTURE = 4_000_000_000  # a time of files, in seconds since 1970: the year 2096
PIECES = 20


def disk_full(bench):
    """The file system is full but for some kB, or fills up at a random moment; then there is space again."""
    trial, folder = bench.draw(), bench.place(bench.small)
    ballast, spare = bench.small / "ballast", int(bench.rng.integers(0, 120)) * 1024
    _fill(ballast)
    os.truncate(ballast, max(0, ballast.stat().st_size - spare))
    child = bench.run(trial, folder)
    if bench.rng.random() < 0.5:
        time.sleep(bench.rng.uniform(0, trial.seconds))
        _fill(ballast)
    ended, what = child.wait(), f"disk full, at first with {spare} bytes free"
    bench.right_or_clear(trial, folder, ended, what, "No space left on device", ballast.unlink)


def _fill(ballast):
    with open(ballast, "ab", buffering=0) as stream:
        try:
            while stream.write(bytes(4096)):
                pass
        except OSError:
            return


def size_limit(bench):
    """No file may be larger than some bytes (RLIMIT_FSIZE); then there is no limit."""
    trial, folder, size = bench.draw(), bench.place(), int(bench.rng.integers(4096, 60_000))
    ended = bench.run(trial, folder, prepare=lambda: _limit(resource.RLIMIT_FSIZE, size)).wait()
    bench.right_or_clear(trial, folder, ended, f"files of at most {size} bytes", "File too large")


def _limit(kind, size):
    resource.setrlimit(kind, (size, resource.RLIM_INFINITY))


def memory_limit(bench):
    """The process may have little more memory than it has (RLIMIT_AS), from its start or a checkpoint on."""
    trial, folder = bench.draw(), bench.place()
    spare, after = int(bench.rng.integers(0, 1 << 20)), int(bench.rng.integers(0, 3))

    def limit():
        save, left = checkpoint.save, [None] * after

        def saved(*state):
            save(*state)
            if left:
                left.pop()
            else:
                _limit_memory(spare)

        checkpoint.save = saved
        if not after:
            _limit_memory(spare)

    ended = bench.run(trial, folder, prepare=limit).wait()
    what = f"{spare} bytes of memory to spare after {after} saves"
    if ended.code in (-signal.SIGSEGV, -signal.SIGABRT):  # C libraries die of it: as if the system killed it
        bench.verdict(trial, bad_files(folder), what, ended)
        bench.judge(trial, folder, bench.run(trial, folder).wait(), f"{what}, after that")
    else:
        bench.right_or_clear(trial, folder, ended, what, "emory")


BALLAST = []


def _limit_memory(spare):
    space = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    _limit(resource.RLIMIT_AS, space)
    for size in (1 << 20, 1 << 14):  # what lies free within the process
        try:
            while True:
                BALLAST.append(bytearray(size))
        except MemoryError:
            continue
    while spare > 0 and BALLAST:
        spare -= len(BALLAST.pop())


def read_only_results(bench):
    """The folder of the results is read-only; then it is not."""
    trial, folder = bench.draw(), bench.place(bench.opened)
    ended = bench.run(trial, bench.closed / folder.name).wait()
    assert ended.code, "wrote into a read-only folder"
    bench.right_or_clear(trial, folder, ended, "read-only results", "Read-only file system")


def read_only_data(bench):
    """The folder of the data is read-only: jobs read it; what would write there says so."""
    trial, data, folder = bench.draw(), bench.place(bench.opened), bench.place()
    shutil.copy(trial.instance, data / "m.h5")
    own, trial.instance = trial.instance, bench.closed / data.name / "m.h5"
    try:
        bench.judge(trial, folder, bench.run(trial, folder).wait(), "read-only data")
        empty = instances.recipe(trial.job.model_copy(update={"seeds": []}))
        ended = Child(lambda: build.build_instance(empty, trial.instance), bench.folder / "log").wait()
    finally:
        trial.instance = own
    told = ended.clear and "Read-only file system" in ended.told
    bench.verdict(trial, [] if told else ["no clear error"], "writing read-only data", ended)


def damage(path, rng) -> str:
    """Cut a file short at a random offset, or flip bits of one to eight bytes; what was done, in words."""
    content = bytearray(path.read_bytes())
    if rng.random() < 0.5:
        at = int(rng.integers(len(content)))
        path.write_bytes(content[:at])
        return f"{path.name} cut at byte {at} of {len(content)}"
    offsets = rng.integers(len(content), size=rng.integers(1, 9)).tolist()
    for at in offsets:
        content[at] ^= int(rng.integers(1, 256))
    path.write_bytes(content)
    return f"{path.name} with bits flipped at {offsets}"


def damaged_state(bench):
    """A killed job's checkpoints and finished seeds, one of them damaged."""
    trial, folder, files = bench.draw(), bench.place(), []
    while not files:
        operations.strike(bench, trial, folder)
        files = sorted(folder.glob(".m.unfinished/seed-*.h5"))
    what = damage(files[bench.rng.integers(len(files))], bench.rng)
    bench.judge(trial, folder, bench.run(trial, folder).wait(), what)


def damaged_instance(bench):
    """The instance of a job, damaged: told by its name, or harmless."""
    trial, folder = bench.draw(), bench.place()
    copy = folder / "instance.h5"
    own, trial.instance = trial.instance, shutil.copy(trial.instance, copy)
    try:
        what = damage(copy, bench.rng)
        ended = bench.run(trial, folder).wait()
    finally:
        trial.instance = own
    if ended.code == 0:
        bench.judge(trial, folder, ended, what)
    else:
        _named(bench, trial, copy, folder / "m.h5", what, ended)


def damaged_trace(bench):
    """A trace, damaged, on its way into the tidy table."""
    trial, folder = bench.draw(), bench.place()
    copy, table = folder / "m.h5", folder / "m.csv"
    shutil.copy(trial.reference, copy)
    tidy([copy], folder / "reference.csv")
    what = damage(copy, bench.rng)
    ended = Child(lambda: tidy([copy], table), bench.folder / "log").wait()
    if ended.code == 0:
        same = table.read_bytes() == (folder / "reference.csv").read_bytes()
        bench.verdict(trial, [] if same else ["another table"], what, ended)
    else:
        _named(bench, trial, copy, table, what, ended)


def _named(bench, trial, damaged, output, what, ended):
    clear = ended.clear and f"Error: {damaged}: damaged" in ended.told and not output.exists()
    bench.verdict(trial, [] if clear else ["no clear error that names the file"], what, ended)


def leftovers(bench):
    """Parts of dead processes, and the unfinished work of other code, lie where the job writes."""
    trial, folder = bench.draw(), bench.place()
    own, trial.job = trial.job, trial.job.model_copy(update={"code": "other code"})
    try:
        dead = bench.killed_midway(trial, folder)
    finally:
        trial.job = own
    if dead.code == 0:
        (folder / "m.h5").unlink()
    unfinished = folder / ".m.unfinished"
    unfinished.mkdir(exist_ok=True)
    gone = Child(lambda: None, bench.folder / "log")
    gone.wait()
    for path in (folder / "m.h5", unfinished / "seed-0.h5", unfinished / "seed-1.checkpoint.h5"):
        path.with_name(f".{path.name}.{gone.pid:016x}.part").write_bytes(bench.rng.bytes(1000))
    bench.judge(trial, folder, bench.run(trial, folder).wait(), "leftovers of the dead")


def stale_lock(bench):
    """A process is killed while it holds the lock of a dataset: the next one must get it."""
    folder = bench.place(name="locks")

    def hold(seconds, name):
        with alone(folder / "a"):
            (folder / name).touch()
            time.sleep(seconds)

    child = Child(lambda: hold(60, "held"), bench.folder / "holder.log")
    while not (folder / "held").exists():
        time.sleep(0.001)
    child.signal(signal.SIGKILL)
    child.wait()
    ended = Child(lambda: hold(0, "taken"), bench.folder / "log").wait()
    found = [] if ended.code == 0 and (folder / "taken").exists() else ["the lock was not to be had"]
    bench.verdict(bench.trials[0], found, "stale lock", ended)


def wrong_clocks(bench):
    """Clocks jump forth and back between any two looks, also between kills; files come from the future."""
    trial, folder, seed = bench.draw(), bench.place(), int(bench.rng.integers(2**31))
    for _ in range(2):
        bench.killed_midway(trial, folder, prepare=lambda: _break_clocks(seed))
        if (folder / "m.h5").exists():
            break
        for path in [trial.instance, *folder.rglob("*")]:
            os.utime(path, (FUTURE, FUTURE))
    ended = bench.run(trial, folder, prepare=lambda: _break_clocks(seed)).wait()
    bench.judge(trial, folder, ended, "wrong clocks")


def _break_clocks(seed):
    """Let all clocks that Python code asks tell the time up to a day off, another error at each look."""
    rng, names = np.random.default_rng(seed), ("perf_counter", "process_time")
    for module, name in [*((time, n) for n in ("time", "monotonic", *names)), *((clock, n) for n in names)]:
        true = getattr(module, name)
        setattr(module, name, lambda true=true: true() + rng.uniform(-86_400, 86_400))


def two_at_once(bench):
    """Two jobs write the same trace: one ends well at least, and the trace is that of one alone."""
    trial, folder = bench.draw(), bench.place()
    first = bench.run(trial, folder)
    time.sleep(bench.rng.choice([0, bench.rng.uniform(0, trial.seconds)]))
    second = start(trial, folder / "m.h5", bench.folder / "second.log")
    both = [first.wait(), second.wait()]
    best = min(both, key=lambda ended: ended.code != 0)
    bad = [f"the other ended with {e.code}: {e.told}" for e in both if e.code != 0 and not e.clear]
    bench.verdict(trial, bad, "two at once", best)
    bench.judge(trial, folder, best, "two at once")


def double_writers(bench):
    """Two with one host name and process number: the file is that of one, whole, and nothing else is left."""
    folder = bench.place()
    both = [
        Child(lambda who=who: _alone(lambda: _write(folder / "x.h5", who)), bench.folder / f"log-{who}")
        for who in (1, 2)
    ]
    ended = [child.wait() for child in both]
    assert [e.told for e in ended if e.code] == []
    with read_h5(folder / "x.h5") as handle:
        values = {int(v) for piece in range(PIECES) for v in np.unique(handle[str(piece)][()])}
    assert len(values) == 1 and [path.name for path in folder.iterdir()] == ["x.h5"]


def _write(path, who):
    with atomic_h5(path) as handle:
        for piece in range(PIECES):
            handle[str(piece)] = np.full(3000, who)
            handle.flush()


def _alone(action):
    """Do something as process 1 of a process namespace of its own."""
    libc, newpid, newuser = ctypes.CDLL(None, use_errno=True), 0x20000000, 0x10000000
    if libc.unshare(newpid if os.geteuid() == 0 else newpid | newuser):
        raise OSError(ctypes.get_errno(), "no process namespace to be had")
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            if os.getpid() == 1:
                action()
                code = 0
        finally:
            os._exit(code)
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
        raise OSError("the writer failed")
