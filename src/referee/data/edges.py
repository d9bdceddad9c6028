"""Edge lists of SNAP → sparse matrix of signs: `from<TAB>to` or `from<TAB>to<TAB>sign`, comments with #."""

import re
from pathlib import Path

import numpy as np
from scipy import sparse

from referee.data.errors import FormatError
from referee.data.lines import line_blocks

WHOLE = re.compile(rb"-?\d{1,18}")
COUNTS = re.compile(rb"#\s*Nodes:\s*(\d{1,18})\s+Edges:\s*(\d{1,18})\s")


def edges(path: Path | str, *, signed: bool = False, relabel: bool = False):
    """Directed edges as CSR (nodes, nodes) int8, +1 or −1 (all +1 if not `signed`), and None.

    Self-loops are kept, as the file has them. The header `# Nodes: n Edges: m`, where there is one, must
    agree with what is found.

    Parameters
    ----------
    relabel : bool
        Number the ids that occur from 0 in their order; else ids must lie in 0 … n − 1.

    Raises
    ------
    FormatError naming file and line: bad line, sign other than ±1, id out of range, an edge given twice (and
    whether with opposite signs), wrong count in the header.
    """
    header, parts = None, []
    for first, block in line_blocks(path):
        header = header or COUNTS.search(block)
        parts.append(_block(path, first, block, 3 if signed else 2))
    found = np.concatenate(parts) if parts else np.empty((0, 4), dtype=np.int64)
    if not len(found):
        raise FormatError(path, None, "holds no edges")
    nodes, count = (int(header[1]), int(header[2])) if header else (None, None)
    found, nodes = _places(path, found, nodes, relabel)
    order = np.lexsort((found[:, 1], found[:, 0]))
    found = found[order]
    _check_once(path, found)
    if count not in (None, len(found)):
        raise FormatError(path, None, f"{len(found)} edges, its header says {count}")
    signs = found[:, 2].astype(np.int8)
    rows, cols = found[:, 0], found[:, 1].astype(np.int32)
    indptr = np.searchsorted(rows, np.arange(nodes + 1)).astype(np.int32)
    return sparse.csr_matrix((signs, cols, indptr), shape=(nodes, nodes)), None


def _block(path, first, block, columns):
    """(from, to, sign, line) of the block's edges, (n, 4) int64."""
    found = []
    for number, line in enumerate(block.split(b"\n"), first):
        fields = [] if line.startswith(b"#") else line.split()
        if fields and (len(fields) != columns or not all(map(WHOLE.fullmatch, fields))):
            what = "from, to and sign" if columns == 3 else "from and to"
            shown = line.decode(errors="replace").strip()[:60]
            raise FormatError(path, number, f"'{shown}' is not {what}")
        if fields:
            ends, sign = [*map(int, fields[:2])], int(fields[2]) if columns == 3 else 1
            if min(ends) < 0 or abs(sign) != 1:
                told = [*map(int, fields)]
                raise FormatError(path, number, f"{told}: ids are not negative, signs are 1 or -1")
            found.append((*ends, sign, number))
    return np.array(found, np.int64).reshape(-1, 4)


def _places(path, found, nodes, relabel):
    """The edges with ids as places 0 … nodes − 1."""
    if relabel:
        known, places = np.unique(found[:, :2], return_inverse=True)
        found[:, :2] = places.reshape(-1, 2)
        if nodes not in (None, len(known)):
            raise FormatError(path, None, f"{len(known)} nodes, its header says {nodes}")
        return found, len(known)
    largest = found[np.argmax(found[:, :2].max(axis=1))]
    if nodes is None and largest[:2].max() >= _most_nodes(found):
        raise FormatError(
            path, int(largest[3]), f"id {largest[:2].max()} among {len(found)} edges: use relabel"
        )
    nodes = int(largest[:2].max()) + 1 if nodes is None else nodes
    if nodes > _most_nodes(found):
        raise FormatError(path, None, f"{len(found)} edges, its header says {nodes} nodes")
    outside = (found[:, :2] >= nodes).any(axis=1)
    if outside.any():
        row = found[np.argmax(outside)]
        raise FormatError(path, int(row[3]), f"id {row[:2].max()} is outside 0..{nodes - 1}")
    return found, nodes


def _most_nodes(found) -> int:
    """Nodes that so many edges may sensibly have: what is kept for each must not exhaust the memory."""
    return min(max(1 << 20, 64 * len(found)), 2**31 - 1)


def _check_once(path, found):
    again = (np.diff(found[:, :2], axis=0) == 0).all(axis=1)
    if again.any():
        first, second = found[np.argmax(again)], found[np.argmax(again) + 1]
        opposite = " with the opposite sign" if first[2] != second[2] else ""
        lines = sorted([int(first[3]), int(second[3])])
        raise FormatError(path, lines[1], f"edge {first[0]} {first[1]} is also in line {lines[0]}{opposite}")
