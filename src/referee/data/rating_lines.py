"""Text of ratings files → arrays: a block of lines at a time, without a loop over lines.

A block is parsed as a whole; only when something in it is wrong are its lines looked at one by one, to
name the line and the reason.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from referee.data.errors import FormatError
from referee.data.lines import member_blocks

NEWLINE, MINUS, ZERO = b"\n-0"
LONGEST_NUMBER = 9  # digits: more than any id has, and exact in int32
LONGEST_RATING = 4  # bytes: a rating's text is packed into one uint32


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

    @property
    def allowed(self) -> bytes:
        """All characters of a good file."""
        return self.inside + self.separator + self.header + b"\n"

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
    parsed = None if text.translate(None, layout.allowed) else _parse(text, layout, header)
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
    """Headers of a block: whether each line is one; then of the headers id, line and announced ratings."""

    at: np.ndarray
    id: np.ndarray
    line: np.ndarray
    announced: np.ndarray


def _parse(text: bytes, layout: Layout, header: _Header):
    """(line of each rating, its values by field, the headers, how many of them stand above it)."""
    codes = np.frombuffer(text + bytes(LONGEST_RATING), dtype=np.uint8)
    ends = np.flatnonzero(codes == NEWLINE)
    starts = np.concatenate([[0], ends[:-1] + 1])
    line = np.flatnonzero(ends > starts)
    start, stop = starts[line], ends[line]
    heads = _headers(codes, start, stop, line, layout)
    if heads is None:
        return None
    under = np.cumsum(heads.at)[~heads.at]
    if layout.header and not header.line and len(under) and under[0] == 0:
        return None
    values = _values(codes, start[~heads.at], stop[~heads.at], layout)
    if values is None:
        return None
    if layout.header:
        values[layout.group] = np.concatenate([[header.id], heads.id])[under]
    return line[~heads.at], values, heads, under


def _headers(codes, start, stop, line, layout: Layout) -> _Heads | None:
    at, none = np.zeros(len(start), dtype=bool), np.empty(0, dtype=np.int32)
    marks = np.flatnonzero(codes == ord(layout.header)) if layout.header else none
    if not len(marks):
        return _Heads(at, none, none, none)
    which = np.searchsorted(stop, marks)
    at[which] = True
    ids = _ids(codes, start[which], marks, layout.range(layout.group))
    if layout.counted:
        announced = _numbers(codes, marks + 1, stop[which])
    else:
        announced = np.zeros(len(marks), np.int32) if (marks + 1 == stop[which]).all() else None
    if ids is None or announced is None or np.count_nonzero(at) < len(marks):
        return None
    return _Heads(at, ids, line[which], announced)


def _values(codes, start, stop, layout: Layout) -> dict[str, np.ndarray] | None:
    """Users, items (from 0) and ratings of lines that begin and end there."""
    bounds = _fields(codes, start, stop, layout)
    if bounds is None:
        return None
    values = {}
    for name, (begin, end) in zip(layout.fields, bounds, strict=True):
        if name in ("user", "item"):
            values[name] = _ids(codes, begin, end, layout.range(name))
        elif name == "rating":
            values[name] = _ratings(codes, begin, end, layout)
        else:
            values[name] = True if (begin < end).all() else None
    return None if any(value is None for value in values.values()) else values


def _fields(codes, start, stop, layout: Layout) -> list[tuple] | None:
    """(begin, end) of each field, arrays over the lines."""
    inner, width = len(layout.fields) - 1, len(layout.separator)
    at = np.flatnonzero(codes == layout.separator[0])
    if len(at) != len(start) * inner * width:
        return None
    at = at.reshape(len(start), inner, width)
    if (np.diff(at, axis=2) != 1).any():
        return None
    # Where a line has too many or too few, its first or last field ends before it begins: refused there.
    begins = [start, *(at[:, j, -1] + 1 for j in range(inner))]
    return list(zip(begins, [*(at[:, j, 0] for j in range(inner)), stop], strict=True))


def _ids(codes, begin, end, bounds: tuple[int, int]) -> np.ndarray | None:
    """Ids counted from the least one."""
    values = _numbers(codes, begin, end)
    low, high = bounds
    if values is None or (len(values) and (values.min() < low or values.max() > high)):
        return None
    return values - low


def _numbers(codes, begin, end) -> np.ndarray | None:
    """Whole numbers, int32, digit by digit from the left."""
    if not len(begin):
        return np.empty(0, dtype=np.int32)
    negative = codes[begin] == MINUS
    width = end - begin - negative
    if width.min() < 1 or width.max() > LONGEST_NUMBER:
        return None
    values = np.zeros(len(begin), dtype=np.int32)
    for place in range(int(width.max()), 0, -1):
        digit = np.where(width >= place, codes[end - place] - ZERO, 0)  # wraps around below zero
        if digit.max() > 9:
            return None
        values = 10 * values + digit
    return np.where(negative, -values, values)


def _ratings(codes, begin, end, layout: Layout) -> np.ndarray | None:
    """Values of ratings, looked up by their text."""
    width = end - begin
    if len(width) and (width.min() < 1 or width.max() > LONGEST_RATING):
        return None
    keys = np.zeros(len(begin), dtype=np.uint32)
    for place in range(int(width.max(initial=0))):
        keys = np.where(place < width, keys << 8 | codes[begin + place], keys)
    table = sorted((int.from_bytes(text), value) for text, value in layout.scale.items())
    known = np.array([key for key, _ in table], dtype=np.uint32)
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.array([v for _, v in table], dtype=layout.dtype)[at] if (known[at] == keys).all() else None


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
