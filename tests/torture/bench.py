"""What all conditions share: jobs, folders, and the judgement of a job that something was done to."""

import os
import shutil
import signal
import time
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

import jobs
import numpy as np
from child import start

from projfree.common import provenance
from projfree.common.atomic_io import check
from projfree.trace.format import read_trace
from referee.common import revision
from referee.jobs.job import run_job
from referee.publish.compare import differences

SAVED = "is saved at iteration "


@dataclass
class Bench:
    """Where the torture happens: a folder of its own, jobs, random numbers, and what went wrong.

    `small` is a folder on a file system of 2 MB, `closed` the read-only view of `opened`; None
    where nothing is mounted.
    """

    folder: Path
    only: tuple = ()
    small: Path | None = None
    opened: Path | None = None
    closed: Path | None = None
    wrong: list = field(default_factory=list)

    def __post_init__(self):
        self.rng = np.random.default_rng(0)
        self.trials = [t for t in jobs.make(self.folder) if not self.only or t.name in self.only]
        revision.git_commit(), provenance.environment()  # asked once; children inherit the answers

    def draw(self):
        """A random job whose undisturbed trace is known."""
        return self.known(self.trials[self.rng.integers(len(self.trials))])

    def known(self, trial):
        """The job, run once undisturbed; this also loads the compiled code that children inherit."""
        if trial.reference is None:
            path = self.folder / "references" / f"{self.trials.index(trial)}.h5"
            with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
                run_job(trial.job, trial.instance, path, checkpoint_seconds=1e9)
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

    def killed_midway(self, trial, folder, number=signal.SIGKILL, **options):
        """How a job ends that gets this signal at a moment uniform over its duration."""
        child = self.run(trial, folder, **options)
        time.sleep(self.rng.uniform(0, trial.seconds))
        child.signal(number)
        return child.wait()

    def judge(self, trial, folder, ended, what) -> bool:
        """Whether a job that should be done left the trace of an undisturbed one, and nothing else."""
        if ended.code:
            return self.verdict(trial, [f"ended with {ended.code}"], what, ended)
        found = differences(folder / "m.h5", trial.reference)
        both = zip(*(read_trace(path)[1] for path in (folder / "m.h5", trial.reference)), strict=True)
        found += [f"message {a.message!r} against {b.message!r}" for a, b in both if a.message != b.message]
        found += [f"left {path.name}" for path in folder.iterdir() if path.name.startswith(".")]
        return self.verdict(trial, found, what, ended)

    def verdict(self, trial, found, what, ended) -> bool:
        """Whether nothing wrong was found; what was is kept."""
        if found:
            self.wrong.append(f"{trial.name}, {what}: {'; '.join(found)}\n{ended.told}")
        return not found

    def right_or_clear(self, trial, folder, ended, what, reason, free=lambda: None):
        """Judge a job that met an obstacle: right, or a clear error and no bad file, and right without it."""
        if ended.code:
            clear = ended.clear and reason in ended.told
            bad = [] if clear else [f"no clear error, code {ended.code}"]
            self.verdict(trial, bad + bad_files(folder), what, ended)
        free()
        ended = self.run(trial, folder).wait() if ended.code else ended
        self.judge(trial, folder, ended, f"{what}, after that")

    def kills(self, strike, wanted):
        """Jobs killed up to eight times each by `strike`, until so many kills met a living job.

        One that says `saved` at its end, as on SIGTERM, has to go on from there.
        """
        cases, order = 0, []
        while cases < wanted:
            order = order or [self.trials[i] for i in self.rng.permutation(len(self.trials))]
            trial, folder = self.known(order.pop()), self.place()
            every = self.rng.choice([0.0, 0.0, trial.seconds / 5])
            met, found, saved = self._killed(trial, folder, every, strike)
            ended = self.run(trial, folder, every=every).wait()
            self.judge(trial, folder, ended, f"killed {met} times")
            self.verdict(trial, found + _lost(saved, ended), f"killed {met} times", ended)
            cases += met

    def _killed(self, trial, folder, every, strike):
        """How many kills met the job alive, what was wrong, what is saved."""
        met, found, saved = 0, [], None
        for _ in range(self.rng.integers(2, 9)):
            ended, wrong = strike(self, trial, folder, every)
            found += _lost(saved, ended) + wrong
            if ended.code == 0:
                return met, found, None  # done: the next run begins anew
            met += 1
            if ended.code >= 0:
                saved = _saved(ended)
            elif "resumed seed" in ended.told:
                saved = None  # killed outright, and had gone on itself: no longer known
        return met, found, saved


def by_clock(number):
    """A strike: that signal at a random moment; how the job ended, and what was wrong."""

    def strike(bench, trial, folder, every):
        ended = bench.killed_midway(trial, folder, number, every=every)
        polite = ended.code in (0, -number) or (ended.clear and SAVED in ended.told)
        return ended, [] if polite else [f"signal {number} ended it with {ended.code}: {ended.told}"]

    return strike


def _lost(saved, ended):
    """What is wrong where a state was saved and the next job, if it got so far, did not go on from there."""
    went_on = not saved or f"resumed seed {saved}\n" in ended.told or ended.code < 0
    return [] if went_on else [f"saved seed {saved}, then: {ended.told}"]


def _saved(ended):
    """``0 at iteration 3`` of the seed that an end on SIGTERM saved, or None."""
    head, mark, tail = ended.told.rpartition(f" {SAVED}")
    return f"{head.rpartition(' ')[2]} at iteration {tail.partition(';')[0]}" if mark else None


def bad_files(folder):
    """Files under a final name that are not whole."""
    bad = []
    for path in Path(folder).rglob("*.h5"):
        try:
            check(path)
        except ValueError as error:
            bad.append(str(error))
    return bad
