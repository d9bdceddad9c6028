"""Files that appear whole or not at all; HDF5 files that detect damage.

The checksum of all that HDF5 wrote stands before it, in a user block (a part of the format, which every HDF5
reader skips). A file without one, of an earlier version or by hand, is read as it is.

A file is written beside its place under a random name that nobody else can have opened, and stays locked
until it has its final name: a part that is not locked is one that a dead process left, also where several
containers, with process numbers of their own, write into one folder.
"""

import contextlib
import fcntl
import io
import os
import re
import secrets
import shutil
import zlib
from pathlib import Path

from . import owned
from .outside import DamagedFile, brief, regular
from .owned import MARK, NONE, SEALED

BLOCK = 512  # bytes before the HDF5 content: the least that the format allows
SIGNATURE = b"\x89HDF\r\n\x1a\n"  # a file that begins with it has no block of ours
CHUNK = 1 << 20


class _Sink(io.FileIO):
    """A file whose first failed write is kept in `failure` instead of raised.

    After a write that failed, on a full disk, HDF5 can neither flush nor close, and crashes the process at
    its end. So it never hears of it.
    """

    failure: BaseException | None = None

    def write(self, data):
        rest = memoryview(data).cast("B")
        size = len(rest)
        while rest and not self.failure:
            rest = rest[self._noted(super().write, rest) or 0 :]
        return size

    def truncate(self, size=None):
        return self._noted(super().truncate, size)

    def _noted(self, action, argument):
        try:
            return action(argument)
        except BaseException as error:  # an interrupt too: it would be raised within HDF5
            self.failure = self.failure or error


@contextlib.contextmanager
def atomic_h5(path, work=SEALED):
    """An HDF5 file that appears under its final name only when it is whole, sealed and on disk.

    Parameters
    ----------
    path : path
    work : dict or bytes, optional
        What a file must have to be replaced, see `owned.require`. Default: our seal.

    Raises
    ------
    NotOurs
        For a file of others, or of another work, at the beginning and at the end.
    OSError
        With the name of the file, and the first cause, if it cannot be written. What dead processes left of
        the same file is removed.
    """
    import h5py  # with NumPy, which who writes other files does without

    with _part(Path(path), work) as sink:
        try:
            with h5py.File(sink, "w", userblock_size=BLOCK) as handle:
                yield handle
        except Exception as error:
            if sink.failure:  # of which HDF5 tells only what came of it
                raise _unwritten(path, sink.failure) from error
            if isinstance(error, (RuntimeError, MemoryError)):
                raise _unwritten(path, error) from error
            raise
        with _named(path):
            _seal(sink)


def atomic_write(path, content: str | bytes, mark: bytes | None = None) -> None:
    """Write a file, text as UTF-8, that gets its final name only when it is whole and on disk.

    A file there is replaced if it matches the pattern `mark`, by default that of the content
    (`owned.mark`); raises as `atomic_h5`.
    """
    content = content.encode() if isinstance(content, str) else content
    with _part(Path(path), owned.mark(content) if mark is None else mark) as sink, _named(path):
        sink.write(content)


def atomic_copy(source, path) -> None:
    """Copy a regular file as it is, never link it; raises as `atomic_h5`, and for what `regular` refuses."""
    with regular(source) as stream, _part(Path(path), NONE) as sink, _named(path):
        shutil.copyfileobj(stream, sink, CHUNK)


@contextlib.contextmanager
def read_h5(path):
    """A file of `atomic_h5` open for reading, its checksum compared first.

    Raises DamagedFile if it is damaged or leads to other files (`guarded`), OSError if it is missing or not
    readable.
    """
    with regular(path) as stream, read_stream(stream, path) as handle:
        yield handle


@contextlib.contextmanager
def read_stream(stream, path):
    """As `read_h5`, of an open stream; `path` is the name for it in errors."""
    from .hdf5 import guarded

    _compare(stream, path)
    with guarded(stream, path) as handle:
        yield handle


def check(path) -> None:
    """Compare a file with its checksum, if it has one; raise DamagedFile if they differ."""
    with regular(path) as stream:
        _compare(stream, path)


def sealed(content: bytes) -> bytes:
    """The content of a sealed file that was changed in memory, with the checksum it now has."""
    if content.startswith(SIGNATURE):
        return content
    return _block(zlib.crc32(content[BLOCK:])) + content[BLOCK:]


@contextlib.contextmanager
def _part(path, work):
    """A file beside `path` to write to, and at the end its final name, if that is free or ours."""
    with _named(path):
        owned.require(path, work)
        path.parent.mkdir(parents=True, exist_ok=True)
        _sweep(path)
        part, sink = _created(path)
    try:
        with sink:
            yield sink
            with _named(path):
                owned.require(path, work)  # again, after what may have been hours
                _finish(sink)
                os.replace(part, path)
                _sync(path.parent)
    finally:
        part.unlink(missing_ok=True)


def _created(path):
    """A new part and the locked stream that alone writes it."""
    while True:
        part = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
        sink = _Sink(part, "x+")
        with contextlib.suppress(OSError):  # no locks here
            fcntl.flock(sink, fcntl.LOCK_EX)  # who holds it sweeps it just now, as its links then tell
        if os.fstat(sink.fileno()).st_nlink:
            return part, sink
        sink.close()


def _finish(sink):
    """All that was written on disk, or the error that `sink` kept."""
    if sink.failure:
        raise sink.failure
    os.fsync(sink.fileno())


def _sync(folder):
    """The names of a folder on disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _seal(sink):
    """Put the checksum before the content, read through the descriptor that wrote it."""
    if not sink.failure:
        sink.seek(BLOCK)
        block = _block(_checksum(sink))
        sink.seek(0)
        sink.write(block)


def _compare(stream, path):
    head = stream.read(BLOCK)
    if not head.startswith(SIGNATURE) and head != _block(_checksum(stream)):
        raise DamagedFile(
            f"{path}: damaged, or not a file of this program (it differs from its checksum); "
            "delete it and make it again"
        )


def _checksum(stream):
    value = 0
    while chunk := stream.read(CHUNK):
        value = zlib.crc32(chunk, value)
    return value


def _block(value):
    return (MARK + f"{value:08x}\n".encode()).ljust(BLOCK, b"\0")


def _sweep(path):
    """Remove what dead processes left of `path`, named as `_created` does it; the living lock theirs."""
    own = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{16}}\.part")
    for part in filter(lambda other: own.fullmatch(other.name), path.parent.iterdir()):
        with contextlib.suppress(OSError):
            descriptor = os.open(part, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                part.unlink()
            finally:
                os.close(descriptor)


@contextlib.contextmanager
def _named(path):
    """Errors with the final name of the file in them, not that of its part."""
    try:
        yield
    except owned.NotOurs:
        raise
    except (OSError, RuntimeError, MemoryError) as error:
        raise _unwritten(path, error) from error


def _unwritten(path, error):
    return OSError(f"{path}: not written ({brief(error)})")
