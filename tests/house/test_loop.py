"""The bench of the developer's loop: what is kept, what a log tells, what is written."""

import importlib
import json
import subprocess

import pytest
from places import ROOT

CI = "== env: 84 s\n12 passed in 3.20s\n== test: 650 s\n57 jobs done in 161 s; made:\n"
GREEN = CI + "== all green in 851 s\n6,949 passed in 640.10s (0:10:40)\n"


@pytest.fixture
def loop(monkeypatch):
    """The bench, as a module."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    return importlib.import_module("bench_loop")


@pytest.fixture
def checkout(tmp_path):
    """A repository with one commit, and a document."""
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True)
    (tmp_path / "doc.md").write_text("before\n<!-- loop -->\n<!-- /loop -->\nafter\n")
    return tmp_path


@pytest.mark.parametrize(
    ("row", "text", "seconds"),
    [
        ("ci", GREEN, 851),
        ("env", GREEN, 84),
        ("test", GREEN, 650),
        ("quick", CI, 161),
        ("lint", "in 3s", 3),
    ],
)
def test_a_log_tells_the_seconds_of_its_row(loop, tmp_path, row, text, seconds):
    (tmp_path / "log").write_text(text)
    assert loop.seconds_of(row, tmp_path / "log") == seconds


def test_a_log_that_was_broken_off_is_no_measurement(loop, tmp_path):
    (tmp_path / "log").write_text(CI)
    with pytest.raises(SystemExit, match="closing line"):
        loop.seconds_of("ci", tmp_path / "log")


def test_what_was_run_at_this_commit_is_not_run_again(loop, checkout, monkeypatch):
    monkeypatch.setitem(loop.ROWS, "help", loop.Row("true", before=(None, 2.0)))
    monkeypatch.setitem(loop.ROWS, "taste", loop.Row("echo tasted"))
    (checkout / "log").write_text(GREEN)

    def measured(*words):
        loop.main([*words, "--root", str(checkout), "--document", str(checkout / "doc.md")])
        (here,) = json.loads((checkout / ".cache/loop.json").read_text()).values()
        return here["runs"]

    first = measured("help", "--times", "1")["help"]
    runs = measured("help", "taste", "--log", f"test={checkout / 'log'}")
    assert [len(runs[name]) for name in ("help", "taste", "test")] == [3, 3, 1]
    assert runs["help"][:1] == first and measured("help") == runs
    told = (checkout / "doc.md").read_text()
    assert "| test (1) | `make test` | 756 |  | 650 |  |" in told
    assert "```\n$ echo tasted\ntasted\n```\n<!-- /loop -->\nafter" in told


def test_a_clone_is_given_nothing_of_this_checkout(loop, checkout, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/here")
    monkeypatch.setenv("PROJFREE_MIRROR", "/there")
    _, _, said = loop.once(loop.Row("env", clone=True), checkout)
    assert "PATH=" in said
    assert not [word for word in ("PYTHONPATH", "PROJFREE", f"{loop.sys.prefix}/bin") if word in said]


def test_a_command_that_fails_is_no_measurement(loop, checkout, monkeypatch):
    monkeypatch.setitem(loop.ROWS, "help", loop.Row("false"))
    with pytest.raises(SystemExit, match="false ended with 1"):
        loop.main(["help", "--root", str(checkout)])
    monkeypatch.setitem(loop.ROWS, "help", loop.Row("false", fails=True))
    loop.main(["help", "--root", str(checkout)])
