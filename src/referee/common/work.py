"""The folder for results, reports and data: the current project, or a given folder.

It is a module of its own because the hash of every job covers `project`.
"""

import os
from pathlib import Path

from .project import MARK, project_root


def work_root() -> Path:
    """PROJFREE_WORK if set; else the project, told by PROJFREE_ROOT or found from the working folder upwards.

    The checkout that this command runs from is never written to just because nothing else was found.

    Raises
    ------
    FileNotFoundError
        Where neither is there.
    """
    root = os.environ.get("PROJFREE_WORK")
    if root:
        return Path(root).expanduser()
    here = Path.cwd()
    if os.environ.get("PROJFREE_ROOT") or any((folder / MARK).is_file() for folder in (here, *here.parents)):
        return project_root()
    raise FileNotFoundError(
        f"{here} is in no project of projfree, so there is no place for results: change into the project's "
        "folder, set PROJFREE_ROOT to it, or set PROJFREE_WORK to a folder for results, reports and data"
    )
