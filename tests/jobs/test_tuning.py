"""Tuning: the same budget for every search, on the tuning seed, and a table of what was tried."""

import json
import math

import instances
import pytest

from projfree.engine.trace import read_trace
from projfree.jobs.build import build_instance
from projfree.jobs.job import run_job, with_tuned
from projfree.jobs.tuning import SEARCH, tune

SEED = 1000

GIVEN = {
    "generator": {"name": "completion", "shape": [14, 12], "rank": 2, "radius": 2, "observe": 0.5}
    | {"corrupt": 0.1, "noise": 1.0, "mode": "A", "corruption": "add"},
    "problem": {"name": "matrix_completion", "loss": "sl0", "sigma": 1.0, "weight": "sum"},
    "set": {"name": "nuclear_ball", "radius": 2},
    "solver": {"name": "svrg", "params": {"projection": "gram"}},
    "budget": {"iterations": 40},
    "metrics": ["objective", "fw_gap"],
}
JOB = instances.job(**GIVEN)
GRID = [{"step_factor": [1.0, 0.01, 0.3]}, {"epoch": [2, 5]}]


@pytest.fixture(scope="module")
def instance(tmp_path_factory):
    path = tmp_path_factory.mktemp("instance") / "e.h5"
    build_instance(instances.recipe(JOB, SEED), path)
    return path


def job(search, **values):
    return instances.job(**{**GIVEN, **values, "search": {"seed": SEED, **search}})


def search(instance, tmp_path, **search):
    return tune(job(search), instance, tmp_path / "deep" / "m.json")


def test_the_table_is_written_and_holds_every_try(instance, tmp_path):
    record = search(instance, tmp_path, grid=GRID)
    assert json.loads((tmp_path / "deep" / "m.json").read_text()) == record
    assert [p.name for p in (tmp_path / "deep").iterdir()] == ["m.json"]
    assert (record["seed"], record["criterion"], record["budget"]) == (SEED, "objective", GIVEN["budget"])
    tried = [result["params"] for result in record["tried"]]
    assert tried[:3] == [{"step_factor": value} for value in GRID[0]["step_factor"]]
    assert [params["epoch"] for params in tried[3:]] == GRID[1]["epoch"]
    best = min(record["tried"], key=lambda result: result["value"])
    assert record["chosen"] == best["params"] and math.isfinite(best["value"])


def test_a_search_costs_its_share_however_many_values(instance, tmp_path):
    for grid in ([{"step_factor": [1.0, 0.1]}], GRID):
        tried = search(instance, tmp_path, grid=grid)["tried"]
        assert {result["iterations"] for result in tried} == {math.ceil(40 * SEARCH / len(tried))}


def test_a_later_stage_keeps_what_earlier_ones_chose(instance, tmp_path):
    record = search(instance, tmp_path, grid=GRID)
    first = min(record["tried"][:3], key=lambda result: result["value"])["params"]["step_factor"]
    assert {result["params"]["step_factor"] for result in record["tried"][3:]} == {first}


def test_a_stage_that_only_harms_changes_nothing(instance, tmp_path):
    record = search(instance, tmp_path, grid=[{"batch": [40]}, {"step_factor": [1e-9, 1e-8]}])
    assert record["chosen"] == {"batch": 40}


def test_the_criterion_can_be_another_metric(instance, tmp_path):
    by_gap = search(instance, tmp_path, grid=GRID[:1], criterion="fw_gap")
    assert by_gap["criterion"] == "fw_gap"
    values = [result["value"] for result in by_gap["tried"]]
    assert values != [r["value"] for r in search(instance, tmp_path, grid=GRID[:1])["tried"]]


def test_what_diverges_is_never_chosen(instance, tmp_path):
    other = {"problem": {"name": "matrix_completion", "loss": "sq", "weight": "sum"}}
    other |= {"set": {"name": "nuclear_ball", "radius": 1e200}}
    record = tune(job({"grid": [{"step_factor": [1e30, 0.1]}]}, **other), instance, tmp_path / "m.json")
    bad, good = record["tried"]
    assert bad["end_status"] == "diverged" and bad["value"] == math.inf
    assert record["chosen"] == {"step_factor": 0.1} and good["value"] < math.inf


def test_a_pilot_sets_the_horizon(instance, tmp_path):
    solver = {"name": "estimator_frank_wolfe", "params": {"estimator": "svrg"}}
    pilot = {"pilot": "horizon"}
    assert tune(job(pilot, solver=solver), instance, tmp_path / "m.json")["chosen"] == {"horizon": 40}
    by_counts = tune(job(pilot, solver=solver, budget={"LO": 80}), instance, tmp_path / "m.json")
    assert by_counts["chosen"] == {"horizon": 4 * math.ceil(0.25 * 80)} and by_counts["tried"] == []


def test_what_was_chosen_overrides_what_the_job_has(instance, tmp_path):
    run_job(JOB, instance, tmp_path / "plain.h5")
    run_job(with_tuned(JOB, {"step_factor": 0.1}), instance, tmp_path / "tuned.h5")
    (attrs, (plain,)), (tuned_attrs, (tuned,)) = (
        read_trace(tmp_path / f"{n}.h5") for n in ("plain", "tuned")
    )
    assert json.loads(attrs["params"]) == {"projection": "gram"}
    assert json.loads(tuned_attrs["params"]) == {"projection": "gram", "step_factor": 0.1}
    assert plain.metrics["objective"][-1] != tuned.metrics["objective"][-1]


def test_an_instance_without_the_tuning_seed_is_an_error(tmp_path):
    build_instance(instances.recipe(JOB), tmp_path / "e.h5")
    with pytest.raises(ValueError, match="no seed 1000; it has seed-0"):
        search(tmp_path / "e.h5", tmp_path, grid=GRID)
