"""Text of ratings files → arrays: a block of lines at a time, without a loop over lines.

A block is compared with the pattern of its layout as a whole, so that pandas reads but what is right; only
when something is wrong are the lines looked at one by one, to name the line and the reason.
"""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from projfree.data.errors import FormatError
from projfree.data.lines import member_blocks

NEWLINE = ord("\n")
LONGEST_NUMBER = 9  # digits: more than any id has, and exact in int32
NUMBER = rb"-?[0-9]{1,%d}" % LONGEST_NUMBER


@dataclass(frozen=True)
class Layout:
    """How a dataset writes its ratings.

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
    def good(self) -> re.Pattern:
        """All of a block without a fault, but for ids out of range."""
        kinds = dict.fromkeys(("user", "item"), NUMBER)
        kinds["rating"] = b"(?:%s)" % b"|".join(map(re.escape, self.scale))
        other = b"[%s]+" % re.escape(self.inside)
        line = re.escape(self.separator).join(kinds.get(name, other) for name in self.fields)
        if self.header:
            line += b"|%s%s%s" % (NUMBER, re.escape(self.header), NUMBER if self.counted else b"")
        return re.compile(rb"(?:(?:%s)?\n)*+" % line)

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
            _check_counts(file, layout, [header.line], [header.announced], [header.seen])
            header, file = _Header(), name
        yield _block(name, first, text.replace(b"\r\n", b"\n"), layout, header)
    _check_counts(file, layout, [header.line], [header.announced], [header.seen])


def _block(file: str, first: int, text: bytes, layout: Layout, header: _Header) -> Block:
    parsed = _parse(text, layout, header) if layout.good.fullmatch(text) else None
    if parsed is None:
        _blame(file, first, text, layout, headed=header.line > 0)
    line, values, heads, under = parsed
    if len(heads.line):
        lines = np.concatenate([[header.line], heads.line + first])
        announced = np.concatenate([[header.announced], heads.announced])
        seen = np.bincount(under, minlength=len(lines))
        seen[0] += header.seen
        _check_counts(file, layout, lines[:-1], announced[:-1], seen[:-1])
        header.id, header.line = int(heads.id[-1]), int(lines[-1])
        header.announced, header.seen = int(announced[-1]), int(seen[-1])
    else:
        header.seen += len(line)
    return Block(file, line + first, values["user"], values["item"], values.get("rating"))


def _check_counts(file, layout: Layout, lines, announced, seen) -> None:
    wrong = np.flatnonzero(np.not_equal(announced, seen)) if layout.counted else ()
    if len(wrong):
        at = wrong[0]
        raise FormatError(file, int(lines[at]), f"{announced[at]} ratings announced, {seen[at]} follow")


# --- the fast way: all lines of a block at once; None if any of them is wrong ----------------------------


class _Heads(NamedTuple):
    """Id, line and announced ratings of the headers of a block."""

    id: np.ndarray
    line: np.ndarray
    announced: np.ndarray


def _parse(text: bytes, layout: Layout, header: _Header):
    """(line of each rating, its values by field, the headers, how many of them stand above it)."""
    codes = np.frombuffer(text, dtype=np.uint8)
    ends = np.flatnonzero(codes == NEWLINE)
    begins = np.concatenate([[0], ends[:-1] + 1])
    line = np.flatnonzero(ends > begins)
    marks = np.flatnonzero(codes == ord(layout.header)) if layout.header else ends[:0]
    at = np.searchsorted(ends, marks)
    heads = [text[begins[k] : ends[k]].split(layout.header) for k in at]
    ids = _ids(np.array([int(name) for name, _ in heads], dtype=np.int32), layout.range(layout.group))
    if heads:
        line = np.setdiff1d(line, at, assume_unique=True)
        between = zip([0, *ends[at]], [*begins[at], len(text)], strict=True)
        text = b"".join(text[begin:end] for begin, end in between)
    under = np.searchsorted(at, line)
    unnamed = layout.header and not header.line and len(under) and under[0] == 0
    values = _values(text, layout, len(line))
    if ids is None or unnamed or any(value is None for value in values.values()):
        return None
    if layout.header:
        values[layout.group] = np.concatenate([[header.id], ids])[under]
    return line, values, _Heads(ids, at, np.array([int(count or 0) for _, count in heads], dtype=int)), under


def _values(text: bytes, layout: Layout, lines: int) -> dict[str, np.ndarray | None]:
    """Users, items (from 0; None where one is out of range) and ratings, as far as lines give them."""
    types = {"user": np.int32, "item": np.int32, "rating": layout.dtype}
    names = [name for name in layout.fields if name in types]
    if not lines:
        return {name: np.empty(0, dtype=types[name]) for name in names}
    text = io.BytesIO(text.replace(layout.separator, b"\t"))
    table = pd.read_csv(text, sep="\t", names=layout.fields, usecols=names, dtype=types, na_filter=False)
    columns = {name: table[name].to_numpy() for name in names}
    return columns | {n: _ids(columns[n], layout.range(n)) for n in names if n != "rating"}


def _ids(values: np.ndarray, bounds: tuple[int, int]) -> np.ndarray | None:
    """Ids counted from the least one; None where one is out of range."""
    low, high = bounds
    return values - low if not len(values) or low <= values.min() <= values.max() <= high else None


# --- the slow way: which line, and why -------------------------------------------------------------------


def _blame(file: str, first: int, text: bytes, layout: Layout, headed: bool) -> None:
    for number, line in enumerate(text.split(b"\n"), first):
        if not line:
            continue
        heads = bool(layout.header) and layout.header in line
        headed |= heads
        if not headed and layout.header:
            raise FormatError(file, number, f"a rating, but no {layout.group} has been named above")
        if reason := (_header_fault if heads else _line_fault)(line, layout):
            raise FormatError(file, number, reason)
    raise FormatError(file, first, "unreadable in the block that begins here")


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
