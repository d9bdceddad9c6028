"""Obstacles of the file system: full, limited, read-only, damaged files."""

import os
import resource
import shutil
import signal
import time

from child import Child
from conditions import CLEAR, RIGHT, WRONG, failed_then_free

from projfree.evidence.tidy import tidy
from projfree.jobs import build


def disk_full(bench) -> str:
    """The file system is full but for some kB, or fills up at a random moment; then there is space again."""
    job, folder = bench.draw(), bench.place(bench.small)
    ballast, spare = bench.small / "ballast", int(bench.rng.integers(0, 120)) * 1024
    _fill(ballast)
    os.truncate(ballast, max(0, ballast.stat().st_size - spare))
    child = bench.run(job, folder)
    if bench.rng.random() < 0.5:
        time.sleep(bench.rng.uniform(0, job.seconds))
        _fill(ballast)
    ended, what = child.wait(), f"disk full, at first with {spare} bytes free"
    return failed_then_free(bench, job, folder, ended, what, "No space left on device", ballast.unlink)


def _fill(ballast):
    with open(ballast, "ab", buffering=0) as stream:
        try:
            while stream.write(bytes(4096)):
                pass
        except OSError:
            return


def size_limit(bench) -> str:
    """No file may be larger than some bytes (RLIMIT_FSIZE); then there is no limit."""
    job, folder = bench.draw(), bench.place()
    size = int(bench.rng.integers(4096, 60_000))

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    ended = bench.run(job, folder, prepare=limit).wait()
    what = f"files of at most {size} bytes"
    return failed_then_free(bench, job, folder, ended, what, "File too large", lambda: None)


def read_only_results(bench) -> str:
    """The folder of the results is read-only; then it is not."""
    job = bench.draw()
    folder = bench.place(bench.opened)
    ended = bench.run(job, bench.closed / folder.name).wait()
    if ended.code == 0:
        return bench.verdict(job, ["wrote into a read-only folder"], "read-only results", ended)
    what = "read-only results"
    return failed_then_free(bench, job, folder, ended, what, "Read-only file system", lambda: None)


def read_only_data(bench) -> str:
    """The folder of the data is read-only: jobs read it; what would write there says so."""
    job, data = bench.draw(), bench.place(bench.opened)
    shutil.copy(job.instance, data / "m.h5")
    own, job.instance = job.instance, bench.closed / data.name / "m.h5"
    try:
        folder = bench.place()
        right = bench.judge(job, folder, bench.run(job, folder).wait(), "read-only data")
        spec = {"seeds": [], "problem": {}}
        ended = Child(lambda: build.build_instance(spec, job.instance), bench.folder / "log").wait()
    finally:
        job.instance = own
    told = [] if ended.clear and "Read-only file system" in ended.told else ["no clear error"]
    return WRONG if bench.verdict(job, told, "writing read-only data", ended) == WRONG else right


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
    job, folder = bench.draw(), bench.place()
    for _ in range(50):
        child = bench.run(job, folder)
        time.sleep(bench.rng.uniform(0, job.seconds))
        child.signal(signal.SIGKILL)
        child.wait()
        files = sorted(folder.glob(".m.unfinished/seed-*.h5"))
        if files:
            break
        shutil.rmtree(folder)
        folder.mkdir()
    else:
        raise RuntimeError(f"{job.name}: no checkpoint after 50 kills")
    what = damage(files[bench.rng.integers(len(files))], bench.rng)
    return bench.judge(job, folder, bench.run(job, folder).wait(), what)


def damaged_instance(bench) -> str:
    """The instance of a job, damaged: told by its name, or harmless."""
    job, folder = bench.draw(), bench.place()
    copy = folder / "instance.h5"
    own, job.instance = job.instance, shutil.copy(job.instance, copy)
    try:
        what = damage(copy, bench.rng)
        ended = bench.run(job, folder).wait()
    finally:
        job.instance = own
    if ended.code == 0:
        return bench.judge(job, folder, ended, what)
    clear = ended.clear and f"Error: {copy}: damaged" in ended.told and not (folder / "m.h5").exists()
    found = [] if clear else ["no clear error that names the instance"]
    return CLEAR if bench.verdict(job, found, what, ended) == RIGHT else WRONG


def damaged_trace(bench) -> str:
    """A trace, damaged, on its way into the tidy table."""
    job, folder = bench.draw(), bench.place()
    copy, table = folder / "m.h5", folder / "m.csv"
    shutil.copy(job.reference, copy)
    tidy([copy], folder / "reference.csv")
    what = damage(copy, bench.rng)
    ended = Child(lambda: tidy([copy], table), bench.folder / "log").wait()
    if ended.code == 0:
        same = table.read_bytes() == (folder / "reference.csv").read_bytes()
        return bench.verdict(job, [] if same else ["another table"], what, ended)
    clear = ended.clear and f"Error: {copy}: damaged" in ended.told and not table.exists()
    found = [] if clear else ["no clear error that names the trace"]
    return CLEAR if bench.verdict(job, found, what, ended) == RIGHT else WRONG
