"""Kernels are compiled before any clock runs, whoever calls a job, and one process at a time makes a file."""

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from places import ROOT

from projfree.common.atomic_io import atomic_h5
from referee import study
from referee.common.alone import alone
from referee.jobs import compiled, instance, store


@pytest.fixture
def cold(tmp_path, monkeypatch):
    """An empty cache of compiled code, and a record of what is called: `compile`, then the job."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    done = []
    monkeypatch.setattr(compiled.subprocess, "run", lambda command, **_: done.append(command[-1]))
    monkeypatch.setattr("referee.jobs.job.run_job", lambda *_: done.append("run"))
    monkeypatch.setattr("referee.jobs.tuning.tune", lambda *_: done.append("tune"))
    monkeypatch.setattr(store, "read_json", lambda _: {"chosen": {}, "tried": []})
    return done


def test_kernels_are_compiled_once_and_again_where_what_they_depend_on_changed(tmp_path, monkeypatch):
    done = []
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("projfree.engine.warmup.compile_kernels", lambda: done.append(1))
    for state, times in (("a", 1), ("a", 1), ("b", 2)):
        monkeypatch.setattr(compiled, "state", lambda state=state: state)
        compiled.compile_all()
        assert len(done) == times


def test_where_nothing_can_be_kept_nothing_is_compiled_before_a_job(monkeypatch):
    called = []
    monkeypatch.setattr(compiled, "cache_folder", lambda: None)
    monkeypatch.setattr(compiled.subprocess, "run", lambda command, **_: called.append(command))
    compiled.ensure()
    compiled.compile_all()
    assert not called


def test_compiled_code_depends_on_the_sources_of_the_library(monkeypatch):
    before = compiled.state()
    assert compiled.state() == before
    monkeypatch.setattr("referee.common.closure.folder_sha256", lambda folder: folder)
    assert compiled.state() != before


def test_each_job_finds_the_kernels_compiled(cold, tmp_path):
    loaded = study.load("ncgs", "quick")
    for name, call in (("ncgs-2", store.run_method), ("ncgs-2-tuned", store.tune_method)):
        call(loaded.job("fig1-left", name), tmp_path / "instance.h5", tmp_path / f"{name}.h5")
    assert cold == ["compile", "run", "compile", "tune"]


HOLD = """
import sys
from referee.common.alone import alone
with alone(sys.argv[1]) as waited:
    print("held", waited, flush=True)
    sys.stdin.readline()
"""


def holder(output):
    command = [sys.executable, "-c", HOLD, str(output)]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_a_second_process_waits_for_the_first_also_where_that_is_killed(tmp_path):
    """As after a Snakemake that was killed: its job goes on, and the next Snakemake starts the same one."""
    output = tmp_path / "traces" / "fw.h5"
    first = holder(output)
    assert first.stdout.readline() == "held False\n"
    second = holder(output)
    time.sleep(1)
    assert second.poll() is None
    first.kill()
    assert second.stdout.readline() == "held True\n"
    second.communicate("\n")
    first.communicate()
    assert list(output.parent.iterdir()) == []
    with alone(output) as waited:
        assert not waited


def test_a_unit_waits_for_one_that_outlived_its_snakemake(tmp_path):
    first = holder(tmp_path / "results/taste/published/ncgs")
    assert first.stdout.readline() == "held False\n"
    words = ["evidence", "ncgs", "fig1-left", "--published", "--run", "taste"]
    environment = {**os.environ, "PROJFREE_WORK": str(tmp_path)}
    pipes = {"stderr": subprocess.PIPE, "text": True, "env": environment}
    second = subprocess.Popen([sys.executable, "-m", "referee.cli", *words], cwd=ROOT, **pipes)
    try:
        assert second.stderr.readline().startswith("another process makes ")
        assert second.poll() is None
        first.kill()
        assert "unknown published panel" in second.communicate()[1]  # it went on
    finally:
        first.kill(), second.kill()


def test_a_trace_that_another_run_made_meanwhile_is_taken(tmp_path, monkeypatch):
    """The second of two equal jobs waits, and finds the trace with the name of the first run in it."""
    runs = ("quick", "quick@U8-short-step")
    job, other = (study.load("ncgs", run).job("fig1-left", "ncgs-2") for run in runs)
    shelf = store.Store(tmp_path)
    path = shelf.trace_place(job, store.origin({}, "generated"))

    @contextmanager
    def after_the_other(output):
        assert Path(output) == path
        with atomic_h5(path) as handle:
            handle.attrs["run"] = other.run
        yield True

    monkeypatch.setattr(store, "alone", after_the_other)
    monkeypatch.setattr(store, "run_method", lambda *_: pytest.fail("made twice"))
    monkeypatch.setattr(instance, "instance_attrs", lambda _: {"dataset_sha256": "generated"})
    assert shelf.trace(job) == (path, None)
