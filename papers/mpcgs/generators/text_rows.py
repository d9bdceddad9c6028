"""Text-like rows with classes, the stand-in for rcv1 and sector."""

import numpy as np
from scipy import sparse


def generate(
    rng: np.random.Generator,
    *,
    source=None,
    rows: int,
    features: int,
    classes: int,
    length: float,
    skew: float = 0.0,
    first_label: int = 1,
    topical: float = 0.35,
) -> dict:
    """Bags of words: Zipf words for all, and for each class a list of its own; tf-idf, rows of norm 1.

    Class sizes ∝ (c+1)^−skew. A row has clip(lognormal(ln length − 0.32, 0.8), 1, features/4) tokens. With
    probability `topical` a token is from its class's list of 300 features (drawn from the ranks 50 … 20,000,
    position ⌊300u²⌋), else rank r with weight 1/(r+10). Values (1 + ln count)·ln(n/document frequency).

    Returns
    -------
    X CSR float64 (rows, features); y int64 from `first_label`.
    """
    labels = _labels(rng, rows, classes, skew)
    lengths = np.clip(rng.lognormal(np.log(length) - 0.32, 0.8, rows), 1, features / 4).astype(np.int64)
    owners = np.repeat(np.arange(rows), lengths)
    ranks = rng.choice(features, owners.size, p=_zipf(features))
    low, high = (50, 20_000) if features > 20_000 else (features // 50, features)
    lists = rng.integers(low, high, size=(classes, 300))
    own = rng.random(owners.size) < topical
    positions = (300 * rng.random(own.sum()) ** 2).astype(np.int64)
    ranks[own] = lists[labels[owners[own]], positions]
    columns = rng.permutation(features)[ranks]
    counts = sparse.csr_matrix((np.ones(owners.size), (owners, columns)), shape=(rows, features))
    counts.sum_duplicates()
    return {"X": _tf_idf(counts), "y": labels + first_label}


def _labels(rng, rows, classes, skew):
    """Class sizes by the power law, the rest to the first class, in random order."""
    shares = (1.0 + np.arange(classes)) ** -skew
    sizes = np.maximum(1, np.floor(rows * shares / shares.sum())).astype(np.int64)
    sizes[0] += rows - sizes.sum()
    return rng.permutation(np.repeat(np.arange(classes), sizes))


def _zipf(features):
    weights = 1.0 / (np.arange(features) + 10)
    return weights / weights.sum()


def _tf_idf(counts):
    """Values (1 + ln count)·ln(n/df), rows scaled to norm 1; a word of every row vanishes."""
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    inverse = np.log(counts.shape[0] / np.maximum(frequency, 1))
    counts.data = (1 + np.log(counts.data)) * inverse[counts.indices]
    return unit_rows(counts)


def unit_rows(matrix):
    """Rows of Euclidean norm 1; empty rows stay empty."""
    norms = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    matrix.data /= np.repeat(np.where(norms > 0, norms, 1.0), np.diff(matrix.indptr))
    return matrix
