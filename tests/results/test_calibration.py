"""Unit costs of a finished run: found in its timers, kept beside the paper, read back to the bit."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from frames import run, write

from referee.publish.calibration import calibrated
from referee.study import StudyError, unit_costs

METHODS = {"e": ["fast", "slow", "probed"], "only-probes": ["probed"]}


def timed(method, cost, error=0.0, **columns):
    """A run whose linear oracle takes `cost` seconds a call, and half of that the rest around it."""
    calls = np.arange(0, 40, 2)
    lmo = cost * calls
    seconds = (lmo * 1.5) * np.where(calls == calls[-1], 1 + error, 1)
    return run(method, {"seconds_lmo": lmo}, seconds=seconds).assign(LO=calls, **columns)


@pytest.fixture
def finished(tmp_path):
    """A study and the folder of its run; repetitions, whose clock is another, are left out."""
    again = timed("fast", 0.9, repetition=1)
    costs = {"fast": 0.01, "slow": 0.1, "probed": 1.0}
    first = [timed(m, cost, repetition=0, others_on_core=0.25) for m, cost in costs.items()]
    write(tmp_path / "e", "e", *first, again)
    record = {"machines": ["a core"], "commits": ["c0ffee"]}
    told = {"paper": "p", "run": "quick", "panels": {"e": record}}
    (tmp_path / "e/panels.json").write_text(json.dumps(told))
    loaded = SimpleNamespace(
        paper="p",
        run="quick",
        solves=lambda: [(e, m) for e, methods in METHODS.items() for m in methods],
        method=lambda _, m: SimpleNamespace(probe="costs" if m == "probed" else None),
    )
    return loaded, [tmp_path / "e"]


def test_unit_costs_come_from_the_timers_of_solvers_and_say_where_they_were_measured(finished):
    found = calibrated(*finished)
    assert (found["machine"], found["commit"], found["others_on_core"]) == ("a core", "c0ffee", 0.25)
    assert set(found["costs"]) == {"e"} and set(found["costs"]["e"]) == {"fast", "slow"}
    for method, cost in (("fast", 0.01), ("slow", 0.1)):
        spent = {o: sum(c.values()) for o, c in found["costs"]["e"][method].items()}
        assert set(spent) == {"lmo", "rest"}
        costs = found["costs"]["e"][method]
        made = [costs[o].get("LO", 0) * 2 + costs[o].get("iteration", 0) for o in ("lmo", "rest")]
        assert made == pytest.approx([2 * cost, cost], rel=1e-3)
    assert found["error"]["worst"] < 1e-3


def test_the_error_at_the_ends_is_told(finished):
    loaded, (folder,) = finished
    write(folder, "e", timed("fast", 0.01), timed("slow", 0.1, error=0.5))
    error = calibrated(loaded, [folder])["error"]
    assert error["worst"] == pytest.approx(1 / 3, abs=0.1) and error["median"] < error["worst"]


def test_without_any_table_the_command_that_makes_them_is_told(finished):
    loaded, (folder,) = finished
    (folder / "e.csv").unlink()
    with pytest.raises(FileNotFoundError, match="no table with seconds.*snakemake claims .* run=quick"):
        calibrated(loaded, [folder])


def test_panels_and_methods_that_a_run_has_not_are_left_out(finished):
    loaded, (folder,) = finished
    solves = [*loaded.solves(), ("e", "not run"), ("later", "fast")]
    loaded.solves = lambda: solves
    assert {name: set(costs) for name, costs in calibrated(loaded, [folder])["costs"].items()} == {
        "e": {"fast", "slow"}
    }


def test_a_panel_that_was_taken_is_of_the_machine_that_its_record_names(finished, tmp_path):
    loaded, (folder,) = finished
    wanted, record = calibrated(*finished), {"machines": ["another core"], "commits": ["feed"], "taken": True}
    taken = folder.rename(tmp_path / "published")
    told = {"paper": "p", "run": "quick", "panels": {"e": record}}
    (taken / "panels.json").write_text(json.dumps(told))
    found = calibrated(loaded, [tmp_path / "nowhere", taken])
    assert found["costs"] == wanted["costs"]
    assert (found["machine"], found["commit"]) == ("another core", "feed")


def test_what_is_kept_is_read_back_to_the_bit_one_method_a_line(finished, tmp_path):
    found = calibrated(*finished)
    path = unit_costs.place("p", "quick@U1-a", tmp_path)
    assert path == unit_costs.place("p", "quick", tmp_path)
    path.parent.mkdir(parents=True)
    unit_costs.write(path, unit_costs.UnitCosts(**found))
    assert unit_costs.read(path) == found["costs"]
    assert sum("lmo" in line for line in path.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ('{"machine": "m"}', "'costs' is a required property"),
        ('{"costs": {"e": {"m": {"lmo": {"LO": -1}}}}}', "greater than or equal to 0"),
    ],
)
def test_a_file_that_is_none_of_unit_costs_is_an_error_that_names_it(tmp_path, text, said):
    path = tmp_path / "quick.json"
    assert unit_costs.read(path) == {}
    path.write_text(text)
    with pytest.raises(StudyError, match=f"(?s)quick.json.*{said}"):
        unit_costs.read(path)
