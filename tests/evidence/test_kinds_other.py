import numpy as np
import pytest
from frames import judge, run, write

from projfree.evidence.panel import Missing


def test_time_ratio_to_a_level(tmp_path):
    write(tmp_path, "e", run("fast", {"m": [8, 1, 1, 1, 1, 1, 1]}), run("slow", {"m": [8, 8, 8, 8, 8, 8, 1]}))
    args = {"a": "fast", "b": "slow", "metric": "m"}
    assert judge(tmp_path, "time_ratio", **args, level=2, threshold=6).truth
    assert not judge(tmp_path, "time_ratio", **args, level=2, threshold=7).truth
    assert judge(tmp_path, "time_ratio", **args, level={"of_initial": 0.125}, threshold=6).truth
    assert not judge(tmp_path, "time_ratio", **args, level=8, threshold=6).truth, (
        "both are there at the start"
    )
    assert not judge(tmp_path, "time_ratio", a="slow", b="fast", metric="m", level=2, threshold=1).truth
    with pytest.raises(ValueError, match="unknown level"):
        judge(tmp_path, "time_ratio", **args, level={"of_end": 1}, threshold=6)


def test_never_reaching_a_level(tmp_path):
    write(tmp_path, "e", run("fast", {"m": [8, 4, 1]}), run("slow", {"m": [8, 8, 8]}))
    found = judge(tmp_path, "time_ratio", a="fast", b="slow", metric="m", level=4, threshold=6)
    assert found.truth and found.measured["CPU s of slow"] == np.inf
    assert found.measured["ratio, at least"] == 2, "what the budget shows"
    nobody = {"a": "fast", "b": "slow", "metric": "m", "level": 0.1, "threshold": 6}
    assert not judge(tmp_path, "time_ratio", **nobody).truth, "the faster must reach it"
    fallen = judge(tmp_path, "time_ratio", **nobody, fallback=5)
    assert fallen.truth and fallen.measured["level"] == 5 and "5 × the best" in fallen.remark
    kept = judge(tmp_path, "time_ratio", **(nobody | {"level": 2}), fallback=5)
    assert kept.measured["level"] == 2 and not kept.remark


def test_share_of_a_timer(tmp_path):
    write(
        tmp_path,
        "e",
        run("a", {"m": [1, 1, 1]}, seconds_lmo=[0, 0.6, 1.2]),
        run("idle", {"m": [1]}, seconds_lmo=[0]),
    )
    found = judge(tmp_path, "share", method="a", timer="lmo", threshold=0.5)
    assert found.truth and found.measured == {"share of lmo": pytest.approx(0.6)}
    assert not judge(tmp_path, "share", method="a", timer="lmo", threshold=0.5, at_most=True).truth
    with pytest.raises(Missing, match="seconds_project in e"):
        judge(tmp_path, "share", method="a", timer="project", threshold=0.5)
    with pytest.raises(Missing, match="CPU time spent by idle"):
        judge(tmp_path, "share", method="idle", timer="lmo", threshold=0.5)


def test_final_values(tmp_path):
    write(tmp_path, "e", run("a", {"m": [8, 1, 3]}), run("b", {"m": [8, 8, 6]}))
    write(tmp_path, "f", run("a", {"m": [8, 4]}))
    assert judge(tmp_path, "final_ratio", a="a", b="b", metric="m", threshold=0.6).truth
    assert not judge(tmp_path, "final_ratio", a="a", b="b", metric="m", threshold=0.4).truth, "last, not best"
    assert judge(tmp_path, "final_ratio", a="a", b="a", other="f", metric="m", threshold=1).truth
    assert not judge(tmp_path, "final_ratio", a="b", b="a", other="f", metric="m", threshold=1).truth
    assert judge(tmp_path, "reaches", method="a", metric="m", threshold=0.5).truth
    assert not judge(tmp_path, "reaches", method="b", metric="m", threshold=0.5).truth


def test_the_best_instead_of_the_last(tmp_path):
    write(tmp_path, "e", run("a", {"m": [8, 1, 3]}), run("b", {"m": [8, 4, 6]}))
    found = judge(tmp_path, "final_ratio", a="a", b="b", metric="m", threshold=0.3, best=True)
    assert found.truth and found.measured == {"ratio": 0.25, "a": 1, "b": 4}
    assert not judge(tmp_path, "final_ratio", a="a", b="b", metric="m", threshold=0.2, best=True).truth


def test_bound_in_every_record(tmp_path):
    write(tmp_path, "e", run("a", {"m": [1, 2, np.nan], "top": [2, 2, 1]}), run("b", {"k": [1, 1, 1]}))
    found = judge(tmp_path, "bound", metric="m", limit="top")
    assert found.truth and found.measured == {"worst ratio": 1, "violations": 0, "records": 2}
    half = judge(tmp_path, "bound", metric="m", limit="top", threshold=0.5)
    assert not half.truth and half.measured["violations"] == 1
    assert not judge(tmp_path, "bound", metric="m", limit=1.9).truth
    assert judge(tmp_path, "bound", metric="m", limit=1.9, slack=0.1).truth
    with pytest.raises(Missing, match="m in e"):
        judge(tmp_path, "bound", metric="m", limit=1, methods=["b"])


def test_a_limit_of_zero(tmp_path):
    write(tmp_path, "e", run("a", {"m": [-1, 0], "bad": [0, 1e-9]}))
    assert judge(tmp_path, "bound", metric="m", limit=0).truth
    found = judge(tmp_path, "bound", metric="bad", limit=0)
    assert not found.truth and found.measured["worst ratio"] == np.inf


