import os
import re
import time

import pytest

from projfree.engine import checkpoint
from projfree.engine.clock import Clock
from projfree.engine.driver import Position
from projfree.trace.format import SeedTrace
from referee import study
from referee.jobs.job import with_tuned
from referee.jobs.store import Store
from referee.publish import costs, progress
from referee.study.models.experiment import Budget

BUDGET = {"cpu_seconds": 8.0, "iterations": 1000}
EXPERIMENT = "fig1-left"


@pytest.fixture
def loaded():
    """The full run of ncgs, one method of it with a known budget."""
    found = study.load("ncgs", "full")
    found.experiment(EXPERIMENT).method_budgets["fw"] = Budget(**BUDGET)
    return found


def finish(loaded, method, root, experiment=EXPERIMENT):
    """A file where the finished trace of a method has to be."""
    shelf, about = Store(root / "results/store"), progress._origin(loaded, experiment, root)
    path = shelf.trace_place(loaded.job(experiment, method), about)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


@pytest.fixture
def results(loaded, tmp_path):
    """A run with fw half-way, ncgs-1 done, ncgs-2 failed, ncgs-vr without a sign of life."""
    results = tmp_path / "results" / "full"
    finish(loaded, "ncgs-1", tmp_path)
    unfinished = tmp_path / f"results/store/ncgs/{EXPERIMENT}/.fw-0123456789abcdef.unfinished"
    unfinished.mkdir(parents=True)
    (unfinished / "seed-0.h5").touch()
    clock = Clock(cpu=2.0, wall=2.5)
    position = Position(1.0, 400, 500)
    tables = {"counts": {"lmo": 9}, "seconds": {}, "tally": {}}
    checkpoint.save(unfinished / "seed-1.checkpoint.h5", "k", position, {}, clock, tables, SeedTrace(1))
    logs = results / f"logs/solve/ncgs/{EXPERIMENT}"
    logs.mkdir(parents=True)
    (logs / "fw.log").write_text("fig1-left fw seed 0: budget after 900 iterations\n")
    (logs / "ncgs-1.log").write_text("Error: of an earlier try\n")
    (logs / "ncgs-2.log").write_text("starting\nError: no space left\n")
    (logs / "ncgs-vr.log").touch()
    old = time.time() - 3600
    os.utime(logs / "ncgs-vr.log", (old, old))
    ended = results / f"benchmarks/solve/ncgs/{EXPERIMENT}/ncgs-1.tsv"
    ended.parent.mkdir(parents=True)
    ended.write_text("s\n1.0\n")
    return results


def test_status_tells_done_running_silent_and_failed(loaded, results, tmp_path):
    text, runs = progress.summary(loaded, tmp_path), len(loaded.runs(EXPERIMENT, "fw"))
    assert f"1 of {len(loaded.solves())} runs done" in text
    assert re.search(r"about [1-9]\d* (s|min|h \d+ min) of CPU time", text)
    assert re.search(rf"running  solve fig1-left/fw: 1 of {runs} \w+, the next at 40%, seen \d+ s ago", text)
    assert re.search(r"failed   solve fig1-left/ncgs-2\n +starting\n +Error: no space left", text)
    assert re.search(r"silent   solve fig1-left/ncgs-vr: nothing for 6\d min", text)
    assert "ncgs-1" not in text  # it ended well, whatever its log says of an earlier try


def test_a_job_that_is_run_again_after_its_end_is_told(loaded, results, tmp_path):
    now = time.time() + 5
    os.utime(results / f"logs/solve/ncgs/{EXPERIMENT}/ncgs-1.log", (now, now))
    assert "failed   solve fig1-left/ncgs-1" in progress.summary(loaded, tmp_path)


def test_a_run_that_is_finished_is_not_left_and_the_plan_says_what_the_status_says(loaded, tmp_path):
    before = progress.remaining(loaded, tmp_path)
    path = finish(loaded, "ncgs-1", tmp_path)
    after = progress.remaining(loaded, tmp_path)
    assert after["runs"] == before["runs"] - 1 and after["cpu_seconds"] < before["cpu_seconds"]
    for words in (progress.forecast(loaded, tmp_path), progress.summary(loaded, tmp_path)):
        assert str(after["runs"]) in words and f"of {after['all']} runs" in words
    path.unlink()
    assert progress.remaining(loaded, tmp_path) == before


