"""Generated ratings: exact numbers, long tails, no pair twice, the stated variance, memory."""

import generated
import numpy as np
import pytest
from peaks import peak_of
from referee.papers.gcg.generators import ratings_standin

from referee.data import catalog, prepare
from referee.data.errors import DataError


def make(**params):
    return generated.make("ratings_standin", **{"users": 3000, "items": 2000, "ratings": 200_000} | params)


def test_numbers_are_exact_and_no_pair_comes_twice():
    out = make(held_out=5000, shape=(3500, 2400))
    X = out["X"]
    assert X.shape == (3500, 2400) and X.nnz == 200_000 and out["y"].sum() == 5000
    assert X.has_canonical_format and X.indices.dtype == X.indptr.dtype == np.int32 and X.dtype == np.uint8
    rated = np.diff(X.indptr)
    assert (rated > 0).sum() == 3000 and rated.max() <= 1000 and len(np.unique(X.indices)) <= 2000
    assert make()["y"] is None


def test_tails_are_log_normal():
    X = make(users=20_000, items=20_000, ratings=2_000_000)["X"]
    users, items = np.log(np.diff(X.indptr)), np.log(np.maximum(np.bincount(X.indices), 0.5))
    assert np.std(users) == pytest.approx(1.2, rel=0.05)  # a little less: counts are whole and at least 1
    assert np.std(items) == pytest.approx(1.6, rel=0.1)


GRIDS = [((1.0, 5.0), 1.0, np.uint8), ((0.5, 5.0), 0.5, np.float32)]


@pytest.mark.parametrize(("scale", "step", "dtype"), GRIDS)
def test_ratings_lie_on_the_grid(scale, step, dtype):
    values = np.unique(make(scale=scale, step=step)["X"].data)
    assert values.dtype == dtype and values.tolist() == np.arange(scale[0], scale[1] + step, step).tolist()


def test_variance_is_divided_as_stated():
    fine = {"scale": (-1e4, 1e4), "step": 1 / 64, "mean": 0.0, "sd": 100.0}
    X = make(users=4000, items=3000, ratings=2_000_000, **fine)["X"].astype(np.float64)
    total = sum(share**2 for share in ratings_standin.SHARES.values())
    assert X.data.std() == pytest.approx(100 * total**0.5, rel=0.05)
    counts = np.bincount(X.indices, minlength=3000)
    of_item = X.sum(axis=0).A1 / np.maximum(counts, 1)
    assert of_item[counts > 500].std() == pytest.approx(50, rel=0.1)


WRONG = [{"ratings": 2999}, {"ratings": 3_000_001}, {"held_out": 200_000}, {"shape": (2999, 2000)}]


@pytest.mark.parametrize("params", WRONG, ids=str)
def test_impossible_sizes(params):
    with pytest.raises(DataError, match="do not fit" + " into a shape" * ("shape" in params)):
        make(**params)


def test_memory_is_the_result_and_what_users_and_items_need():
    make()
    _, peak = peak_of(lambda: make(ratings=2_000_000))
    assert peak < 2_000_000 * 5 + 5000 * 300 + ratings_standin.CHUNK * 24


@pytest.mark.parametrize(
    "name", ["movielens-mini", "movielens-10m-tenth", "netflix-prize-hundredth", "yahoo-r1-hundredth-never"]
)
def test_rows_of_the_catalog(tmp_path, name):
    dataset = catalog.load()[name]
    X, marks, digest = prepare.make(dataset, tmp_path)
    wanted = dataset.fingerprint
    assert list(X.shape) == wanted.shape and X.nnz == wanted.nnz
    assert (0 if marks is None else marks.sum()) == (wanted.held_out or 0)
    assert digest == prepare.make(dataset, tmp_path)[2] and not list(tmp_path.iterdir())


def test_official_rows_have_a_stand_in_of_their_size():
    rows = catalog.load()
    for row in (rows["movielens-10m-split"], rows["netflix-prize"], rows["kdd-cup-2011"]):
        params = row.stand_in.params
        assert list(params.get("shape", (params["users"], params["items"]))) == row.fingerprint.shape
        assert params["ratings"] == row.fingerprint.nnz
        assert params["held_out"] == row.fingerprint.held_out
