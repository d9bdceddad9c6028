"""Obstacles of the file system: full, limited, read-only, damaged files."""

import os
import resource
import shutil
import signal
import time
from pathlib import Path

import instances
import operations
from child import Child
from conditions import CLEAR, RIGHT, WRONG, bad_files, failed_then_free

from projfree.engine import checkpoint
from referee.evidence.tidy import tidy
from referee.jobs import build


def disk_full(bench) -> str:
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
    return failed_then_free(bench, trial, folder, ended, what, "No space left on device", ballast.unlink)


def _fill(ballast):
    with open(ballast, "ab", buffering=0) as stream:
        try:
            while stream.write(bytes(4096)):
                pass
        except OSError:
            return


def size_limit(bench) -> str:
    """No file may be larger than some bytes (RLIMIT_FSIZE); then there is no limit."""
    trial, folder = bench.draw(), bench.place()
    size = int(bench.rng.integers(4096, 60_000))

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    ended = bench.run(trial, folder, prepare=limit).wait()
    what = f"files of at most {size} bytes"
    return failed_then_free(bench, trial, folder, ended, what, "File too large", lambda: None)


BALLAST = []


def memory_limit(bench) -> str:
    """The process may have little more memory than it has (RLIMIT_AS), from its start or a checkpoint on."""
    trial, folder = bench.draw(), bench.place()
    spare, after = int(bench.rng.integers(0, 1 << 20)), int(bench.rng.integers(0, 3))

    def limit():
        save, left = checkpoint.save, [None] * after

        def saved(*state):
            save(*state)
            if not left:
                _limit_memory(spare)
            else:
                left.pop()

        checkpoint.save = saved
        if not after:
            _limit_memory(spare)

    ended = bench.run(trial, folder, prepare=limit).wait()
    what = f"{spare} bytes of memory to spare after {after} saves"
    if ended.code in (-signal.SIGSEGV, -signal.SIGABRT):  # C libraries die of it: as if the system killed it
        if bench.verdict(trial, bad_files(folder), what, ended) == WRONG:
            return WRONG
        return bench.judge(trial, folder, bench.run(trial, folder).wait(), f"{what}, after that")
    return failed_then_free(bench, trial, folder, ended, what, "emory", lambda: None)


def _limit_memory(spare):
    space = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (space, resource.RLIM_INFINITY))
    for size in (1 << 20, 1 << 14):  # what lies free within the process
        try:
            while True:
                BALLAST.append(bytearray(size))
        except MemoryError:
            continue
    while spare > 0 and BALLAST:
        spare -= len(BALLAST.pop())


def read_only_results(bench) -> str:
    """The folder of the results is read-only; then it is not."""
    trial = bench.draw()
    folder = bench.place(bench.opened)
    ended = bench.run(trial, bench.closed / folder.name).wait()
    if ended.code == 0:
        return bench.verdict(trial, ["wrote into a read-only folder"], "read-only results", ended)
    what = "read-only results"
    return failed_then_free(bench, trial, folder, ended, what, "Read-only file system", lambda: None)


def read_only_data(bench) -> str:
    """The folder of the data is read-only: jobs read it; what would write there says so."""
    trial, data = bench.draw(), bench.place(bench.opened)
    shutil.copy(trial.instance, data / "m.h5")
    own, trial.instance = trial.instance, bench.closed / data.name / "m.h5"
    try:
        folder = bench.place()
        right = bench.judge(trial, folder, bench.run(trial, folder).wait(), "read-only data")
        empty = instances.recipe(trial.job.model_copy(update={"seeds": []}))
        ended = Child(lambda: build.build_instance(empty, trial.instance), bench.folder / "log").wait()
    finally:
        trial.instance = own
    told = [] if ended.clear and "Read-only file system" in ended.told else ["no clear error"]
    return WRONG if bench.verdict(trial, told, "writing read-only data", ended) == WRONG else right


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


def damaged_state(bench) -> str:
    """A killed job's checkpoints and finished seeds, one of them damaged."""
    trial, folder, files = bench.draw(), bench.place(), []
    while not files:
        operations.strike(bench, trial, folder)
        files = sorted(folder.glob(".m.unfinished/seed-*.h5"))
    what = damage(files[bench.rng.integers(len(files))], bench.rng)
    return bench.judge(trial, folder, bench.run(trial, folder).wait(), what)


def damaged_instance(bench) -> str:
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
        return bench.judge(trial, folder, ended, what)
    clear = ended.clear and f"Error: {copy}: damaged" in ended.told and not (folder / "m.h5").exists()
    found = [] if clear else ["no clear error that names the instance"]
    return CLEAR if bench.verdict(trial, found, what, ended) == RIGHT else WRONG


def damaged_trace(bench) -> str:
    """A trace, damaged, on its way into the tidy table."""
    trial, folder = bench.draw(), bench.place()
    copy, table = folder / "m.h5", folder / "m.csv"
    shutil.copy(trial.reference, copy)
    tidy([copy], folder / "reference.csv")
    what = damage(copy, bench.rng)
    ended = Child(lambda: tidy([copy], table), bench.folder / "log").wait()
    if ended.code == 0:
        same = table.read_bytes() == (folder / "reference.csv").read_bytes()
        return bench.verdict(trial, [] if same else ["another table"], what, ended)
    clear = ended.clear and f"Error: {copy}: damaged" in ended.told and not table.exists()
    found = [] if clear else ["no clear error that names the trace"]
    return CLEAR if bench.verdict(trial, found, what, ended) == RIGHT else WRONG
