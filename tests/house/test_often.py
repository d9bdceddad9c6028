"""The suite again and again: what was green at this commit is not run again, what failed is."""

import often
import pytest


@pytest.fixture
def runs(monkeypatch, tmp_path):
    """Orders that were run, in the place of the suite; order 1 fails the first time."""
    found = []

    def run(seed, loops, given):
        found.append(seed)
        return f"| {seed} |", seed != 1 or found.count(1) > 1

    monkeypatch.setattr(often, "run", run)
    monkeypatch.setattr(often, "KEPT", tmp_path / "cache/often.json")
    monkeypatch.setattr(often, "commit", lambda: "abc")
    return found


def often_ended(*words):
    with pytest.raises(SystemExit) as ended:
        often.main(["--runs", "3", "--busy", "1", *words])
    return ended.value.code


def test_what_was_green_is_not_run_again(runs, capsys):
    assert often_ended() == 1 and runs == [0, 1, 2]
    assert often_ended() == 0 and runs == [0, 1, 2, 1]
    capsys.readouterr()
    assert often_ended() == 0 and runs == [0, 1, 2, 1]
    assert capsys.readouterr().out.endswith("|---:|\n| 0 |\n| 1 |\n| 2 |\n"), "the table of all of them"


def test_another_commit_or_other_tests_are_run_anew(runs, monkeypatch):
    often_ended()
    assert often_ended("tests/house") == 0 and runs == [0, 1, 2, 0, 1, 2]
    monkeypatch.setattr(often, "commit", lambda: "def")
    often_ended()
    assert runs[6:] == [0, 1, 2]


def test_what_is_no_commit_is_run_each_time(runs, monkeypatch):
    monkeypatch.setattr(often, "commit", lambda: "abc-dirty")
    often_ended()
    assert often_ended() == 0 and runs == [0, 1, 2] * 2
