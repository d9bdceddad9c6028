"""The commit that a result was made from."""

import subprocess
from functools import cache

from .project import MARK, project_root

#: The commit of what was made outside git.
UNKNOWN = "unknown"
#: Folders of which everything that is made is made.
SOURCES = ("src", "config", "papers", "workflow", ":(exclude)papers/*/tests", ":(exclude)papers/*/notes.md")


@cache
def git_commit(root=None) -> str:
    """The commit checked out, with ``+changes`` where tracked files differ from it; ``unknown`` outside
    git.
    """
    try:
        root = root or project_root()
        commit = _git(root, "rev-parse", "HEAD")
        changed = _git(root, "status", "--porcelain", "--untracked-files=no", "--", *SOURCES)
    except (OSError, subprocess.CalledProcessError):
        return UNKNOWN
    return commit + ("+changes" if changed else "")


def commit_day(root=None) -> str | None:
    """The day of the commit checked out, ``YYYY-MM-DD``; None outside git, also of a folder in a foreign
    checkout.
    """
    root = root or project_root()
    try:
        _git(root, "ls-files", "--error-unmatch", MARK)
        return _git(root, "log", "-1", "--format=%cs")
    except (OSError, subprocess.CalledProcessError):
        return None


def _git(root, *arguments):
    options = {"capture_output": True, "text": True, "encoding": "utf-8"}
    done = subprocess.run(["git", *arguments], cwd=root, check=True, **options)
    return done.stdout.strip()