def test_the_pace_of_jobs_that_were_made_here_scales_what_is_left(loaded, tmp_path):
    before = progress.remaining(loaded, tmp_path)
    folder = tmp_path / f"results/full/benchmarks/solve/ncgs/{EXPERIMENT}"
    folder.mkdir(parents=True)
    for method, share in (("fw", 1.5), ("ncgs-2", 1.5), ("ncgs-1", 0.01)):  # the last was in the store
        wall = share * before["each"][f"solve {EXPERIMENT}/{method}"]
        cpu = wall - (wall - costs.CLOSE_LOOK) % costs.LOOK if wall >= costs.CLOSE_LOOK else wall
        (folder / f"{method}.tsv").write_text(f"s\tmax_rss\tcpu_time\n{wall}\t9\t{cpu}\n")
    after = progress.remaining(loaded, tmp_path)
    assert after["here"] == 2 and after["pace"] == pytest.approx(1.5)
    assert after["cpu_seconds"] == pytest.approx(1.5 * before["cpu_seconds"])
    assert "times 1.50: so long took 2 jobs that were made here" in progress.forecast(loaded, tmp_path)


def test_the_shortest_jobs_are_those_of_data_that_is_here_and_not_made(tmp_path):
    loaded = study.load("ncgs", "full")
    each = progress.remaining(loaded, tmp_path)["each"]
    first, *_ = short = progress.shortest(loaded, tmp_path)
    assert progress.shortest(loaded, tmp_path, seconds=0) == [first]
    jobs = [path.split("/")[4:] for path in short]
    took = [each[f"solve {experiment}/{file.removesuffix('.h5')}"] for experiment, file in jobs]
    assert took == sorted(took) and sum(took) <= 60 and len(took) > 1
    assert all(loaded.dataset(experiment) is None for experiment, _ in jobs), "no data is prepared"
    finish(loaded, jobs[0][1].removesuffix(".h5"), tmp_path, jobs[0][0])
    assert first not in progress.shortest(loaded, tmp_path)


def test_what_is_published_is_left_unless_it_is_asked_for(loaded, tmp_path, monkeypatch):
    monkeypatch.setattr(progress.records, "published", lambda *_: {EXPERIMENT: tmp_path})
    runs = len(loaded.experiment(EXPERIMENT).run_here)
    computed, taken = (progress.remaining(loaded, tmp_path, published=p) for p in (False, True))
    assert computed["runs"] == computed["all"] and computed["taken"] == 0
    assert (taken["runs"], taken["taken"]) == (computed["all"] - runs, runs)
    assert f"{runs} taken from published tables" in progress.summary(loaded, tmp_path, published=True)


def test_tuned_values_of_the_base_run_decide_what_is_finished_under_an_alternative(tmp_path):
    base, other = study.load("ncgs", "full"), study.load("ncgs", "full@U4-random-output")
    experiment, method = "fig1-right", "svfw"
    shelf, about = Store(tmp_path / "results/store"), progress._origin(base, experiment, tmp_path)
    table = shelf.tuning_place(base.job(experiment, method), about)
    job = with_tuned(other.job(experiment, method), {"step": 0.5})
    path = shelf.trace_place(job, about)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    assert (experiment, method) not in progress.finished(other, tmp_path)
    table.write_text('{"chosen": {"step": 0.5}}')
    assert (experiment, method) in progress.finished(other, tmp_path)


def test_durations_come_from_the_run(tmp_path):
    folder = tmp_path / "benchmarks" / "solve" / "ncgs" / "fig1-left"
    folder.mkdir(parents=True)
    for name, seconds in (("fw", 2.0), ("ncgs-2", 3.5)):
        (folder / f"{name}.tsv").write_text(f"s\th:m:s\tmax_rss\n{seconds}\t0:00:02\t100.5\n")
    assert costs.durations(tmp_path / "benchmarks", "ncgs") == {
        "solve": {"jobs": 2, "seconds": 5.5, "peak_mb": 100.5}
    }


def test_the_page_says_how_many_runs_shared_their_core(tmp_path):
    assert costs.sharing([tmp_path], ["e"]) == ""
    rows = [(0, 0, 0.01), (0, 1, 0.01), (1, 0, 0.4), (2, 0, "")]
    lines = [f"e,fw,{seed},{iteration},{share},budget,t" for seed, iteration, share in rows]
    header = "experiment,method,seed,iteration,others_on_core,end_status,trace"
    (tmp_path / "e.csv").write_text("\n".join([header, *lines, ""]))
    (tmp_path / "untimed.csv").write_text("experiment,method,seed,end_status,trace\nf,fw,0,budget,t\n")
    assert costs.sharing([tmp_path], ["e", "untimed"]) == (
        "2 of 3 timed runs had a core of their own; on 1 of them others used more than 5% of it (at most 40%)"
    )
