import numpy as np
import pytest
from frames import evidence, run, write

from referee.evidence.panel import Missing


def test_end_is_the_stated_budget_else_where_the_first_run_stopped(tmp_path):
    write(
        tmp_path,
        "e",
        run("a", {"f": np.ones(6)}),
        run("b", {"f": np.ones(9)}),
        run("c", {"f": np.ones(3)}, end_status="converged"),
    )
    counted = evidence(tmp_path, e={"budget": {"cpu_seconds": None, "iterations": 5}}).panel("e")
    assert counted.end(["a", "b"], 0) == 5
    assert counted.end(["b", "c"], 0) == 8, "a converged run does not shorten the comparison"
    assert counted.end(["c"], 0) == 2
    timed = evidence(tmp_path, e={"budget": {"cpu_seconds": 4}}).panel("e")
    assert timed.end(["a", "b"], 0) == 4


def test_an_axis_may_be_a_sum(tmp_path):
    write(
        tmp_path, "e", run("a", {"f": [3, 2]}, IFO=[1, 10], SSO=[0, 5]), run("b", {"f": [3, 2]}, IFO=[1, 12])
    )
    panel = evidence(tmp_path, e={"budget": {"IFO": 4}}).panel("e")
    assert panel.records(["a"], 0, ["f", "IFO+SSO"])["IFO+SSO"].tolist() == [1, 15]
    assert panel.end(["a", "b"], 0, "IFO+SSO") == 12, "where the first of the methods stopped"
    assert panel.end(["a", "b"], 0, "IFO") == 4
    with pytest.raises(Missing, match=r"IFO\+GO in e"):
        panel.records(["a"], 0, ["f", "IFO+GO"])


def test_failed_runs_are_left_out_and_named(tmp_path):
    write(tmp_path, "e", run("a", {"f": [1, 2]}), run("a", {"f": [1, 2]}, seed=1, end_status="error"))
    panel = evidence(tmp_path).panel("e")
    assert panel.seeds(["a"]) == [0]
    assert panel.errors == ["a, seed 1"]


def test_what_is_missing_is_named(tmp_path):
    write(tmp_path, "e", run("a", {"f": [1, 2]}), run("b", {"f": [1, 2]}, seed=5))
    files = evidence(tmp_path)
    with pytest.raises(Missing, match=r"other \(no traces\)"):
        files.panel("other")
    with pytest.raises(Missing, match="zzz in e"):
        files.panel("e").seeds(["a", "zzz"])
    with pytest.raises(Missing, match="a seed that all of a, b ran"):
        files.panel("e").seeds(["a", "b"])
    with pytest.raises(Missing, match="objective in e"):
        files.panel("e").records(["a"], 0, ["objective"])


def test_pooled_averages_over_seeds(tmp_path):
    write(tmp_path, "e", run("a", {"f": [1, 2]}), run("a", {"f": [3, 6]}, seed=1))
    pooled = evidence(tmp_path).panel("e", pool=True)
    assert pooled.run("a", -1)["f"].tolist() == [2, 4]
    assert pooled.run("a", -1)["iteration"].tolist() == [0, 1]


def test_stand_ins_are_what_the_traces_say(tmp_path):
    write(tmp_path, "e", run("a", {"f": [1]}, stand_in=True))
    write(tmp_path, "real", run("a", {"f": [1]}))
    files = evidence(tmp_path, absent={})
    assert [files.stand_in(name) for name in ("e", "real", "absent")] == [True, False, False]
