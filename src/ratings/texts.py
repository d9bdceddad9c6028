"""Columns of texts: tables of CSV (RFC 4180), JSON lines, Netflix's blocks.

Tables are parsed by Python's csv, not by pandas, which fills lines that are short and takes a surplus field
for a row's name without a word.
"""

import csv
import json
import re
from collections.abc import Iterator
from io import StringIO
from itertools import chain, islice
from operator import methodcaller
from typing import NamedTuple

import numpy as np

from projfree.completion.labels import text_of
from referee.data.errors import FormatError

from .advice import json_lines, long
from .columns import ALIASES, Column, key, place_of, places_of, unnamed
from .packed import lines_of

SEPARATORS = ("::", "\t", ";", ",", "|", " ")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
MISSING = {"", "na", "n/a", "nan", "null", "none", "-", "?"}
SAMPLE, BATCH = 50, 1 << 15
#: Columns without names beyond which nobody can know which are meant: user, item, rating, and a time.
NAMELESS = 4
LARGEST_RATING = 1e6  # a greater number in what may be a matrix is a time, or an id


class Layout(NamedTuple):
    """The layout of a table: fields of a line, positions of those that are read, names of all or none."""

    separator: str
    width: int
    places: list[int]
    names: list[str]


def text_pieces(path, fields, wanted, encoding) -> tuple[Iterator[dict], dict]:
    """Columns of the fields as texts, and ``line``, some lines at a time; and the `Column` of each field."""
    blocks, parts = lines_of(path, encoding), []
    while sum(part.count("\n") for part in parts) < SAMPLE and (block := next(blocks, None)):
        parts.append(block[1])
    text = "".join(parts)
    blocks = chain([(1, text)], blocks)
    sample = [line for line in StringIO(text, newline="") if line.strip()][:SAMPLE]
    if not sample:
        raise FormatError(path, None, "holds no rows" + f" in its first {SAMPLE} lines" * bool(text))
    if sample[0].lstrip()[0] == "[":
        raise FormatError(path, 1, f"is a JSON array; {json_lines(path, encoding)}")
    if sample[0].lstrip()[0] == "{":
        return _json_pieces(path, fields, wanted, encoding, blocks)
    if line := in_blocks(sample):
        blocks, layout = _unblocked(blocks), _block_layout(path, line, fields, wanted)
    else:
        layout = _layout(path, sample, fields, wanted, encoding)
    columns = {}
    for k, (field, at) in enumerate(zip(fields, layout.places, strict=True)):
        name, words = layout.names[at] if layout.names else "", f"column {at + 1}"
        words += f" '{name}'" * bool(layout.names)
        columns[field] = Column(name, k if line else at, words)  # the order in blocks is of no other table
    return _pieces(path, fields, blocks, layout), columns


def _pieces(path, fields, blocks, layout):
    """The tables that `text_pieces` gives, without the header."""
    head = bool(layout.names)
    for lines, cells in _records(path, blocks, layout):
        texts = (np.array([*map(str.strip, column)][head:], dtype=object) for column in cells)
        yield dict(zip(fields, texts, strict=True), line=lines[head:])
        head = head and not len(lines)


def _records(path, blocks, layout):
    """(numbers of their first lines, the columns of the fields) of all records, some at a time.

    Blocks without quotes are parted as they stand, at three times the speed; the parser of CSV reads what
    begins with the first quote or line of another width.
    """
    for first, text in blocks:
        text = text.replace("\r\n", "\n")
        lines = text.split("\n")
        filled = [line for line in lines if line]
        widths = set(map(methodcaller("count", layout.separator), filled))
        if '"' in text or "\r" in text or widths != {layout.width - 1}:
            yield from _parsed(path, first, chain([(first, text)], blocks), layout)
            return
        cells = layout.separator.join(filled).split(layout.separator)
        numbers = first + np.flatnonzero(list(map(bool, lines)))
        yield numbers, [cells[place :: layout.width] for place in layout.places]


def _parsed(path, first, blocks, layout):
    """The result of `_records`, by the parser; FormatError for a record of another width."""
    lines = chain.from_iterable(StringIO(text, newline="") for _, text in blocks)
    reader, at, more = _reader(lines, layout.separator, strict=True), first, True
    while more:
        numbers, rows, more = [], [], False
        try:
            for row in islice(reader, BATCH):
                more = True
                if any(map(str.strip, row)):
                    if len(row) != layout.width:
                        raise FormatError(path, at, _width_fault(row, layout))
                    numbers.append(at)
                    rows.append(row)
                at = first + reader.line_num
        except csv.Error as error:
            why = f"{error}; a field that holds a quote is quoted, its own quotes doubled (RFC 4180)"
            raise FormatError(path, at, why) from None
        if more:
            yield np.array(numbers, np.int64), [[row[place] for row in rows] for place in layout.places]


def _reader(lines, separator, **options):
    if separator == " ":
        lines = (line.strip(" ") for line in lines)
    if len(separator) > 1:  # a form without quotes
        lines = (line.replace(separator, "\x1f") for line in lines)
        return csv.reader(lines, delimiter="\x1f", quoting=csv.QUOTE_NONE)
    return csv.reader(lines, delimiter=separator, skipinitialspace=separator != "\t", **options)


