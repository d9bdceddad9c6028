"""Text of ratings files → arrays, a block of lines at a time."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from referee.data.errors import FormatError
from referee.data.lines import member_blocks

LONGEST_NUMBER = 9  # digits: more than any id has, and exact in int32
#: Fields that are read; of others the characters are checked.
READ = ("user", "item", "rating")


@dataclass(frozen=True)
class Layout:
    """The layout of a dataset's ratings.

    `fields` of a line, divided by `separator`, are user, item, rating and others (checked for their
    characters, not used); `scale` is each way to write a rating → its value. A `header` mark stands behind
    the id in lines that name the `group` (user or item) of the lines below; a `counted` header tells their
    number behind the mark. Lines with the rating `dropped` count as read, but are left out. `files` are the
    names looked for in a folder or an archive, `others` further characters that occur in fields. `listed` are
    the fields of a line in a list of held-out pairs that gives no ratings.
    """

    files: tuple[str, ...]
    separator: bytes
    fields: tuple[str, ...]
    scale: dict[bytes, float]
    users: tuple[int, int]
    items: tuple[int, int]
    dropped: int | None = None
    header: bytes = b""
    group: str = ""
    counted: bool = False
    others: bytes = b""
    listed: tuple[str, ...] = ()

    def range(self, name: str) -> tuple[int, int]:
        """Least and greatest id of a 'user' or an 'item'."""
        return self.users if name == "user" else self.items

    @property
    def inside(self) -> bytes:
        """All characters of fields."""
        return b"0123456789-" + self.others

    @cached_property
    def pattern(self):
        """A good line; its groups are the fields of `READ`."""
        number, other = rb"(-?\d{1,%d})" % LONGEST_NUMBER, b"[" + re.escape(self.inside) + b"]+"
        rating = b"(" + b"|".join(map(re.escape, self.scale)) + b")"
        parts = {"user": number, "item": number, "rating": rating}
        return re.compile(re.escape(self.separator).join(parts.get(name, other) for name in self.fields))

    @property
    def dtype(self):
        """The smallest type that holds every rating exactly and that sparse matrices know."""
        return np.uint8 if all(value == int(value) for value in self.scale.values()) else np.float32


def whole(lowest: int, highest: int) -> dict[bytes, float]:
    """Whole-numbered ratings: text → value."""
    return {b"%d" % value: value for value in range(lowest, highest + 1)}


HALVES = {b"%.1f" % (half / 2): half / 2 for half in range(1, 11)} | whole(1, 5)
LINE = ("user", "item", "rating", "time")

# Ids as the official descriptions give them. Those of R1 and R2 leave gaps, with bounds that nobody
# publishes: the ranges are generous and the ids that occur are numbered through (`compress`).
LAYOUTS = {
    "movielens-100k": Layout(("u.data",), b"\t", LINE, whole(1, 5), (1, 943), (1, 1682)),
    "movielens-1m": Layout(("ratings.dat",), b"::", LINE, whole(1, 5), (1, 6040), (1, 3952)),
    "movielens-10m": Layout(("ratings.dat",), b"::", LINE, HALVES, (1, 71567), (1, 65133), others=b"."),
    "netflix": Layout(
        files=("mv_*.txt", "combined_data_*.txt"),
        separator=b",",
        fields=("user", "rating", "date"),
        scale=whole(1, 5),
        users=(1, 2649429),
        items=(1, 17770),
        header=b":",
        group="item",
        listed=("user",),
    ),
    "yahoo-r1": Layout(
        files=("ydata-ymusic-user-artist-ratings*.txt",),
        separator=b"\t",
        fields=("user", "item", "rating"),
        scale=whole(0, 100) | {b"255": 255},  # 255: never play again
        users=(0, 1999999),
        items=(-100, 1999999),
        dropped=255,
    ),
    "yahoo-r2": Layout(
        files=("train[-_]*.txt",),
        separator=b"\t",
        fields=("user", "item", "rating"),
        scale=whole(1, 5),
        users=(0, 1999999),
        items=(0, 199999),
    ),
    "kdd-cup-2011": Layout(
        files=("trainIdx1.txt", "validationIdx1.txt"),
        separator=b"\t",
        fields=("item", "rating", "day", "time"),
        scale=whole(0, 100),
        users=(0, 1000989),
        items=(0, 624960),
        header=b"|",
        group="user",
        counted=True,
        others=b":",
    ),
}


class Block(NamedTuple):
    """Ratings of some lines of a file: arrays of one length; lines from 1, users and items from 0. Lists of
    pairs have no `rating`.
    """

    file: str
    line: np.ndarray
    user: np.ndarray
    item: np.ndarray
    rating: np.ndarray | None


@dataclass
class _Header:
    """The header that lines stand under, carried from block to block; line 0: none yet."""

    id: int = 0
    line: int = 0
    announced: int = 0
    seen: int = 0


def blocks(path, layout: Layout) -> Iterator[Block]:
    """The ratings of all files of a layout, a block at a time; FormatError for a wrong line."""
    header, file = _Header(), None
    for name, first, text in member_blocks(path, layout.files):
        if name != file:
            _check_count(file, layout, header)
            header, file = _Header(), name
        yield _block(name, first, text.replace(b"\r\n", b"\n"), layout, header)
    _check_count(file, layout, header)


def _block(file: str, first: int, text: bytes, layout: Layout, header: _Header) -> Block:
    named = [name for name in layout.fields if name in READ]
    bounds = [(k, *layout.range(name)) for k, name in enumerate(named) if name != "rating"]
    pattern, mark, rows = layout.pattern, layout.header, []
    for number, line in enumerate(text.split(b"\n"), first):
        if mark and mark in line:
            _begin(file, number, line, layout, header)
        elif line:
            if mark and not header.line:
                raise FormatError(file, number, f"a rating, but no {layout.group} has been named above")
            match = pattern.fullmatch(line)
            if not match or not all(low <= int(match[k + 1]) <= high for k, low, high in bounds):
                raise FormatError(file, number, _line_fault(line, layout))
            rows.append((number, header.id, *match.groups()))
            header.seen += 1
    columns = list(zip(*rows, strict=True)) or [()] * (2 + len(named))
    found = dict(zip(("line", layout.group, *named), columns, strict=True))
    ids = [np.array([*map(int, found[name])], np.int32) - layout.range(name)[0] for name in ("user", "item")]
    told = found.get("rating")
    ratings = None if told is None else np.array([layout.scale[text] for text in told], layout.dtype)
    return Block(file, np.array(found["line"], np.int64), *ids, ratings)


def _begin(file, number: int, line: bytes, layout: Layout, header: _Header) -> None:
    """The header that a line is, in place of the one before."""
    if reason := _header_fault(line, layout):
        raise FormatError(file, number, reason)
    _check_count(file, layout, header)
    name, count = line.split(layout.header, 1)
    header.id, header.line, header.announced, header.seen = int(name), number, int(count or 0), 0


def _check_count(file, layout: Layout, header: _Header) -> None:
    if layout.counted and header.announced != header.seen:
        raise FormatError(file, header.line, f"{header.announced} ratings announced, {header.seen} follow")


def _header_fault(line: bytes, layout: Layout) -> str | None:
    name, count = line.split(layout.header, 1)
    if not re.fullmatch(rb"-?\d{1,9}" if layout.counted else b"", count):
        return f"'{_show(line)}' is no {layout.group} with a '{layout.header.decode()}' behind it" + (
            " and a count" if layout.counted else ""
        )
    return _id_fault(layout.group, name, layout)


def _line_fault(line: bytes, layout: Layout) -> str | None:
    cells = line.split(layout.separator)
    if len(cells) != len(layout.fields):
        return f"{len(cells)} fields, expected {', '.join(layout.fields)}: '{_show(line)}'"
    for name, cell in zip(layout.fields, cells, strict=True):
        if name in ("user", "item"):
            reason = _id_fault(name, cell, layout)
        elif name == "rating":
            scale = [text for text, value in layout.scale.items() if value != layout.dropped]
            known = f"{min(scale, key=float).decode()} to {max(scale, key=float).decode()}"
            reason = None if cell in layout.scale else f"rating '{_show(cell)}' is not on the scale {known}"
        else:
            wrong = not cell or cell.translate(None, layout.inside)
            reason = f"{name} '{_show(cell)}' is not what it should be" if wrong else None
        if reason:
            return reason
    return None


def _id_fault(name: str, cell: bytes, layout: Layout) -> str | None:
    low, high = layout.range(name)
    if not re.fullmatch(rb"-?\d+", cell):
        return f"{name} '{_show(cell)}' is not a whole number"
    inside = len(cell) <= LONGEST_NUMBER and low <= int(cell) <= high
    return None if inside else f"{name} {_show(cell)} is outside {low}..{high}"


def _show(text: bytes) -> str:
    return text[:40].decode(errors="replace")
