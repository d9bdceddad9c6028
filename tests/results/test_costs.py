"""Costs of a run: kept with its report, predicted from there, else from budgets; told in the README."""

import json

import pytest
from places import ROOT

from referee import study
from referee.common.marks import between
from referee.publish import costs, progress

JUDGED = {"judge": [2, 100]}


@pytest.fixture
def kept(tmp_path):
    """A function: costs that are kept before → all that are kept once those of a run are saved."""
    table = "s\tmax_rss\tcpu_time\n{}\t{}\t{}\n"
    for job, row in {
        "solve/ncgs/fig1-left/fw": (50, 300, 36),
        "evidence/ncgs/t1": (6, 500, 5),
        "figure/ncgs/fig1-left": (3, 200, "-"),
        "judge/ncgs": (2, 100, 2),
        "published/ncgs": (4, 100, 4),  # tables of elsewhere
    }.items():
        path = tmp_path / "results" / "full" / "benchmarks" / f"{job}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(table.format(*row))
    trace = tmp_path / "results" / "full" / "traces" / "ncgs" / "fig1-left" / "fw.h5"
    trace.parent.mkdir(parents=True)
    trace.write_bytes(b"x" * 3_000_000)

    def save(before=None, loaded=None):
        path = tmp_path / "costs.json"
        if before:
            path.write_text(json.dumps(before))
        costs.save(loaded or study.load("ncgs", "full"), tmp_path / "results/full", path)
        return json.loads(path.read_text())

    return save


def test_costs_are_kept_and_predicted(kept, tmp_path):
    loaded = study.load("ncgs", "full")
    before, found = costs.predict(loaded, tmp_path), kept()["full"]
    assert found["disk_mb"] == 3.0 and found["machine"]
    assert found["jobs"] == {
        # 36 until the last look, after 45 seconds; and what was foreseen
        "solve fig1-left/fw": [40, 300, round(foreseen(loaded)["solve fig1-left/fw"], 1)],
        "evidence t1": [5, 500],
        "figure fig1-left": [3, 200],
        **JUDGED,
    }
    after = costs.predict(loaded, tmp_path)
    assert after["unknown"] == before["unknown"] - ("evidence t1" in names(loaded)) - 1
    known = {name: seconds for name, seconds in foreseen(loaded).items() if name in found["jobs"]}
    measured = sum(found["jobs"][name][0] for name in known)
    expected = before["cpu_seconds"] - sum(known.values()) + measured + 3 + 2 + 5
    assert after["cpu_seconds"] == pytest.approx(expected, rel=1e-4)
    assert after["disk_mb"] == 3.0 and before["disk_mb"] is None


def test_costs_of_other_runs_stay(kept, tmp_path):
    other = {"disk_mb": 1, "jobs": {"judge": [1, 2]}}
    found = kept({"quick": other})
    assert found["quick"] == other and len(found["full"]["jobs"]) == 4
    (tmp_path / "costs.json").write_text(json.dumps({"full": found["full"]}))
    of_quick = costs.predict(study.load("ncgs", "quick"), tmp_path)
    assert of_quick == costs.predict(study.load("ncgs", "quick"), tmp_path / "nowhere")


def test_costs_of_jobs_that_were_not_made_again_stay_and_of_those_that_are_gone_do_not(kept, tmp_path):
    jobs = {"solve fig1-left/ncgs-2": [10.0, 90, 30.0], "instance fig1-left": [4.0, 50]}
    gone = {"solve gone/fw": [1.0, 1, 1.0], "figure gone": [9, 9], "tune gone/fw": [9, 9]}
    before = {"machine": "other", "disk_mb": 70.0, "jobs": jobs | gone | {"judge": [9, 9]}}
    found = kept({"full": before})["full"]
    assert found["disk_mb"] == 70.0 and found["jobs"]["judge"] == [2, 100]
    assert "solve gone/fw" not in found["jobs"] and {name: found["jobs"][name] for name in jobs} == jobs
    before = costs.predict(study.load("ncgs", "full"), tmp_path)["each"]
    (tmp_path / "costs.json").write_text(json.dumps({"full": found | {"jobs": found["jobs"] | gone}}))
    assert costs.predict(study.load("ncgs", "full"), tmp_path)["each"].keys() == before.keys()


@pytest.mark.parametrize("before", ["told", "of one run a seed"])
def test_what_is_asked_of_a_job_now_scales_what_it_took(kept, tmp_path, before):
    two, name = study.load("ncgs", "full", seeds=2), "solve fig1-left/fw"
    found, runs = kept(loaded=two), len(two.runs("fig1-left", "fw"))
    four = study.load("ncgs", "full", seeds=4)
    if before != "told":
        found["full"]["jobs"][name], runs = [40, 300], len(four.seeds("fig1-left", "fw"))
        (tmp_path / "costs.json").write_text(json.dumps(found))
    each = costs.predict(four, tmp_path)["each"]
    share = (foreseen(four)[name] - costs.FIXED) / (len(four.runs("fig1-left", "fw")) / runs)
    assert each[name] == pytest.approx(40 * foreseen(four)[name] / (costs.FIXED + share), rel=1e-3)
    assert each["judge"] == 2


