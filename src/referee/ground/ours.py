"""Files that projfree made and may replace, recognised by their name and first bytes."""

import re
import shutil
from fnmatch import fnmatchcase
from pathlib import Path

from projfree.ground.outside import DamagedFile, regular

HEAD = 4096
TITLE = re.compile(rb"<title>[^<]*projfree[^<]*</title>|\A<!-- Made by projfree ")
DATA = b"projfreeData("
STAMP = ".snakemake_timestamp"  # which Snakemake writes into a folder that is a rule's output


class NotOurs(FileExistsError):
    """A place with files that projfree did not make; nothing was changed."""

    def __init__(self, place, stranger):
        super().__init__(
            f"{place} holds {stranger}, which projfree did not make: nothing was changed; "
            "name another place, or move that away"
        )


def is_page(path) -> bool:
    """Whether a file is a page of projfree, the README of a report, or the records of one."""
    head = _head(path)
    return head.startswith(DATA) or bool(TITLE.search(head))


def _head(path) -> bytes:
    """The first bytes of a file; nothing of one that is not read."""
    try:
        with regular(path) as stream:
            return stream.read(HEAD)
    except (OSError, DamagedFile):
        return b""


def require_page(path) -> None:
    """Raise `NotOurs` if another's page would be replaced."""
    path = Path(path)
    if (path.exists() or path.is_symlink()) and not is_page(path):
        raise NotOurs(path.parent, path.name)


def require_json(path, key: str) -> None:
    """Raise `NotOurs` where a file stands that is to be replaced and has no such key near its start."""
    path = Path(path)
    if path.exists() and f'"{key}"'.encode() not in _head(path):
        raise NotOurs(path.parent, path.name)


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
