"""Files that someone else may have made: regular ones alone, and no more of them than is sensible.

`projfree.common.outside` has what the library needs of this; every job's hash covers that.
"""

import gzip
import io
import json
import os
import zlib

from projfree.common.outside import DamagedFile, bound, brief, regular

#: Bytes of the largest file that is read as a whole.
LARGEST = 1 << 30
#: Bytes that a packed one may unpack to, whatever its size: a published table has 300 kB, packed.
UNPACKED = 1 << 27


def content(path) -> bytes:
    """The content of a file, unpacked where its name ends in ``.gz``.

    Raises
    ------
    DamagedFile
        For a folder, a fifo or a device, which are not opened; for more than `LARGEST` bytes; for a packed
        file that is damaged, or unpacks to more than `bound` or `UNPACKED` allow.
    OSError
        For a file that is not there or not readable.
    """
    with regular(path) as stream:
        _sized(stream, path)
        raw = stream.read(LARGEST)
    return _unpacked(raw, path) if str(path).endswith(".gz") else raw


def check_size(path) -> None:
    """Raise DamagedFile, as `content` does, for a file that would not be read as a whole."""
    with regular(path) as stream:
        _sized(stream, path)


def text(path) -> str:
    """The same as text, UTF-8."""
    try:
        return content(path).decode()
    except UnicodeDecodeError as error:
        raise DamagedFile(f"{path}: damaged, or not UTF-8 ({brief(error)})") from error


def read_json(path):
    """The value of a JSON file; raises as `content`, and DamagedFile for a file that is no JSON."""
    raw = content(path)
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise DamagedFile(f"{path}: damaged, or not JSON ({brief(error)})") from error


def table(path, read=None, **options):
    """The table of a CSV file, by pandas or another reader; raises as `content`, and for other files."""
    import pandas as pd  # slow to import

    stream = io.BytesIO(content(path))
    try:
        return (read or pd.read_csv)(stream, **options)
    except (ValueError, LookupError, OverflowError) as error:  # a ParserError is a ValueError
        raise DamagedFile(f"{path}: damaged, or not such a table ({brief(error)})") from error


def _sized(stream, path):
    size = os.fstat(stream.fileno()).st_size
    if size > LARGEST:
        raise DamagedFile(f"{path}: not read, it has {size} bytes, of {LARGEST} at most")


def _unpacked(packed, path):
    limit = min(bound(len(packed)), UNPACKED)
    try:
        with gzip.open(io.BytesIO(packed)) as stream:
            unpacked = stream.read(limit + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise DamagedFile(f"{path}: damaged, or not packed by gzip ({brief(error)})") from error
    if len(unpacked) > limit:
        raise DamagedFile(f"{path}: unpacks to more than {limit} bytes")
    return unpacked
