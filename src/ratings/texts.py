"""Columns of text tables by a parser of CSV (RFC 4180): quotes, ends of lines within them, one width.

The parser is the one of Python's library and not of pandas, which fills lines that are short and takes a
surplus field for a row's name without a word.
"""

import csv
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from itertools import chain, islice
from operator import methodcaller

import numpy as np

from referee.data.errors import FormatError

from .advice import json_lines, long
from .forms import (
    ALIASES,
    Column,
    column_of,
    in_blocks,
    json_pieces,
    key,
    place_of,
    places_of,
    unblocked,
    unnamed,
)
from .packed import lines_of

SEPARATORS = ("::", "\t", ";", ",", "|", " ")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
MISSING = {"", "na", "n/a", "nan", "null", "none", "-", "?"}
SAMPLE, BATCH = 50, 1 << 15
#: Columns without names beyond which nobody can know which are meant: user, item, rating, and a time.
NAMELESS = 4
LARGEST_RATING = 1e6  # a greater number in what may be a matrix is a time, or an id


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

    def column(self, place) -> Column:
        """A column, in words counted from 1."""
        name = self.names[place] if self.names else ""
        return Column(name, place, f"column {place + 1}" + f" '{name}'" * bool(self.names))


def text_pieces(path, fields, wanted, encoding) -> tuple[Iterator[dict], dict]:
    """Columns of the fields as texts, and ``line``, some lines at a time; and the name of each column."""
    blocks = lines_of(path, encoding)
    first, text = _front(blocks)
    sample = [line for line in StringIO(text, newline="") if line.strip()][:SAMPLE]
    if not sample:
        raise FormatError(path, None, "holds no rows" + f" in its first {SAMPLE} lines" * bool(text))
    blocks = chain([(first, text)], blocks)
    if sample[0].lstrip()[0] in "{[":
        if sample[0].lstrip()[0] == "[":
            raise FormatError(path, 1, f"is a JSON array; {json_lines(path, encoding)}")
        return json_pieces(path, fields, wanted, encoding, blocks)
    if line := in_blocks(sample):
        blocks = unblocked(blocks)
        layout = _block_layout(path, line, fields, wanted)
    else:
        layout = _layout(path, sample, fields, wanted, encoding)
    told = {field: layout.column(place) for field, place in zip(fields, layout.places, strict=True)}
    if line:  # their order is of no other table
        told = {field: column._replace(place=k) for k, (field, column) in enumerate(told.items())}
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


def _layout(path, sample, fields, wanted, encoding) -> Layout:
    """The layout, from the first lines."""
    separator, rows = _separated(path, sample, fields)
    rows = [[cell.strip() for cell in row] for row in rows if len(row) == len(rows[0])]
    cells = rows[0]
    if isinstance(wanted.get("user"), Column):
        places, header = _alike(path, rows, fields, wanted)
        return Layout(separator, len(cells), places, cells if header else [])
    if wanted:
        places = [_place(path, wanted[field], cells) for field in fields]
        header = any(not wanted[field].isdigit() for field in fields) or _headed(rows, places)
        return Layout(separator, len(cells), places, cells if header else [])
    names = [column_of(path, field, cells, 1) for field in fields]
    if None not in names:
        return Layout(separator, len(cells), names, cells)
    places, rating = [*range(len(fields))], len(fields) > 2
    header = _headed(rows, places) or (rating and _crowned(rows))
    layout = Layout(separator, len(cells), places, cells if header else [])
    if rating and {*names} <= {None, 0}:
        _doubt(path, layout, rows[bool(header) :], encoding)
    moved = any(place not in (None, k) for k, place in enumerate(names))
    if moved or (header and rating and len(cells) > len(fields)):  # it may be any, or a time in its place
        raise FormatError(path, 1, unnamed(fields[names.index(None)], cells))
    return layout


