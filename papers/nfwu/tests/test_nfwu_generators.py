"""Generators of nfwu: matrices with exact counts and spectra."""

import numpy as np
import pytest
from generated import check_seeds, make
from peaks import peak_of

from referee.data.errors import DataError


def keys(out, columns):
    return out["rows"].astype(np.int64) * columns + out["cols"]


@pytest.mark.parametrize(
    ("rank", "nuclear", "rmse"), [(5, 96.875, 0.288534), (10, 99.9023, 0.288675), (15, 99.9969, 0.288675)]
)
@pytest.mark.parametrize("mode", ["haar", "coherent"])
def test_printed_constants(rank, nuclear, rmse, mode):
    for seed in range(3):
        truth = make("low_rank_outliers", seed, rank=rank, noise=10.0, mode=mode)["truth"]
        s = np.linalg.svd(truth, compute_uv=False)
        assert truth.shape == (200, 200) and (s[rank:] < 1e-11).all()
        assert s[:rank] == pytest.approx(50 * 2.0 ** -np.arange(rank))
        assert s.sum() == pytest.approx(nuclear, rel=1e-6)
        assert np.sqrt((truth**2).mean()) == pytest.approx(rmse, abs=5e-7)


def test_exact_counts_of_outliers_and_observations():
    for seed in range(5):
        out = make("low_rank_outliers", seed, rank=5, noise=10.0)
        clean = out["truth"][out["rows"], out["cols"]]
        hit = out["values"] != clean
        assert len(clean) == 4000 and (np.diff(keys(out, 200)) > 0).all()
        assert out["rows"].dtype == out["cols"].dtype == np.int32 and out["values"].dtype == np.float64
        assert 140 < hit.sum() < 260 and np.abs(out["values"] - clean).max() <= 10  # 200 expected, sd 13
        whole = make("low_rank_outliers", seed, rank=5, noise=10.0, observe=1.0)
        added = whole["values"] - whole["truth"].ravel()
        assert np.count_nonzero(added) == 2000
        assert added[added != 0].std() == pytest.approx(10 / np.sqrt(3), rel=0.06)


def test_no_noise_and_other_shapes():
    out = make("low_rank_outliers", shape=(30, 50), rank=3, noise=0.0, top=8.0)
    assert out["truth"].shape == (30, 50) and len(out["rows"]) == 150
    assert np.array_equal(out["values"], out["truth"][out["rows"], out["cols"]])
    assert np.linalg.svd(out["truth"], compute_uv=False)[:3] == pytest.approx([8, 4, 2])


def test_singular_vectors_are_haar_or_coherent():
    """Haar vectors have max |u_i|·√n near 3, sparse ones few large entries; the sign fix makes the mean 0."""
    haar, coherent = (make("low_rank_outliers", 3, rank=1, noise=0.0, mode=m) for m in ("haar", "coherent"))
    for out, low, high in ((haar, 2, 4.5), (coherent, 4.5, 14.2)):
        u = np.abs(np.linalg.svd(out["truth"])[0][:, 0]) * np.sqrt(200)
        assert low < u.max() < high
    assert (np.abs(coherent["truth"]) > 1e-9).mean() < 0.02
    corner = [make("low_rank_outliers", s, shape=3, rank=1, noise=0.0)["truth"][0, 0] for s in range(600)]
    assert abs(np.mean(corner)) < 5 * np.std(corner) / np.sqrt(600)


LARGE = {"shape": (3000, 2000), "observed": 200_000, "rank": 7}


def test_large_completion():
    assert make("large_completion", **LARGE)["values"].dtype == np.float32
    out = make("large_completion", **LARGE, dtype="float64")
    assert len(out["rows"]) == 200_000 and (np.diff(keys(out, 2000)) > 0).all()
    assert out["rows"].dtype == out["cols"].dtype == np.int32 and out["values"].dtype == np.float64
    assert out["truth_u"].shape == (3000, 7) and out["truth_v"].shape == (2000, 7)
    clean = (out["truth_u"] @ out["truth_v"].T)[out["rows"], out["cols"]]
    hit = np.abs(out["values"] - clean) > 1e-9
    assert hit.sum() == 10_000 and np.abs(out["values"] - clean).max() <= 3
    assert np.allclose(out["values"][~hit], clean[~hit], atol=1e-12)
    assert clean.std() == pytest.approx(1, rel=0.05)
    for index, size in (("rows", 3000), ("cols", 2000)):
        counts = np.bincount(out[index], minlength=size)
        mean = 200_000 / size
        assert ((counts - mean) ** 2 / mean).sum() == pytest.approx(size, rel=0.2)


def test_large_completion_takes_little_memory():
    make("large_completion", **LARGE)
    _, peak = peak_of(lambda: make("large_completion", shape=4000, observed=1_500_000))
    assert peak < 40 * 1_500_000


def test_large_completion_whole_and_single():
    out = make("large_completion", shape=(5, 4), rank=2, observed=20, outliers=0.0)
    assert out["values"].reshape(5, 4) == pytest.approx(out["truth_u"] @ out["truth_v"].T)
    assert len(make("large_completion", shape=5, rank=2, observed=1)["rows"]) == 1


SMALL = {"shape": 20, "rank": 3, "noise": 1.0}


@pytest.mark.parametrize(
    ("name", "params", "match"),
    [
        ("low_rank_outliers", SMALL | {"mode": "x"}, "unknown mode 'x'. Known are: coherent, haar"),
        ("low_rank_outliers", SMALL | {"rank": 0}, "rank 0 is not between 1 and 20"),
        ("low_rank_outliers", SMALL | {"rank": 21}, "rank 21"),
        ("low_rank_outliers", SMALL | {"observe": 0.0}, "no entry"),
        ("low_rank_outliers", SMALL | {"observe": 1.2}, "observe must be a share"),
        ("low_rank_outliers", SMALL | {"outliers": -0.1}, "outliers must be a share"),
        ("large_completion", LARGE | {"rank": 0}, "rank"),
        ("large_completion", LARGE | {"observed": 0}, "observed must be a whole number ≥ 1"),
        ("large_completion", LARGE | {"observed": 10**7}, "cannot draw 10000000"),
    ],
)
def test_what_cannot_be_made_is_told(name, params, match):
    with pytest.raises((DataError, ValueError), match=match):
        make(name, **params)


CASES = [("ball_form", {"size": 9, "outliers": 2}), ("low_rank_outliers", SMALL)]
CASES += [("large_completion", {"shape": 30, "rank": 3, "observed": 100})]


@pytest.mark.parametrize(("name", "params"), CASES)
def test_same_seed_same_arrays_other_seed_others(name, params):
    check_seeds(name, params)
