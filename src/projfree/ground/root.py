"""The project's root: the folder with ``config``, ``workflow``, ``data``, ``results`` and ``reports``."""

import os
from pathlib import Path

#: What tells a project's folder.
MARK = Path("config") / "config.yaml"


def project_root() -> Path:
    """PROJFREE_ROOT if set, else the nearest folder with a configuration, from the working folder upwards.

    Raises
    ------
    FileNotFoundError
        Where there is none.
    """
    told = os.environ.get("PROJFREE_ROOT")
    here = Path(told).expanduser() if told else Path.cwd()
    for folder in [here] if told else [here, *here.parents]:
        if (folder / MARK).is_file():
            return folder
    raise FileNotFoundError(
        f"{here} is not a folder of the project: there is no {MARK} in it"
        + ("" if told else " or above it; change into the project's folder, or set PROJFREE_ROOT to it")
    )
