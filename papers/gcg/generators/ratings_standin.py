"""Stand-in for an unavailable set of ratings: the same sizes, long tails and noise."""

import numpy as np
from scipy import sparse

from projfree.common.parameters import Count, Natural
from projfree.linalg.compiled import njit
from referee.data.errors import DataError
from referee.data.sampling import distinct

USER_SPREAD, ITEM_SPREAD = 1.2, 1.6  # of the logarithms of the numbers of ratings
SHARES = {"user": 0.38, "item": 0.5, "taste": 0.35, "noise": 0.75}  # standard deviations; ML-1M divides so
CHUNK = 1 << 17  # ratings whose values are in memory at a time
FULLEST = 0.5  # share of the items that a user rates at most


def generate(
    rng: np.random.Generator,
    *,
    source=None,
    users: int,
    items: int,
    ratings: int,
    held_out: int = 0,
    shape: tuple[Count, Count] | None = None,
    scale: tuple[float, float] = (1.0, 5.0),
    step: float = 1.0,
    mean: float = 3.6,
    sd: float = 1.1,
    rank: int = 12,
    never: Natural = 0,
) -> dict:
    """Ratings whose numbers per user and per item are log-normal, no pair twice, on the grid of a scale.

    A rating is mean + sd·(0.38 b_user + 0.5 b_item + 0.35 Σ_k d_k p_k q_k + 0.75 noise), d_k ∝ 1/k with
    Σ d_k² = 1, all others standard normal; rounded to the grid and cut to the scale. Memory is the result
    and what users and items need: 253 million ratings take 1.3 GB.

    Parameters
    ----------
    users, items : how many rate and how many can be rated; every user rates at least one.
    ratings : exact number of ratings, `held_out` of them marked, each such set equally likely.
    shape : (rows, columns) if ids leave gaps: users and items lie there at random.
    scale : least and greatest rating; `step` the grid between them, from the least on.
    never : so many ratings, any of them, are the greatest whatever user and item say: marks beyond the scale
        that are read as its end (gcg U28).

    Returns
    -------
    X : CSR (rows, columns), int32 indices, sorted; uint8 for whole ratings, else float32.
    y : bool (ratings,), which are held out, in the order of X; None without.
    """
    shape = tuple(shape or (users, items))
    if not (users <= shape[0] and items <= shape[1]):
        raise DataError(f"{users} users and {items} items do not fit into a shape {shape}")
    if not users <= ratings <= FULLEST * users * items or held_out >= ratings:
        raise DataError(f"{ratings} ratings, {held_out} held out, do not fit {users} users and {items} items")
    counts = _counts(rng, users, ratings, int(FULLEST * items))
    ends = np.concatenate([[0], np.cumsum(counts)])
    indices, data = np.empty(ratings, np.int32), np.empty(ratings, _dtype(scale[0], step))
    threshold, alias = _alias(rng.lognormal(0.0, ITEM_SPREAD, items))
    bias = [(rng.standard_normal(size) * sd * SHARES[kind]).astype(np.float32)
            for kind, size in (("user", users), ("item", items))]  # fmt: skip
    strength = 1 / np.arange(1, rank + 1)
    strength *= sd * SHARES["taste"] / np.linalg.norm(strength)
    tastes = (rng.standard_normal((users, rank)) * strength).astype(np.float32)
    traits = rng.standard_normal((items, rank)).astype(np.float32)
    _draw(rng.integers(2**63), ends, threshold, alias, indices)
    columns = distinct(rng, shape[1], items).astype(np.int32)
    for first, last in _chunks(ends):
        part = slice(ends[first], ends[last])
        values = mean + sd * SHARES["noise"] * rng.standard_normal(ends[last] - ends[first], np.float32)
        _predict(first, ends, indices, columns, *bias, tastes, traits, values)
        data[part] = np.clip(scale[0] + step * np.rint((values - scale[0]) / step), *scale)
    data[distinct(rng, ratings, never)] = scale[1]
    marks = np.zeros(ratings, dtype=bool) if held_out else None
    if held_out:
        marks[distinct(rng, ratings, held_out)] = True
    return {"X": _placed(rng, shape, ends, indices, data), "y": marks}


