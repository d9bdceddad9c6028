"""The folder of this package, and the cache of compiled code."""

import os
from pathlib import Path


def checkout() -> Path | None:
    """The source checkout that this package runs from; None if it is installed without one."""
    folder = Path(__file__).resolve().parents[3]
    return folder if (folder / "pyproject.toml").is_file() else None


def cache_folder() -> Path:
    """Of compiled code: NUMBA_CACHE_DIR; else in PROJFREE_CACHE, the checkout's ``.cache``, the user's."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return Path(os.environ["NUMBA_CACHE_DIR"])
    if "PROJFREE_CACHE" in os.environ:
        return Path(os.environ["PROJFREE_CACHE"]).expanduser() / "numba"
    folder = checkout()
    return folder / ".cache" / "numba" if folder else Path.home() / ".cache" / "projfree" / "numba"
