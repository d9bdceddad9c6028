"""Median speed-ups over levels, equal rank, falls early and late."""

from functools import partial

import frames
import numpy as np
import pytest
from frames import run, write

from projfree.evidence.panel import Missing

judge = partial(frames.judge, paper="gcg")

FALL = np.array([100.0, 50, 20, 9.9, 2.9, 0.9, 0.29, 0.0])


@pytest.fixture
def folder(tmp_path):
    write(
        tmp_path,
        "e",
        run("fast", {"F": FALL + 7, "error": FALL / 2 + 30, "rank": np.arange(8)}, FO=np.arange(8), matvec=0),
        run(
            "slow",
            {"F": FALL + 7, "error": FALL + 31, "rank": np.arange(8)},
            seconds=3 * np.arange(8),
            matvec=20,
        ),
        run("stuck", {"F": np.maximum(FALL, 10) + 7, "error": FALL + 40, "rank": 2 * np.arange(8)}),
        run("sprinter", {"F": np.maximum(FALL, 2) + 7 + [0, -30, 0, 0, 0, 0, 0, 0]}),
    )
    write(tmp_path, "other", run("fast", {"F": FALL}), run("slow", {"F": FALL}, seconds=9 * np.arange(8)))
    return tmp_path


def test_the_median_over_levels(folder):
    args = {"a": "fast", "b": "slow", "metric": "F"}
    found = judge(folder, "median_speedup", **args, threshold=3)
    assert found.truth and found.measured["median"] == 3 and not found.remark
    assert not judge(folder, "median_speedup", **args, threshold=3.1).truth
    assert judge(folder, "median_speedup", a="slow", b="fast", metric="F", threshold=0.3).measured[
        "median"
    ] == pytest.approx(1 / 3)
    assert judge(folder, "median_speedup", **args, threshold=3, similar=True).truth
    assert not judge(folder, "median_speedup", **args, threshold=2.9, similar=True).truth
    work = judge(folder, "median_speedup", **args, threshold=0, axis="FO+matvec/10")
    assert work.measured["median"] == pytest.approx(np.median([2 / q for q in (3, 4, 5, 6)]))


def test_a_method_with_fewer_seeds_hides_no_seed_of_the_others(tmp_path):
    seeds = [run(name, {"F": FALL + 7}, seed=seed) for name in ("fast", "slow") for seed in (0, 1)]
    write(tmp_path, "e", run("a-few", {"F": FALL + 900}), *seeds)
    for args in ({"by": "share"}, {"by": "relative", "levels": [0.1]}):
        found = judge(tmp_path, "median_speedup", a="fast", b="slow", metric="F", threshold=1, seed=1, **args)
        assert found.truth and found.measured["median"] == 1
    found = judge(tmp_path, "near_best", method="fast", metric="F", threshold=0, seed=1)
    assert found.truth


def test_who_never_arrives(folder):
    late = {"levels": [0.03, 0.01, 0.003]}
    found = judge(folder, "median_speedup", a="fast", b="stuck", metric="F", threshold=1.3, **late)
    assert found.truth and found.measured["median"] == pytest.approx(7 / 5) and found.remark
    with pytest.raises(Missing, match="S ≥ 1.4"):
        judge(folder, "median_speedup", a="fast", b="stuck", metric="F", threshold=2, **late)
    assert (
        judge(folder, "median_speedup", a="stuck", b="fast", metric="F", threshold=2, **late).measured[
            "median"
        ]
        == 0
    )
    with pytest.raises(Missing):
        judge(folder, "median_speedup", a="fast", b="stuck", metric="F", threshold=2, similar=True, **late)


def test_levels_above_the_best_of_some(folder):
    args = {"a": "fast", "b": "slow", "metric": "error", "threshold": 1, "others": ["fast", "stuck"]}
    points = judge(folder, "median_speedup", by="points", levels=[2, 1], **args).measured
    assert points["CPU s ratio at 2"] == 15 / 4 and points["CPU s ratio at 1"] == 21 / 5
    relative = judge(folder, "median_speedup", by="relative", levels=[1 / 3], **args).measured
    assert relative["median"] == 12 / 2, "40: at 2 s, at 12 s"
    with pytest.raises(ValueError, match="points, relative, share"):
        judge(folder, "median_speedup", by="percent", **args)


def test_speedups_shrink(folder):
    args = {"a": "fast", "b": "slow", "metric": "F", "other": "other"}
    found = judge(folder, "speedup_shrinks", **args)
    assert found.truth and found.measured == {"median": 3, "median, other": 9}
    assert not judge(folder, "speedup_shrinks", **args, threshold=0.3).truth


def test_overtaken(folder):
    assert judge(folder, "overtaken", a="fast", b="sprinter", metric="F", early=[0.25]).truth
    assert not judge(folder, "overtaken", a="fast", b="slow", metric="F").truth
    assert not judge(folder, "overtaken", a="slow", b="fast", metric="F").truth, "it is never first"


def test_near_best(folder):
    among = {"method": "slow", "metric": "error", "others": ["fast", "stuck"]}
    assert judge(folder, "near_best", **among, threshold=1).truth
    assert not judge(folder, "near_best", **among, threshold=0.9).truth
    assert judge(folder, "near_best", method="slow", metric="error", threshold=0, others=["stuck"]).truth


def test_front_loaded(folder):
    found = judge(folder, "front_loaded", method="fast", metric="F", threshold=25)
    assert found.truth and found.measured["first / last"] == pytest.approx(80 / 2.9)
    assert not judge(folder, "front_loaded", method="fast", metric="F", threshold=90).truth


def test_lower_at_equal_rank(folder):
    found = judge(folder, "lower_at_equal", a="fast", b="stuck", metric="F")
    assert found.measured["ranks"] == 2, "4 and 6"
    assert found.truth and not judge(folder, "lower_at_equal", a="stuck", b="fast", metric="F").truth
    with pytest.raises(Missing, match="rank ≥ 30"):
        judge(folder, "lower_at_equal", a="fast", b="stuck", metric="F", least=30)
