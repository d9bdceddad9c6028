"""Files that projfree made and may replace, recognised by their name and first bytes."""

import shutil
from fnmatch import fnmatchcase
from pathlib import Path

from projfree.ground import owned
from projfree.ground.owned import PAGE, NotOurs

STAMP = ".snakemake_timestamp"  # which Snakemake writes into a folder that is a rule's output


def is_page(path) -> bool:
    """Whether a file is a page of projfree, the README of a report, or the records of one."""
    try:
        owned.require(path, PAGE)
        return Path(path).is_file()
    except OSError:
        return False


def require_page(path) -> None:
    """Raise `NotOurs` if another's page would be replaced."""
    owned.require(path, PAGE)


def require(folder, names) -> None:
    """Raise `NotOurs` for a folder with files that will not be made anew.

    Parameters
    ----------
    folder : Path
        May be missing or empty.
    names : iterable of str
        Paths of our files in it, as shell patterns. A page or its records must be ours by content too.
    """
    folder, names = Path(folder), tuple(names)
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise NotOurs(folder.parent, folder.name)
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if (path.is_dir() and not path.is_symlink()) or name == STAMP:
            continue
        ours = any(_like(name, pattern) for pattern in names)
        if not ours or ((path.suffix == ".html" or path.parent.name == "data") and not is_page(path)):
            raise NotOurs(folder, name)


def _like(name, pattern):
    """Whether a path is as a pattern says, folder by folder."""
    parts, wanted = name.split("/"), pattern.split("/")
    return len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))


def removed(folder, names) -> None:
    """Remove a folder that is to be made anew; raises as `require`, and then nothing is lost."""
    require(folder, names)
    shutil.rmtree(folder, ignore_errors=True)