def _width_fault(row, layout) -> str:
    what = f"{len(row)} fields, the first line has {layout.width}: '{layout.separator.join(row)[:60]}'"
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
    cells, places = rows[0], [*range(len(fields))]
    if isinstance(wanted.get("user"), Column):
        places, header = _alike(path, rows, fields, wanted)
    elif wanted:
        numbers = {f: name for f, name in wanted.items() if name.isdigit() and 1 <= int(name) <= len(cells)}
        places = [
            int(numbers[f]) - 1 if f in numbers else places_of(path, [f], cells, wanted)[0] for f in fields
        ]
        header = any(not wanted[field].isdigit() for field in fields) or _headed(rows, places)
    elif None not in (names := [place_of(path, field, cells, None, 1) for field in fields]):
        places, header = names, True
    else:
        rating = len(fields) > 2
        header = _headed(rows, places) or (rating and _crowned(rows))
        layout = Layout(separator, len(cells), places, cells if header else [])
        if rating and {*names} <= {None, 0}:
            _doubt(path, layout, rows[bool(header) :], encoding)
        moved = any(place not in (None, k) for k, place in enumerate(names))
        if moved or (header and rating and len(cells) > len(fields)):  # it may be any, or a time in its place
            raise FormatError(path, 1, unnamed(fields[names.index(None)], cells))
    return Layout(separator, len(cells), places, cells if header else [])


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
        names = ", ".join(f"{known[field].name or field} for the {field}" for field in fields)
        what = f"has {width} columns without names, and the ratings have names or more columns"
        raise FormatError(path, 1, f"{what}; write a line of names above it: {names}")
    return places, _headed(rows, places)


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


def _is_name(cell) -> bool:
    """Whether what stands in the column of ratings is a name, not a rating, well written or not."""
    return cell.lower() not in MISSING and not cell[:1].isdigit() and not NUMBER.fullmatch(cell)


def _rated(rows) -> bool:
    """Whether lines hold ratings behind their first cells, well written, or none."""
    cells = [cell for row in rows for cell in row[1:] if cell.lower() not in MISSING]
    return all(NUMBER.fullmatch(cell) and abs(float(cell)) < LARGEST_RATING for cell in cells)


def _is_tail(whole, tail) -> bool:
    """Whether a rating and the column behind it look like 3,5."""
    return whole.isdigit() and len(whole) < 3 and tail.isdigit() and len(tail) < 3


# --- Netflix's blocks and JSON lines ------------------------------------------------------------------------


def in_blocks(sample) -> str | None:
    """The first line below a film, if lines are as in Netflix data: '1:', then user, rating, date."""
    films = [bool(re.fullmatch(r"[0-9]+:", line.strip())) for line in sample]
    return sample[films.index(False)] if films[0] and False in films else None


def _block_layout(path, line, fields, wanted) -> Layout:
    """The layout of lines to each of which its film is added."""
    if isinstance(wanted.get("user"), str):
        raise FormatError(path, 1, "is in blocks below lines such as '1:', one a film: leave --columns out")
    width = line.count(",") + 2
    if width < len(fields):
        raise FormatError(path, None, f"has no rating next to the user in '{line.strip()}', below a film")
    return Layout(",", width, [0, width - 1, 1, 2][: len(fields)], [])


def _unblocked(blocks):
    """Blocks of lines whose last field is the film above them; its own line becomes an empty one."""
    film = ""
    for first, text in blocks:
        parts = re.split(r"(?m)^([0-9]+):[ \t]*$", text.replace("\r\n", "\n"))
        films = [film, *parts[1::2]]
        film = films[-1]
        ended = (re.sub(r"(?<=[^\n])\n", f",{f}\n", part) for f, part in zip(films, parts[::2], strict=True))
        yield first, "".join(ended)


def _json_pieces(path, fields, wanted, encoding, blocks):
    """The result of `text_pieces` for text with a JSON object on each line."""
    first, text = next(blocks)
    names = list(next(_objects(path, encoding, first, text))[1])
    chosen = [names[place] for place in places_of(path, fields, names, wanted)]

    def tables():
        for line, part in chain([(first, text)], blocks):
            rows = [(at, *map(record.get, chosen)) for at, record in _objects(path, encoding, line, part)]
            if rows:
                lines, *cells = zip(*rows, strict=True)
                made = (np.array([*map(text_of, column)], dtype=object) for column in cells)
                yield dict(zip(fields, made, strict=True), line=np.array(lines))

    places = enumerate(zip(fields, chosen, strict=True))
    return tables(), {field: Column(name, k, f"'{name}'") for k, (field, name) in places}


def _objects(path, encoding, first, text):
    """(line, object) of each line that is not empty."""
    for line, cell in enumerate(text.split("\n"), first):
        if not cell.strip():
            continue
        try:
            record = json.loads(cell)
        except (ValueError, RecursionError) as error:
            reason = f"is not JSON on one line ({str(error)[:80]})"
            if re.match(r"\s*\{\s*[ub]?'", cell):
                reason = f"is a dictionary as Python writes it; {json_lines(path, encoding, literals=True)}"
            raise FormatError(path, line, reason) from None
        if not isinstance(record, dict):
            raise FormatError(path, line, "is JSON, but no object with user, item and rating")
        nested = [name for name, value in record.items() if isinstance(value, dict | list | bool)]
        yield line, {**record, **dict.fromkeys(nested, "{…}")}
