"""Forked children that behave like the command `projfree solve`: one costs milliseconds, not seconds."""

import ctypes
import os
import resource
import signal
import sys
import threading
import time
import traceback
from dataclasses import dataclass
from pathlib import Path

import click
from tqdm import tqdm

from referee.cli import Group
from referee.jobs.job import run_job

# Children inherit tqdm's lock: one that is killed while it holds a semaphore would hold it for all.
tqdm.set_lock(threading.RLock())
tqdm.monitor_interval = 0  # nor a thread that may hold it while a child is made


@dataclass
class Ended:
    """How a child ended: exit code, or minus the signal; what it told; wall seconds."""

    code: int
    told: str
    seconds: float

    @property
    def clear(self) -> bool:
        """Whether it ended with an error in one line, beside lines that are no errors."""
        errors = [line for line in self.told.splitlines() if line.startswith("Error: ")]
        return self.code == 1 and len(errors) == 1 and "Traceback" not in self.told


class Child:
    """A forked process that does something as a command of projfree; its words go to a file."""

    def __init__(self, action, log):
        self.log, self.began = Path(log), time.monotonic()
        sys.stdout.flush()
        # Opened here: a child may be killed before it does anything.
        descriptor = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        self.pid = os.fork()
        if self.pid == 0:
            self._live(action, descriptor)
        os.close(descriptor)

    def _live(self, action, descriptor):
        code = 70
        try:
            os.dup2(descriptor, 1)
            os.dup2(descriptor, 2)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            sys.stdout = os.fdopen(1, "w")
            sys.stderr = os.fdopen(2, "w", buffering=1)
            Group(commands={"it": click.Command("it", callback=action)}).main(["it"], prog_name="projfree")
        except SystemExit as end:
            code = end.code or 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            ctypes.CDLL(None).exit(code)  # not os._exit: libraries may crash here, and that counts

    def signal(self, number):
        os.kill(self.pid, number)

    def wait(self, limit=60.0) -> Ended:
        """How it ended; after `limit` seconds it counts as hung and is killed (code −9)."""
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() - self.began > limit:
                self.signal(signal.SIGKILL)
            time.sleep(0.0005)
        seconds = time.monotonic() - self.began
        return Ended(os.waitstatus_to_exitcode(status), self.log.read_text(errors="replace"), seconds)


def start(trial, output, log, *, prepare=None, every=0.0) -> Child:
    """A child that runs a job, after `prepare()`, with a checkpoint `every` so many seconds."""

    def action():
        if prepare:
            prepare()
        run_job(trial.job, trial.instance, output, checkpoint_seconds=every)

    return Child(action, log)