def test_a_forecast_says_what_it_rests_on(tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "project_root", lambda: tmp_path)
    loaded, folder = study.load("ncgs", "full"), tmp_path / "reports" / "reference" / "ncgs"
    assert "of them guessed" in progress.forecast(loaded, tmp_path)
    folder.mkdir(parents=True)
    jobs = {name: [36.0, 100] for name in names(loaded)}
    kept = {"machine": "abacus", "disk_mb": 1000, "jobs": jobs}
    (folder / "costs.json").write_text(json.dumps({"full": kept}))
    told = progress.forecast(loaded, tmp_path)
    assert "guessed" not in told and told.endswith(", in times of abacus, where it was measured")
    assert "1.0 GB of disk" in told and "0.1 GB of memory" in told


def foreseen(loaded):
    """CPU seconds by budgets of each job that runs solvers."""
    return {name: seconds for name, seconds, *_ in costs._solver_jobs(loaded)}


def names(loaded):
    return [*foreseen(loaded)]


def test_what_budgets_foresee_is_what_published_runs_took():
    """Over all jobs with a budget in seconds, to a factor of 1.5; a bound would be twice of it and more."""
    took = planned = 0.0
    for path in ROOT.glob("reports/reference/*/costs.json"):
        loaded = study.load(path.parent.name, "full")
        kept = json.loads(path.read_text()).get("full", {"jobs": {}})["jobs"]
        for name, seconds, _, guessed in costs._solver_jobs(loaded, repeated=False):
            if name in kept and name.startswith("solve") and not guessed:
                cpu, _, *told = kept[name]
                took, planned = took + cpu, planned + (*told, seconds)[0]
    assert took / 1.5 < planned < took * 1.5


def test_tuning_is_foreseen_with_its_runs_below_what_both_may_take():
    loaded = study.load("ncgs", "full")
    tuned, plain = (foreseen(loaded)[f"solve fig1-right/{name}"] for name in ("ncgs-vr-tuned", "ncgs-vr"))
    most, _ = costs.bound(loaded, "fig1-right", "ncgs-vr-tuned")
    assert plain < tuned < 0.6 * most + costs.FIXED


def test_tuning_may_take_every_value_its_default_and_what_lies_beyond(monkeypatch):
    loaded = study.load("ncgs")
    values = loaded.experiment("fig1-left")
    monkeypatch.setitem(values.__dict__, "tuning_share", 1)
    expected = {"ncgs-2": 0, "ncgs-2-tuned": 5 + 1 + 6, "fw": 0}
    assert {method: costs._tries(loaded, "fig1-left", method) for method in expected} == expected
    assert costs._tries(loaded, "fig1-right", "svfw") == 0.25, "a pilot of a quarter, no grid"
    monkeypatch.setitem(values.__dict__, "tuning_share", 0.25)
    assert costs._tries(loaded, "fig1-left", "ncgs-2-tuned") == 3


def test_of_an_alternative_the_counts_that_end_its_runs_are_priced(tmp_path):
    """About half of the CPU seconds of the one method that it changes, and nothing is tuned."""
    other, full = (study.load("mpcgs", run, ROOT) for run in ("full@U7-adaptive", "full"))
    found = costs.predict(other, tmp_path)
    assert set(found["each"]) == {f"solve fig1-{panel}/spfw" for panel in "abc"} and found["guessed"] == 0
    half = 0.5 * full.budget("fig1-a", "spfw").cpu_seconds
    seconds = found["each"]["solve fig1-a/spfw"] - costs.FIXED
    assert seconds == pytest.approx(costs.USUAL * half, rel=0.2)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "0 s"), (54.2, "54 s"), (599, "599 s"), (600, "10 min"), (5369, "89 min"), (5400, "1 h 30 min")],
)
def test_a_length_of_time_is_told_in_two_or_three_digits(seconds, words):
    assert costs.duration_text(seconds) == words


def test_the_readme_tells_the_times_that_are_kept():
    readme = (ROOT / "README.md").read_text()
    times = costs.table(ROOT / "reports/reference")
    assert between(readme, "times", times) == readme, "projfree publish renews them"


def test_times_are_sums_over_jobs_with_the_machine_they_are_of(tmp_path):
    quick = {"jobs": {"page": [60, 100], "judge": [30, 300]}, "disk_mb": 200, "machine": "abacus"}
    full = {"jobs": {"page": [6000, 1200]}, "disk_mb": 1500}
    for name, runs in {"one": {"quick": quick, "full": full}, "two": {"quick": quick}}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "costs.json").write_text(json.dumps(runs))
    assert costs.table(tmp_path).splitlines()[2:] == [
        "| `make quick` | 180 s | 0.3 GB | 0.4 GB | abacus |",
        "| `make replicate TARGETS=one` | 1 h 40 min | 1.2 GB | 1.5 GB | not noted |",
        "| `make replicate TARGETS=two` | not kept | | | |",
    ]
