"""Ratings files → sparse matrix, in two passes: count and check, then fill in place.

Memory beyond the result is one block of text and a few bytes per id. What is stored is a rating, also a
rating of 0; what is not stored is unrated.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy import sparse

from projfree.data.catalog import suggest
from projfree.data.errors import DataError, FormatError
from projfree.data.rating_lines import LAYOUTS, Block, Layout, blocks


def ratings(path: Path | str, *, layout: str, users=None, items=None, compress: bool = False):
    """Ratings as CSR (users, items), int32 indices, sorted; uint8, or float32 for half stars; and None.

    Parameters
    ----------
    path : file (packed or not), or a folder or archive with files of the layout.
    layout : a name in LAYOUTS.
    users, items : (least, greatest) id, if not the layout's; these ranges are the rows and columns,
    compress : or only the ids that occur are, in their order (with those that lines left out name).

    Raises
    ------
    FormatError naming file and line: bad field, id out of its range, rating off the scale, second rating of
    an item by the same user, wrong count in a header.
    """
    form = _layout(layout, users, items)
    counts, rated = _count(path, form)
    if not counts.any():
        raise FormatError(path, None, "holds no ratings")
    places = [_places(ids, compress) for ids in rated]
    shape = tuple(int(place[-1]) + 1 for place in places)
    X = _fill(path, form, counts[rated[0]] if compress else counts, places, shape)
    X.sort_indices()
    if not X.has_canonical_format:
        _blame_duplicate(path, form, X, places)
    return X, None


def _layout(name: str, users, items) -> Layout:
    if name not in LAYOUTS:
        raise DataError(f"unknown layout '{name}'{suggest(name, LAYOUTS)}")
    return replace(
        LAYOUTS[name], **{key: tuple(ids) for key, ids in (("users", users), ("items", items)) if ids}
    )


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


def _places(occurs: np.ndarray, compress: bool) -> np.ndarray:
    """Row or column of each id."""
    return (np.cumsum(occurs) - 1 if compress else np.arange(len(occurs))).astype(np.int32)


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
