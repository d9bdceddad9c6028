"""Columns of text tables by a parser of CSV (RFC 4180): quotes, ends of lines within them, one width.

The parser is the one of Python's library and not of pandas, which fills lines that are short and takes a
surplus field for a row's name without a word.
"""

import csv
import glob
import json
import re
import shlex
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from itertools import chain, islice
from operator import methodcaller
from pathlib import PurePosixPath

import numpy as np

from ...data.errors import FormatError
from ...data.lines import BLOCK, line_blocks, member_blocks
from ...data.unpack import DAMAGE, said
from . import ENCODINGS
from .forms import ARRAY, column_of, in_blocks, json_pieces, unblocked, unnamed

SEPARATORS = ("::", "\t", ";", ",", "|", " ")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
MISSING = {"", "na", "n/a", "nan", "null", "none", "-", "?"}
SAMPLE, BATCH = 50, 1 << 15
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
TAR = slice(257, 262)
#: Columns without names beyond which nobody can know which are meant: user, item, rating, and a time.
NAMELESS = 4
LONG = 't = pandas.read_csv({}); t.melt(t.columns[0]).dropna().to_csv("long.csv", index=False)'


@dataclass(frozen=True)
class Layout:
    """The layout of a text table.

    Attributes
    ----------
    separator : str
    width : int, fields of every line
    places : list of int, the positions of the fields
    names : list of str, of all columns; empty without a header
    """

    separator: str
    width: int
    places: list
    names: list

    def column_name(self, place) -> str:
        """A column in words, from 1."""
        return f"column {place + 1}" + (f" '{self.names[place]}'" if self.names else "")


def text_pieces(path, fields, columns, encoding) -> tuple[Iterator[dict], dict]:
    """Columns of the fields as texts, and ``line``, some lines at a time; and the name of each column."""
    blocks = lines_of(path, encoding)
    first, text = _front(blocks)
    sample = [line for line in StringIO(text, newline="") if line.strip()][:SAMPLE]
    if not sample:
        raise FormatError(path, None, "holds no rows" + f" in its first {SAMPLE} lines" * bool(text))
    blocks = chain([(first, text)], blocks)
    if sample[0].lstrip()[0] in "{[":
        if sample[0].lstrip()[0] == "[":
            way = by_pandas(ARRAY, path.name, "lines.jsonl")
            raise FormatError(path, 1, f"is a JSON array; turn it into one object a line with: {way}")
        return json_pieces(path, fields, columns, blocks)
    if line := in_blocks(sample):
        blocks = unblocked(blocks)
        layout = _block_layout(path, line, fields, columns)
    else:
        layout = _layout(path, sample, fields, columns)
    told = {field: layout.column_name(place) for field, place in zip(fields, layout.places, strict=True)}
    return _pieces(path, fields, blocks, layout, encoding), told


def _pieces(path, fields, blocks, layout, encoding):
    """The tables that `text_pieces` gives, without the header."""
    head = bool(layout.names)
    try:
        for lines, cells in _columns(path, blocks, layout):
            texts = (np.array([*map(str.strip, column)][head:], dtype=object) for column in cells)
            yield dict(zip(fields, texts, strict=True), line=lines[head:])
            head = head and not len(lines)
    except csv.Error as error:
        why = f"{error}; a field that holds a quote is quoted, its own quotes doubled (RFC 4180)"
        raise FormatError(path, _broken(lines_of(path, encoding), layout.separator), why) from None


def lines_of(path, encoding):
    """(number of the first line, whole lines) of a text; FormatError if it is in another encoding."""
    for first, block in _packed_lines(path):
        if first == 1 and block.startswith((b"\xff\xfe", b"\xfe\xff")):
            way = f"iconv -f UTF-16 -t UTF-8 {shlex.quote(path.name)} > utf8.csv"
            raise FormatError(path, 1, f"is UTF-16 text; turn it into UTF-8 by: {way}")
        heads = [head for head in FOREIGN if first == 1 and block.startswith(head)]
        if heads:
            raise FormatError(path, None, f"is no text but {FOREIGN[heads[0]]}")
        if first == 1 and block[TAR] == b"ustar":
            raise FormatError(path, None, "is no text but a tar archive; unpack it")
        if block.index(b"\n") > WIDEST:
            raise FormatError(path, first, f"line longer than {WIDEST} bytes; is this a table of ratings?")
        if b"\0" in block:
            at = first + block.count(b"\n", 0, block.index(b"\0"))
            reason = "has a zero byte, so it is no text; see --help for the forms it may have"
            raise FormatError(path, at, reason)
        try:
            text = block.decode(encoding)
        except UnicodeDecodeError as error:
            at = first + block.count(b"\n", 0, error.start)
            what = f"byte 0x{block[error.start]:02x} is not {encoding} text; say which it is by --encoding"
            raise FormatError(path, at, f"{what} ({', '.join(ENCODINGS)})") from None
        yield first, text.removeprefix("\ufeff") if first == 1 else text


