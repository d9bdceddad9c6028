"""A stand-in for the Epinions graphs: long-tailed degrees, communities, mostly trust."""

import numpy as np
from scipy import sparse


def generate(
    rng: np.random.Generator,
    *,
    source=None,
    nodes: int = 2000,
    edges: int = 30_000,
    positive: float = 0.853,
    communities: int = 8,
    loops: int = 0,
) -> dict:
    """Directed edges drawn by long-tailed activities; trust leans on communities, a share `positive` in all.

    Returns
    -------
    X : CSR (nodes, nodes) int8 of ±1 (all +1 for ``positive: 1``).
    """
    weight = (np.arange(1, nodes + 1) ** -0.8)[:, None] * np.ones(2)
    weight = np.column_stack([rng.permutation(column) for column in weight.T])
    keys = np.empty(0, dtype=np.int64)
    while keys.size < edges - loops:
        draw = [rng.choice(nodes, 2 * edges, p=w / w.sum()) for w in weight.T]
        apart = draw[0] != draw[1]
        keys = np.unique(np.concatenate([keys, draw[0][apart] * nodes + draw[1][apart]]))
    keys = rng.choice(keys, edges - loops, replace=False)
    own = rng.choice(nodes, loops, replace=False)
    rows, cols = np.divmod(np.sort(np.concatenate([keys, own * (nodes + 1)])), nodes)
    taste = rng.standard_normal((2, nodes, communities))
    score = np.einsum("ik,ik->i", taste[0, rows], taste[1, cols]) + rng.standard_normal(rows.size)
    signs = np.where(score >= np.quantile(score, 1 - positive), 1, -1).astype(np.int8)
    return {"X": sparse.csr_matrix((signs, (rows, cols)), shape=(nodes, nodes))}
