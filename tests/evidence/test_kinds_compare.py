import pytest
from frames import judge, run, write

from projfree.evidence.checks import Check

SLOW, FAST = [8, 4, 4, 2, 2], [8, 2, 1, 0.5, 0.25]


@pytest.fixture
def folder(tmp_path):
    write(tmp_path, "e", run("slow", {"m": SLOW}), run("fast", {"m": FAST}), run("same", {"m": SLOW}))
    return tmp_path


def test_beats_at_quarter_half_and_end(folder):
    found = judge(folder, "beats", a="fast", b="slow", metric="m")
    assert found.truth
    assert found.measured["ratio at end"] == 0.125
    assert found.measured["ratio at 1/2 of the budget"] == 0.25
    assert found.measured["ratio at 1/4 of the budget"] == 0.5
    assert found.measured["mean log10 gained"] > 0
    assert not judge(folder, "beats", a="slow", b="fast", metric="m").truth
    assert not judge(folder, "beats", a="fast", b="slow", metric="m", threshold=0.4).truth
    assert judge(folder, "beats", a="fast", b="slow", metric="m", threshold=0.5).truth


def test_a_tie_does_not_beat(folder):
    assert not judge(folder, "beats", a="same", b="slow", metric="m").truth


def test_beats_needs_the_smaller_area(tmp_path):
    late = [1e6, 1e6, 0.9, 0.9, 0.9]
    write(tmp_path, "e", run("late", {"m": late}), run("b", {"m": [1e6, 1, 1, 1, 1]}))
    args = {"a": "late", "b": "b", "metric": "m", "at": [0.5, 1]}
    assert judge(tmp_path, "beats", **args, area=False).truth
    assert not judge(tmp_path, "beats", **args).truth


def test_groups_count_by_their_best(folder):
    assert judge(folder, "beats", a=["slow", "fast"], b="slow", metric="m").truth
    assert not judge(folder, "beats", a="slow", b=["same", "fast"], metric="m", area=False).truth


def test_excess_is_over_the_best_of_the_panel(tmp_path):
    write(
        tmp_path,
        "e",
        run("a", {"m": [2, 1.02, 1.01]}),
        run("b", {"m": [2, 1.2, 1.1]}),
        run("c", {"m": [2, 1, 1]}),
    )
    args = {"a": "a", "b": "b", "metric": "m", "at": [1], "threshold": 0.2}
    assert not judge(tmp_path, "beats", **args).truth
    found = judge(tmp_path, "beats", **args, excess=True)
    assert found.truth and found.measured["ratio at end"] == pytest.approx(0.1, rel=1e-3)


def test_counts_instead_of_seconds(tmp_path):
    write(
        tmp_path,
        "e",
        run("a", {"m": [4, 2, 1]}, IFO=[0, 100, 200]),
        run("b", {"m": [4, 2, 1]}, IFO=[0, 400, 800]),
    )
    found = judge(tmp_path, "beats", a="a", b="b", metric="m", axis="IFO", at=[0.5, 1], area=False)
    assert found.truth and found.measured["ratio at end"] == 0.25


def test_about_equal_is_a_factor(tmp_path):
    write(tmp_path, "e", run("a", {"m": [4, 1.2, 1.2]}), run("b", {"m": [4, 1, 1]}))
    assert judge(tmp_path, "about_equal", a="a", b="b", metric="m").truth
    assert judge(tmp_path, "about_equal", a="b", b="a", metric="m").truth
    assert not judge(tmp_path, "about_equal", a="a", b="b", metric="m", threshold=0.1).truth
    assert not judge(tmp_path, "about_equal", a="b", b="a", metric="m", threshold=0.1).truth


def test_about_equal_in_the_current_value(tmp_path):
    write(tmp_path, "e", run("a", {"m": [4, 1, 3]}), run("b", {"m": [4, 1, 1]}))
    args = {"a": "a", "b": "b", "metric": "m"}
    assert judge(tmp_path, "about_equal", **args).truth
    found = judge(tmp_path, "about_equal", **args, current=True)
    assert not found.truth and found.measured["ratio at end"] == 3


def test_headroom_is_told_and_does_not_judge(folder):
    found = judge(folder, "beats", a="fast", b="slow", metric="m", headroom="fast")
    assert found.truth and found.measured["headroom over fast"] == 8 and not found.remark
    found = judge(folder, "beats", a="fast", b="slow", metric="m", headroom="same")
    assert found.truth and found.remark == "e leaves no headroom over same."
    assert Check("beats", "e", {"a": "x", "headroom": "full"}, False, 1, "").methods == ["x", "full"]


def test_ratio_shrinks_from_one_panel_to_another(tmp_path):
    write(tmp_path, "big", run("a", {"m": [9, 2, 1]}), run("b", {"m": [9, 8, 8]}))
    write(tmp_path, "small", run("a", {"m": [9, 6, 6]}), run("b", {"m": [9, 8, 8]}))
    args = {"a": "a", "b": "b", "metric": "m"}
    found = judge(tmp_path, "ratio_shrinks", experiment="big", other="small", **args)
    assert found.truth and found.measured["ratio at end, small"] == 0.75
    assert not judge(tmp_path, "ratio_shrinks", experiment="small", other="big", **args).truth
