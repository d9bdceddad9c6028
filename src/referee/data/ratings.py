"""Ratings files → sparse matrix, in two passes: count and check, then fill in place.

Memory beyond the result is one block of text and a few bytes per id. A stored entry is a rating, also if it
is 0; other pairs are unrated.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy import sparse

from projfree.common.names import unknown
from referee.data.errors import DataError, FormatError
from referee.data.rating_lines import LAYOUTS, Block, Layout, blocks


def ratings(
    path: Path | str, *, layout: str, users=None, items=None, compress=False, files=None, held_out=None
):
    """Ratings as CSR (users, items), int32 indices, sorted; uint8, or float32 for half stars; and which of
    them the dataset itself holds out, bool (ratings,), None where nothing is said.

    Parameters
    ----------
    path : file (packed or not), or a folder or archive with files of the layout.
    layout : a name in LAYOUTS.
    users, items : (least, greatest) id, if not the layout's; these ranges are the rows and columns,
    compress : or only the ids that occur are, in their order (with those that lines left out name).
    files : names to look for, if not the layout's.
    held_out : name of the file that tells the held-out ratings: one of the layout's files (ra.test,
        validationIdx1.txt), or where the layout knows such a list (probe.txt) one of pairs rated elsewhere.

    Raises
    ------
    FormatError naming file and line: bad field, id out of its range, rating off the scale, second rating of
    an item by the same user, wrong count in a header, a held-out pair that has no rating or is named twice.
    """
    form = _layout(layout, users, items, files)
    counts, rated = _count(path, form)
    if not counts.any():
        raise FormatError(path, None, "holds no ratings")
    places = [(np.cumsum(ids) - 1 if compress else np.arange(len(ids))).astype(np.int32) for ids in rated]
    shape = tuple(int(place[-1]) + 1 for place in places)
    X = _fill(path, form, counts[rated[0]] if compress else counts, places, shape)
    X.sort_indices()
    if not X.has_canonical_format:
        _blame_duplicate(path, form, X, places)
    return X, None if held_out is None else _held_out(path, form, held_out, X, places)


def _layout(name: str, users, items, files) -> Layout:
    if name not in LAYOUTS:
        raise DataError(unknown("layout", name, LAYOUTS))
    given = {"users": users, "items": items, "files": files}
    return replace(LAYOUTS[name], **{key: tuple(value) for key, value in given.items() if value})


def _count(path, layout: Layout) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """First pass: kept ratings per user; whether each user and each item occurs at all."""
    sizes = [high - low + 1 for low, high in (layout.users, layout.items)]
    counts, rated = np.zeros(sizes[0], dtype=np.int64), tuple(np.zeros(size, dtype=bool) for size in sizes)
    for block in blocks(path, layout):
        rated[0][block.user] = True
        rated[1][block.item] = True
        np.add.at(counts, block.user[_kept(block, layout)], 1)
    return counts, rated


def _kept(block: Block, layout: Layout) -> np.ndarray:
    every = np.ones(len(block.line), dtype=bool)
    return every if layout.dropped is None else block.rating != layout.dropped


def _fill(path, layout: Layout, counts: np.ndarray, places, shape) -> sparse.csr_matrix:
    """Second pass: each rating to the next free place of its row."""
    ends = np.concatenate([[0], np.cumsum(counts)])
    indptr = ends.astype(np.int32 if ends[-1] < 2**31 else np.int64)
    indices, data = np.empty(ends[-1], dtype=np.int32), np.empty(ends[-1], dtype=layout.dtype)
    free = ends[:-1]
    for block in blocks(path, layout):
        kept = _kept(block, layout)
        row = places[0][block.user[kept]]
        order = np.argsort(row, kind="stable")
        row = row[order]
        first = np.flatnonzero(np.diff(row, prepend=-1))
        size = np.diff(first, append=len(row))
        to = free[row] + np.arange(len(row)) - np.repeat(first, size)
        indices[to] = places[1][block.item[kept][order]]
        data[to] = block.rating[kept][order]
        free[row[first]] += size
    return sparse.csr_matrix((data, indices, indptr), shape=shape)


def _blame_duplicate(path, layout: Layout, X, places) -> None:
    same = np.flatnonzero(np.diff(X.indices) == 0) + 1
    at = same[~np.isin(same, X.indptr)][0]
    row, column, times = np.searchsorted(X.indptr, at, side="right") - 1, X.indices[at], 0
    for block in blocks(path, layout):
        equal = (places[0][block.user] == row) & (places[1][block.item] == column) & _kept(block, layout)
        lines = block.line[equal]
        if len(lines) + times > 1:
            user, item = block.user[equal][0] + layout.users[0], block.item[equal][0] + layout.items[0]
            raise FormatError(block.file, int(lines[1 - times]), f"user {user} rates item {item} again")
        times += len(lines)


def _held_out(path, layout: Layout, name: str, X, places) -> np.ndarray:
    """Marks (nnz,) of the ratings whose pairs a file names."""
    marks = np.zeros(X.nnz, dtype=bool)
    listed = replace(layout, files=(name,), fields=layout.listed or layout.fields)
    for block in blocks(path, listed):
        kept = slice(None) if layout.listed else _kept(block, layout)
        line, user, item = block.line[kept], block.user[kept], block.item[kept]
        at, found = _find(X, places[0][user], places[1][item])
        order = np.argsort(at, kind="stable")
        again = marks[at] & found
        again[order[1:]] |= (np.diff(at[order]) == 0) & found[order[1:]]
        if not found.all() or again.any():
            wrong = int(np.argmax(~found | again))
            pair = f"user {user[wrong] + layout.users[0]}, item {item[wrong] + layout.items[0]}"
            reason = "is held out again" if found[wrong] else "is held out, but has no rating"
            raise FormatError(block.file, int(line[wrong]), f"{pair}: {reason}")
        marks[at] = True
    return marks


def _find(X, rows, columns) -> tuple[np.ndarray, np.ndarray]:
    """Place of each entry in the sorted CSR, and whether it is there (its place is else any)."""
    low, end = X.indptr[rows].astype(np.int64), X.indptr[rows + 1].astype(np.int64)
    high = end.copy()
    while (open_ := low < high).any():
        middle = (low + high) // 2
        less = open_ & (X.indices[np.minimum(middle, X.nnz - 1)] < columns)
        low, high = np.where(less, middle + 1, low), np.where(open_ & ~less, middle, high)
    at = np.minimum(low, X.nnz - 1)
    return at, (low < end) & (X.indices[at] == columns)
