"""The one door to numba: where compiled code is cached, and the options all kernels share."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from ..ground.root import checkout


def _cache_folder() -> Path:
    """PROJFREE_CACHE if set, else ``.cache`` of a source checkout, else the user's cache."""
    if "PROJFREE_CACHE" in os.environ:
        return Path(os.environ["PROJFREE_CACHE"]).expanduser() / "numba"
    folder = checkout()
    return folder / ".cache" / "numba" if folder else Path.home() / ".cache" / "projfree" / "numba"


os.environ.setdefault("NUMBA_CACHE_DIR", str(_cache_folder()))

import numba  # noqa: E402  (the cache folder is read when numba is imported)
from numba import types  # noqa: E402
from numba.extending import overload  # noqa: E402

# error_model: a division by zero gives inf as in NumPy, so that loops vectorise; kernels guard themselves.
njit = partial(numba.njit, cache=True, fastmath=False, error_model="numpy")

__all__ = ["njit", "overload", "types"]
