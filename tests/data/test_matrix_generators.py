"""Generated matrices of nfwu and gcg: exact counts, spectra, splits, centring, memory."""

import numpy as np
import pytest
from generated import make, rng
from scipy import sparse

from referee.data import sampling
from referee.data.errors import DataError


def keys(out, columns, prefix=""):
    return out[f"{prefix}rows"].astype(np.int64) * columns + out[f"{prefix}cols"]


@pytest.mark.parametrize(
    ("population", "count"),
    [(1, 0), (1, 1), (5, 5), (10, 9), (1000, 1), (1000, 500), (1000, 999), (10**15, 1000), (2**62, 3)],
)
def test_distinct_numbers(population, count):
    for seed in range(20):
        chosen = sampling.distinct(rng(seed), population, count)
        assert len(chosen) == count and (np.diff(chosen) > 0).all()
        assert not count or (chosen[0] >= 0 and chosen[-1] < population)


def test_each_set_is_equally_likely():
    shared = rng(1)
    sets = [tuple(sampling.distinct(shared, 6, 3)) for _ in range(20_000)]
    _, counts = np.unique(sets, axis=0, return_counts=True)
    chi = ((counts - 1000) ** 2 / 1000).sum()
    assert len(counts) == 20 and chi < 50  # 19 degrees of freedom, P(chi > 50) = 1e-4


def test_each_number_of_a_large_population_is_equally_likely():
    shared = rng(2)
    counts = np.bincount(np.concatenate([sampling.distinct(shared, 400, 40) for _ in range(4000)]))
    assert len(counts) == 400 and ((counts - 400) ** 2 / 360).sum() < 400 + 5 * np.sqrt(800)


def test_impossible_draws():
    with pytest.raises(DataError, match="cannot draw 6 distinct ones of 5"):
        sampling.distinct(rng(), 5, 6)
    with pytest.raises(DataError, match="outliers must be a share between 0 and 1, not 1.5"):
        sampling.exact(1.5, 10, "outliers")


def rated(users=40, items=30, share=0.4, seed=1):
    """Ratings 0–5 with stored zeros, among them a user and an item without any."""
    shared = rng(seed)
    mask = shared.random((users, items)) < share
    mask[3], mask[:, 5] = False, False
    rows, cols = np.nonzero(mask)
    data = shared.integers(0, 6, len(rows)).astype(np.uint8)
    return {"X": sparse.csr_matrix((data, (rows, cols)), shape=(users, items)), "attrs": {}}


def parts(out):
    return (
        dict(zip(keys(out, out["shape"][1], prefix).tolist(), out[f"{prefix}values"], strict=True))
        for prefix in ("", "test_")
    )


def test_split_has_exact_counts_and_loses_nothing():
    source = rated()
    X = source["X"]
    out = make("ratings", source=source, held_out=0.25, centre="none")
    train, test = parts(out)
    assert len(test) == round(0.25 * X.nnz) and len(train) + len(test) == X.nnz
    assert np.mean(list(test)) == pytest.approx(np.mean(list(train)), rel=0.25)
    coo = X.tocoo()
    whole = dict(zip((coo.row * 30 + coo.col).tolist(), coo.data.tolist(), strict=True))
    assert train | test == whole and 0 in train.values() and 0 in test.values()
    for prefix in ("", "test_"):
        assert (np.diff(keys(out, 30, prefix)) > 0).all()
        assert out[f"{prefix}rows"].dtype == out[f"{prefix}cols"].dtype == np.int32
        assert out[f"{prefix}values"].dtype == np.float64
    assert out["shape"].tolist() == [40, 30]


def test_counts_may_be_given():
    out = make("ratings", source=rated(), held_out=100, observed=250)
    train, test = parts(out)
    assert len(test) == 100 and len(train) == 250 and not set(train) & set(test)


@pytest.mark.parametrize("centre", ["none", "global", "user", "item", "user-item"])
def test_centres(centre):
    source = rated()
    out, plain = (make("ratings", 4, source=source, centre=c) for c in (centre, "none"))
    for prefix in ("", "test_"):
        i, j = out[f"{prefix}rows"], out[f"{prefix}cols"]
        offset = out["row_offset"][i] + out["column_offset"][j]
        assert out[f"{prefix}values"] + offset == pytest.approx(plain[f"{prefix}values"])
    values, i, j, mean = out["values"], out["rows"], out["cols"], plain["values"].mean()
    if centre != "none":
        assert values.mean() == pytest.approx(0, abs=1e-12)
    if centre in ("user", "user-item"):
        assert np.bincount(i, values) == pytest.approx(0, abs=1e-10)
        assert out["row_offset"][3] == pytest.approx(mean if centre == "user" else 0)
    if centre in ("item", "user-item"):
        assert out["column_offset"][5] == pytest.approx(mean)
        assert out["column_offset"][6] == pytest.approx(plain["values"][j == 6].mean())
    if centre == "item":
        assert np.bincount(j, values) == pytest.approx(0, abs=1e-10)


def test_offsets_do_not_see_the_held_out_ratings():
    source = rated()
    first = make("ratings", 4, source=source, centre="user-item")
    X = source["X"].copy()
    at = np.isin(np.repeat(np.arange(40), np.diff(X.indptr)) * 30 + X.indices, keys(first, 30, "test_"))
    X.data[at] = 5 - X.data[at]
    again = make("ratings", 4, source={"X": X}, centre="user-item")
    same = [name for name in first if np.array_equal(first[name], again[name])]
    assert {"values", "row_offset", "column_offset"} <= set(same) and "test_values" not in same


def test_single_precision_and_untouched_source():
    source = rated()
    before = source["X"].copy()
    out = make("ratings", source=source, dtype="float32")
    assert out["values"].dtype == out["test_values"].dtype == np.float32
    assert np.array_equal(before.data, source["X"].data) and before.nnz == source["X"].nnz


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"centre": "x"}, "Known are: global, item, none, user, user-item"),
        ({"held_out": 1000}, "cannot be split"),
        ({"held_out": 100, "observed": 1000}, "cannot be split into 1000 observed and 100 held out"),
        ({"held_out": -0.1}, "held_out must be a share"),
        ({"source": None}, "must be a ratings dataset"),
        ({"source": {"X": np.ones((3, 3))}}, "must be a ratings dataset"),
        ({"source": rated() | {"y": np.ones(40)}}, "must be a ratings dataset"),
    ],
)
def test_ratings_errors(change, match):
    with pytest.raises((DataError, ValueError), match=match):
        make("ratings", **{"source": rated()} | change)
