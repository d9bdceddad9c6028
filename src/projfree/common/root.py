"""The folder of this package, and the cache of compiled code."""

import os
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile


def checkout() -> Path | None:
    """The source checkout that this package runs from; None if it is installed without one."""
    folder = Path(__file__).resolve().parents[3]
    return folder if (folder / "pyproject.toml").is_file() else None


def cache_folder() -> Path | None:
    """Of compiled code: NUMBA_CACHE_DIR; else in PROJFREE_CACHE, the checkout's ``.cache``, the user's.

    None if it cannot be written, or the user has no home: so it is in containers that run as any user.
    """
    with suppress(OSError, RuntimeError):
        if "NUMBA_CACHE_DIR" in os.environ:
            folder = Path(os.environ["NUMBA_CACHE_DIR"])
        elif "PROJFREE_CACHE" in os.environ:
            folder = Path(os.environ["PROJFREE_CACHE"]).expanduser() / "numba"
        else:
            source = checkout()
            folder = source / ".cache" / "numba" if source else Path.home() / ".cache" / "projfree" / "numba"
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
        return folder
    return None
