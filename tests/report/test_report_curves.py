"""Numbers of a figure: medians, excess, running best, ends."""

import numpy as np
import pandas as pd
import pytest

from referee.report.curves import FIRST_STEP, panel_data

SPEC = {
    "methods": {"a": {"solver": "fw"}, "b": {"solver": "svrg"}},
    "experiments": {"e": {"methods": ["a", "b"], "budget": {"cpu_seconds": 4}}},
    "figures": {"fig": {"panels": []}},
}


def table(folder, rows, **columns):
    """A tidy table of (method, seed, iteration, seconds, objective, LO)."""
    names = ["method", "seed", "iteration", "cpu_seconds", "objective", "LO"]
    frame = pd.DataFrame(rows, columns=names).assign(end_status="budget", **columns)
    frame.to_csv(folder / "e.csv", index=False)


def panel(folder, points=5, **options):
    options = {"experiment": "e", "y": "objective", "also": []} | options
    return panel_data(SPEC, "fig", options, folder, points)


def curve(data, method, axis=0):
    return next(c for c in data["axes"][axis]["curves"] if c["method"] == method)


def runs(*values, method="a", lo=2, seconds=1.0):
    """One run per list of values, a record each second."""
    return [
        (method, seed, k, k * seconds, value, k * lo)
        for seed, run in enumerate(values)
        for k, value in enumerate(run)
    ]


nan = float("nan")


@pytest.mark.parametrize(
    ("values", "options", "expected"),
    [
        ([[8, 4, 2]], {"seconds": 2.0}, {"median": [8, 8, 4, 4, 2]}),  # a value holds until the next record
        ([[8, nan, np.inf, 1, 1]], {}, {"median": [8, 8, 8, 1, 1]}),
        ([[8, 4, 2, 1, 1], [8, 4, 2], [8, 4]], {}, {"median": [8, 4, 2, nan, nan]}),  # half of its runs ended
        (
            [[8, 4, 2, 1, 1], [8, 5, 3, 2, 2], [8, 6, 4, 3, 3]],
            {},
            {"median": [8, 5, 3, 2, 2], "low": [8, 4.5, 2.5, 1.5, 1.5], "high": [8, 5.5, 3.5, 2.5, 2.5]},
        ),
    ],
)
def test_medians_and_quartiles_on_the_common_grid(tmp_path, values, options, expected):
    table(tmp_path, runs(*values, **options))
    found = curve(panel(tmp_path), "a")
    for name, curve_of_it in expected.items():
        np.testing.assert_array_equal(found[name], curve_of_it)


def test_a_flat_half_of_a_linear_axis_is_told_and_not_drawn(tmp_path):
    falling, slow = [8, 4, 2, 1, *96 * [1]], [8 - k / 20 for k in range(100)]
    table(tmp_path, runs(falling, seconds=0.04))
    found = panel(tmp_path, points=50)
    assert found["flat_to"] == 4 and 0.12 < found["axes"][0]["x"][-1] < 0.3
    assert curve(found, "a")["median"][[0, -1]].tolist() == [8, 1]
    assert "flat_to" not in panel(tmp_path, x_scale="log") and "flat_to" not in panel(tmp_path, x_max=4)
    # One that still moves is drawn to its end; beside one that ran away the others' moves count.
    table(tmp_path, runs(falling, seconds=0.04) + runs(slow, method="b", seconds=0.04))
    assert "flat_to" not in panel(tmp_path)
    table(tmp_path, runs(slow, seconds=0.04) + runs([8, *99 * [1e9]], method="b", seconds=0.04))
    assert "flat_to" not in panel(tmp_path)


def test_excess_is_above_the_best_of_all_methods_of_that_seed(tmp_path):
    rows = runs([8, 4, 3, 3, 3], [6, 5, 5, 5, 5]) + runs([8, 3, 2, 2, 2], [6, 4, 3, 3, 3], method="b")
    table(tmp_path, rows)
    found = curve(panel(tmp_path, excess=True), "a")
    first, last = (6 + 3) / 2 + 1e-6 * (6 + 3) / 2, (1 + 2) / 2 + 1e-6 * (6 + 3) / 2
    assert found["median"][[0, -1]] == pytest.approx([first, last], rel=1e-12)
    best = curve(panel(tmp_path, excess=True), "b")["median"][-1]
    assert best == pytest.approx(1e-6 * (6 + 3) / 2)


