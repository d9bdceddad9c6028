"""The first seed is run again for its seconds: the same in all but clocks, resumed on its own, told apart."""

from contextlib import nullcontext

import h5py
import instances
import numpy as np
import pandas as pd
import pytest
import yaml
from places import ROOT

from projfree.common.atomic_io import sealed
from projfree.engine.driver import Drive
from projfree.trace.check import Malformed
from projfree.trace.format import read_trace
from referee import study
from referee.common.project import project_root
from referee.evidence.tidy import first_runs, read_tidy, tidy
from referee.jobs import job as jobs
from referee.jobs.build import build_instance
from referee.jobs.job import run_job

GROUPS = ["seed-0", "seed-0-repetition-1", "seed-0-repetition-2", "seed-1"]
JOB = instances.completion_job(
    [12, 10],
    0.6,
    solver={"name": "ncgs_vr", "params": {}},
    budget={"iterations": 12},
    metrics=["objective"],
    seeds=[0, 1],
    repetitions=3,
)


@pytest.fixture(scope="module")
def instance(tmp_path_factory):
    path = tmp_path_factory.mktemp("instance") / "e.h5"
    build_instance(instances.recipe(JOB), path)
    return path


@pytest.fixture
def trace(instance, tmp_path, monkeypatch):
    """A trace whose runs, in the order in which they were made, had others on their cores."""
    shares = iter((0.25, None, 0.5, 0.75))
    lane = nullcontext(lambda: {"core": 0, "others_on_core": next(shares)})
    monkeypatch.setattr(jobs, "lane", lambda: lane)
    run_job(JOB, instance, tmp_path / "m.h5")
    return tmp_path / "m.h5"


def test_a_repetition_is_the_same_run_on_another_clock(trace):
    _, runs = read_trace(trace)
    assert [run.group for run in runs] == GROUPS
    first, *again, other = runs
    for run in again:
        assert (run.oracles, run.metrics, run.iteration) == (first.oracles, first.metrics, first.iteration)
        assert run.cpu_seconds != first.cpu_seconds and "core" in run.attrs["lane"]
    assert other.metrics != first.metrics


def test_the_tidy_table_tells_them_apart_and_what_others_used_of_the_core(trace, tmp_path):
    tidy([trace], tmp_path / "e.csv")
    table = read_tidy(tmp_path / "e.csv")
    found = table.groupby("seed")["repetition"].unique()
    assert found[0].tolist() == [0, 1, 2] and found[1].tolist() == [0]
    told = table.groupby(["seed", "repetition"])["others_on_core"].first().tolist()
    assert told == pytest.approx([0.25, 0.5, 0.75, np.nan], nan_ok=True), "the second seed ran second"
    assert len(first_runs(table)) == len(table) / 2


def test_a_killed_job_goes_on_with_the_repetition_that_it_was_in(instance, tmp_path, monkeypatch):
    true, begun = Drive.run, []

    def killed(drive):
        begun.append(drive.setting.checkpoint)
        if drive.setting.checkpoint and "repetition-2" in drive.setting.checkpoint.name:
            raise KeyboardInterrupt
        return true(drive)

    monkeypatch.setattr(Drive, "run", killed)
    with pytest.raises(KeyboardInterrupt):
        run_job(JOB, instance, tmp_path / "m.h5")
    monkeypatch.setattr(Drive, "run", lambda drive: begun.append(drive.setting.checkpoint) or true(drive))
    begun.clear()
    run_job(JOB, instance, tmp_path / "m.h5")
    assert [path.name for path in begun if path] == ["seed-0-repetition-2.checkpoint.h5"]
    assert [run.group for run in read_trace(tmp_path / "m.h5")[1]] == GROUPS


FORGERIES = {
    "missing": (lambda h: h.pop("seed-0-repetition-1"), "its job has seed-0, seed-0-repetition-1"),
    "of another": (lambda h: h["seed-0-repetition-1"].attrs.create("repetition", 2), "seed 0, repetition 2"),
    "another path": (
        lambda h: h["seed-0-repetition-1/oracles/LO"].write_direct(h["seed-1/oracles/IFO"][()]),
        "seed-0-repetition-1: its oracles/LO is another than in the run that it repeats",
    ),
}


@pytest.mark.parametrize("forge, said", FORGERIES.values(), ids=FORGERIES)
def test_what_is_no_repetition_is_refused(trace, forge, said):
    with h5py.File(trace, "r+") as handle:
        forge(handle)
    trace.write_bytes(sealed(trace.read_bytes()))
    with pytest.raises(Malformed, match=said):
        read_trace(trace)


#: Judged over seconds that were measured once: a reading on a tenth of the data; its next run repeats them.
ONCE = {"fig1-subset"}


def over_seconds(paper):
    """Experiments that some claim judges on seconds, in some column or reading."""
    path = project_root() / f"reports/reference/{paper}/verdicts.csv"
    rows = pd.read_csv(path, usecols=["panel", "over"], keep_default_na=False)
    return set(rows.loc[rows["over"] == "cpu_seconds", "panel"])


@pytest.mark.parametrize("paper", study.papers())
def test_where_claims_are_over_seconds_the_full_run_is_repeated(paper):
    loaded = study.load(paper, "full")
    timed = over_seconds(paper)
    for name in timed & loaded.experiments.keys() - ONCE:
        values = loaded.experiments[name]
        budgets = filter(None, (loaded.budget(name, method) for method in values.methods))
        seconds = min((budget.cpu_seconds or 0 for budget in budgets), default=0)
        assert values.repetitions == (3 if seconds >= 1 else 5), name


@pytest.mark.parametrize("paper", study.papers())
def test_quick_runs_are_judged_on_model_seconds_which_need_no_repetitions(paper):
    """Nothing is untestable for want of unit costs."""
    loaded = study.load(paper, "quick")
    costs, timed = loaded.spec.get("unit_costs", {}), over_seconds(paper)
    assert loaded.model.clock == "model" or not timed
    for experiment, method in loaded.solves():
        assert loaded.repetitions(experiment, method) == 1
        assert "repetitions" not in loaded.job(experiment, method).plain()
    for name in timed & loaded.experiments.keys():
        solvers = {m for m in loaded.experiments[name].methods if not loaded.method(name, m).probe}
        assert solvers <= costs.get(name, {}).keys(), name


def test_the_unit_costs_of_all_papers_are_committed_with_their_machine():
    for path in (ROOT / "papers").glob("*/unit_costs/*.json"):
        assert yaml.safe_load(path.read_text())["machine"] not in ("", "unknown"), path
