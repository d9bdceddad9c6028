"""Tuning: the same budget for every search, on the tuning seed, and a table of what was tried."""

import json
import math

import instances
import pytest

from projfree.trace.format import read_trace
from referee.jobs.build import build_instance
from referee.jobs.job import run_job, with_tuned
from referee.jobs.tuning import tune

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


def stage(record, parameter):
    (found,) = (stage for stage in record["stages"] if stage["parameter"] == parameter)
    return found


def tried(record, parameter):
    return [result["params"][parameter] for result in record["tried"]]


@pytest.fixture
def measured(monkeypatch):
    """Replaces runs by a function of the parameters; the table is made by the real search."""

    def by(function):
        def end(bench, params):
            given = {**bench.defaults, **params}
            return {"params": params, "value": function(given), "iterations": 1, "end_status": "budget"}

        monkeypatch.setattr("referee.jobs.tuning._Bench._try", end)

    return by


def test_the_table_is_written_and_holds_every_try(instance, tmp_path):
    record = search(instance, tmp_path, grid=GRID, extensions=0)
    assert json.loads((tmp_path / "deep" / "m.json").read_text()) == record
    assert [p.name for p in (tmp_path / "deep").iterdir()] == ["m.json"]
    assert (record["seed"], record["criterion"], record["budget"]) == (SEED, "objective", GIVEN["budget"])
    assert tried(record, "step_factor")[:3] == GRID[0]["step_factor"]
    best = min(record["tried"], key=lambda result: result["value"])
    assert record["chosen"].items() >= best["params"].items() and math.isfinite(best["value"])


def test_every_try_has_the_whole_budget_or_the_share_named_and_is_judged_at_its_end(instance, tmp_path):
    record = search(instance, tmp_path, grid=GRID, extensions=0)
    assert {result["iterations"] for result in record["tried"]} == {40}
    run_job(job({}, seeds=[SEED]), instance, tmp_path / "whole.h5")
    (_, (whole,)) = read_trace(tmp_path / "whole.h5")
    assert record["tried"][0]["value"] == whole.metrics["objective"][-1]
    record = search(instance, tmp_path, grid=GRID[:1], share=0.25, extensions=0)
    assert {result["iterations"] for result in record["tried"]} == {10}
    assert record["share_of_budget"] == 0.25, "of a long panel"


@pytest.mark.parametrize("first", [0.1, 0.03])
def test_where_runs_stop_at_a_level_the_first_there_is_best(first, instance, tmp_path):
    """How far they overshoot says nothing: here the one that is slower ends lower."""
    run_job(job({}, seeds=[SEED], solver=_svrg(0.1)), instance, tmp_path / "whole.h5")
    (_, (whole,)) = read_trace(tmp_path / "whole.h5")
    budget = {"iterations": 40, "stop": {"objective": 1.001 * whole.metrics["objective"][8]}}
    grid = {"grid": [{"step_factor": [0.1, 0.03]}], "extensions": 0}
    record = tune(job(grid, solver=_svrg(first), budget=budget), instance, tmp_path / "m.json")
    assert record["chosen"] == {"step_factor": 0.1}
    one, other = record["tried"]
    if first == 0.1:
        assert other["iterations"] == one["iterations"] == 8 and one["share"] == 0.2
    else:
        assert one["iterations"] > other["iterations"] == 8 and one["value"] < other["value"]


def _svrg(step_factor):
    return {"name": "svrg", "params": {"projection": "gram", "step_factor": step_factor}}


def test_the_default_is_tried_too(instance, tmp_path, measured):
    measured(lambda given: abs(given["step_factor"] - 1))
    record = search(instance, tmp_path, grid=[{"step_factor": [0.1, 0.01]}])
    assert tried(record, "step_factor") == [1.0, 0.1, 0.01, 10.0]
    assert record["chosen"] == {"step_factor": 1.0} and stage(record, "step_factor")["default"] == 1.0


def test_a_later_stage_keeps_what_earlier_ones_chose(instance, tmp_path, measured):
    measured(lambda given: abs(given["step_factor"] - 0.3) + abs((given["epoch"] or 0) - 5))
    record = search(instance, tmp_path, grid=GRID)
    second = [result["params"] for result in record["tried"] if "epoch" in result["params"]]
    assert second and {params["step_factor"] for params in second} == {0.3}
    assert record["chosen"] == {"step_factor": 0.3, "epoch": 5}


