"""The one door to numba: where compiled code is cached, and the options all kernels share."""

import logging
import time
import warnings

import numba
from numba import types
from numba.core import event
from numba.extending import overload

from ..common.root import cache_folder

__all__ = ["njit", "not_counted", "on_compiling", "overload", "types"]

CACHE = cache_folder()
if CACHE is None:
    warnings.warn(
        "no folder for compiled code can be written: each process compiles what it calls, for up to some "
        "minutes. Set NUMBA_CACHE_DIR to a folder that can be written.",
        RuntimeWarning,
        stacklevel=2,
    )
# error_model: a division by zero gives inf as in NumPy, so that loops vectorise; kernels guard themselves.
OPTIONS = {"cache": CACHE is not None, "fastmath": False, "error_model": "numpy"}


def njit(function=None, **options):
    """`numba.njit`, cached in our folder; no other process is told of it: it may be of another checkout.

    A user who has NUMBA_DISABLE_JIT set debugs other functions: ours are compiled, as some are not Python.
    """
    if function is None:
        return lambda function: njit(function, **options)
    told, numba.config.DISABLE_JIT = numba.config.DISABLE_JIT, 0
    numba.config.CACHE_DIR = str(CACHE or "")
    try:
        return numba.njit(function, **OPTIONS | options)
    finally:
        numba.config.DISABLE_JIT = told


class _Told(event.Listener):
    """Logs that our kernels are compiled, and how long each took that took half a second or more."""

    logger = logging.getLogger("projfree")

    def __init__(self):
        self.told, self.began = False, []  # when each began that is under way: None of what others call

    def on_start(self, compiling):
        """What a kernel calls is compiled within."""
        home = getattr(compiling.data["dispatcher"].py_func, "__module__", None)  # code of `exec` has none
        ours = str(home).startswith("projfree.")
        outermost = ours and not any(self.began)
        self.began.append(time.perf_counter() if outermost else None)
        if outermost and not self.told:
            self.told = True
            self.logger.warning(
                "projfree: compiling what is called for the first time, which takes seconds; later "
                "processes load it. projfree.compile() compiles all kernels at once."
            )

    def on_end(self, compiling):
        """Of one of ours, its seconds."""
        began = self.began.pop()
        if began is not None and (took := time.perf_counter() - began) >= 0.5:
            name = compiling.data["dispatcher"].py_func.__qualname__
            self.logger.warning("projfree: compiled %s in %.1f s", name, took)


event.register("numba:compile", _Told())


class _Once(event.Listener):
    """Calls something at the first event."""

    def __init__(self, tell):
        self.waiting = [tell]

    def on_start(self, _event):
        if self.waiting:
            self.waiting.pop()()

    def on_end(self, _event):
        """Of no interest."""


class _Compiling(event.Listener):
    """Takes the seconds of the compiler, for our kernels or the user's, out of a run's clock and timers."""

    def __init__(self, clock, timers):
        self.clock, self.timers, self.began = clock, timers, []

    def on_start(self, _event):
        """What a kernel calls is compiled within."""
        self.began.append(self.clock.read())

    def on_end(self, _event):
        """The clock may stand still: then it reads as before."""
        (cpu, wall), now = self.began.pop(), self.clock.read()
        if not self.began:
            self.clock.cpu -= now[0] - cpu
            self.clock.wall -= now[1] - wall
            self.timers._booked += now[0] - cpu


def on_compiling(tell):
    """A context in which `tell()` is called once something is compiled, which takes seconds.

    What is loaded from the cache is not compiled.
    """
    return event.install_listener("numba:compile", _Once(tell))


def not_counted(clock, timers):
    """A context in which seconds of the compiler, for our kernels or the user's, are in no clock or timer."""
    return event.install_listener("numba:compile", _Compiling(clock, timers))
