"""What may be replaced: regular files that bear our mark and belong to the same work.

An HDF5 file names its work in its attributes. A text bears a mark of its kind: the title of a page, the
footer of a figure, the header of a table. So outputs of earlier versions are known, and no file gets more
than its content.
"""

import json
import os
import re
import stat
import zlib
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from .outside import DamagedFile, regular

#: Bytes of our block before the content of an HDF5 file, see `sealed`; the pattern of a file that has it.
MARK = b"projfree crc32 "
SEALED = MARK
#: The pattern that no file matches, and the one that all match.
NONE, ANY = rb"(?!)", rb""
#: Pages of a report, the records beside them, and the README of a report.
PAGE = rb"[^\0]{,4096}<title>[^<]*projfree[^<]*</title>|<!-- Made by projfree |projfreeData\("
BEGIN = 60  # bytes of the line by which a text is known
LOOKED_AT = 1 << 24  # bytes of a file: the footer of a figure stands at its end
KINDS = ((stat.S_ISLNK, "a link"), (stat.S_ISDIR, "a folder"), (stat.S_ISREG, ""))

_FORCED = ContextVar("forced", default=False)


class NotOurs(FileExistsError):
    """A place with something that is not to be replaced; nothing was changed."""

    def __init__(self, place, stranger, why="which projfree did not make"):
        super().__init__(
            f"{place} holds {stranger}, {why}: nothing was changed; name another place, or move that away"
        )


@contextmanager
def forced():
    """Within it any regular file or link may be replaced, as --force asks."""
    token = _FORCED.set(True)
    try:
        yield
    finally:
        _FORCED.reset(token)


def require(path, work) -> None:
    """Raise `NotOurs` unless `path` is free, or has a file of ours that belongs to the same work.

    Parameters
    ----------
    path : path
    work : dict or bytes
        Attributes that an HDF5 file must have, its own or those of its job; or a pattern that the content of
        a file must begin with, unpacked by gzip: `ANY` regular file, `NONE`, `SEALED` or one of `mark`.
    """
    path = Path(path)
    try:
        mode = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    kind = next((words for test, words in KINDS if test(mode)), "a fifo or a device")
    if _FORCED.get() and kind in ("", "a link"):
        return
    why = None
    if kind:
        why = f"{kind}, which is never written to"
    elif not mode & stat.S_IWUSR:
        why = "which is read-only"
    elif work != ANY:
        why = _differs(path, work)
    if why:
        raise NotOurs(path.parent, path.name, why)


def _differs(path, work):
    """Why a regular file is not of a work; None if it is."""
    others = "which projfree did not make, or not for this"
    if isinstance(work, bytes):
        with regular(path) as stream:
            return None if re.match(work, _unpacked(stream.read(LOOKED_AT))) else others
    from .hdf5 import open_h5

    try:
        with open_h5(path) as handle:
            attributes = {**json.loads(handle.attrs.get("spec", "{}")), **handle.attrs}
    except (DamagedFile, ValueError, TypeError):
        return f"{others}, or which is damaged"
    name = next((name for name in work if str(attributes.get(name)) != str(work[name])), None)
    return name and (f"which is of another {name} ({attributes[name]})" if name in attributes else others)


def _unpacked(content):
    """The content, or of a file packed by gzip its first 64 kB."""
    if not content.startswith(b"\x1f\x8b"):
        return content
    try:
        return zlib.decompressobj(31).decompress(content, 1 << 16)
    except zlib.error:
        return content


def mark(content: bytes) -> bytes:
    """The pattern of texts that begin as one does: by their title, else by their first line with a word."""
    content = _unpacked(content)
    if re.match(PAGE, content):
        return PAGE
    if title := re.match(rb"[^\0]{,4096}(<title>[^<]+</title>)", content):
        return rb"[^\0]{,4096}" + re.escape(title[1])
    first = re.match(rb"[\s[{\"]*[^\n\0]{,%d}" % BEGIN, content)[0]
    name = re.match(rb"\D*", first)[0]  # a first entry may be another one of its kind
    binary = content.startswith((b"%PDF", b"\x89PNG")) or re.search(rb"[\0-\x08]", content[:BEGIN])
    words = re.findall(rb"\w+|[^\w\s]", name if len(name) > 8 else first)  # however they are spaced
    return rb"\s*".join(map(re.escape, words)) if words and not binary else NONE
