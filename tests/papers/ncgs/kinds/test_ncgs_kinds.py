"""Kinds about who is ahead of whom, at what cost, and what is gained."""

from functools import partial

import frames
import numpy as np
import pytest
from frames import run, write

judge = partial(frames.judge, paper="ncgs")


def test_a_tie_does_not_beat(tmp_path):
    slow, fast = [8, 4, 4, 2, 2], [8, 2, 1, 0.5, 0.25]
    write(tmp_path, "e", run("slow", {"m": slow}), run("fast", {"m": fast}), run("same", {"m": slow}))
    assert judge(tmp_path, "not_beats", a="same", b="slow", metric="m").truth
    assert not judge(tmp_path, "not_beats", a="fast", b="slow", metric="m").truth


def test_order_needs_each_step(tmp_path):
    ends = {"a": 1, "b": 2, "c": 3, "d": 3.01}
    write(tmp_path, "e", *(run(name, {"m": [9, 9, end]}) for name, end in ends.items()))
    found = judge(tmp_path, "order", methods=["a", "b", "c"], metric="m", also=[0.5])
    assert found.truth and found.measured["Kendall τ at end"] == 1
    assert np.isnan(found.measured["Kendall τ at 1/2 of the budget"]), "all equal there"
    assert not judge(tmp_path, "order", methods=["a", "b", "c", "d"], metric="m").truth, (
        "c and d tie within 2 %"
    )
    backwards = judge(tmp_path, "order", methods=["d", "b", "a"], metric="m")
    assert not backwards.truth and backwards.measured["Kendall τ at end"] == -1
    assert judge(tmp_path, "order", methods=["a", ["b", "d"]], metric="m").truth
    assert not judge(tmp_path, "order", methods=["b", ["a", "d"]], metric="m").truth


def test_crossing(tmp_path):
    early, late = [9.0] + [1.0] * 10, [9.0] * 9 + [0.5] * 2
    write(tmp_path, "e", run("early", {"m": early}), run("late", {"m": late}))
    assert judge(tmp_path, "crossing", a="early", b="late", metric="m").truth
    assert not judge(tmp_path, "crossing", a="late", b="early", metric="m").truth
    assert not judge(tmp_path, "crossing", a="early", b="late", metric="m", threshold=0.4).truth


def test_slowest_has_the_largest_value_and_the_longest_time(tmp_path):
    runs = {"a": [8, 1, 1, 1, 1], "b": [8, 2, 1, 1, 1], "c": [8, 8, 3, 3, 3], "s": [8, 8, 8, 8, 3.5]}
    write(tmp_path, "e", *(run(name, {"m": values}) for name, values in runs.items()))
    args = {"metric": "m", "level": {"of_initial": 0.5}}
    assert judge(tmp_path, "slowest", method="s", others=["a", "b", "c"], **args).truth
    assert not judge(tmp_path, "slowest", method="s", others=["a", "b", "c"], **args, threshold=5).truth
    assert not judge(tmp_path, "slowest", method="c", others=["a", "b", "s"], **args).truth


def test_monotone_costs(tmp_path):
    def steps(cost):
        return run(f"eta-{cost}", {"m": [5, 1]}, LO=[0, cost])

    write(tmp_path, "e", *(steps(cost) for cost in (1, 2, 5, 9)), run("never", {"m": [5, 5]}, LO=[0, 99]))
    args = {"metric": "m", "level": 1}
    assert judge(tmp_path, "monotone", methods=["eta-1", "eta-2", "eta-5", "eta-9", "never"], **args).truth
    assert not judge(tmp_path, "monotone", methods=["eta-9", "eta-2", "eta-5"], **args).truth
    start = {"methods": ["never", "eta-1", "eta-2", "eta-5"], **args}
    assert not judge(tmp_path, "monotone", **start).truth
    assert judge(tmp_path, "monotone", **start, reached_only=True).truth
    assert not judge(tmp_path, "monotone", methods=["never", "eta-1"], **args, reached_only=True).truth


def test_mean_gain_is_judged_over_all_seeds(tmp_path):
    write(tmp_path, "e", run("a", {"m": [0, 0.9]}), run("a", {"m": [0, 0.5]}, seed=1))
    write(tmp_path, "f", run("a", {"m": [0, 0.6]}), run("a", {"m": [0, 0.6]}, seed=1))
    for seed in (0, 1):
        found = judge(tmp_path, "mean_gain", seed=seed, method="a", other="f", metric="m")
        assert found.truth and found.measured["mean gain"] == pytest.approx(0.1)
    assert not judge(tmp_path, "mean_gain", experiment="f", method="a", other="e", metric="m").truth
