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
    columns, what = (3, "from, to and sign") if signed else (2, "from and to")
    for first, block in line_blocks(path):
        header, rows = header or COUNTS.search(block), []
        for number, line in enumerate(block.split(b"\n"), first):
            fields = [] if line.startswith(b"#") else line.split()
            if fields and (len(fields) != columns or not all(map(WHOLE.fullmatch, fields))):
                shown = line.decode(errors="replace").strip()[:60]
                raise FormatError(path, number, f"'{shown}' is not {what}")
            if fields:
                start, end, sign = *map(int, fields), *[1] * (not signed)
                if min(start, end) < 0 or abs(sign) != 1:
                    shown = [*map(int, fields)]
                    raise FormatError(path, number, f"{shown}: ids are not negative, signs are 1 or -1")
                rows.append((start, end, sign, number))
        parts.append(np.array(rows, np.int64).reshape(-1, 4))
    table = np.concatenate(parts) if parts else np.empty((0, 4), np.int64)
    if not len(table):
        raise FormatError(path, None, "holds no edges")
    nodes, count = (int(header[1]), int(header[2])) if header else (None, None)
    nodes = _relabelled(path, table, nodes) if relabel else _bounded(path, table, nodes)
    table = table[np.lexsort((table[:, 1], table[:, 0]))]
    again = np.flatnonzero((np.diff(table[:, :2], axis=0) == 0).all(axis=1))
    if len(again):
        (start, end, sign, line), other = table[again[0]].tolist(), table[again[0] + 1]
        opposite = " with the opposite sign" * bool(sign != other[2])
        line, later = sorted([line, int(other[3])])
        raise FormatError(path, later, f"edge {start} {end} is also in line {line}{opposite}")
    if count not in (None, len(table)):
        raise FormatError(path, None, f"{len(table)} edges, its header says {count}")
    signs, cols = table[:, 2].astype(np.int8), table[:, 1].astype(np.int32)
    indptr = np.searchsorted(table[:, 0], np.arange(nodes + 1)).astype(np.int32)
    return sparse.csr_matrix((signs, cols, indptr), shape=(nodes, nodes)), None


def _relabelled(path, table, nodes) -> int:
    """Number the ids of a table's edges from 0 in their order, in place; the number of nodes."""
    known, places = np.unique(table[:, :2], return_inverse=True)
    table[:, :2] = places.reshape(-1, 2)
    if nodes not in (None, len(known)):
        raise FormatError(path, None, f"{len(known)} nodes, its header says {nodes}")
    return len(known)


def _bounded(path, table, nodes) -> int:
    """The number of nodes, below which ids must be; what is kept of so many must not exhaust the memory."""
    most = min(max(1 << 20, 64 * len(table)), 2**31 - 1)
    ids, lines = table[:, :2].max(axis=1), table[:, 3]
    if nodes is None:
        if (largest := ids.max()) >= most:
            line = int(lines[np.argmax(ids)])
            raise FormatError(path, line, f"id {largest} among {len(table)} edges: use relabel")
        return int(largest) + 1
    if nodes > most:
        raise FormatError(path, None, f"{len(table)} edges, its header says {nodes} nodes")
    if (ids >= nodes).any():
        at = int(np.argmax(ids >= nodes))
        raise FormatError(path, int(lines[at]), f"id {ids[at]} is outside 0..{nodes - 1}")
    return nodes