def test_what_is_judged_is_drawn_the_current_value_of_gaps_too(tmp_path):
    table(tmp_path, runs([8, 2, 5, 5, 5]), fw_gap=[8, 2, 5, 5, 5])
    assert curve(panel(tmp_path), "a")["median"].tolist() == [8, 2, 5, 5, 5]
    assert curve(panel(tmp_path, y="fw_gap", x_max=4), "a")["median"].tolist() == [8, 2, 5, 5, 5]
    best = panel(tmp_path, y="fw_gap", x_max=4, running="best")
    assert curve(best, "a")["median"].tolist() == [8, 2, 2, 2, 2]
    assert curve(panel(tmp_path, excess=True), "a")["median"][-1] > 2


def test_the_axis_ends_at_the_budget_and_no_first_step_that_spends_it_stretches_it(tmp_path, monkeypatch):
    table(tmp_path, runs([8, 4, 2, 1, 1, 1, 1]))
    assert [panel(tmp_path, **given)["axes"][0]["x"][-1] for given in ({}, {"x_max": 2})] == [4, 2]
    monkeypatch.setitem(SPEC["experiments"]["e"], "budget", {"iterations": 3})
    table(tmp_path, runs([8, 7], seconds=50.0) + runs([8, 4, 2, 1], method="b"))
    data = panel(tmp_path)
    assert [m["note"] for m in data["methods"]] == [FIRST_STEP, ""] and data["axes"][0]["x"][-1] == 3


def test_an_unusual_end_no_data_and_an_oracle_that_is_never_called_are_noted(tmp_path):
    table(tmp_path, runs([8, 4, 2]))
    frame = pd.read_csv(tmp_path / "e.csv").assign(end_status="diverged")
    frame.to_csv(tmp_path / "e.csv", index=False)
    assert [m["note"] for m in panel(tmp_path)["methods"]] == ["diverged", "no data"]
    table(tmp_path, runs([8, 4, 2]) + runs([8, 5, 3], method="b", lo=0))
    axis = panel(tmp_path, also=["LO"])["axes"][1]
    assert [c["method"] for c in axis["curves"]] == ["a"] and axis["silent"] == ["b"]


def test_what_the_run_used_decides_on_the_stamp(tmp_path, monkeypatch):
    monkeypatch.setitem(SPEC["experiments"]["e"], "stand_in", True)
    for columns, stamped in (({}, True), ({"stand_in": False}, False)):
        table(tmp_path, runs([8, 4]), **columns)
        assert panel(tmp_path)["stand_in"] is stamped


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"experiment": "f"}, r"fig: unknown experiment 'f'.*Known are: e"),
        ({"methods": ["c"]}, r"fig: unknown method 'c'.*Known are: a, b"),
        ({"y": "loss"}, r"e\.csv: unknown column 'loss'.*Known are: .*objective"),
        ({"also": ["IFO/n"]}, r"unknown column 'IFO/n'"),
        ({"running": "worst"}, "running\n.*'best' or 'current'"),
    ],
)
def test_unknown_names_are_errors_that_list_the_known(tmp_path, options, message):
    with pytest.raises(FileNotFoundError, match="no tidy table of experiment 'e'"):
        panel(tmp_path)
    table(tmp_path, runs([8, 4]))
    with pytest.raises(ValueError, match=message):
        panel(tmp_path, **options)


def test_model_seconds_are_an_axis_and_repetitions_are_not_drawn(tmp_path, monkeypatch):
    monkeypatch.setitem(SPEC, "unit_costs", {"e": {"a": {"lmo": {"LO": 0.5}, "rest": {"iteration": 0.25}}}})
    first = pd.DataFrame(runs([8, 4, 2, 1])).assign(repetition=0)
    again = pd.DataFrame(runs([80, 40, 20, 10])).assign(repetition=1)
    rows = pd.concat([first, again])
    table(tmp_path, rows.iloc[:, :6].to_numpy().tolist(), repetition=rows["repetition"].tolist())
    axis = panel(tmp_path, x="model_seconds", methods=["a"], points=4)["axes"][0]
    assert axis["label"] == "model time (s)"
    assert np.allclose(axis["x"], [0, 1.25, 2.5, 3.75])
    assert np.allclose(axis["curves"][0]["median"], [8, 4, 2, 1])
