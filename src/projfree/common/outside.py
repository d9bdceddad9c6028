"""Files from outside: regular ones only. HDF5 has a module of its own, `hdf5`."""

import contextlib
import json
import os
import stat

SMALL = 64 << 20
#: Times its own size that a packed file may sensibly unpack to, beyond `SMALL`; fewer beyond `LARGE` bytes.
RATIO, LARGE, RATIO_OF_LARGE = 200, 1 << 30, 16


class DamagedFile(ValueError):
    """A file that is not what was once written, or not to be read; the message names it."""


def bound(size: int) -> int:
    """Bytes that a packed file of `size` bytes may sensibly unpack to."""
    return max(SMALL, min(RATIO * size, LARGE + RATIO_OF_LARGE * size))


@contextlib.contextmanager
def regular(path):
    """A regular file open for reading, in bytes.

    Raises DamagedFile for a folder, a fifo or a device, before it is opened (opening a fifo waits, opening a
    device can act); OSError for a file that is not there or not readable.
    """
    _refuse_others(os.stat(path), path)
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as stream:
        _refuse_others(os.fstat(stream.fileno()), path)
        yield stream


def read_bytes(path) -> bytes:
    """The content of a regular file; raises as `regular`."""
    with regular(path) as stream:
        return stream.read()


def read_json(path):
    """The value of a JSON file; raises as `regular`, and DamagedFile for what is no JSON."""
    content = read_bytes(path)
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise DamagedFile(f"{path}: damaged, or not JSON ({brief(error)})") from error


def _refuse_others(status, path):
    if not stat.S_ISREG(status.st_mode):
        raise DamagedFile(f"{path}: not read, it is not a regular file")


def brief(error) -> str:
    """An error in a few words, without the buffers and addresses that HDF5 tells."""
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return text.partition(" (")[0].splitlines()[0]
