"""What is done to jobs, and how each case is judged: right result, clear error, or wrong."""

import os
import shutil
import signal
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from child import start
from outcomes import Outcome

from projfree.ground.sealed import check
from projfree.trace.format import read_trace
from referee.jobs.job import run_job
from referee.publish.compare import differences

RIGHT, CLEAR, WRONG = "right", "clear", "wrong"
SAVED = "is saved at iteration "


@dataclass
class Bench:
    """Where the torture happens: jobs, a folder of its own, random numbers, and what went wrong.

    `small` is a folder on a file system of 2 MB, `closed` the read-only view of `opened`; None where this
    user may not mount. `apart` says whether processes can have a namespace, `faketime` is its library.
    """

    trials: list
    folder: Path
    rng: np.random.Generator
    small: Path | None = None
    opened: Path | None = None
    closed: Path | None = None
    apart: bool | None = None
    faketime: Path | None = None
    wrong: list = field(default_factory=list)
    went_on: int = 0
    patience: float = 5.0  # seconds that an end on SIGTERM may take

    def draw(self):
        """A random job whose undisturbed trace is known."""
        return self.known(self.trials[self.rng.integers(len(self.trials))])

    def known(self, trial):
        """The job, run once undisturbed; this also loads the compiled code that children inherit."""
        if trial.reference is None:
            path = self.folder / "references" / f"{self.trials.index(trial)}.h5"
            _quietly(lambda: run_job(trial.job, trial.instance, path, checkpoint_seconds=1e9))
            ended = start(trial, self.place(name="timed") / "m.h5", self.folder / "timed.log").wait()
            if ended.code:
                raise RuntimeError(f"{trial.name}: undisturbed, it fails\n{ended.told}")
            trial.reference, trial.seconds = path, ended.seconds
        return trial

    def place(self, parent=None, name="case") -> Path:
        """An empty folder for one case; the trace goes to m.h5 in it."""
        folder = (parent or self.folder) / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder

    def run(self, trial, folder, **options):
        """A child with this job, writing into `folder`."""
        return start(trial, folder / "m.h5", self.folder / "log", **options)

    def judge(self, trial, folder, ended, what) -> str:
        """Whether a job that should be done left the trace of an undisturbed one, and nothing else."""
        self.went_on += "resumed seed" in ended.told
        found = [f"ended with {ended.code}"] if ended.code else _compared(trial, folder)
        return self.verdict(trial, found, what, ended)

    def verdict(self, trial, found, what, ended):
        if found:
            self.wrong.append(f"{trial.name}, {what}: {'; '.join(found)}\n{ended.told}")
        return WRONG if found else RIGHT


def _compared(trial, folder):
    """What differs from the undisturbed run, and what was left behind."""
    found = differences(folder / "m.h5", trial.reference)
    both = zip(*(read_trace(path)[1] for path in (folder / "m.h5", trial.reference)), strict=True)
    found += [f"message {a.message!r} against {b.message!r}" for a, b in both if a.message != b.message]
    return found + [f"left {p.name}" for p in folder.iterdir() if p.name.startswith(".")]


def _quietly(action):
    before = sys.stdout
    with open(os.devnull, "w") as sys.stdout:
        try:
            action()
        finally:
            sys.stdout = before


def kills(bench, condition, strike, wanted, until) -> Outcome:
    """Jobs killed up to eight times each by `strike`; only kills that met a living job count.

    One that says `saved` at its end, as on SIGTERM, has to go on from there.
    """
    outcome, order = Outcome(condition), []
    while outcome.cases < wanted and time.monotonic() < until:
        order = order or _every_solver_first(bench)
        trial, folder = bench.known(order.pop()), bench.place()
        every = bench.rng.choice([0.0, 0.0, trial.seconds / 5])
        met, found, saved = _killed(bench, trial, folder, every, strike)
        ended = bench.run(trial, folder, every=every).wait()
        found += _lost(saved, ended)
        right = bench.judge(trial, folder, ended, f"killed {met} times") == RIGHT
        right &= bench.verdict(trial, found, f"killed {met} times", ended) == RIGHT
        wrong = 0 if right else max(met, 1)  # also where no kill met it alive
        outcome.cases += max(met, wrong)
        outcome.resumed += met if right else 0
        outcome.wrong += wrong
    return outcome


