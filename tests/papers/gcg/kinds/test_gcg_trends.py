"""Two metrics of one run: at one level, along the run, in their speed-ups, at their peak."""

from functools import partial

import frames
import numpy as np
import pytest
from frames import run, write

from projfree.evidence.panel import Missing

judge = partial(frames.judge, paper="gcg")

FALL = np.array([100.0, 50, 20, 9.9, 2.9, 0.9, 0.29, 0.0])
RANK = np.array([0, 1, 2, 3, 4, 5, 6, 7])


@pytest.fixture
def folder(tmp_path):
    lean = run("lean", {"F": FALL + 7, "error": FALL / 100 + 1, "rank": RANK})
    wide = run("wide", {"F": FALL + 7, "error": FALL / 50 + 1, "rank": 3 * RANK}, seconds=2 * RANK)
    stuck = run(
        "stuck", {"F": np.maximum(FALL, 10) + 7, "error": FALL[::-1], "rank": RANK[[0, 5, 7, 4, 3, 2, 2, 2]]}
    )
    write(tmp_path, "e", lean, wide, stuck)
    other = FALL / 100 + 1 + 0.1 * (FALL < 30) * (FALL > 1)
    write(tmp_path, "o", lean, run("wide", {"F": FALL + 7, "error": other, "rank": RANK}, seconds=2 * RANK))
    return tmp_path


def test_ratio_at_a_level(folder):
    args = {"a": "wide", "b": "lean", "metric": "rank", "by": "F", "level": 0.03}
    found = judge(folder, "ratio_at_level", **args, threshold=3)
    assert found.truth and found.measured == {"ratio": 3, "wide": 12, "lean": 4}
    assert not judge(folder, "ratio_at_level", **args, threshold=3.1).truth
    with pytest.raises(Missing, match="stuck at 0.03 of the way"):
        judge(folder, "ratio_at_level", **args | {"a": "stuck"}, threshold=1)


def test_rank_correlation(folder):
    assert judge(folder, "rank_correlation", method="lean", x="F", y="error", threshold=0.99).truth
    found = judge(folder, "rank_correlation", method="stuck", x="F", y="error", threshold=0.9)
    assert not found.truth and found.measured["Spearman ρ"] < 0


def test_speedups_agree(folder):
    pairs = {"metrics": ["F", "error"], "by": ["share", "relative"], "levels": [[0.03, 0.01], [0.03, 0.01]]}
    args = {"a": "lean", "b": "wide", "others": ["lean", "wide"], **pairs}
    assert judge(folder, "speedups_agree", **args, other="o", threshold=1).measured["|log S − log S'|"] >= 0
    same = judge(folder, "speedups_agree", **args, other="e", threshold=1)
    assert same.truth and len(set(same.measured.values())) == 1
    assert not judge(folder, "speedups_agree", **args, other="e", threshold=0.5).truth
    with pytest.raises(Missing, match="stuck at the levels of F, error"):
        judge(folder, "speedups_agree", **args | {"a": "stuck", "b": "lean"}, other="e")


def test_peaks(folder):
    found = judge(folder, "peaks", method="stuck", metric="rank", threshold=2)
    assert found.truth and found.measured == {"peak / last": 3.5, "peak": 7}
    assert not judge(folder, "peaks", method="lean", metric="rank", threshold=2).truth
