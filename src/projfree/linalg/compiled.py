"""The one door to numba: where compiled code is cached, and the options all kernels share."""

from __future__ import annotations

import numba
from numba import types
from numba.core import event
from numba.extending import overload

from ..ground.root import cache_folder

__all__ = ["njit", "overload", "on_compiling", "types"]

CACHE = str(cache_folder())
# error_model: a division by zero gives inf as in NumPy, so that loops vectorise; kernels guard themselves.
OPTIONS = {"cache": True, "fastmath": False, "error_model": "numpy"}


def njit(*function, **options):
    """`numba.njit`, cached in our folder; no other process is told of it: it may be of another checkout."""
    numba.config.CACHE_DIR = CACHE
    return numba.njit(*function, **OPTIONS | options)


class _Once(event.Listener):
    """Calls something at the first event."""

    def __init__(self, tell):
        self.waiting = [tell]

    def on_start(self, _event):
        if self.waiting:
            self.waiting.pop()()

    def on_end(self, _event):
        """Of no interest."""


def on_compiling(tell):
    """A context in which `tell()` is called once something is compiled, which takes seconds.

    What is loaded from the cache is not compiled.
    """
    return event.install_listener("numba:compile", _Once(tell))
