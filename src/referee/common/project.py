"""The project at hand: the folder with ``config``, ``papers``, ``workflow``, ``results`` and ``reports``."""

import os
from pathlib import Path

from projfree.common.root import checkout

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
    root = os.environ.get("PROJFREE_ROOT")
    if root:
        return _checked(Path(root).expanduser())
    here = Path.cwd()
    for folder in (Path(), *here.parents):
        if (folder / MARK).is_file():
            return folder
    return _checked(checkout() or here)


def _checked(folder):
    if not (folder / MARK).is_file():
        raise FileNotFoundError(
            f"{folder} is no project of projfree: it has no {MARK}. "
            "Change into the project's folder, or set PROJFREE_ROOT to it"
        )
    return folder
