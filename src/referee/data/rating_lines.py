"""Text of ratings files → arrays: a block of lines at a time, without a loop over lines.

pandas parses a block as a whole; only when something in it is wrong are its lines looked at one by one, to
name the line and the reason.
"""

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import NamedTuple

import numpy as np
import pandas as pd

from referee.data.errors import FormatError
from referee.data.lines import member_blocks

LONGEST_NUMBER = 9  # digits: more than any id has


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


def blocks(path, layout: Layout) -> Iterator[Block]:
    """The ratings of all files of a layout, a block at a time; FormatError for a wrong line."""
    file, none = None, np.zeros((1, 3), np.int64)
    above, seen = none, 0  # line (0: none yet), id and count of the header above, and ratings seen below it

    def check_counts(headers, seen):
        wrong = np.flatnonzero(headers[:, 2] != seen) if layout.counted else ()
        if len(wrong):
            line, _, count = headers[wrong[0]].tolist()
            raise FormatError(file, line, f"{count} ratings announced, {seen[wrong[0]]} follow")

    for name, first, text in member_blocks(path, layout.files):
        if name != file:
            check_counts(above, [seen])
            file, above, seen = name, none, 0
        text, headed = text.replace(b"\r\n", b"\n"), above[0, 0] > 0
        parsed = _parse(text, layout, headed)
        if parsed is None:
            _blame(name, first, text, layout, headed)
        line, values, headers = parsed
        under = np.searchsorted(headers[:, 0], line)  # how many headers of the block stand above
        headers = np.concatenate([above, headers + [first, 0, 0]])
        if layout.header:
            values[layout.group] = headers[under, 1].astype(np.int32)
        counts = np.bincount(under, minlength=len(headers))
        counts[0] += seen
        check_counts(headers[:-1], counts[:-1])
        above, seen = headers[-1:], int(counts[-1])
        yield Block(name, line + first, values["user"], values["item"], values.get("rating"))
    check_counts(above, [seen])


def _parse(text: bytes, layout: Layout, headed):
    """(line of each rating, values by field, line, id and count of each header); None if a line is wrong.

    Lines, users and items count from 0.
    """
    fields, separator, headers = layout.fields, layout.separator, np.zeros((0, 3), np.int64)
    if text.translate(None, layout.inside + separator + layout.header + b"\n"):
        return None
    if layout.header:
        form = rb"(?m)^(-?\d{1,9})%b(%b)$" % (re.escape(layout.header), rb"-?\d{1,9}" * layout.counted)
        ends, heads = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n")), []
        text = re.sub(form, lambda h: heads.append((h.start(), int(h[1]), int(h[2] or 0))) or b"", text)
        headers = np.array(heads, np.int64).reshape(-1, 3)
        headers[:, 0] = np.searchsorted(ends, headers[:, 0])
        places = _from_least(headers[:, 1], layout.range(layout.group))
        if layout.header in text or places is None:
            return None
        headers[:, 1] = places
    if len(separator) > 1:
        text, separator = text.replace(separator, b"\t"), b"\t"
        if layout.separator[:1] in text:
            return None
    codes = np.frombuffer(text, np.uint8)
    ends, at = (np.flatnonzero(codes == ord(mark)) for mark in (b"\n", separator))
    starts = np.concatenate([[0], ends + 1])[: len(ends)]
    line = np.flatnonzero(ends > starts)
    if layout.header and len(line) and not (headed or (len(headers) and headers[0, 0] < line[0])):
        return None
    if len(at) != len(line) * (len(fields) - 1):
        return None
    bounds = np.column_stack([starts[line] - 1, at.reshape(len(line), len(fields) - 1), ends[line]])
    if (np.diff(bounds) < 2).any():  # an empty field, or one more in one line and one less in another
        return None
    kinds = {name: np.int64 for name in ("user", "item") if name in fields}
    if "rating" in fields:
        kinds["rating"] = pd.CategoricalDtype([rating.decode() for rating in layout.scale])
    form = {"names": fields, "usecols": [*kinds], "dtype": kinds, "sep": separator.decode()}
    try:
        with warnings.catch_warnings(action="error"):  # of a rating that is not on the scale
            table = pd.read_csv(BytesIO(text), na_filter=False, **form)
    except (ValueError, OverflowError, Warning):
        return None
    ids = {name: table[name].to_numpy() for name in kinds if name != "rating"}
    values = {name: _from_least(column, layout.range(name)) for name, column in ids.items()}
    if "rating" in fields:
        at = table["rating"].cat.codes.to_numpy()
        points = np.array([rating.count(b".") for rating in layout.scale])
        # pandas would take 7.0 for an id: every point is that of a rating
        known = (at >= 0).all() and points[at].sum() == text.count(b".")
        values["rating"] = np.array([*layout.scale.values()], layout.dtype)[at] if known else None
    return None if any(column is None for column in values.values()) else (line, values, headers)


def _from_least(ids, bounds: tuple[int, int]) -> np.ndarray | None:
    """Ids counted from the least one, int32; None if one is outside of the bounds."""
    if len(ids) and not bounds[0] <= ids.min() <= ids.max() <= bounds[1]:
        return None
    return (ids - bounds[0]).astype(np.int32)


def _blame(file: str, first: int, text: bytes, layout: Layout, headed) -> None:
    """Find the line that makes a block unreadable, and say why."""
    for number, line in enumerate(text.split(b"\n"), first):
        if not line:
            continue
        heads = bool(layout.header) and layout.header in line
        headed = headed or heads
        reason = f"a rating, but no {layout.group} has been named above"
        if headed or not layout.header:
            reason = (_header_fault if heads else _line_fault)(line, layout)
        if reason:
            raise FormatError(file, number, reason)
    raise FormatError(file, first, "unreadable in the block that begins here")


def _header_fault(line: bytes, layout: Layout) -> str | None:
    name, count = line.split(layout.header, 1)
    if re.fullmatch(rb"-?\d{1,9}" if layout.counted else b"", count):
        return _id_fault(layout.group, name, layout)
    what = f"'{_show(line)}' is no {layout.group} with a '{layout.header.decode()}' behind it"
    return what + " and a count" * layout.counted


def _line_fault(line: bytes, layout: Layout) -> str | None:
    cells = line.split(layout.separator)
    if len(cells) != len(layout.fields):
        return f"{len(cells)} fields, expected {', '.join(layout.fields)}: '{_show(line)}'"
    for name, cell in zip(layout.fields, cells, strict=True):
        reason = None
        if name in ("user", "item"):
            reason = _id_fault(name, cell, layout)
        elif name == "rating" and cell not in layout.scale:
            scale = [text for text, value in layout.scale.items() if value != layout.dropped]
            known = f"{min(scale, key=float).decode()} to {max(scale, key=float).decode()}"
            reason = f"rating '{_show(cell)}' is not on the scale {known}"
        elif not cell or cell.translate(None, layout.inside):
            reason = f"{name} '{_show(cell)}' is not what it should be"
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
