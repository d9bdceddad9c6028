"""The one door to numba: where compiled code is cached, and the options all kernels share."""

import logging
import time
import warnings
from collections import Counter
from functools import cache
from pathlib import Path
from types import FunctionType

import numba
import numpy as np
from numba import types
from numba.core import event
from numba.extending import overload
from scipy.linalg import blas

from ..common.root import cache_folder

__all__ = ["njit", "not_counted", "on_compiling", "overload", "prompt", "types"]

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
#: Entries up to which, and calls for which, Python takes less time than the compiler.
SMALL, FEW = 4096, 20
_calls: Counter = Counter()


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


def prompt(kernel, size):
    """The kernel, or its function in plain Python as long as that answers sooner than the compiler.

    Plain Python serves a small input where nothing of the kernel is compiled, here or in the cache, up to
    `FEW` times. It does the same operations in the same order, so that no bit differs unless the compiler
    may reorder them (`fastmath`).
    """
    if size > SMALL or kernel.overloads or _calls[kernel] >= FEW:
        return kernel
    index = getattr(getattr(kernel._cache, "_cache_file", None), "_index_path", None)
    if index is not None and Path(index).exists():
        return kernel
    _calls[kernel] += 1
    return _plain(kernel)


@cache
def _plain(kernel):
    """The Python function of a kernel, which calls those of the kernels that it calls."""
    function = kernel.py_func
    known = {name: function.__globals__.get(name) for name in function.__code__.co_names}
    plain = {name: _plain(what) for name, what in known.items() if hasattr(what, "py_func")}
    return FunctionType(
        function.__code__, {**function.__globals__, **plain, "np": _Sums()}, function.__name__
    )


class _Sums:
    """NumPy with sums of float64 as the compiler makes them: by SciPy's BLAS, else in order."""

    sum = staticmethod(sum)

    def __getattr__(self, name):
        return getattr(np, name)

    @staticmethod
    def dot(a, b, out=None):
        """a b for a vector or a matrix a and a vector b."""
        if a.ndim == 1:
            return blas.ddot(a, b)
        rows = a.flags.c_contiguous
        product = blas.dgemv(1.0, a.T if rows else a, b, trans=rows)
        if out is None:
            return product
        out[:] = product
        return out


class _Told(event.Listener):
    """Logs that our kernels are compiled, and how long each took that took half a second or more.

    Meanwhile NUMBA_DISABLE_JIT does not hold: numba compiles parts of its own.
    """

    logger = logging.getLogger("projfree")

    def __init__(self):
        self.told, self.disabled = False, numba.config.DISABLE_JIT
        self.began = []  # when each began that is under way: None of what others call

    def on_start(self, compiling):
        """What a kernel calls is compiled within."""
        home = getattr(compiling.data["dispatcher"].py_func, "__module__", None)  # code of `exec` has none
        ours = str(home).startswith("projfree.")
        outermost = ours and not any(self.began)
        self.began.append(time.perf_counter() if outermost else None)
        if outermost:
            self.disabled, numba.config.DISABLE_JIT = numba.config.DISABLE_JIT, 0
        if outermost and not self.told:
            self.told = True
            self.logger.warning(
                "projfree: compiling what is called for the first time, which takes seconds; later "
                "processes load it. projfree.compile() compiles all kernels at once."
            )

    def on_end(self, compiling):
        """Of one of ours, its seconds."""
        began = self.began.pop()
        if began is not None:
            numba.config.DISABLE_JIT = self.disabled
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