def _headed(rows, places) -> bool:
    """Whether cells of the first line are names: that in the place of ratings, or all above numbers alone."""
    first, *others = ([row[place] for place in places] for row in rows)
    above = bool(others) and all(NUMBER.fullmatch(cell) for row in others for cell in row)
    return (len(places) > 2 and _is_name(first[2])) or (above and all(map(_is_name, first)))


def _crowned(rows) -> bool:
    """Whether the first line of a matrix names its columns, also where their names are numbers."""
    (corner, *names), *others = rows
    if len(names) < NAMELESS - 1 or not others or not _rated(others):
        return False
    numbers = [float(name) for name in names if NUMBER.fullmatch(name)]
    below = [float(cell) for row in others for cell in row[1:] if NUMBER.fullmatch(cell)]
    above = min(numbers, default=0) > max(below, default=np.inf)
    numbered = _is_name(corner) and all(NUMBER.fullmatch(row[0]) for row in others)
    known = key(corner) in {"", *ALIASES["user"], *ALIASES["item"]}
    return not _rated(rows[:1]) or above or numbered or known


def _alike(path, rows, fields, known):
    """Places of the fields in a table beside the ratings, laid out as they are, and whether it has a header.

    `known` are the columns of the ratings. A table without a header has all of theirs, or these fields alone,
    in their order; FormatError if that is not certain.
    """
    cells, width, named = rows[0], len(rows[0]), known["user"].name
    if any(place_of(path, field, cells, known[field], 1) is not None for field in fields):
        return places_of(path, fields, cells, known), True
    held = [known[field].place for field in fields]
    places = [sorted(held).index(place) for place in held] if width == len(fields) else held
    if max(places) >= width or (named and places != list(range(len(fields)))):
        names = (f"{known[field].name or field} for the {field}" for field in fields)
        told = f"has {width} columns without names, and the ratings have names or more columns"
        raise FormatError(path, 1, f"{told}; write a line of names above it: {', '.join(names)}")
    return places, _headed(rows, places)


def _block_layout(path, line, fields, wanted) -> Layout:
    """The layout of lines to each of which its film is added."""
    if isinstance(wanted.get("user"), str):
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
    return places_of(path, [None], cells, {None: column})[0]


def _doubt(path, layout, rows, encoding):
    """FormatError where the first three columns may not be what is meant, and nobody said so."""
    names = "named by the first line" if layout.names else "without names"
    if rows and _rated(rows) and layout.width > (len(layout.places) if layout.names else NAMELESS):
        numbered = not layout.names and len({row[0] for row in rows}) < len(rows)
        axes = ["user", "item"][:: -1 if layout.names and key(layout.names[0]) in ALIASES["item"] else 1]
        what = f"looks like a matrix of users × items ({layout.width - 1} columns of ratings, {names})"
        what += ", whose first column names no user, and is left out below" * numbered
        way = long(path, encoding, layout.separator, axes, bool(layout.names), numbered)
        raise FormatError(path, 1, f"{what}; {way}; or name three of its columns with --columns")
    if layout.width > NAMELESS and not layout.names:
        raise FormatError(path, 1, f"{layout.width} columns without names; say which by --columns 1,2,3")
    tails = [row[2:4] for row in rows if layout.separator == "," and layout.width == 4]
    if tails and not layout.names and all(_is_tail(*tail) for tail in tails):
        what = f"columns 3 and 4 look like one number, {tails[0][0]},{tails[0][1]}"
        raise FormatError(path, 1, f"{what}; write it with a point, or say --columns 1,2,3 if they are two")


def _rated(rows) -> bool:
    """Whether lines hold ratings behind their first cells, well written, or none."""
    cells = [cell for row in rows for cell in row[1:] if cell.lower() not in MISSING]
    return all(NUMBER.fullmatch(cell) and abs(float(cell)) < LARGEST_RATING for cell in cells)


def _is_tail(whole, tail) -> bool:
    """Whether a rating and the column behind it look like 3,5."""
    return whole.isdigit() and len(whole) < 3 and tail.isdigit() and len(tail) < 3
