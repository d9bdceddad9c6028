"""Real jobs (two seeds, a checkpoint a step) are killed, starved, handed damaged files and wrong clocks; each
must end with the trace of an undisturbed run, or say in one line why it cannot.

In the suite three jobs of different kinds are tried a few times each: iterates as arrays and as atoms, two
generators, an average. `make torture` takes all jobs.
"""

import os
import signal
import subprocess
import sys

import conditions
import pytest
from bench import Bench, by_clock
from operations import strike

from projfree.engine import checkpoint

pytestmark = pytest.mark.slow

FEW = (
    "storc on simplex_least_squares-0",
    "ncgs_vr on matrix_completion-0",
    'nmapg on robust_regression-0 {"prox": null}',
)


@pytest.fixture(scope="module")
def bench(tmp_path_factory, times):
    return Bench(tmp_path_factory.mktemp("torture"), FEW if times == 1 else ())


@pytest.fixture(autouse=True)
def afresh(bench):
    bench.wrong.clear()


@pytest.mark.parametrize(
    "strike", [by_clock(signal.SIGKILL), by_clock(signal.SIGTERM), strike], ids=["SIGKILL", "SIGTERM", "disk"]
)
def test_killed_jobs_end_as_if_they_had_not_been(bench, strike, times):
    bench.kills(strike, 4 * times)
    assert bench.wrong == []


CONDITIONS = "size_limit damaged_state damaged_instance damaged_trace leftovers stale_lock wrong_clocks"


@pytest.mark.parametrize("case", [*CONDITIONS.split(), "two_at_once", "memory_limit", "double_writers"])
def test_disturbed_jobs_end_right_or_with_a_clear_error(bench, case, times):
    often = 6 if "damaged" in case else 1  # cut or with flipped bits, which a file may not show
    for _ in range(often * times):
        getattr(conditions, case)(bench)
    assert bench.wrong == []


#: Full and read-only file systems, in a mount namespace of its own: the one argument of `unshare`.
MOUNTS = f"""
import sys
from pathlib import Path
sys.path[:0] = {sys.path!r}
from conditions import disk_full, read_only_data, read_only_results
from bench import Bench
from subprocess import run
folder = Path(sys.argv[1])
def mount(*words):
    if run(["mount", *map(str, words)]).returncode:
        sys.exit(5)
mount("-t", "tmpfs", "none", folder)
bench = Bench(folder, {FEW[:1]})
bench.small, bench.opened, bench.closed = places = [folder / name for name in ("small", "opened", "closed")]
for path in places:
    path.mkdir()
mount("-t", "tmpfs", "-o", "size=2m", "none", bench.small)
mount("--bind", bench.opened, bench.closed)
mount("-o", "remount,bind,ro", bench.closed)
for case in (disk_full, read_only_results, read_only_data):
    for _ in range(2 * int(sys.argv[2])):
        case(bench)
assert bench.wrong == [], bench.wrong
"""


def test_full_and_read_only_file_systems_where_they_can_be_mounted(tmp_path, times):
    for options in ("-m", "-rm"):
        command = ["unshare", options, sys.executable, "-c", MOUNTS, tmp_path, str(times)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode in (0, 5):
            break
    if done.returncode == 5 or "unshare" in done.stderr:
        pytest.skip("no right to mount here: full and read-only file systems are NOT tested")
    assert done.returncode == 0, done.stdout + done.stderr


def killed_at_its_third_save():
    """What a child does before its job: it will be gone once the third checkpoint is there."""
    save, left = checkpoint.save, [None] * 3

    def last(*state):
        save(*state)
        left.pop()
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    checkpoint.save = last


def test_a_resume_that_forgets_its_generators_is_seen(bench, monkeypatch):
    true = checkpoint.load

    def forgetful(path, key, rngs, *others):
        return true(path, key, {}, *others)

    drawing = next(trial for trial in bench.trials if trial.name.startswith("ncgs_vr"))  # in each step
    trial = bench.known(drawing)
    for loading, right in ((true, True), (forgetful, False)):
        monkeypatch.setattr(checkpoint, "load", loading)
        folder = bench.place()
        assert bench.run(trial, folder, prepare=killed_at_its_third_save).wait().code == -signal.SIGKILL
        ended = bench.run(trial, folder).wait()
        assert "resumed seed 0 at iteration 3" in ended.told
        assert bench.judge(trial, folder, ended, "killed at its third save") == right
    assert any("metrics/" in text or "final/" in text for text in bench.wrong)
