import os
import re
import time

import h5py
import pytest
from told import in_seconds

from projfree.engine import checkpoint
from projfree.engine.clock import Clock
from projfree.engine.driver import Position
from projfree.trace.format import SeedTrace
from referee import study
from referee.publish import progress, record
from referee.study.models.experiment import Budget

BUDGET = {"cpu_seconds": 8.0, "iterations": 1000}


@pytest.fixture
def loaded():
    """The quick run of ncgs, one method of it with a known budget."""
    found = study.load("ncgs", "quick")
    found.experiment("fig1-left").method_budgets["fw"] = Budget(**BUDGET)
    return found


@pytest.fixture
def results(tmp_path):
    """A run with fw half-way, ncgs-1 done, ncgs-2 failed, ncgs-vr without a sign of life."""
    results = tmp_path / "results" / "quick"
    unfinished = results / "traces/ncgs/fig1-left/.fw.unfinished"
    unfinished.mkdir(parents=True)
    (unfinished / "seed-0.h5").touch()
    clock = Clock(cpu=2.0, wall=2.5)
    position = Position(1.0, 400, 500)
    tables = {"counts": {"lmo": 9}, "seconds": {}, "tally": {}}
    checkpoint.save(unfinished / "seed-1.checkpoint.h5", "k", position, {}, clock, tables, SeedTrace(1))
    (unfinished.parent / "ncgs-1.h5").touch()
    logs = results / "logs/solve/ncgs/fig1-left"
    logs.mkdir(parents=True)
    (logs / "fw.log").write_text("fig1-left fw seed 0: budget after 900 iterations\n")
    (logs / "ncgs-1.log").write_text("Error: of an earlier try\n")
    (logs / "ncgs-2.log").write_text("starting\nError: no space left\n")
    (logs / "ncgs-vr.log").touch()
    old = time.time() - 3600
    os.utime(logs / "ncgs-vr.log", (old, old))
    ended = results / "benchmarks/solve/ncgs/fig1-left/ncgs-1.tsv"
    ended.parent.mkdir(parents=True)
    ended.write_text("s\n1.0\n")
    return results


def test_status_tells_done_running_silent_and_failed(loaded, results, tmp_path):
    text = progress.summary(loaded, tmp_path)
    assert f"1 of {len(loaded.solves())} traces" in text
    assert re.search(r"about [1-9]\d* (s|min|h \d+ min) of CPU time left", text)
    assert re.search(r"running  solve fig1-left/fw: 1 of 2 seeds, the next at 40%, seen \d+ s ago", text)
    assert re.search(r"failed   solve fig1-left/ncgs-2\n +starting\n +Error: no space left", text)
    assert re.search(r"silent   solve fig1-left/ncgs-vr: 0 of 2 seeds: nothing for 6\d min", text)
    assert "ncgs-1" not in text  # it ended well, whatever its log says of an earlier try


def test_a_job_that_is_run_again_after_its_end_is_told(loaded, results, tmp_path):
    now = time.time() + 5
    os.utime(results / "logs/solve/ncgs/fig1-left/ncgs-1.log", (now, now))
    assert "failed   solve fig1-left/ncgs-1" in progress.summary(loaded, tmp_path)


def test_a_job_that_ended_is_not_left(loaded, results, tmp_path):
    before = progress.hours_left(loaded, tmp_path)
    job = next(name for name in progress.costs.predict(loaded, tmp_path)["each"])
    rule, _, name = job.partition(" ")
    path = results / "benchmarks" / rule / "ncgs" / f"{name}.tsv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("s\n1.0\n")
    assert progress.hours_left(loaded, tmp_path) < before


def test_a_panel_that_was_taken_is_not_left(tmp_path):
    loaded, results = study.load("ncgs", "full"), tmp_path / "results/full"
    before = progress.hours_left(loaded, tmp_path)
    table = results / "evidence/ncgs/fig1-right.csv"
    table.parent.mkdir(parents=True, exist_ok=True)
    table.write_text("experiment\n")
    assert progress.hours_left(loaded, tmp_path) < before
    methods = len(loaded.experiment("fig1-right").methods)
    assert f", {methods} more taken from elsewhere" in progress.summary(loaded, tmp_path)
    trace = results / "traces/ncgs/fig1-right/svfw.h5"
    trace.parent.mkdir(parents=True, exist_ok=True)
    trace.write_bytes(b"")
    assert progress.hours_left(loaded, tmp_path) == before


def test_forecast_grows_with_the_budgets():
    def seconds(run):
        return in_seconds(progress.forecast(study.load("ncgs", run), "/nowhere"))

    assert 1 < seconds("quick") < seconds("full") < seconds("paper")


def test_durations_and_hashes_come_from_the_run(tmp_path):
    folder = tmp_path / "benchmarks" / "solve" / "ncgs" / "fig1-left"
    folder.mkdir(parents=True)
    for name, seconds in (("fw", 2.0), ("ncgs-2", 3.5)):
        (folder / f"{name}.tsv").write_text(f"s\th:m:s\tmax_rss\n{seconds}\t0:00:02\t100.5\n")
    assert record.durations(tmp_path / "benchmarks", "ncgs") == {
        "solve": {"jobs": 2, "seconds": 5.5, "peak_mb": 100.5}
    }
    with h5py.File(tmp_path / "fig3-left.h5", "w") as handle:
        handle.attrs.update(stand_in=True, dataset_sha256="abc")
    assert record.data_hashes(tmp_path) == {"fig3-left": "abc (stand-in)"}


def test_the_page_says_how_many_runs_shared_their_core(tmp_path):
    assert record.sharing(tmp_path) == ""
    rows = [(0, 0, 0.01), (0, 1, 0.01), (1, 0, 0.4), (2, 0, "")]
    lines = [f"e,fw,{seed},{iteration},{share},budget,t" for seed, iteration, share in rows]
    header = "experiment,method,seed,iteration,others_on_core,end_status,trace"
    (tmp_path / "e.csv").write_text("\n".join([header, *lines, ""]))
    (tmp_path / "untimed.csv").write_text("experiment,method,seed,end_status,trace\nf,fw,0,budget,t\n")
    assert record.sharing(tmp_path) == (
        "2 of 3 timed runs had a core of their own; on 1 of them others used more than 5% of it (at most 40%)"
    )
