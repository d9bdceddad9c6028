"""Compiled code for copies of the project, which would take most of a minute to compile theirs."""

import os
import shutil
import subprocess
from pathlib import Path

from numba.core.caching import _CacheLocator
from places import BIN, ROOT


def bring(folder, sources="src") -> None:
    """Put this checkout's compiled code into the `.cache` of a folder with a copy of its sources.

    Numba names its folders by the path of the sources, and compares time and size of each file.
    """
    subprocess.run([BIN / "projfree", "compile"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    cache = Path(os.environ.get("PROJFREE_CACHE", ROOT / ".cache")) / "numba"
    for package in {path.parent.relative_to(ROOT / "src") for path in (ROOT / "src").rglob("*.py")}:
        here = cache / _place(ROOT / "src" / package)
        there = folder / ".cache/numba" / _place(folder / sources / package)
        if here.is_dir():
            shutil.copytree(here, there, dirs_exist_ok=True)


def _place(package):
    return _CacheLocator.get_suitable_cache_subpath(str(package / "any.py"))
