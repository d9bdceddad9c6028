"""Whole lines of text files and archives, packed or not, in blocks of constant size; numbers in them."""

import gzip
import re
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from referee.data.errors import FormatError
from referee.data.unpack import DAMAGE, bound, open_bz2, open_tar, said, single

BLOCK = 1 << 22
LONGEST_LINE = 1 << 26
TAR_HEADER = 512


def line_blocks(path: Path | str, size: int | None = None) -> Iterator[tuple[int, bytes]]:
    """Yield (number of the first line, whole lines), about `size` (BLOCK) bytes at a time.

    Memory is constant. The file may be plain, gzip or bzip2, told by its first bytes. What unpacks to more
    than `bound` is refused there.
    """
    try:
        with open(path, "rb") as file:
            yield from _blocks(_decompressed(file), path, size, bound(Path(path)))
    except DAMAGE as error:
        raise FormatError(path, None, f"cannot be read ({said(error)})") from None


def member_blocks(path: Path | str, patterns, size: int | None = None) -> Iterator[tuple[str, int, bytes]]:
    """Yield (file, number of the first line, whole lines) of each text file that `path` stands for.

    These are, of a folder, a zip or a tar archive (and of a tar inside a tar), the files whose name matches
    one of `patterns`, packed or not; of any other file the file itself. Nothing is written to disk.
    """
    matched, most = False, sys.maxsize if Path(path).is_dir() else bound(Path(path))
    try:
        for name, stream in _texts(Path(path), patterns):
            matched = True
            for line, block in _blocks(stream, name, size, most):
                yield name, line, block
    except DAMAGE as error:
        raise FormatError(path, None, f"cannot be read ({said(error)})") from None
    if not matched:
        raise FormatError(path, None, f"holds no file named {' or '.join(patterns)}")


def _blocks(stream, name, size: int | None, most: int) -> Iterator[tuple[int, bytes]]:
    size, line, rest, left = size or BLOCK, 1, b"", most
    try:
        while block := stream.read(size):
            left -= len(block)
            if left < 0:
                raise FormatError(name, line, f"unpacks to more than {most} bytes; refused")
            cut = block.rfind(b"\n") + 1
            whole, rest = (rest + block[:cut], block[cut:]) if cut else (b"", rest + block)
            if len(rest) > LONGEST_LINE:
                raise FormatError(name, line, f"line longer than {LONGEST_LINE} bytes; is this a text file?")
            if whole:
                yield line, whole
                line += whole.count(b"\n")
    except DAMAGE as error:
        raise FormatError(name, line, f"damaged or cut from here on ({said(error)})") from None
    if rest:
        yield line, rest + b"\n"


def _decompressed(stream):
    """The stream itself, or what its gzip or bzip2 content unpacks to; it must be able to peek."""
    head = stream.peek(3)[:3]
    if head[:2] == b"\x1f\x8b":
        return gzip.open(stream)
    return open_bz2(stream) if head == b"BZh" else stream


def _texts(path: Path, patterns):
    if path.is_dir():
        for file in sorted(f for f in path.iterdir() if _wanted(f.name, patterns)):
            yield from _texts(file, patterns)
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as pack:
            for info in single(pack.infolist()):
                if _wanted(info.filename, patterns) and not info.is_dir():
                    with pack.open(info) as stream:
                        yield f"{path}:{info.filename}", _decompressed(stream)
    else:
        with open(path, "rb") as stream:
            yield from _stream_texts(stream, str(path), patterns)


def _stream_texts(stream, name: str, patterns):
    """A text, or the texts of a tar archive, read front to back as the stream delivers them."""
    stream = _decompressed(stream)
    if not _is_tar(stream):
        yield name, stream
        return
    with open_tar(fileobj=stream, mode="r|") as pack:
        for info in single(pack):
            if info.isfile() and (_wanted(info.name, patterns) or info.name.endswith(".tar")):
                yield from _stream_texts(pack.extractfile(info), f"{name}:{info.name}", patterns)


def _is_tar(stream) -> bool:
    try:
        tarfile.TarInfo.frombuf(stream.peek(TAR_HEADER)[:TAR_HEADER], "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    except DAMAGE:  # said where the lines are read, with the line
        return False
    return True


def _wanted(name: str, patterns) -> bool:
    base = PurePosixPath(name).name
    return any(fnmatch(base, pattern) or fnmatch(base, f"{pattern}.gz") for pattern in patterns)


LARGEST = 3.4e38  # of float32
EXACT = 2**24  # integers up to here are exact in float32
NUMBER = rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"


def number_fault(field: bytes) -> str | None:
    """The error in a field that should be a finite float32 number; None if there is none."""
    if re.fullmatch(NUMBER, field):
        return None if abs(float(field)) < LARGEST else f"'{field.decode()[:40]}' is too large"
    return f"'{field.decode(errors='replace')[:40]}' is not a finite number"


def blame(path, first: int, block: bytes, fault) -> None:
    """Find the line that made a block unreadable."""
    for number, line in enumerate(block.split(b"\n"), first):
        if line.strip() and (reason := fault(line.rstrip(b"\r"))):
            raise FormatError(path, number, reason)
    raise FormatError(path, first, "unreadable in the block that begins here")
