"""`python tests/torture/kills.py --minutes 10 --kills 300 --seed 0 --json OUT.json`: solver jobs, tortured.

Real jobs (`jobs.job.run_job`, two seeds, a checkpoint a step) of every solver are killed, starved of disk,
handed damaged files and wrong clocks; each must end with the trace of an undisturbed run, or say in one line
why it cannot. The exit code is 1 if one did neither.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import apart
import click
import jobs
import mishaps
import numpy as np
import obstacles
import operations
from conditions import Bench, by_clock, kills, tally
from outcomes import Outcome, save

from projfree.ground import provenance
from referee.ground import revision

#: (what is done, case, cases for each 100 kills, what the case needs that not everyone may)
CONDITIONS = [
    ("file system full, then free again", obstacles.disk_full, 20, "small"),
    ("limit on the size of files, then none", obstacles.size_limit, 15, None),
    ("checkpoint or finished seed cut or with flipped bytes", obstacles.damaged_state, 20, None),
    ("instance cut or with flipped bytes", obstacles.damaged_instance, 20, None),
    ("trace cut or with flipped bytes, read by tidy", obstacles.damaged_trace, 40, None),
    ("read-only folder of results, then writable", obstacles.read_only_results, 4, "closed"),
    ("read-only folder of data", obstacles.read_only_data, 4, "closed"),
    ("leftovers of dead processes and of other code", mishaps.leftovers, 10, None),
    ("stale lock of a dead process", mishaps.stale_lock, 5, None),
    ("clocks that jump and run backwards, files of the future", mishaps.wrong_clocks, 10, None),
    ("two jobs at once on one output", mishaps.two_at_once, 10, None),
    ("two writers with one host name and process number", apart.double_writers, 50, "apart"),
    ("memory limited (RLIMIT_AS), then none", obstacles.memory_limit, 20, None),
    ("clocks by faketime: days off, fast, slow", mishaps.faketime, 5, "faketime"),
]
#: (what is done, how jobs are struck, kills for each 100)
KILLED = [
    ("SIGKILL at a random moment", by_clock(signal.SIGKILL), 100),
    ("SIGKILL before or after a write, fsync, rename or unlink", operations.strike, 100),
    ("SIGTERM", by_clock(signal.SIGTERM), 10),
]
LACKING = dict.fromkeys(("small", "closed"), "no right to mount here (needs root or user namespaces)")
LACKING["apart"] = "no right to process namespaces here (needs root or user namespaces)"
LACKING["faketime"] = "libfaketime is not here (say where by FAKETIME_LIB)"
PRIVATE = "TORTURE_HAS_PRIVATE_MOUNTS"


def torture(bench, wanted, minutes):
    """All conditions, an outcome each. Says on stderr what goes on.

    Kills may take two thirds of the time, the others of the rest as their cases; what one does not need
    is the next one's.
    """
    works = [*KILLED, *CONDITIONS]
    weights = np.array([10 * share for *_, share in KILLED] + [share for *_, share, _ in CONDITIONS], float)
    ends = time.monotonic() + 60 * minutes * np.cumsum(weights) / weights.sum()
    for work, end in zip(works, ends, strict=True):
        yield _outcome(bench, work, max(1, wanted * work[2] // 100), end)


def chosen(bench, only, wanted, minutes):
    """The conditions whose name holds some words, as many cases of each."""
    for work in [w for w in [*KILLED, *CONDITIONS] if only in w[0]]:
        yield _outcome(bench, work, wanted, time.monotonic() + 60 * minutes)


def _outcome(bench, work, wanted, end):
    """What a condition comes to, if this user may have what it needs."""
    name, way, _, *needs = work
    if any(need and getattr(bench, need) is None for need in needs):
        return Outcome(name, note=LACKING[needs[0]])
    count = kills if work in KILLED else tally
    return _timed(bench, lambda: count(bench, name, way, wanted, end))


def _timed(bench, work):
    """An outcome with its seconds, how many jobs went on from a checkpoint, and the first failure."""
    began, before, bench.went_on = time.monotonic(), len(bench.wrong), 0
    outcome = work()
    outcome.seconds = round(time.monotonic() - began, 1)
    outcome.went_on = bench.went_on
    if not outcome.cases:
        outcome.note = "the time was over"
    print(outcome, *bench.wrong[before:], sep="\n", file=sys.stderr)
    return outcome


def with_private_mounts():
    """Start again in a mount namespace of our own, where small file systems can be mounted; if allowed."""
    for options in (["-m"], ["-rm"]):
        if PRIVATE in os.environ or not shutil.which("unshare"):
            return
        if subprocess.run(["unshare", *options, "mount", "-t", "tmpfs", "none", "/mnt"]).returncode == 0:
            os.environ[PRIVATE] = "1"
            os.execvp("unshare", ["unshare", *options, sys.executable, *sys.argv])


def bench_in(folder, seed) -> Bench:
    """A bench with jobs in a folder; where mounting is allowed the folder is in memory."""
    folder, mounted = Path(folder), PRIVATE in os.environ
    if mounted:
        _mount("-t", "tmpfs", "none", folder)
    made = jobs.make(folder)
    bench = Bench(made, folder, np.random.default_rng(seed))
    bench.apart, bench.faketime = apart.allowed() or None, mishaps.faketime_library()
    if mounted:
        bench.small, bench.opened, bench.closed = (folder / n for n in ("small", "opened", "closed"))
        for path in (bench.small, bench.opened, bench.closed):
            path.mkdir()
        _mount("-t", "tmpfs", "-o", "size=2m", "none", bench.small)
        _mount("--bind", bench.opened, bench.closed)
        _mount("-o", "remount,bind,ro", bench.closed)
    revision.git_commit(), provenance.environment()  # asked once; children inherit the answers
    return bench


def _mount(*arguments):
    subprocess.run(["mount", *map(str, arguments)], check=True)


@click.command()
@click.option("--minutes", default=float("inf"), help="End after so long, whatever is done.")
@click.option(
    "--kills", "wanted", default=300, show_default=True, help="SIGKILLs; other cases in proportion."
)
@click.option("--only", default="", help="Conditions whose name holds this, --kills cases of each.")
@click.option("--jobs", "few", default=None, type=int, help="Only so many of the jobs, drawn at random.")
@click.option("--seed", default=0, show_default=True)
@click.option("--json", "output", type=click.Path(path_type=Path), help="Where the outcomes go.")
def main(minutes, wanted, only, few, seed, output):
    """Torture solver jobs and tell what became of them."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            bench = bench_in(folder, seed)
            bench.rng.shuffle(bench.trials)
            del bench.trials[few:]
            outcomes = list(chosen(bench, only, wanted, minutes) if only else torture(bench, wanted, minutes))
        finally:
            if PRIVATE in os.environ:
                subprocess.run(["umount", "-R", folder], check=True)
    if output:
        save(output, outcomes)
    sys.exit(any(outcome.wrong for outcome in outcomes))


if __name__ == "__main__":
    with_private_mounts()
    main()
