"""Real processes, really killed: started again until done, they leave the trace of one that lived."""

import os
import shutil
import subprocess
import sys
import time

import instances
import numpy as np
import pytest
import yaml
from places import ROOT

from projfree.engine.trace import read_trace
from projfree.jobs.build import build_instance

TRACE = "results/quick/traces/ncgs/c5c/ncgs-vr.h5"
WORK = instances.job(
    generator={"name": "completion", "shape": [40, 40], "rank": 2, "radius": 2, "observe": 0.4}
    | {"corrupt": 0.1, "noise": 1.0, "mode": "A", "corruption": "add"},
    problem={"name": "matrix_completion", "loss": "sl0", "sigma": 1.0, "weight": "sum"},
    set={"name": "nuclear_ball", "radius": 2},
    solver={"name": "ncgs_vr", "params": {}},
    budget={"iterations": 1500},
    metrics=["objective", "fw_gap"],
    seeds=[0, 1],
)
JOB = """
import sys
from projfree.jobs.job import run_job
from projfree.study.models.job import Job
job, instance, output = sys.argv[1:]
run_job(Job.model_validate_json(job), instance, output, checkpoint_seconds=0.02)
"""


def start(command, folder):
    return subprocess.Popen(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(command, folder):
    process = start(command, folder)
    out, err = process.communicate()
    assert process.returncode == 0, out + err
    return out + err


def kill_at(command, folder, unfinished, seconds, what="**"):
    """Start, and kill that long after the folder of unfinished work (or `what` in it) is there.

    Returns whether it was still alive, and what it told on stderr.
    """
    process = start(command, folder)
    while process.poll() is None and not any(unfinished.glob(what)):
        time.sleep(0.002)
    time.sleep(seconds)
    alive = process.poll() is None
    process.kill()
    return alive, process.communicate()[1]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project folder with the instance of c5c, whose quick run is made long enough to be killed."""
    folder = tmp_path_factory.mktemp("project")
    for part in ("config", "workflow/schemas"):
        shutil.copytree(ROOT / part, folder / part)
    path = folder / "config/papers/ncgs/runs.yaml"
    spec = yaml.safe_load(path.read_text())
    spec["runs"]["quick"]["experiments"]["c5c"]["budget"]["iterations"] = 1500
    path.write_text(yaml.safe_dump(spec, sort_keys=False))
    finish(["-m", "projfree.cli", "instance", "ncgs", "c5c", "--run", "quick"], folder)
    return folder


def cli(output=None):
    command = ["-m", "projfree.cli", "run", "ncgs", "c5c", "ncgs-vr", "--run", "quick"]
    return command + (["--output", str(output)] if output else [])


@pytest.fixture(scope="module")
def lived(project):
    """The trace of a run that nobody killed."""
    finish(cli("lived.h5"), project)
    return project / "lived.h5"


def same(project, first, second):
    diff = ["-m", "projfree.cli", "trace", "diff", str(first), str(second)]
    assert "the same in all but clocks" in finish(diff, project)
    for a, b in zip(read_trace(first)[1], read_trace(second)[1], strict=True):
        assert (a.end_status, a.message) == (b.end_status, b.message)
        np.testing.assert_array_equal(a.final["x"], b.final["x"])


def leftovers(folder):
    return sorted(p.name for p in folder.iterdir() if p.name.startswith("."))


def test_killed_commands_finish_with_the_same_trace(project, lived):
    output = project / TRACE
    rng = np.random.default_rng(8)
    unfinished = output.parent / ".ncgs-vr.unfinished"
    kills = [kill_at(cli(), project, unfinished, seconds)[0] for seconds in rng.uniform(0, 1, size=4)]
    assert any(kills), "all ended before they were killed"
    if not output.exists():
        finish(cli(), project)
    same(project, output, lived)
    assert leftovers(output.parent) == []


def test_two_commands_at_once_leave_a_whole_trace(project, lived):
    output = project / "twice" / "m.h5"
    both = [start(cli(output), project) for _ in range(2)]
    ends = [(process.communicate(), process.returncode) for process in both]
    assert any(code == 0 for _, code in ends), ends
    assert all("Traceback" not in err for (_, err), _ in ends), ends
    same(project, output, lived)
    assert [name for name in leftovers(output.parent) if name.endswith(".part")] == []


def test_killed_at_random_moments_jobs_go_on_from_their_checkpoints(tmp_path):
    build_instance(instances.recipe(WORK), tmp_path / "e.h5")
    command = ["-c", JOB, WORK.model_dump_json(exclude_unset=True), str(tmp_path / "e.h5")]
    finish([*command, str(tmp_path / "lived.h5")], tmp_path)
    output, unfinished = tmp_path / "killed.h5", tmp_path / ".killed.unfinished"
    moments = np.random.default_rng(9).uniform(0, 0.3, size=5)
    killed = [
        kill_at([*command, str(output)], tmp_path, unfinished, seconds, "*.checkpoint.h5")
        for seconds in moments
    ]
    told = "".join(err for _, err in killed)
    if not output.exists():
        told += finish([*command, str(output)], tmp_path)
    assert any(alive for alive, _ in killed) and "resumed seed" in told and "starting afresh" not in told
    same(tmp_path, output, tmp_path / "lived.h5")
    assert leftovers(tmp_path) == []


def test_asked_to_end_it_saves_its_state_at_once_and_goes_on_from_there(project, lived):
    output = project / "asked" / "m.h5"
    unfinished, told = output.parent / ".m.unfinished", ""
    for seconds in np.arange(0, 20, 0.5):  # while it warms up, then on its way
        process = start(cli(output), project)
        while process.poll() is None and not unfinished.exists():
            time.sleep(0.002)
        time.sleep(seconds)
        process.terminate()
        began = time.monotonic()
        told = process.communicate()[1]
        assert time.monotonic() - began < 5 and "Traceback" not in told
        if "asked to end (SIGTERM): seed" in told:
            break
    assert process.returncode == 1 and list(unfinished.glob("*.checkpoint.h5")), told
    assert "resumed seed" in finish(cli(output), project)
    same(project, output, lived)
