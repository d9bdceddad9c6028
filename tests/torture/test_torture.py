"""A little of the torture, so that it is always known to work; and it sees what it is there to see."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import apart
import conditions
import kills
import mishaps
import obstacles
import table
from outcomes import Outcome, load, save

from projfree.engine import checkpoint

pytestmark = pytest.mark.slow

#: Jobs of different kinds that are quick: iterates as arrays and as atoms, two generators, an average.
FEW = {
    "ncgs_vr on matrix_completion-0",
    'nmapg on robust_regression-0 {"prox": null}',
    "storc on simplex_least_squares-0",
}


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    made = kills.bench_in(tmp_path_factory.mktemp("torture"), seed=0)
    made.patience = NEVER
    made.trials = [trial for trial in made.trials if trial.name in FEW]
    return made


@pytest.fixture(autouse=True)
def afresh(bench):
    bench.wrong.clear()


NEVER = float("inf")  # counts end these, no clock


@pytest.mark.parametrize(("name", "strike", "_"), kills.KILLED)
def test_killed_jobs_end_as_if_they_had_not_been(bench, name, strike, _):
    outcome = conditions.kills(bench, name, strike, 4, NEVER)
    assert bench.wrong == []
    assert outcome.cases == outcome.resumed >= 4


@pytest.mark.parametrize(
    "case",
    [
        obstacles.size_limit,
        obstacles.damaged_state,
        obstacles.damaged_instance,
        obstacles.damaged_trace,
        mishaps.leftovers,
        mishaps.stale_lock,
        mishaps.wrong_clocks,
        mishaps.two_at_once,
        obstacles.memory_limit,
        apart.double_writers,
    ],
)
def test_a_case_of_each_condition(bench, case):
    outcome = conditions.tally(bench, "", case, 1, NEVER)
    assert bench.wrong == []
    assert outcome.cases == outcome.resumed + outcome.clear_errors == 1


def test_full_and_read_only_file_systems_where_they_can_be_mounted(tmp_path):
    """In a process of its own, with mounts of its own."""
    script = tmp_path / "mounts.py"
    script.write_text(MOUNTS)
    done = subprocess.run(
        [sys.executable, script, Path(__file__).parent, tmp_path], capture_output=True, text=True
    )
    if done.returncode == 5:
        pytest.skip("no right to mount here: full and read-only file systems are NOT tested")
    assert done.returncode == 0, done.stdout + done.stderr


MOUNTS = """
import sys
sys.path.insert(0, sys.argv[1])
import kills
kills.with_private_mounts()
if kills.PRIVATE not in kills.os.environ:
    sys.exit(5)
import conditions, obstacles
bench = kills.bench_in(sys.argv[2], 0)
bench.trials = [t for t in bench.trials if t.name == "storc on simplex_least_squares-0"]
for case in (obstacles.disk_full, obstacles.read_only_results, obstacles.read_only_data):
    outcome = conditions.tally(bench, "", case, 2, float('inf'))
    assert outcome.cases == outcome.resumed + outcome.clear_errors == 2, bench.wrong
"""


def killed_at_its_third_save():
    """What a child does before its job: it will be gone once the third checkpoint is there."""
    save, left = checkpoint.save, [None] * 3

    def last(*state):
        save(*state)
        left.pop()
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    checkpoint.save = last


def test_a_resume_that_forgets_its_generators_is_seen(bench, monkeypatch):
    true = checkpoint.load

    def forgetful(path, key, rngs, *others):
        return true(path, key, {}, *others)

    drawing = next(trial for trial in bench.trials if trial.name.startswith("ncgs_vr"))  # in each step
    trial = bench.known(drawing)
    for loading, verdict in ((true, conditions.RIGHT), (forgetful, conditions.WRONG)):
        monkeypatch.setattr(checkpoint, "load", loading)
        folder = bench.place()
        assert bench.run(trial, folder, prepare=killed_at_its_third_save).wait().code == -signal.SIGKILL
        ended = bench.run(trial, folder).wait()
        assert "resumed seed 0 at iteration 3" in ended.told
        assert bench.judge(trial, folder, ended, "killed at its third save") == verdict
    assert any("metrics/" in text or "final/" in text for text in bench.wrong)


def test_the_tables_add_up_parts_and_say_what_was_not_tested(tmp_path):
    document, parts = tmp_path / "doc.md", [tmp_path / "1.json", tmp_path / "2.json"]
    marks = [f"<!-- {name}:{place} -->" for name in ("tried", "torture") for place in ("begin", "end")]
    document.write_text("\n".join(["# A", marks[0], "old\n", *marks[1:], "end\n"]))
    lacking = Outcome("read-only folder", note="no right to")
    save(parts[0], [Outcome("SIGTERM", 1200, 1200, seconds=3.2, went_on=3), lacking, lacking])
    save(parts[1], [Outcome("SIGTERM", 100, 99, wrong=1), Outcome("stale lock", note="the time was over")])
    save(tmp_path / "3.json", [Outcome("stale lock", 5, 5, note="all were held")])
    assert load(parts[0])[1][1].note == "no right to" and "commit" in load(parts[0])[0]
    table.main(document, *parts, tmp_path / "3.json")
    text = document.read_text()
    assert "| SIGTERM | 1,300 | 1,299 | 0 | 1 | 3 | 3 starts went on from a checkpoint |" in text
    assert "| read-only folder | **not tested** |  |  |  | 0 | no right to |" in text
    assert "| stale lock | 5 | 5 | 0 | 0 | 0 | all were held |" in text
    assert "| on SIGTERM it saves its state and ends | 1,300 | 1 |" in text and "| **not tried** |" in text
    assert "old\n" not in text and text.endswith("end\n")
    with pytest.raises(ValueError, match="tried:begin"):
        table.replace("# A", "tried", "")


def test_every_condition_is_one_of_a_promise(tmp_path):
    names = [name for name, *_ in [*kills.KILLED, *kills.CONDITIONS]]
    known = tuple(start for _, starts, _ in table.PROMISES for start in starts)
    assert [name for name in names if not name.startswith(known)] == []
