"""The timing lane: a core for each run that is timed, and a record of who else was at work meanwhile.

CPU seconds of two runs compare where each had a core and its caches for itself. Runs of all checkouts on a
machine share out its cores by locked files; where none is free, or the system has no such thing as a core to
stay on, a run goes on without, and its trace says so.
"""

import fcntl
import os
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path

#: A run shared the machine where others used more than this share of its core.
SHARED = 0.05


@contextmanager
def lane(folder=None):
    """Keep this process on a core of its own; yields a function that says who else was at work since.

    That function gives ``core``, its number or None; ``others_on_core``, the mean number of CPUs that other
    processes used on it; ``others``, the same on the whole machine. None where the system does not say.
    """
    folder = Path(folder or Path(tempfile.gettempdir()) / f"projfree-cores-{os.getuid()}")
    allowed = getattr(os, "sched_getaffinity", lambda _: set())(0)
    core, lock = _free_core(folder, allowed)
    try:
        if core is not None:
            os.sched_setaffinity(0, {core})
        yield Watch(core).use_by_others
    finally:
        if core is not None:
            os.sched_setaffinity(0, allowed)
            os.close(lock)


def not_quiet(seconds: float = 0.5) -> str:
    """What to tell who is about to time runs, where others are at work on this machine; else empty."""
    watch, cores = Watch(None), os.cpu_count() or 1
    time.sleep(seconds)
    others = watch.use_by_others()["others"]
    if others is None or others <= SHARED * cores:
        return ""
    return (
        f"others use {others:.1f} of the {cores} CPUs of this machine, and runs are timed: where they do not "
        "repeat their seconds, claims over seconds will be undecided"
    )


def _free_core(folder, allowed):
    """A core that no other run holds, with its locked file; (None, None) if there is none."""
    try:
        with _own(folder) as place:
            for core in sorted(allowed):
                lock = os.open(str(core), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600, dir_fd=place)
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    os.close(lock)
                    continue
                return core, lock
    except OSError:
        pass  # no place for the files, or not one of ours: nothing is pinned
    return None, None


@contextmanager
def _own(folder):
    """The folder, opened, made where it is not there; OSError for a link, or a folder of another user."""
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.fstat(place).st_uid != os.getuid():
            raise PermissionError(f"{folder} belongs to another user")
        yield place
    finally:
        os.close(place)


class Watch:
    """What others used since it was made."""

    def __init__(self, core):
        self.core = core
        self.began = time.perf_counter(), time.process_time(), _busy()

    def use_by_others(self) -> dict:
        wall, own, before = self.began
        seconds, own, now = time.perf_counter() - wall, time.process_time() - own, _busy()

        def others(name):
            if name not in now or name not in before:
                return None
            return round(max(0.0, now[name] - before[name] - own) / seconds, 3)

        return {"core": self.core, "others_on_core": others(f"cpu{self.core}"), "others": others("cpu")}


def _busy() -> dict[str, float]:
    """CPU seconds that each core, and all (``cpu``), worked since the system's start."""
    try:
        lines = Path("/proc/stat").read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    ticks = os.sysconf("SC_CLK_TCK")
    table = [line.split() for line in lines if line.startswith("cpu")]
    # user, nice, system, idle, iowait, irq, softirq, steal
    return {name: (sum(map(int, t[:3])) + sum(map(int, t[5:8]))) / ticks for name, *t in table}
