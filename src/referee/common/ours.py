"""Folders that projfree makes anew: each file in them is known by its name and by the mark of its kind."""

import shutil
from fnmatch import fnmatchcase
from pathlib import Path

from projfree.common import owned
from projfree.common.owned import ANY, NONE, PAGE, SEALED, NotOurs

STAMP = ".snakemake_timestamp"  # which Snakemake writes into a folder that is a rule's output
FIGURE = r"(?s:.*)\b[a-z]+ (·|-) [\w.-]+ (·|-) run ".encode()  # its footer, which is also its title
#: Ending of a file → the pattern of its content, see `projfree.common.owned`: of all kinds that we write.
MARKS = {
    ".h5": SEALED,
    ".html": PAGE,
    ".md": PAGE,
    ".csv": rb"(experiment,method,seed,iteration|algorithm|claim|deviation),",
    ".tex": rb"\\begin\{tabular\}",
    ".json": rb'\[\s*(\]|\{\s*"id": "[A-Z]+-)'
    rb'|\{\s*("(captions|paper|title|prefix|experiment|panels|run|uplot)": |"\w+": \{\s*"machine": |\})',
    **dict.fromkeys((".svg", ".pdf", ".png"), FIGURE),
    ".js": rb'projfreeData\(|"use strict";|/\*! https://github.com/leeoniya/uPlot ',
    ".css": rb":root \{|\.uplot, ",
    ".txt": rb"The MIT License",
    "": rb"([0-9a-f]{64}|unknown)\Z",  # where an unfinished run began
    ".part": ANY,  # of a dead process: told by its name alone
}


def require_page(path) -> None:
    """Raise `NotOurs` if another's page would be replaced."""
    owned.require(path, PAGE)


def require(folder, names) -> None:
    """Raise `NotOurs` for a folder with files that will not be made anew, or that others made.

    Parameters
    ----------
    folder : Path
        May be missing or empty.
    names : iterable of str
        Paths of our files in it, as shell patterns. Each must be ours by content too. A second name of a
        file in the store of results is: it has the same content.
    """
    folder, names = Path(folder), tuple(names)
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise NotOurs(folder.parent, folder.name)
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if (path.is_dir() and not path.is_symlink()) or name == STAMP:
            continue
        if not any(_like(name, pattern) for pattern in names):
            raise NotOurs(folder, name)
        owned.require(path, MARKS.get(Path(name.removesuffix(".gz")).suffix, NONE))


def _like(name, pattern):
    """Whether a path is as a pattern says, folder by folder."""
    parts, expected = name.split("/"), pattern.split("/")
    return len(parts) == len(expected) and all(map(fnmatchcase, parts, expected))


def removed(folder, names) -> None:
    """Remove a folder that is to be made anew; raises as `require`, and then nothing is lost."""
    require(folder, names)
    shutil.rmtree(folder, ignore_errors=True)
