"""Kernels are compiled before a clock runs: the library's at once, others by running a job again."""

import platform
import subprocess
import sys
from contextlib import contextmanager
from importlib import metadata

from projfree.common import provenance
from projfree.common.atomic_io import atomic_write
from projfree.common.hashes import digest
from projfree.common.owned import ANY
from projfree.common.root import cache_folder

from ..common import closure

#: Packages whose kernels are compiled, with what makes the small instances that compile them.
COMPILED = ("linalg", "losses.py", "families", "sets", "penalties", "problems", "solvers", "engine")


def compile_all() -> None:
    """Compile the kernels of the library into the cache, unless all are there or nothing can be kept."""
    if not _is_done():
        from projfree.engine import warmup

        warmup.compile_kernels()
        atomic_write(cache_folder() / "compiled", state(), ANY)


def ensure() -> None:
    """The same in a process of its own, so that this one loads no more than its job does."""
    if not _is_done():
        print("compiling the kernels, once", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "referee.cli", "compile"], check=True)


def state() -> str:
    """The key of compiled code: the library's sources and their place, numba, Python, the processor."""
    sources = [closure.folder_sha256(f"projfree/{part}") for part in COMPILED]
    versions = [metadata.version(name) for name in ("numba", "numpy")]
    machine = [platform.python_version(), provenance.cpu_model()]
    return digest([str(closure.SOURCES), sources, versions, machine])


def _is_done():
    folder = cache_folder()
    if folder is None:  # each run compiles for itself, outside of its time
        return True
    mark = folder / "compiled"
    return mark.is_file() and mark.read_text(encoding="utf-8") == state()


def without_compiling(run) -> None:
    """Call a function that runs a job, and once more if anything was compiled while its clock ran.

    `ensure` compiles what small problems need. Another type of arrays, or a kernel of the user's, is compiled
    where it is first called; the second time it is there.
    """
    with _watched() as kernels:
        result = run()
    if kernels:
        message = f"{', '.join(sorted(kernels))} was compiled within its time"
        print(f"running it again: {message}", file=sys.stderr)
        result = run()
    return result


@contextmanager
def _watched():
    """The names of the kernels that are compiled while a clock of a run or a probe, no warm-up, runs."""
    from numba.core import event

    kernels, open_ = set(), []

    class Listener(event.Listener):
        def on_start(self, event):
            if _timed(sys._getframe()) and not open_:
                kernels.add(event.data["dispatcher"].__name__)
            open_.append(event)  # what a kernel calls is compiled within

        def on_end(self, event):
            open_.pop()

    with event.install_listener("numba:compile", Listener()):
        yield kernels


def _timed(frame) -> bool:
    """Whether a frame, or one behind it, is a step or start of a run, or a probe whose clock has begun."""
    while frame:
        name, file = frame.f_code.co_name, frame.f_code.co_filename
        if name in ("_begin", "_advance") and file.endswith("engine/driver.py"):
            return frame.f_locals["self"].trace.seed >= 0  # a warm-up has the seed -1
        if name == "_seed" and file.endswith("jobs/probe.py"):
            return "began" in frame.f_locals
        frame = frame.f_back
    return False