def _chunks(ends):
    """Ranges of users with about CHUNK ratings each."""
    first = 0
    while first < len(ends) - 1:
        last = max(first + 1, int(np.searchsorted(ends, ends[first] + CHUNK)))
        yield first, min(last, len(ends) - 1)
        first = last


def _dtype(least: float, step: float):
    return np.uint8 if float(least).is_integer() and float(step).is_integer() else np.float32


def _counts(rng, users: int, total: int, most: int) -> np.ndarray:
    """Ratings of each user: log-normal, at least 1 and at most `most`, `total` together."""
    weights = rng.lognormal(0.0, USER_SPREAD, users)
    low, high = 0.0, total / weights.min()
    for _ in range(200):
        factor = (low + high) / 2
        counts = np.clip(np.floor(factor * weights), 1, most).astype(np.int64)
        low, high = (factor, high) if counts.sum() <= total else (low, factor)
    counts = np.clip(np.floor(low * weights), 1, most).astype(np.int64)
    while lacking := total - int(counts.sum()):
        free = np.flatnonzero(counts < most)
        counts[rng.choice(free, min(lacking, len(free)), replace=False)] += 1
    return counts


def _alias(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Tables by which one uniform number draws an index with probability ∝ its weight (Vose 1991)."""
    scaled = weights * (len(weights) / weights.sum())
    alias = np.arange(len(weights), dtype=np.int32)
    _fill_alias(scaled, alias)
    return scaled, alias


@njit
def _fill_alias(scaled, alias):
    small = np.empty(len(scaled), np.int32)
    large = np.empty(len(scaled), np.int32)
    few, many = 0, 0
    for i in range(len(scaled)):
        if scaled[i] < 1:
            small[few] = i
            few += 1
        else:
            large[many] = i
            many += 1
    while few > 0 and many > 0:
        few -= 1
        less, more = small[few], large[many - 1]
        alias[less] = more
        scaled[more] -= 1 - scaled[less]
        if scaled[more] < 1:
            many -= 1
            small[few] = more
            few += 1
    for i in range(few):
        scaled[small[i]] = 1.0
    for i in range(many):
        scaled[large[i]] = 1.0


@njit
def _draw(seed, ends, threshold, alias, indices):
    """Items of each user by their weights without repetition, increasing.

    The uniform numbers are SplitMix64's (Steele, Lea, Flood 2014): a numpy generator takes ten times as
    long to compile here.
    """
    items = len(alias)
    rated_by = np.full(items, -1, np.int32)
    state = np.uint64(seed)
    for user in range(len(ends) - 1):
        at = ends[user]
        while at < ends[user + 1]:
            state += np.uint64(0x9E3779B97F4A7C15)
            mixed = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            place = ((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(11)) * (items * 2.0**-53)
            item = int(place)
            if place - item > threshold[item]:
                item = alias[item]
            if rated_by[item] != user:
                rated_by[item] = user
                indices[at] = item
                at += 1
        indices[ends[user] : at].sort()


@njit
def _predict(first, ends, indices, columns, of_user, of_item, tastes, traits, values):
    """Add what user and item say to the values of some users' ratings; items become columns."""
    at = ends[first]
    user = first
    for k in range(len(values)):
        while at + k >= ends[user + 1]:
            user += 1
        item = indices[at + k]
        value = of_user[user] + of_item[item]
        for factor in range(traits.shape[1]):
            value += tastes[user, factor] * traits[item, factor]
        values[k] += value
        indices[at + k] = columns[item]


def _placed(rng, shape, ends, indices, data):
    """CSR of a shape in which users and items have places at random, in their order."""
    counts = np.zeros(shape[0] + 1, dtype=np.int64)
    counts[1 + distinct(rng, shape[0], len(ends) - 1)] = np.diff(ends)
    indptr = np.cumsum(counts).astype(np.int32 if ends[-1] < 2**31 else np.int64)
    return sparse.csr_matrix((data, indices, indptr), shape=shape)