def _packed_lines(path):
    """`line_blocks` of a file, or of the table of ratings in a zip archive."""
    if not zipfile.is_zipfile(path):
        return line_blocks(path)
    member = glob.escape(PurePosixPath(_table_in(path)).name)
    return ((line, block) for _, line, block in member_blocks(path, [member]))


def _table_in(path) -> str:
    """The name of the one table of ratings in a zip archive."""
    try:
        with zipfile.ZipFile(path) as pack:
            names = [n for n in pack.namelist() if not n.endswith("/") and not n.startswith("__MACOSX/")]
    except DAMAGE as error:
        raise FormatError(path, None, f"cannot be read ({said(error)})") from None
    if {"xl/workbook.xml", "content.xml"} & {*names}:
        raise FormatError(path, None, "is a workbook; save the sheet as CSV")
    found = [n for n in names if PurePosixPath(n).name in RATINGS]
    found = found or [n for n in names if n.endswith(TABLES) and "readme" not in n.lower()]
    if len(found) != 1:
        held = ", ".join(map(repr, names[:5])) + ", …" * (len(names) > 5) or "nothing"
        raise FormatError(path, None, f"is a zip archive of {held}; unpack the table of ratings")
    return found[0]


def _front(blocks):
    """The first blocks as one, of some lines at least."""
    parts = []
    while sum(part.count("\n") for part in parts) < SAMPLE and (block := next(blocks, None)):
        parts.append(block[1])
    return 1, "".join(parts)


def _columns(path, blocks, layout):
    """(numbers of their first lines, the columns of the fields) of all records, some at a time.

    Blocks without quotes are parted as they stand, which is as fast as reading can be; what begins with the
    first quote goes to the parser of CSV.
    """
    for first, text in blocks:
        text = text.replace("\r\n", "\n")
        lines = [line for line in text.split("\n") if line]
        if (
            '"' in text
            or "\r" in text
            or set(map(methodcaller("count", layout.separator), lines)) != {layout.width - 1}
        ):
            yield from _records(path, first, chain([(first, text)], blocks), layout)
            return
        cells = layout.separator.join(lines).split(layout.separator)
        numbers = first + np.flatnonzero(list(map(bool, text.split("\n"))))
        yield numbers, [cells[place :: layout.width] for place in layout.places]


def _records(path, first, blocks, layout):
    """The result of `_columns`, by the parser; FormatError for a record of another width."""
    reader, before = _reader(_lines(blocks), layout.separator, strict=True), 0
    while rows := list(islice(reader, BATCH)):
        heights = [1] * len(rows)
        if reader.line_num - before != len(rows):  # some go over several lines
            heights = [1 + sum(cell.count("\n") for cell in row) for row in rows]
        numbers = first + before + np.cumsum([0, *heights[:-1]])
        kept = [k for k, row in enumerate(rows) if any(cell.strip() for cell in row)]
        bad = next((k for k in kept if len(rows[k]) != layout.width), None)
        if bad is not None:
            raise FormatError(path, int(numbers[bad]), _width_fault(rows[bad], layout))
        yield numbers[kept], [[rows[k][place] for k in kept] for place in layout.places]
        before = reader.line_num


def _lines(blocks):
    """Lines with their ends."""
    return chain.from_iterable(StringIO(text, newline="") for _, text in blocks)


def _broken(blocks, separator) -> int:
    """The line in which the first record begins that the parser does not take."""
    reader, before = _reader(_lines(blocks), separator, strict=True), 0
    with suppress(csv.Error):
        for _ in reader:
            before = reader.line_num
    return before + 1


def _reader(lines, separator, **options):
    if separator == " ":
        lines = (line.strip(" ") for line in lines)
    if len(separator) > 1:  # a form without quotes
        lines = (line.replace(separator, "\x1f") for line in lines)
        return csv.reader(lines, delimiter="\x1f", quoting=csv.QUOTE_NONE)
    return csv.reader(lines, delimiter=separator, skipinitialspace=separator != "\t", **options)


def _width_fault(row, layout) -> str:
    shown = layout.separator.join(row)[:60]
    what = f"{len(row)} fields, the first line has {layout.width}: '{shown}'"
    if len(row) < layout.width:
        return f"{what}; write every field, also one that is empty"
    at = layout.places[-1]
    if layout.separator == "," and _is_tail(*(cell.strip() for cell in row[at : at + 2])):
        return f"{what}; write {row[at]}.{row[at + 1]} with a point if that is one number"
    return f"{what}; quote a field that holds '{layout.separator}'"


