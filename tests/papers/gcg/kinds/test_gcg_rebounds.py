"""Kinds about runs that turn, on tables made by hand."""

from functools import partial

import frames
import pytest
from frames import run, write

from projfree.evidence.panel import Missing

judge = partial(frames.judge, paper="gcg")

F = [100.0, 60, 50, 50, 50, 40, 30]


@pytest.fixture
def folder(tmp_path):
    write(
        tmp_path,
        "e",
        run("turns", {"F": F, "error": [9.0, 4, 2, 1, 2, 4, 6]}),
        run("rises", {"F": [100.0, 60, 50, 40, 50, 60, 70], "error": [9.0, 4, 2, 1, 2, 4, 6]}),
        run("falls", {"F": F, "error": [9.0, 5, 4, 3, 2, 1, 0.9]}),
        run("stops", {"F": [100.0, 70, 70, 70, 70, 70, 70], "error": [9.0, 8, 8, 8, 8, 8, 8]}),
    )
    write(tmp_path, "other", run("turns", {"F": F, "error": [9.0, 4, 3, 3, 3, 3, 2]}))
    return tmp_path


def test_an_error_that_rises_again_while_the_objective_falls(folder):
    args = {"metric": "error", "falling": "F"}
    found = judge(folder, "rebounds", method="turns", threshold=5, **args)
    assert found.truth and found.measured["last / least"] == 6 and found.measured["reached after CPU s"] == 3
    assert not judge(folder, "rebounds", method="turns", threshold=7, **args).truth
    assert not judge(folder, "rebounds", method="rises", threshold=5, **args).truth
    assert judge(folder, "rebounds", method="falls", metric="error", threshold=5, absent=True).truth
    assert not judge(folder, "rebounds", method="falls", threshold=0.5, **args).truth  # the last is the least


def test_a_run_that_did_not_get_far_says_nothing(folder):
    args = {"metric": "error", "threshold": 5}
    with pytest.raises(Missing, match="F below 50 of stops"):
        judge(folder, "rebounds", method="stops", once={"metric": "F", "below": 50}, **args)
    assert not judge(folder, "rebounds", method="falls", once={"metric": "F", "below": 50}, **args).truth
    assert judge(folder, "rebounds", method="turns", once={"metric": "F", "below": 1}, **args).truth


def test_flat_ends_and_plateaus_that_are_left(folder):
    assert judge(folder, "flat_end", methods=["stops"], metric="F", threshold=0.001).truth
    assert not judge(folder, "flat_end", methods=["stops", "falls"], metric="F", threshold=0.001).truth
    found = judge(folder, "leaves_plateau", method="turns", metric="F", threshold=0.4)
    assert found.truth and found.measured["largest fall after a plateau"] == pytest.approx(0.4)
    assert not judge(folder, "leaves_plateau", method="turns", metric="F", threshold=0.41).truth
    assert not judge(folder, "leaves_plateau", method="stops", metric="F", threshold=0.01).truth


def test_a_low_objective_at_once_with_a_high_error(folder):
    args = {"method": "turns", "metric": "F", "error": "error"}
    assert judge(folder, "low_at_once", **args, threshold=0.5, factor=4).truth
    assert not judge(folder, "low_at_once", **args, threshold=0.4, factor=4).truth
    assert not judge(folder, "low_at_once", **args, threshold=0.5, factor=5).truth


def test_shares_of_seeds_that_end_high(tmp_path):
    def runs(*finals):
        return [run("m", {"F": [100.0, f]}, seed=s) for s, f in enumerate(finals)] + [
            run("best", {"F": [100.0, 0.0]}, seed=s) for s in range(len(finals))
        ]

    write(tmp_path, "e", *runs(50, 50, 1, 50))
    write(tmp_path, "other", *runs(1, 50, 1, 1))
    args = {"method": "m", "metric": "F"}
    found = judge(tmp_path, "ends_high_more_often", **args, other="other", others=["best"], threshold=0)
    assert found.truth and found.measured == {"share": 0.75, "share in other": 0.25, "share of best": 0.0}
    assert not judge(tmp_path, "ends_high_more_often", **args, other="other", threshold=0.5).truth


def test_the_least_of_several_experiments(folder):
    args = {"method": "turns", "metric": "error", "elsewhere": ["other"]}
    assert judge(folder, "least_there", **args).truth
    assert not judge(folder, "least_there", **args, best=False).truth


def test_the_largest_at_the_end_of_an_axis(tmp_path):
    write(tmp_path, "e", run("m", {"t": [10.0, 100, 50], "share": [0.0, 0.4, 0.3]}))
    assert judge(tmp_path, "rises", method="m", x="t", metric="share").truth
    assert not judge(tmp_path, "rises", method="m", x="t", metric="share", threshold=0.5).truth
    write(tmp_path, "e", run("m", {"t": [10.0, 50, 100], "share": [0.0, 0.4, 0.3]}))
    assert not judge(tmp_path, "rises", method="m", x="t", metric="share").truth
