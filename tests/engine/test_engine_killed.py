"""Real processes, really killed: started again until done, they leave the trace of one that lived.

A process sends itself the signal at a step or a save that is counted, so that no clock says where it ends.
"""

import os
import shutil
import signal
import subprocess
import sys

import checkouts
import instances
import numpy as np
import pytest

from projfree.trace.format import read_trace
from referee.jobs.build import build_instance

pytestmark = pytest.mark.slow

STORE = "results/store/ncgs/c5c"
TRACE = "results/quick/traces/ncgs/c5c/ncgs-vr.h5"
#: A seed of the command takes one step to warm up and so many of its own.
STEPS = 300
SOLVER = {"name": "ncgs_vr", "params": {}}
WORK = instances.completion_job(
    [40, 40], 0.4, solver=SOLVER, budget={"iterations": 100}, metrics=["objective", "fw_gap"], seeds=[0, 1]
)
FATE = """
import os, sys
from projfree.engine.driver import Drive

def fated(what, count, number):
    true, left = getattr(Drive, what), [None] * int(count)
    def last(drive):
        true(drive)
        if left and (left.pop(), not left)[1]:
            os.kill(os.getpid(), int(number))
    setattr(Drive, what, last)

if sys.argv[1]:
    fated(*sys.argv[1].split())
del sys.argv[1]
"""
CLI = FATE + "from referee.cli import main\nmain()"
JOB = f"""{FATE}
from referee.jobs.job import run_job
from referee.study.models.experiment import Job
job, instance, output = sys.argv[1:]
run_job(Job.model_validate_json(job), instance, output, checkpoint_seconds=0)
"""


def start(command, folder, fate=""):
    program, *arguments = command
    return subprocess.Popen(
        [sys.executable, "-c", program, fate, *arguments],
        cwd=folder,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def ended(command, folder, *fate):
    """Exit code and words of a process, which may send itself a signal after so many steps or saves."""
    process = start(command, folder, " ".join(map(str, fate)))
    told, _ = process.communicate()
    return process.returncode, told


def finish(command, folder):
    code, told = ended(command, folder)
    assert code == 0, told
    return told


def cli(*words):
    return [CLI, *map(str, words)]


def run(output=None):
    return cli("solve", "ncgs", "c5c", "ncgs-vr", "--run", "quick", *(["--output", output] if output else []))


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project folder with the instance of c5c."""
    folder = checkouts.checkout(tmp_path_factory.mktemp("project"))
    shorter = {"iterations": STEPS}
    checkouts.change(lambda c5c, _: c5c["budget"].update(shorter), folder / checkouts.RUNS, "c5c")
    finish(cli("instance", "ncgs", "c5c", "--run", "quick"), folder)
    return folder


@pytest.fixture
def lived(project):
    """The trace of a run that nobody killed, and an empty store: what is in it would be taken."""
    if not (project / "lived.h5").exists():
        finish(run("lived.h5"), project)
    shutil.rmtree(project / "results/store")
    return project / "lived.h5"


def same(project, first, second):
    assert "the same in all but clocks" in finish(cli("trace", first, second), project)
    for a, b in zip(read_trace(first)[1], read_trace(second)[1], strict=True):
        assert (a.end_status, a.message) == (b.end_status, b.message)
        np.testing.assert_array_equal(a.final["x"], b.final["x"])


def leftovers(folder):
    return sorted(p.name for p in folder.iterdir() if p.name.startswith("."))


def test_killed_commands_finish_with_the_same_trace(project, lived):
    output = project / TRACE
    for step in (1, STEPS // 2, STEPS + 1, STEPS + 2):  # warming up, on its way, at the seed's end, after it
        code, told = ended(run(), project, "_advance", step, signal.SIGKILL)
        assert code == -signal.SIGKILL and not output.exists(), told
    told = finish(run(), project)
    assert "seed 0:" not in told, "what the last one had finished"
    same(project, output, lived)
    assert leftovers(output.parent) == leftovers(project / STORE) == []


def test_two_commands_at_once_leave_a_whole_trace(project, lived):
    output = project / "twice" / "m.h5"
    both = [start(run(output), project) for _ in range(2)]
    ends = [(process.communicate()[0], process.returncode) for process in both]
    assert any(code == 0 for _, code in ends), ends
    assert all("Traceback" not in told for told, _ in ends), ends
    same(project, output, lived)
    places = output.parent, project / STORE
    assert [name for place in places for name in leftovers(place) if name.endswith(".part")] == []


def test_killed_at_any_save_jobs_go_on_from_their_checkpoints(tmp_path):
    build_instance(instances.recipe(WORK), tmp_path / "e.h5")
    job = [JOB, WORK.model_dump_json(exclude_unset=True), str(tmp_path / "e.h5")]
    finish([*job, str(tmp_path / "lived.h5")], tmp_path)
    output, goes_on = str(tmp_path / "killed.h5"), ""
    for saves, saved in ((1, "0 at iteration 1"), (30, "0 at iteration 31"), (69, "0 at iteration 100")):
        code, told = ended([*job, output], tmp_path, "_save", saves, signal.SIGKILL)
        assert code == -signal.SIGKILL and goes_on in told, told
        goes_on = f"resumed seed {saved}\n"
    told = finish([*job, output], tmp_path)
    assert goes_on in told and "starting afresh" not in told
    same(tmp_path, output, tmp_path / "lived.h5")
    assert leftovers(tmp_path) == []


def test_asked_to_end_it_saves_its_state_at_once_and_goes_on_from_there(project, lived):
    output = project / "asked" / "m.h5"
    code, told = ended(run(output), project, "_advance", 1, signal.SIGTERM)
    assert code == -signal.SIGTERM and "Traceback" not in told, "warming up, it has nothing to save"
    code, told = ended(run(output), project, "_advance", 100, signal.SIGTERM)
    assert code == 1 and "Traceback" not in told
    assert "asked to end (SIGTERM): seed 0 is saved at iteration 99;" in told
    assert list((project / STORE).glob(".*.unfinished/*.checkpoint.h5"))
    assert "resumed seed 0 at iteration 99\n" in finish(run(output), project)
    same(project, output, lived)