# --- layout ------------------------------------------------------------------------------------------------


def _layout(path, sample, fields, columns) -> Layout:
    """The layout, from the first lines."""
    separator, rows = _separated(path, sample, fields)
    cells = [cell.strip() for cell in rows[0]]
    names = [column_of(path, field, cells, 1, columns is None) for field in fields]
    places = list(range(len(fields))) if None in names else names
    if columns is not None:
        places = [_place(path, column, cells) for column in columns]
    elif any(place not in (None, k) for k, place in enumerate(names)) and None in names:
        raise FormatError(path, 1, unnamed(fields[names.index(None)], cells))
    named = columns is not None and any(not column.isdigit() for column in columns)
    header = named or None not in names or (len(fields) > 2 and _is_name(cells[places[2]]))
    layout = Layout(separator, len(cells), places, cells if header else [])
    if columns is None and None in names and len(fields) > 2:
        _doubt(path, layout, rows[bool(header) :])
        if header and len(cells) > len(fields):  # the rating may be any of them, or a time be in its place
            raise FormatError(path, 1, unnamed(fields[names.index(None)], cells))
    return layout


def _block_layout(path, line, fields, columns) -> Layout:
    """The layout of lines to each of which its film is added."""
    if columns is not None:
        raise FormatError(path, 1, "is in blocks below lines such as '1:', one a film: leave --columns out")
    width = line.count(",") + 2
    if width < len(fields):
        raise FormatError(path, None, f"has no rating next to the user in '{line.strip()}', below a film")
    return Layout(",", width, [0, width - 1, 1, 2][: len(fields)], [])


def _is_name(cell) -> bool:
    """Whether what stands in the column of ratings is a name, not a rating, well written or not."""
    return cell.lower() not in MISSING and not cell[:1].isdigit() and not NUMBER.fullmatch(cell)


def _separated(path, sample, fields):
    """The first separator that gives all lines one width, else that parts the first line; and the cells."""
    parted = {s: [row for row in _reader(sample, s) if row] for s in SEPARATORS}
    enough = [s for s in SEPARATORS if len(parted[s][0]) >= len(fields)]
    even = [s for s in enough if len({len(row) for row in parted[s][: max(1, len(sample) - 1)]}) == 1]
    if not enough:
        what = f"expected {', '.join(fields)} with a separator between them (comma, tab, ::, …)"
        raise FormatError(path, 1, f"{what}, found '{sample[0].strip()[:40]}'")
    separator = (even or enough)[0]
    return separator, parted[separator]


def _place(path, column: str, cells) -> int:
    if column.isdigit() and 1 <= int(column) <= len(cells):
        return int(column) - 1
    if column not in cells:
        raise FormatError(path, 1, f"has no column '{column}'; it has {', '.join(cells)} (1 to {len(cells)})")
    return cells.index(column)


def _doubt(path, layout, rows):
    """FormatError where the first three columns may not be what is meant, and nobody said so."""
    rows = [[cell.strip() for cell in row] for row in rows if len(row) == layout.width]
    rated = all(_is_rating(cell) for row in rows for cell in row[1:])
    if rows and rated and layout.width > (len(layout.places) if layout.names else NAMELESS):
        what = f"looks like a matrix of users × items ({layout.width - 1} columns of ratings)"
        way = f"turn it into one rating a line with: {by_pandas(LONG, path.name)}"
        raise FormatError(path, 1, f"{what}; {way}; or name three of its columns with --columns")
    if layout.width > NAMELESS and not layout.names:
        raise FormatError(path, 1, f"{layout.width} columns without names; say which by --columns 1,2,3")
    tails = [row[2:4] for row in rows if layout.separator == "," and layout.width == 4]
    if tails and not layout.names and all(_is_tail(*tail) for tail in tails):
        what = f"columns 3 and 4 look like one number, {tails[0][0]},{tails[0][1]}"
        raise FormatError(path, 1, f"{what}; write it with a point, or say --columns 1,2,3 if they are two")


def by_pandas(code: str, *names: str) -> str:
    """A line for the shell that does it with pandas; `{}` in the code are files, whatever they are called."""
    return f"python -c {shlex.quote('import pandas; ' + code.format(*map(json.dumps, names)))}"


def _is_rating(cell) -> bool:
    return cell.lower() in MISSING or bool(NUMBER.fullmatch(cell))


def _is_tail(whole, tail) -> bool:
    """Whether a rating and the column behind it look like 3,5."""
    return whole.isdigit() and len(whole) < 3 and tail.isdigit() and len(tail) < 3