def test_bound_of_the_mean_and_of_the_last(tmp_path):
    write(tmp_path, "e", run("a", {"m": [4, 1, 1]}), run("b", {"m": [1, 1, 4]}))
    args = {"metric": "m", "limit": 2}
    assert not judge(tmp_path, "bound", methods=["a"], **args).truth
    assert judge(tmp_path, "bound", methods=["a"], over="mean", **args).truth
    assert not judge(tmp_path, "bound", methods=["a"], over="mean", threshold=0.9, **args).truth
    assert judge(tmp_path, "bound", methods=["a"], over="last", **args).truth
    found = judge(tmp_path, "bound", over="last", **args)
    assert not found.truth and found.measured == {"worst ratio": 2, "violations": 1, "records": 2}
    with pytest.raises(ValueError, match="unknown over 'first'.*Known are: every, last, mean"):
        judge(tmp_path, "bound", over="first", **args)


def test_a_lower_bound(tmp_path):
    write(tmp_path, "e", run("a", {"m": [0.09, 0.08, 0.2], "low": [-1, 0, 1]}))
    found = judge(tmp_path, "bound", metric="m", limit=0.08, at_least=True)
    assert found.truth and found.measured == {"worst ratio": 1, "violations": 0, "records": 3}
    assert not judge(tmp_path, "bound", metric="m", limit=0.081, at_least=True).truth
    assert judge(tmp_path, "bound", metric="m", limit=0.081, at_least=True, slack=0.02).truth
    below = judge(tmp_path, "bound", metric="low", limit=0, at_least=True)
    assert not below.truth and below.measured["worst ratio"] == 0 and below.measured["violations"] == 1
    assert judge(tmp_path, "bound", metric="m", limit=0, at_least=True).measured["worst ratio"] == np.inf


def test_identity_and_its_failing(tmp_path):
    write(tmp_path, "e", run("a", {"m": [1, 2], "same": [1, 2 + 1e-13], "other": [1, 3]}))
    assert judge(tmp_path, "identity", metric="m", equals="same", threshold=1e-12).truth
    assert not judge(tmp_path, "identity", metric="m", equals="other", threshold=1e-12).truth
    assert judge(tmp_path, "exceeds", metric="m", threshold=2).truth
    assert not judge(tmp_path, "exceeds", metric="m", threshold=2.1).truth


def test_growth_and_ratio_of_metrics(tmp_path):
    rates = run("r", {"eps": [1, 0.5, 0.2], "num": [10, 20, 30], "den": [1, 1, 10]})
    rates["iteration"] = [8, 16, 32]
    write(tmp_path, "e", rates)
    found = judge(tmp_path, "growth", method="r", metric="eps", threshold=0.9)
    assert found.truth and found.measured["last / first"] == pytest.approx(0.8)
    assert not judge(tmp_path, "growth", method="r", metric="eps", threshold=0.7).truth
    args = {"method": "r", "numerator": "num", "denominator": "den"}
    assert judge(tmp_path, "metric_ratio", **args, threshold=10).truth
    assert not judge(tmp_path, "metric_ratio", **args, threshold=11).truth
    assert judge(tmp_path, "metric_ratio", **args, threshold=10, at_most=True).truth
    assert not judge(tmp_path, "metric_ratio", **args, threshold=9, at_most=True).truth


def test_slope_and_rate(tmp_path):
    n = 2 ** np.arange(3, 8)
    rates = run("r", {"eps": 1 / n, "slow": n**-0.5}, LO=n**2, FO=n)
    rates["iteration"] = n
    write(tmp_path, "e", rates)
    falling = {"method": "r", "x": "iteration", "y": "eps", "threshold": 0.3}
    assert judge(tmp_path, "slope", **falling, order=-1, last=3).measured["slope"] == pytest.approx(-1)
    assert not judge(tmp_path, "slope", **falling, order=-1.5).truth
    assert judge(tmp_path, "slope", **falling, order=0).truth, "an upper bound"
    assert not judge(tmp_path, "slope", **falling, order=0, two_sided=True).truth
    assert judge(tmp_path, "slope", **falling, order=-1.2, two_sided=True).truth
    found = judge(tmp_path, "rate", method="r", cost="LO", criterion="eps", order=2)
    assert found.truth and found.measured["order"] == pytest.approx(2)
    both = judge(tmp_path, "rate", method="r", cost="LO+SSO", criterion="eps", order=2)
    assert both.truth, "a sum of columns is a column"
    assert not judge(tmp_path, "rate", method="r", cost="LO", criterion="slow", order=2).truth, "order 4"
    assert not judge(tmp_path, "rate", method="r", cost="LO", criterion="eps", order=1.7).truth


def test_among_records(tmp_path):
    write(tmp_path, "e", run("m", {"E": [4.0, 1.2, 1.0, 5.0], "delta": [0.1, 0.5, 1, 10]}))
    args = {"method": "m", "metric": "E", "by": "delta"}
    assert judge(tmp_path, "among_best", **args, values=[0.5, 1], threshold=0.25).truth
    assert not judge(tmp_path, "among_best", **args, values=[0.5, 1], threshold=0.1).truth
    assert not judge(tmp_path, "among_best", **args, values=[0.1, 1], threshold=0.25).truth
    several = {"methods": ["m"], "metric": "E", "by": "delta", "values": [0.5, 1]}
    assert judge(tmp_path, "among", **several, threshold=1.2).truth
    assert not judge(tmp_path, "among", **several, threshold=1.1).truth
    with pytest.raises(Missing, match="delta in"):
        judge(tmp_path, "among", **(several | {"values": [7]}), threshold=1)