@pytest.mark.parametrize(
    ("optimum", "values", "extended"),
    [(0.3, [1.0, 0.3, 0.1], 0), (1e-3, [1.0, 0.1], 3), (150.0, [1.0, 0.1], 3), (1e-30, [1.0, 0.1], 6)],
)
def test_a_best_value_at_the_edge_extends_the_grid(optimum, values, extended, instance, tmp_path, measured):
    measured(lambda given: abs(math.log(given["step_factor"] / optimum)))
    record = search(instance, tmp_path, grid=[{"step_factor": values}])
    found = stage(record, "step_factor")
    assert (found["extended"], found["interior"]) == (extended, optimum > 1e-9)
    assert len(record["tried"]) == len(values) + extended


def test_a_grid_of_whole_numbers_stays_whole_and_ends_where_the_parameter_does(instance, tmp_path, measured):
    measured(lambda given: given["epoch"] or 99)
    record = search(instance, tmp_path, grid=[{"epoch": [8, 4]}])
    assert tried(record, "epoch")[1:] == [8, 4, 2, 1]
    found = stage(record, "epoch")
    assert (found["best"], found["interior"], found["extended"]) == (1, False, 2)


def test_equal_values_tell_that_the_criterion_does_not_see_the_parameter(instance, tmp_path, measured):
    measured(lambda given: 7.0)
    record = search(instance, tmp_path, grid=GRID)
    assert record["untuned"] == ["step_factor", "epoch"] and record["chosen"] == {}
    assert stage(record, "step_factor")["tie"] and len(record["tried"]) == 1 + 2 + 2


def test_a_try_is_not_run_again(instance, tmp_path):
    record = search(instance, tmp_path, grid=[{"step_factor": [1.0, 0.1]}, {"step_factor": [0.1, 1.0]}])
    found = tried(record, "step_factor")
    assert len(found) == len(set(found))


def test_the_criterion_can_be_another_metric(instance, tmp_path):
    by_gap = search(instance, tmp_path, grid=GRID[:1], criterion="fw_gap")
    assert by_gap["criterion"] == "fw_gap"
    values = [result["value"] for result in by_gap["tried"]]
    assert values != [r["value"] for r in search(instance, tmp_path, grid=GRID[:1])["tried"]]


def test_what_diverges_is_never_chosen(instance, tmp_path):
    other = {"problem": {"name": "matrix_completion", "loss": "sq", "weight": "sum"}}
    other |= {"set": {"name": "nuclear_ball", "radius": 1e200}}
    grid = {"grid": [{"step_factor": [1e30, 1e-3]}], "extensions": 0}
    record = tune(job(grid, **other), instance, tmp_path / "m.json")
    by_step = {result["params"]["step_factor"]: result for result in record["tried"]}
    assert by_step[1e30]["end_status"] == "diverged" and by_step[1e30]["value"] == math.inf
    assert record["chosen"]["step_factor"] < 1e30 and by_step[1e-3]["value"] < math.inf


def test_a_pilot_sets_the_horizon(instance, tmp_path):
    solver = {"name": "estimator_frank_wolfe", "params": {"estimator": "svrg"}}
    pilot = {"pilot": "horizon"}
    assert tune(job(pilot, solver=solver), instance, tmp_path / "m.json")["chosen"] == {"horizon": 40}
    by_counts = tune(job(pilot, solver=solver, budget={"LO": 80}), instance, tmp_path / "m.json")
    assert by_counts["chosen"] == {"horizon": 4 * math.ceil(0.25 * 80)} and by_counts["tried"] == []


def test_what_was_chosen_overrides_what_the_job_has(instance, tmp_path):
    run_job(JOB, instance, tmp_path / "plain.h5")
    run_job(with_tuned(JOB, {"step_factor": 0.1}), instance, tmp_path / "tuned.h5")
    (attrs, (plain,)), (tuned_attrs, (tuned,)) = map(read_trace, sorted(tmp_path.glob("*.h5")))
    assert json.loads(attrs["params"]) == {"projection": "gram"}
    assert json.loads(tuned_attrs["params"]) == {"projection": "gram", "step_factor": 0.1}
    assert plain.metrics["objective"][-1] != tuned.metrics["objective"][-1]


def test_an_instance_without_the_tuning_seed_is_an_error(tmp_path):
    build_instance(instances.recipe(JOB), tmp_path / "e.h5")
    with pytest.raises(ValueError, match="no seed 1000; it has seed-0"):
        search(tmp_path / "e.h5", tmp_path, grid=GRID)
