"""The workflow on a real SLURM: the same traces as here, also where jobs, nodes, Snakemake are lost."""

import re
import shutil
import signal
import subprocess
import time

import h5py
import pytest
from child_processes import end_with_parent
from project import Project

from referee import study
from referee.publish.compare import differences

pytestmark = pytest.mark.slow

PROFILE = ("--workflow-profile", "workflow/profiles/slurm")
# What this cluster has not, and what shortens the waiting.
HERE = ("--slurm-no-account", "--slurm-status-command", "squeue", "--latency-wait", "20")
HERE += ("--slurm-init-seconds-before-status-checks", "1", "--seconds-between-status-checks", "1")
# Of each paper a figure's runs; the whole quick run takes a quarter of an hour (docs/cluster.md).
PAPERS = {"ncgs": "fig1-right", "nfwu": "fig2-p10", "mpcgs": "fig1-a", "gcg": "netflix", "ipg": "cardiac"}
#: Those that run where not all do, and what their bundles are there.
FEW = {"gcg": "fungus10", "ipg": "cardiac"}
SMALL = {"classes": "[fungus10, ablation-fungus10]", "oscar": '["*cardiac", "*schedules", inexactness-oscar]'}
FIGURE = "results/quick/figures/ipg/fig1-a.svg"
LONG = "results/quick/traces/ncgs/long/fw.h5"
STORE = "results/store/ncgs/long"


def command(*targets, options=(*PROFILE, *HERE)):
    return ["snakemake", *options, "--config", "run=quick", "--", *targets]


def environment(cluster, project):
    ours, theirs = project.environment, cluster.environment
    return {
        **theirs,
        **{name: ours[name] for name in ("PROJFREE_CACHE",)},
        "PYTHONPATH": f"{ours['PYTHONPATH']}:{theirs['PYTHONPATH']}",
        "PATH": f"{cluster.folder / 'bin'}:{ours['PATH']}:/usr/sbin:/sbin",
    }


def start(cluster, project, *targets, **options):
    return subprocess.Popen(
        command(*targets, **options),
        cwd=project.folder,
        env=environment(cluster, project),
        preexec_fn=end_with_parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finish(process):
    told = process.communicate(timeout=400)[0]
    assert process.returncode == 0, told
    return told


def wait_for(condition, seconds=120):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.1)


def of_clocks(line):
    return "seconds" in line or "speed" in line


def with_small_bundles(text):
    for bundle, experiments in SMALL.items():
        text = re.sub(rf"( {bundle}:) \[.*", rf"\1 {experiments}", text)
    return text


def test_the_papers_run_through_slurm_as_they_do_here(cluster, tmp_path, long):
    papers = PAPERS if long else FEW
    units = {paper: study.load(paper, "quick").units() for paper in papers}
    tables = [
        f"results/quick/evidence/{paper}/{unit}"
        for paper, experiment in papers.items()
        for unit, members in units[paper].items()
        if experiment in members
    ]
    here, there = (Project.copy(tmp_path / name, own_sources=False) for name in ("here", "there"))
    for project in () if long else (here, there):
        for paper in papers:
            project.edit(f"papers/{paper}/runs.yaml", with_small_bundles)
    process = start(cluster, there, *tables, FIGURE)
    here.snakemake(*tables, FIGURE)  # while jobs wait there
    told = finish(process)
    assert len(set(re.findall(r"SLURM jobid (\d+)", told))) >= len(papers)
    traces = sorted((here.folder / "results/quick/evidence").glob("*/*/traces/*/*.h5"))
    assert {path.parts[-5] for path in traces} == set(papers)
    for path in traces:
        other = there.folder / path.relative_to(here.folder)
        assert [line for line in differences(path, other) if not of_clocks(line)] == [], path
    assert (there.folder / FIGURE).exists()


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy with the tiny paper, whose longest experiment takes some ten seconds."""
    made = Project.create(tmp_path_factory.mktemp("cluster"), own_sources=False)
    made.edit("papers/ncgs/paper.yaml", lambda text: text.replace("iterations: 5000", "iterations: 15000"))
    return made


@pytest.fixture(scope="module")
def lived(project):
    """The trace of a run that was left alone."""
    project.call("projfree", "instance", "ncgs", "long")
    project.call("projfree", "solve", "ncgs", "long", "fw", "--output", "lived.h5")
    return project.folder / "lived.h5"


@pytest.fixture
def under_way(cluster, project, lived):
    """Snakemake with the long job running on a node, its first seed done, in its middle."""
    (project.folder / LONG).unlink(missing_ok=True)
    shutil.rmtree(project.folder / STORE)  # what is finished would be taken
    process = start(cluster, project, LONG)
    try:
        wait_for(lambda: list((project.folder / STORE).glob(".fw-*.unfinished/seed-0.h5")))
        yield process
    finally:
        process.kill()
        cluster.call("scancel", "--full", *cluster.jobs("RUNNING", "PENDING"))


def same_as(lived, project):
    assert differences(project.folder / LONG, lived) == []
    with h5py.File(project.folder / LONG) as handle:
        assert len(handle) == 3
    assert not list((project.folder / STORE).glob(".*.unfinished"))


def test_a_cancelled_job_is_tried_again_and_goes_on(cluster, project, lived, under_way):
    [job] = cluster.jobs("RUNNING")
    cluster.call("scancel", job)
    told = finish(under_way)
    assert job in cluster.jobs("CANCELLED") and "Trying to restart job" in told
    same_as(lived, project)


@pytest.mark.long
def test_a_lost_node_costs_a_retry_on_the_other(cluster, project, lived, under_way):
    [(job, node)] = cluster.jobs("RUNNING").items()
    cluster.call("scontrol", "update", f"nodename={node}", "state=down", "reason=test")
    try:
        finish(under_way)
    finally:
        cluster.call("scontrol", "update", f"nodename={node}", "state=resume")
    assert job in cluster.jobs("NODE_FAIL") and cluster.jobs("NODE_FAIL")[job] == node
    same_as(lived, project)


@pytest.mark.long
def test_snakemake_killed_and_called_again_ends_with_the_same_trace(cluster, project, lived, under_way):
    under_way.send_signal(signal.SIGKILL)
    under_way.wait()
    again = start(cluster, project, LONG)
    assert "LockException" in again.communicate()[0] and again.returncode == 1
    cluster.call("scancel", "--full", *cluster.jobs("RUNNING"))
    project.call("snakemake", "--unlock", *PROFILE, "--config", "run=quick")
    finish(start(cluster, project, LONG))
    same_as(lived, project)
