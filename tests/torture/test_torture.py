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
import operations
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


@pytest.mark.parametrize("terminate", [0.0, 1.0])
def test_killed_jobs_end_as_if_they_had_not_been(bench, terminate):
    outcome = conditions.kills(bench, 4, NEVER, terminate)
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
        operations.at_operation,
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


def test_an_end_that_is_no_clear_error_is_seen(bench, monkeypatch):
    def crash(*_, **__):
        raise RuntimeError("a bug")

    monkeypatch.setattr(conditions, "run_job", None)  # references are known by now
    monkeypatch.setattr("child.run_job", crash)
    for trial in bench.trials:
        if trial.reference is not None:
            folder = bench.place()
            ended = bench.run(trial, folder).wait()
            assert ended.code == 70 and not ended.clear
            assert bench.judge(trial, folder, ended, "a bug") == conditions.WRONG


def test_the_table_says_what_was_not_tested(tmp_path):
    document, outcomes = tmp_path / "doc.md", tmp_path / "out.json"
    document.write_text(f"# A\n{table.BEGIN}\nold\n{table.END}\nend\n")
    save(outcomes, [Outcome("kills", 1200, 1200, seconds=3.2), Outcome("full disk", note="no right to")])
    assert load(outcomes)[1].note == "no right to"
    table.main(document, outcomes)
    text = document.read_text()
    assert "| kills | 1,200 | 1,200 | 0 | 0 | 3 |" in text and "old" not in text and text.endswith("end\n")
    assert "| full disk | **not tested** |" in text
    with pytest.raises(ValueError, match="torture:begin"):
        table.replace("# A", "")
