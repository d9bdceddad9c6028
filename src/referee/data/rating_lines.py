"""Text of ratings files → arrays: a block of lines at a time, without a loop over lines.

A pattern of the layout finds the first line of another form; pandas reads the lines before it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import NamedTuple

import numpy as np
import pandas as pd

from referee.data.errors import FormatError
from referee.data.lines import member_blocks

LONGEST_NUMBER = 9  # digits: more than any id has
ID = rb"-?\d{1,%d}" % LONGEST_NUMBER


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
    def other(self) -> bytes:
        """The pattern of fields that are not used."""
        return rb"[\d%b-]+" % re.escape(self.others)

    @property
    def forms(self) -> tuple[bytes, bytes]:
        """The patterns of a line with a rating, and of a header with its id and count."""
        rating = b"|".join(sorted(map(re.escape, self.scale), key=len, reverse=True))
        forms = {"user": ID, "item": ID, "rating": b"(?:%b)" % rating}
        line = re.escape(self.separator).join(forms.get(name, self.other) for name in self.fields)
        if not self.header:
            return line, b"(?!)"
        return line, b"(%b)%b(%b)" % (ID, re.escape(self.header), ID * self.counted)

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
        text = text.replace(b"\r\n", b"\n")
        line, values, headers = _parse(name, first, text, layout, headed=above[0, 0] > 0)
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


def _parse(file: str, first: int, text: bytes, layout: Layout, headed):
    """Line of each rating, values by field, (line, id, count) of each header; FormatError for a wrong line.

    Lines, users and items count from 0.
    """
    fields, headers = layout.fields, np.zeros((0, 3), np.int64)
    line_form, head_form = layout.forms
    wrong = re.search(rb"(?m)^(?!(?:%b|%b)?$)" % (line_form, head_form), text)
    faults, whole = ([text.count(b"\n", 0, wrong.start())], text[: wrong.start()]) if wrong else ([], text)
    ends = np.flatnonzero(np.frombuffer(whole, np.uint8) == ord("\n"))
    if layout.header:
        heads = [(m.start(), int(m[1]), int(m[2] or 0)) for m in re.finditer(rb"(?m)^%b$" % head_form, whole)]
        headers = np.array(heads, np.int64).reshape(-1, 3)
        headers[:, 0] = np.searchsorted(ends, headers[:, 0])
        faults += headers[_outside(headers[:, 1], layout.range(layout.group)), 0].tolist()
        headers[:, 1] -= layout.range(layout.group)[0]
    filled = np.diff(ends, prepend=-1) > 1
    filled[headers[:, 0]] = False
    line = np.flatnonzero(filled)
    if layout.header and len(line) and not (headed or (len(headers) and headers[0, 0] < line[0])):
        faults.append(int(line[0]))
    kinds: dict = {name: np.int64 for name in ("user", "item") if name in fields}
    if "rating" in fields:
        kinds["rating"] = pd.CategoricalDtype([rating.decode() for rating in layout.scale])
    table = pd.DataFrame({name: pd.Series([], dtype=kind) for name, kind in kinds.items()})
    if len(line):
        content = BytesIO(re.sub(rb"(?m)^%b$" % head_form, b"", whole).replace(layout.separator, b"\t"))
        table = pd.read_csv(content, sep="\t", names=fields, usecols=[*kinds], dtype=kinds, na_filter=False)
    values = {}
    for name in kinds.keys() - {"rating"}:
        bounds, ids = layout.range(name), table[name].to_numpy()
        faults += line[_outside(ids, bounds)].tolist()
        values[name] = (ids - bounds[0]).astype(np.int32)
    if "rating" in fields:
        values["rating"] = np.array([*layout.scale.values()], layout.dtype)[table["rating"].cat.codes]
    if faults:
        number = min(faults)
        raise FormatError(file, first + number, _fault(text.split(b"\n")[number], layout))
    return line, values, headers


def _outside(ids, bounds: tuple[int, int]) -> np.ndarray:
    return (ids < bounds[0]) | (ids > bounds[1])


def _fault(line: bytes, layout: Layout) -> str:
    """Why a line is wrong."""
    if layout.header and layout.header in line:
        name, count = line.split(layout.header, 1)
        if re.fullmatch(rb"-?\d{1,9}" if layout.counted else b"", count):
            return _id_fault(layout.group, name, layout) or "unreadable"
        what = f"'{_show(line)}' is no {layout.group} with a '{layout.header.decode()}' behind it"
        return what + " and a count" * layout.counted
    cells = line.split(layout.separator)
    if len(cells) != len(layout.fields):
        return f"{len(cells)} fields, expected {', '.join(layout.fields)}: '{_show(line)}'"
    for name, cell in zip(layout.fields, cells, strict=True):
        if name in ("user", "item"):
            if reason := _id_fault(name, cell, layout):
                return reason
        elif name == "rating" and cell not in layout.scale:
            scale = [text for text, value in layout.scale.items() if value != layout.dropped]
            ends = f"{min(scale, key=float).decode()} to {max(scale, key=float).decode()}"
            return f"rating '{_show(cell)}' is not on the scale {ends}"
        elif not re.fullmatch(layout.other, cell):
            return f"{name} '{_show(cell)}' is not what it should be"
    return f"a rating, but no {layout.group} has been named above"


def _id_fault(name: str, cell: bytes, layout: Layout) -> str | None:
    low, high = layout.range(name)
    if not re.fullmatch(rb"-?\d+", cell):
        return f"{name} '{_show(cell)}' is not a whole number"
    inside = len(cell) <= LONGEST_NUMBER and low <= int(cell) <= high
    return None if inside else f"{name} {_show(cell)} is outside {low}..{high}"


def _show(text: bytes) -> str:
    return text[:40].decode(errors="replace")