def by_clock(number):
    """A strike: that signal at a moment uniform over a job's duration; how it ended, and what was wrong."""

    def strike(bench, trial, folder, every):
        child = bench.run(trial, folder, every=every)
        time.sleep(bench.rng.uniform(0, trial.seconds))
        child.signal(number)
        asked = time.monotonic()
        ended = child.wait()
        rude = number == signal.SIGTERM and ended.code != 0
        return ended, _not_polite(ended, time.monotonic() - asked, bench.patience) if rude else []

    return strike


def _every_solver_first(bench):
    """All jobs in random order, one of each solver at the end, where the first are taken."""
    order = [bench.trials[i] for i in bench.rng.permutation(len(bench.trials))]
    last = {trial.job.method: trial for trial in order}
    return [trial for trial in order if trial is not last[trial.job.method]] + list(last.values())


def _killed(bench, trial, folder, every, strike):
    """Start and kill a job up to eight times: how many kills met it alive, what was wrong, what is saved."""
    met, found, saved = 0, [], None
    for _ in range(bench.rng.integers(2, 9)):
        ended, wrong = strike(bench, trial, folder, every)
        found += _lost(saved, ended) + wrong
        if ended.code == 0:
            return met, found, None  # done: the next run begins anew
        met += 1
        bench.went_on += "resumed seed" in ended.told
        saved = _saved(ended) if ended.code >= 0 else _still_saved(saved, ended)
    return met, found, saved


def _lost(saved, ended):
    """What is wrong where a state was saved and the next job, if it got so far, did not go on from there."""
    went_on = not saved or f"resumed seed {saved}\n" in ended.told or ended.code < 0
    return [] if went_on else [f"saved seed {saved}, then: {ended.told}"]


def _not_polite(ended, seconds, patience):
    """What is wrong with an end on SIGTERM: it is soon, at once or in one line."""
    if ended.code == -signal.SIGTERM or (ended.clear and SAVED in ended.told):
        return [] if seconds < patience else [f"SIGTERM took {seconds:.1f} s"]
    return [f"SIGTERM ended with {ended.code}: {ended.told}"]


def _still_saved(saved, ended):
    """What a job killed outright leaves to go on from: if it had gone on itself, that is no longer known."""
    return None if "resumed seed" in ended.told else saved


def _saved(ended):
    """``0 at iteration 3`` of the seed that an end on SIGTERM saved, or None."""
    head, mark, tail = ended.told.rpartition(f" {SAVED}")
    return f"{head.rpartition(' ')[2]} at iteration {tail.partition(';')[0]}" if mark else None


def tally(bench, condition, case, wanted, until) -> Outcome:
    """`case(bench)` again and again, its verdicts counted."""
    outcome = Outcome(condition)
    while outcome.cases < wanted and time.monotonic() < until:
        verdict = case(bench)
        outcome.cases += 1
        outcome.resumed += verdict == RIGHT
        outcome.clear_errors += verdict == CLEAR
        outcome.wrong += verdict == WRONG
    return outcome


def failed_then_free(bench, trial, folder, ended, what, reason, free) -> str:
    """Judge a job that met an obstacle: right, or a clear error, no bad file, and right once it is gone."""
    if ended.code == 0:
        free()
        return bench.judge(trial, folder, ended, what)
    bad = [] if ended.clear and reason in ended.told else [f"no clear error, code {ended.code}"]
    bad += bad_files(folder)
    free()
    after = bench.run(trial, folder).wait()
    if bench.judge(trial, folder, after, f"{what}, after that") == WRONG:
        return WRONG
    return CLEAR if bench.verdict(trial, bad, what, ended) == RIGHT else WRONG


def bad_files(folder):
    """Files under a final name that are not whole."""
    bad = []
    for path in Path(folder).rglob("*.h5"):
        try:
            check(path)
        except ValueError as error:
            bad.append(str(error))
    return bad
