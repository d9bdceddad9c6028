"""Lines of a text, packed or not; complaints about what is no text."""

import glob
import zipfile
from pathlib import PurePosixPath

from referee.data.errors import FormatError
from referee.data.lines import BLOCK, line_blocks, member_blocks
from referee.data.unpack import DAMAGE, said

from . import ENCODINGS
from .advice import utf_8

#: Bytes of a line; one that is longer than a block of reading begins a block.
WIDEST = BLOCK
#: First bytes of files that are no text, and what these are.
FOREIGN = {
    b"PK\x03\x04": "a zip archive or a workbook; unpack it, or save the sheet as CSV",
    b"\xfd7zXZ\0": "packed by xz; unpack it by unxz (gzip, bzip2 and zip are read as they are)",
    b"\x28\xb5\x2f\xfd": "packed by zstd; unpack it by unzstd (gzip, bzip2 and zip are read as they are)",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive; unpack it",
    b"\x89HDF\r\n\x1a\n": "HDF5; its name must end in .h5 or .hdf5",
    b"PAR1\x15": "Parquet; its name must end in .parquet or .pq",
}
#: Names of the table of ratings in archives of several, those of MovieLens; and ends of others' names.
RATINGS = {"ratings.csv", "ratings.dat", "u.data"}
TABLES = (".csv", ".tsv", ".dat", ".data", ".txt", ".jsonl", ".json")


def lines_of(path, encoding):
    """(number of the first line, whole lines) of a text; FormatError if it is in another encoding."""
    blocks = line_blocks(path)
    if zipfile.is_zipfile(path):
        member = glob.escape(PurePosixPath(_table_in(path)).name)
        blocks = ((line, block) for _, line, block in member_blocks(path, [member]))
    for first, block in blocks:
        if first == 1:
            if block.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise FormatError(path, 1, f"is UTF-16 text; {utf_8(path)}")
            kinds = [kind for head, kind in FOREIGN.items() if block.startswith(head)]
            kinds += ["a tar archive; unpack it"] * (block[257:262] == b"ustar")
            if kinds:
                raise FormatError(path, None, f"is no text but {kinds[0]}")
        if block.index(b"\n") > WIDEST:
            raise FormatError(path, first, f"line longer than {WIDEST} bytes; is this a table of ratings?")
        if (at := block.find(b"\0")) >= 0:
            reason = "has a zero byte, so it is no text; see --help for the forms it may have"
            raise FormatError(path, first + block.count(b"\n", 0, at), reason)
        try:
            text = block.decode(encoding)
        except UnicodeDecodeError as error:
            at = first + block.count(b"\n", 0, error.start)
            what = f"byte 0x{block[error.start]:02x} is not {encoding} text; say which it is by --encoding"
            raise FormatError(path, at, f"{what} ({', '.join(ENCODINGS)})") from None
        yield first, text.removeprefix("\ufeff") if first == 1 else text


def _table_in(path) -> str:
    """The name of the one table of ratings in a zip archive."""
    try:
        with zipfile.ZipFile(path) as pack:
            names = [n for n in pack.namelist() if not n.endswith("/") and not n.startswith("__MACOSX/")]
    except DAMAGE as error:
        raise FormatError(path, None, f"cannot be read ({said(error)})") from None
    if {"xl/workbook.xml", "content.xml"} & {*names}:
        raise FormatError(path, None, "is a workbook; save the sheet as CSV")
    tables = [n for n in names if PurePosixPath(n).name in RATINGS]
    tables = tables or [n for n in names if n.endswith(TABLES) and "readme" not in n.lower()]
    if len(tables) != 1:
        held = ", ".join(map(repr, names[:5])) + ", …" * (len(names) > 5) or "nothing"
        raise FormatError(path, None, f"is a zip archive of {held}; unpack the table of ratings")
    return tables[0]
