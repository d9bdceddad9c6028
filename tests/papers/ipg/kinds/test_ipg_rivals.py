"""Kinds about a cheaper method that keeps up with a dearer one."""

from functools import partial

import frames
import numpy as np
import pytest
from frames import run, write

judge = partial(frames.judge, paper="ipg")

SLOW = [8, 7, 6, 5, 4, 3, 2, 1.5, 1]


@pytest.fixture
def folder(tmp_path):
    halves = np.arange(9) / 2
    write(
        tmp_path,
        "e",
        run("exact", {"m": SLOW, "PO": np.arange(9)}),
        run("alike", {"m": np.array(SLOW) * 1.1}, seconds=halves),
        run("worse", {"m": np.array(SLOW) * [1, 1, 1, 1, 1, 1, 1, 1, 1.4]}, seconds=halves),
        run("steeper", {"m": np.array(SLOW) ** 1.3}),
        run("tiny", {"m": [8, 1e-3, 1e-4, 1e-5, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6], "PO": 2 * np.arange(9)}),
        run("smaller", {"m": [8, 1e-3, 1e-5, 1e-6, 1e-7, 1e-7, 1e-7, 1e-7, 1e-7]}),
    )
    return tmp_path


def test_same_rate(folder):
    same = judge(folder, "same_rate", a="alike", b="exact", metric="m")
    assert same.truth and same.measured["ratio at end"] == pytest.approx(1.1)
    assert same.measured["slope difference"] == pytest.approx(0)
    assert not judge(folder, "same_rate", a="alike", b="exact", metric="m", threshold=0.05).truth
    assert not judge(folder, "same_rate", a="worse", b="exact", metric="m").truth
    assert not judge(folder, "same_rate", a="exact", b="worse", metric="m").truth, "1/1.4 is below 0.8"
    wide = {"threshold": 9.0, "low": 0.0}
    assert not judge(folder, "same_rate", a="steeper", b="exact", metric="m", **wide).truth, "the slope"
    assert judge(folder, "same_rate", a="steeper", b="exact", metric="m", slopes=None, **wide).truth


def test_what_is_negligible_is_the_same(folder):
    assert judge(folder, "same_rate", a="tiny", b="smaller", metric="m").truth
    assert not judge(folder, "same_rate", a="tiny", b="smaller", metric="m", negligible=1e-9).truth


def test_catches_up(folder):
    found = judge(folder, "catches_up", a="alike", b="exact", metric="m", threshold=1.1, slack=0.11)
    assert found.truth and found.measured["ratio at end"] == 2
    assert not judge(folder, "catches_up", a="alike", b="exact", metric="m", threshold=2.1, slack=0.11).truth
    never = judge(folder, "catches_up", a="alike", b="exact", metric="m", threshold=1.1)
    assert not never.truth and never.measured["ratio at end"] == 0, "it is never quite there"
    assert not judge(folder, "catches_up", a="exact", b="alike", metric="m", threshold=1.1).truth


def test_speedups_at_levels_that_both_reach(folder):
    args = {"a": "worse", "b": "exact", "metric": "m", "levels": [0.5, 0.25, 0.01]}
    found = judge(folder, "speedups", **args, threshold=2)
    assert found.truth and len(found.measured) == 2, "nobody reaches 0.01"
    assert not judge(folder, "speedups", **args, threshold=2.5).truth
    assert not judge(folder, "speedups", a="exact", b="worse", metric="m", levels=[0.5], threshold=1).truth
    nothing = judge(folder, "speedups", a="worse", b="exact", metric="m", levels=[0.01], threshold=1)
    assert not nothing.truth and nothing.remark
    mixed = {"a": "tiny", "b": "exact", "metric": "m", "levels": [1.0, 0.5], "threshold": 4}
    assert not judge(folder, "speedups", **mixed).truth
    assert judge(folder, "speedups", **mixed, every=False).truth


def test_counts_a_step(folder):
    assert judge(folder, "per_step", method="exact", count="PO", threshold=1.5).truth
    found = judge(folder, "per_step", method="tiny", count="PO", threshold=1.5)
    assert not found.truth and found.measured["PO a step"] == 2


def test_excess_reaches(folder):
    assert judge(folder, "excess_reaches", method="tiny", metric="m", threshold=1e-3).truth
    assert not judge(folder, "excess_reaches", method="exact", metric="m", threshold=1e-3).truth


def test_relative_bound(tmp_path):
    write(tmp_path, "e", run("m", {"error": [0.0, -2e-3, 1e-3], "f": [10.0, 10.0, 10.0]}))
    args = {"methods": ["m"], "metric": "error", "to": "f"}
    assert judge(tmp_path, "relative_bound", **args, threshold=2e-4).truth
    assert not judge(tmp_path, "relative_bound", **args, threshold=1e-4).truth, "the negative one counts"
