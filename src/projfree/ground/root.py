"""The project's root: the folder with ``config``, ``workflow``, ``data``, ``results`` and ``reports``."""

import os
from pathlib import Path

#: What tells a project's folder.
MARK = Path("config") / "config.yaml"


def project_root() -> Path:
    """PROJFREE_ROOT if set; else the nearest project from the working folder upwards; else our checkout.

    The path is relative, and short in messages, where the working folder is the root itself.

    Raises
    ------
    FileNotFoundError
        Where there is none.
    """
    told = os.environ.get("PROJFREE_ROOT")
    if told:
        return _checked(Path(told).expanduser())
    here = Path.cwd()
    for folder in (Path(), *here.parents):
        if (folder / MARK).is_file():
            return folder
    return _checked(checkout() or here)


def checkout() -> Path | None:
    """The source checkout that this package runs from; None where it is installed without one."""
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


def _checked(folder):
    if not (folder / MARK).is_file():
        raise FileNotFoundError(
            f"{folder} is no project of projfree: it has no {MARK}. "
            "Change into the project's folder, or set PROJFREE_ROOT to it"
        )
    return folder
