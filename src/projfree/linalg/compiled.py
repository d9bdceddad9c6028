"""The one door to numba: where compiled code is cached, and the options all kernels share."""

from __future__ import annotations

import os
from functools import partial

from ..ground.root import cache_folder

os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder()))

import numba  # noqa: E402  (the cache folder is read when numba is imported)
from numba import types  # noqa: E402
from numba.core import event  # noqa: E402
from numba.extending import overload  # noqa: E402

# error_model: a division by zero gives inf as in NumPy, so that loops vectorise; kernels guard themselves.
njit = partial(numba.njit, cache=True, fastmath=False, error_model="numpy")

__all__ = ["njit", "overload", "told", "types"]


class _Once(event.Listener):
    """Calls something at the first event."""

    def __init__(self, tell):
        self.waiting = [tell]

    def on_start(self, _event):
        if self.waiting:
            self.waiting.pop()()

    def on_end(self, _event):
        """Of no interest."""


def told(tell):
    """A context in which `tell()` is called once something is compiled, which takes seconds.

    What is loaded from the cache is not compiled.
    """
    return event.install_listener("numba:compile", _Once(tell))
