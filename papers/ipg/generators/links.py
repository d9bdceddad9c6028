"""Signed links from a prepared graph: self-loops, sampled non-links, held-out links."""

from typing import Literal

import numpy as np
from scipy import sparse

from referee.data.errors import DataError


def generate(
    rng: np.random.Generator,
    *,
    source: dict,
    self_loops: Literal["drop", "keep", "refuse"] = "drop",
    symmetric: bool | Literal["agreeing"] = False,
    non_links: float = 0.0,
    nodes: int | None = None,
    held_out: float = 0.0,
    compress: bool = True,
) -> dict[str, np.ndarray]:
    """Positions and signs ±1 of the known links.

    Parameters
    ----------
    source : prepared dataset with X, CSR (n, n) of ±1.
    self_loops : ``drop`` or ``keep`` them, or ``refuse`` a graph that has any.
    symmetric : add the reverse of every link that has none; a pair with opposite signs is refused, or left
        out (``agreeing``).
    non_links : so many sampled pairs without a link for each link, as −1; uniform, u ≠ v, none twice.
    nodes : only the so many nodes of highest degree.
    held_out : share of the links, drawn at random, that is kept for testing.
    compress : leave out rows and columns without a known link: they stay zero for ever.

    Returns
    -------
    rows, cols int32, values float64 (sorted by row and column), shape; and the same with test_.
    """
    graph = _without_loops(source["X"].tocsr(), self_loops)
    if nodes is not None:
        degree = np.bincount(graph.indices, minlength=graph.shape[0]) + np.diff(graph.indptr)
        kept = np.sort(np.argsort(-degree, kind="stable")[:nodes])
        graph = graph[kept][:, kept]
    graph = _symmetric(graph, symmetric) if symmetric else graph
    links = graph.tocoo()
    rows, cols, signs = (np.asarray(a, dtype=np.int64) for a in (links.row, links.col, links.data))
    if non_links:
        extra = _absent(rng, rows, cols, graph.shape[0], round(non_links * rows.size))
        rows, cols = np.concatenate([rows, extra[0]]), np.concatenate([cols, extra[1]])
        signs = np.concatenate([signs, np.full(extra[0].size, -1)])
    order = np.lexsort((cols, rows))
    return _split(
        rng, rows[order], cols[order], signs[order].astype(np.float64), graph.shape, held_out, compress
    )


def _without_loops(graph, rule):
    links = graph.tocoo()
    loops = links.row == links.col
    if rule == "refuse" and loops.any():
        raise DataError(f"{int(loops.sum())} self-loops, the first at node {links.row[np.argmax(loops)]}")
    if rule == "keep" or not loops.any():
        return graph
    kept = ~loops
    return sparse.csr_matrix((links.data[kept], (links.row[kept], links.col[kept])), shape=graph.shape)


def _symmetric(graph, rule):
    graph = graph.astype(np.int64)
    both = graph + graph.T
    known = abs(graph) + abs(graph.T)
    agree = both.nnz == known.nnz and (both != 0).nnz == known.nnz
    if not agree and rule != "agreeing":
        raise DataError("a pair of nodes has links of opposite signs: it cannot be made symmetric")
    return both.sign().tocsr()


def _absent(rng, rows, cols, n, count):
    """So many ordered pairs u ≠ v without a link, uniform, without replacement."""
    if count > n * (n - 1) - rows.size:
        raise DataError(f"{count} pairs without a link are more than there are")
    taken, chosen = rows * n + cols, np.empty(0, dtype=np.int64)
    while chosen.size < count:
        u, v = rng.integers(n, size=(2, 2 * (count - chosen.size) + 16))
        keys = (u * n + v)[u != v]
        keys = keys[~np.isin(keys, taken)]
        keys = np.concatenate([chosen, keys])
        _, first = np.unique(keys, return_index=True)
        chosen = keys[np.sort(first)][:count]
    return np.divmod(chosen, n)


def _split(rng, rows, cols, signs, shape, held_out, compress):
    test = np.zeros(rows.size, dtype=bool)
    if held_out:
        test[rng.choice(rows.size, round(held_out * rows.size), replace=False)] = True
    used = [
        np.unique(side[~test]) if compress else np.arange(n)
        for side, n in zip((rows, cols), shape, strict=True)
    ]
    # A held-out link of a node that no known link touches cannot be predicted: it is left out.
    places = [np.searchsorted(u, side) for u, side in zip(used, (rows, cols), strict=True)]
    inside = np.isin(rows, used[0]) & np.isin(cols, used[1])
    arrays = {"shape": np.array([u.size for u in used])}
    for prefix, mask in (("", ~test & inside), ("test_", test & inside)):
        if prefix and not held_out:
            continue
        arrays[f"{prefix}rows"] = places[0][mask].astype(np.int32)
        arrays[f"{prefix}cols"] = places[1][mask].astype(np.int32)
        arrays[f"{prefix}values"] = signs[mask]
    return arrays
