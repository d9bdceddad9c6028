"""Files that appear whole or not at all; HDF5 files that tell when they are no longer what was written.

The checksum of all that HDF5 wrote stands before it, in a user block (a part of the format, which every HDF5
reader skips). A file without one, of an earlier version or by hand, is read as it is.
"""

import contextlib
import io
import os
import socket
import zlib
from pathlib import Path

import h5py

BLOCK = 512  # bytes before the HDF5 content: the least that the format allows
MARK = b"projfree crc32 "
SIGNATURE = b"\x89HDF\r\n\x1a\n"  # a file that begins with it has no block of ours
CHUNK = 1 << 20


class DamagedFile(ValueError):
    """A file that is not what was once written; the message names it."""


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
def atomic_h5(path):
    """An HDF5 file that appears under its final name only when it is whole, sealed and on disk.

    Raises OSError naming the file where it cannot be written. What dead processes of this machine left of
    the same file is removed.
    """
    with _part(Path(path)) as part:
        with _named(path):
            sink = _Sink(part, "w+")
        with sink:
            with h5py.File(sink, "w", userblock_size=BLOCK) as handle:
                yield handle
            with _named(path):
                _seal(sink)


def atomic_write(path, write) -> None:
    """Let `write` fill a file, a path it is given, that gets its final name only when it is whole and on
    disk; raises as `atomic_h5`.
    """
    with _part(Path(path)) as part, _named(path):
        write(part)
        with open(part, "rb") as stream:
            os.fsync(stream.fileno())


@contextlib.contextmanager
def read_h5(path):
    """A file of `atomic_h5` open for reading, its checksum compared first.

    Raises DamagedFile where it is not what was written, OSError where it is not there or not readable.
    """
    check(path)
    try:
        with h5py.File(path, "r") as handle:
            yield handle
    except (OSError, RuntimeError) as error:
        raise DamagedFile(f"{path}: damaged, or not an HDF5 file ({_brief(error)})") from error


def check(path) -> None:
    """Compare a file with its checksum, if it has one; raise DamagedFile where they differ."""
    with open(path, "rb", buffering=0) as stream:
        head = stream.read(BLOCK)
        if not head.startswith(SIGNATURE) and head != _block(_checksum(stream)):
            raise DamagedFile(
                f"{path}: damaged, or not a file of this program (it differs from its checksum); "
                "delete it and make it again"
            )


def sealed(content: bytes) -> bytes:
    """The content of a sealed file that was changed in memory, with the checksum it now has."""
    if content.startswith(SIGNATURE):
        return content
    return _block(zlib.crc32(content[BLOCK:])) + content[BLOCK:]


@contextlib.contextmanager
def _part(path):
    """A name to write to, beside `path`, and at the end the final one."""
    part = path.with_name(f".{path.name}.{socket.gethostname()}.{os.getpid()}.part")
    with _named(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _sweep(path)
    try:
        yield part
        with _named(path):
            os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _seal(sink):
    """Put the checksum before the content, and all of it on disk."""
    if not sink.failure:
        sink.seek(BLOCK)
        block = _block(_checksum(sink))
        sink.seek(0)
        sink.write(block)
    if sink.failure:
        raise sink.failure
    os.fsync(sink.fileno())


def _checksum(stream):
    value = 0
    while chunk := stream.read(CHUNK):
        value = zlib.crc32(chunk, value)
    return value


def _block(value):
    return (MARK + f"{value:08x}\n".encode()).ljust(BLOCK, b"\0")


def _sweep(path):
    """Remove what dead processes of this machine left of `path`."""
    for part in path.parent.glob(f".{path.name}.{socket.gethostname()}.*.part"):
        owner = part.name.split(".")[-2]
        if not (owner.isdigit() and _alive(int(owner))):
            part.unlink(missing_ok=True)


def _alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # of another user
        return True
    return True


@contextlib.contextmanager
def _named(path):
    """Errors of the system with the final name of the file in them, not that of its part."""
    try:
        yield
    except OSError as error:
        raise OSError(f"{path}: not written ({_brief(error)})") from error


def _brief(error):
    """One line without the buffers and addresses that HDF5 tells."""
    return (getattr(error, "strerror", None) or str(error)).partition(" (")[0]
