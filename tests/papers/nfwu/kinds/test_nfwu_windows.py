"""Kinds on equal parts of the axis. 20 epochs of 5 records; every curve is known by hand."""

from functools import partial

import frames
import numpy as np
import pytest
from frames import evidence, run, write

from projfree.evidence.curves import Curve
from projfree.evidence.panel import Missing

judge = partial(frames.judge, paper="nfwu")

EPOCHS, EVERY = 20, 5
SIZE = EPOCHS * EVERY + 1
EPOCH = np.minimum(np.arange(SIZE) // EVERY, EPOCHS - 1)


def error(level):
    """Gradient errors: 0 at each anchor, `level` (a number, or one an epoch) elsewhere."""
    values = np.broadcast_to(level, EPOCHS).astype(float)[EPOCH]
    values[::EVERY] = 0
    return values


def folder_of(tmp_path, **curves):
    write(tmp_path, "e", *(run(name, {"m": values}) for name, values in curves.items()))
    return tmp_path


def test_means_of_parts_leave_out_zeros_and_gaps():
    curve = Curve(np.arange(5.0), np.array([0.0, 2, 0, 4, 6]))
    assert curve.means(4, 2).tolist() == [1, 10 / 3], "the record at the end belongs to the last part"
    assert curve.means(4, 2, skip_zero=True).tolist() == [2, 5]
    assert np.isnan(curve.means(40, 10)[2:]).all()
    assert curve.means(2, 2).tolist() == [0, 1], "records after the end count for nothing"
    assert (curve.current(2.5), curve.current(-1)) == (0, 0)


def test_window_ratio_in_all_in_most_and_in_too_few_windows(tmp_path):
    worse = np.where(np.arange(EPOCHS) < 3, 2.0, 0.1)
    folder_of(tmp_path, a=error(0.3), mixed=error(worse), b=error(1), off=error(0.8))
    args = {"b": "b", "metric": "m", "skip_zero": True}
    found = judge(tmp_path, "window_ratio", a="a", share=0.9, **args)
    assert found.truth and found.measured["geometric mean of ratios"] == pytest.approx(0.3)
    assert found.measured["windows"] == 20
    mixed = judge(tmp_path, "window_ratio", a="mixed", **args)
    assert mixed.truth and mixed.measured["share of windows below"] == 0.85
    assert mixed.measured["geometric mean of ratios"] == pytest.approx((2**3 * 0.1**17) ** (1 / 20))
    assert not judge(tmp_path, "window_ratio", a="mixed", share=0.9, **args).truth
    assert not judge(tmp_path, "window_ratio", a="off", **args).truth
    assert judge(tmp_path, "window_ratio", a=["off", "a"], **args).truth, "of a group, the least"


def test_anchors_count_unless_zeros_are_skipped(tmp_path):
    anchored = np.ones(SIZE)
    folder_of(tmp_path, a=error(1), b=anchored, exact=np.zeros(SIZE))
    ratio = "geometric mean of ratios"
    assert judge(tmp_path, "window_ratio", a="a", b="b", metric="m").measured[ratio] < 0.85
    skipped = judge(tmp_path, "window_ratio", a="a", b="b", metric="m", skip_zero=True)
    assert skipped.measured[ratio] == pytest.approx(1)
    with pytest.raises(Missing, match="m of exact and b within one window of e"):
        judge(tmp_path, "window_ratio", a="exact", b="b", metric="m", skip_zero=True)


def test_window_equal_at_its_windows(tmp_path):
    late = np.where(np.arange(EPOCHS) == 19, 2.5, 1.0)
    folder_of(tmp_path, a=error(1.9), late=error(late), b=error(1), gap=error(np.arange(EPOCHS) < 9))
    args = {"b": "b", "metric": "m", "skip_zero": True}
    found = judge(tmp_path, "window_equal", a="a", **args)
    assert found.truth and found.measured["ratio at 1/4 of the budget"] == pytest.approx(1.9)
    assert not judge(tmp_path, "window_equal", a="a", threshold=0.8, **args).truth
    assert not judge(tmp_path, "window_equal", a="late", **args).truth
    assert judge(tmp_path, "window_equal", a="late", at=[0.25, 0.5], **args).truth
    early = judge(tmp_path, "window_ratio", a="gap", threshold=1, **args)
    assert early.truth and early.measured["windows"] == 9, "only where both have a number"
    with pytest.raises(Missing, match="each of those windows"):
        judge(tmp_path, "window_equal", a="gap", **args)


def test_lower_reads_the_current_value(tmp_path):
    x = np.linspace(0, 1, SIZE)
    folder_of(
        tmp_path, falls=1 - 0.5 * x, rises=1 - 0.9 * x * (x < 0.5), flat=np.full(SIZE, 0.9), one=np.ones(SIZE)
    )
    assert judge(tmp_path, "lower", a="falls", b="one", metric="m").truth
    assert not judge(tmp_path, "lower", a="rises", b="one", metric="m").truth, "its best is not its value"
    assert judge(tmp_path, "lower", a="rises", b="one", metric="m", at=[0.25]).truth
    assert not judge(tmp_path, "lower", a="falls", b="one", metric="m", threshold=0.8).truth, "0.875 at 1/4"
    late = {"a": "falls", "b": "flat", "metric": "m", "at": [1]}
    found = judge(tmp_path, "lower", **late, mean=True, headroom="one")
    assert found.truth and found.measured["ratio of means"] == pytest.approx((1 - 0.5 * 0.525) / 0.9)
    assert found.measured["headroom over one"] == 0.9 and "e leaves no headroom over one" in found.remark
    assert not judge(tmp_path, "lower", **(late | {"a": "rises", "b": "falls"}), threshold=3, mean=True).truth


def test_slightly_better_in_the_mean_and_at_the_end(tmp_path):
    x = np.linspace(0, 1, SIZE)
    folder_of(
        tmp_path,
        one=np.ones(SIZE),
        less=np.full(SIZE, 0.99),
        ends=1.02 - 0.03 * x,
        bad=np.where(x < 1, 0.9, 1.01),
    )
    args = {"b": "one", "metric": "m"}
    assert judge(tmp_path, "slightly_better", a="less", **args).truth
    assert not judge(tmp_path, "slightly_better", a="one", **args).truth, "a tie is not better"
    assert not judge(tmp_path, "slightly_better", a="ends", **args).truth, "better at the end only"
    assert not judge(tmp_path, "slightly_better", a="bad", **args).truth, "better in the mean only"
    assert judge(tmp_path, "slightly_better", a="bad", value="best", **args).truth
    with pytest.raises(ValueError, match="unknown value 'last'.*Known are: best, current, mean"):
        judge(tmp_path, "slightly_better", a="less", value="last", **args)


def test_slightly_better_by_logarithms(tmp_path):
    wild = np.where(np.arange(EPOCHS) % 2, 0.1, 4.0)
    folder_of(tmp_path, wild=error(wild), one=error(1))
    args = {"a": "wild", "b": "one", "metric": "m", "value": "mean", "skip_zero": True}
    assert not judge(tmp_path, "slightly_better", **args).truth
    found = judge(tmp_path, "slightly_better", **args, log=True)
    assert found.truth and found.measured["ratio of means"] == pytest.approx(np.sqrt(0.4))


def test_parts_of_a_stated_budget(tmp_path):
    folder_of(tmp_path, a=error(1), b=error(1))
    panel = evidence(tmp_path, e={"budget": {"iterations": 100}}).panel("e")
    assert panel.end(["a"], 0, "iteration") == 100
