"""Generators of ipg: links, regression problems, and the shapes and laws of the stand-ins."""

import numpy as np
import pytest
from generated import check_seeds, make, rng
from scipy import sparse

from referee.data import prepare
from referee.data.errors import DataError


def graph(*edges, n=6):
    rows, cols, signs = np.array(edges).T
    return {"X": sparse.csr_matrix((signs, (rows, cols)), shape=(n, n)), "attrs": {}}


SMALL = graph((0, 1, 1), (1, 0, -1), (2, 2, 1), (4, 1, 1), (5, 0, -1))


def links(source=SMALL, seed=0, **params):
    return make("links", seed, source=source, **params)


def entries(found, prefix=""):
    return sorted(zip(*(found[prefix + key].tolist() for key in ("rows", "cols", "values")), strict=True))


def pairs(found, prefix=""):
    return set(zip(found[prefix + "rows"].tolist(), found[prefix + "cols"].tolist(), strict=True))


def trust(**params):
    return make("trust_graph", 1, nodes=60, edges=500, **params) | {"attrs": {}}


def test_links_without_loops_and_empty_rows():
    found = links()
    assert found["shape"].tolist() == [4, 2]
    assert entries(found) == [(0, 1, 1), (1, 0, -1), (2, 1, 1), (3, 0, -1)]


def test_links_as_they_are():
    found = links(self_loops="keep", compress=False)
    assert found["shape"].tolist() == [6, 6]
    assert entries(found) == [(0, 1, 1), (1, 0, -1), (2, 2, 1), (4, 1, 1), (5, 0, -1)]
    with pytest.raises(DataError, match="1 self-loops, the first at node 2"):
        links(self_loops="refuse")
    with pytest.raises(ValueError, match="Known are: drop, keep, refuse"):
        links(self_loops="no")


def test_symmetric_links():
    found = links(graph((0, 1, 1), (1, 2, -1), (2, 1, -1)), symmetric=True, compress=False)
    assert entries(found) == [(0, 1, 1), (1, 0, 1), (1, 2, -1), (2, 1, -1)]
    with pytest.raises(DataError, match="opposite signs"):
        links(symmetric=True)


def test_sampled_non_links():
    source = trust(positive=1)
    found = links(source, non_links=1.0, compress=False)
    assert len(pairs(found)) == 1000 and (found["values"] == -1).sum() == 500
    assert all(u != v for u, v in pairs(found))
    known = source["X"].toarray() != 0
    np.testing.assert_array_equal(known[found["rows"], found["cols"]], found["values"] == 1)
    with pytest.raises(DataError, match="more than there are"):
        links(source, non_links=9.0)


def test_held_out_links_share_nothing_with_the_known():
    found = links(trust(), held_out=0.2)
    known, tested = pairs(found), pairs(found, "test_")
    assert not known & tested and len(known) == 400 and 80 <= len(tested) <= 100
    for part in ("rows", "cols"):
        assert set(found[f"test_{part}"].tolist()) <= set(found[part].tolist())


def test_nodes_of_highest_degree():
    source = graph((0, 1, 1), (1, 2, 1), (2, 1, 1), (1, 0, 1), (4, 5, 1))
    assert entries(links(source, nodes=3)) == [(0, 1, 1), (1, 0, 1), (1, 2, 1), (2, 1, 1)]


def regression(X, y, **params):
    source = {"X": np.asarray(X, dtype=np.float32), "y": np.asarray(y), "attrs": {"stand_in": False}}
    return make("regression", source=source, **params)


def test_standardised_regression_drops_constant_columns():
    X = rng().standard_normal((50, 4)) * [1, 5, 0, 2] + [0, 3, 7, -1]
    with pytest.warns(UserWarning, match="1 constant columns"):
        found = regression(X, X[:, 0])
    assert found["features"].shape == (50, 3) and found["features"].flags.c_contiguous
    np.testing.assert_allclose(found["features"].mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(found["features"].std(axis=0), 1, rtol=1e-12)
    assert found["targets"].mean() == pytest.approx(0, abs=1e-12)
    assert found["targets"].std() == pytest.approx(1)


def test_other_scalings_and_targets():
    X, y = rng().standard_normal((30, 4)) + 2, np.repeat([1, 2, 3], 10)
    raw = regression(X, y, scaling="raw", target="one_against_rest")
    np.testing.assert_allclose(raw["features"], X, rtol=1e-6)
    assert raw["targets"].tolist() == [1.0] * 10 + [-1.0] * 20
    unit, median = (regression(X, y, scaling=scaling) for scaling in ("unit", "median"))
    np.testing.assert_allclose(np.linalg.norm(unit["features"], axis=0), 1)
    assert np.median(median["targets"]) == 0 and np.median(np.abs(median["targets"])) == 1
    for bad in ({"scaling": "none"}, {"target": "none"}, {"pool": 3}):
        with pytest.raises(DataError if "pool" in bad else ValueError):
            regression(X, y, **bad)


def test_fewer_rows_and_pooled_images():
    X = np.tile(np.arange(16.0), (8, 1)) + rng().standard_normal((8, 16))
    found = regression(X, np.arange(8), pool=2, every=2, rows=3, scaling="raw")
    image = X[2].reshape(4, 4)
    assert found["features"].shape == (3, 4) and found["targets"].tolist() == [0, 2, 4]
    np.testing.assert_allclose(found["features"][1, 1], image[:2, 2:].mean(), rtol=1e-5)


REDRAW = {"generator": "cardiac", "params": {"rows": 30, "groups": 10, "size": 2}}


def test_real_data_are_not_drawn_anew_for_each_seed():
    """A stand-in is: below."""
    X = rng().standard_normal((9, 2))
    kept = regression(X, X[:, 0], redraw=REDRAW, scaling="raw")
    np.testing.assert_allclose(kept["features"], X, rtol=1e-6)


def test_cardiac_has_groups_and_outliers():
    found = make("cardiac", 3)
    X, y = found["X"].astype(float), found["y"]
    assert X.shape == (3360, 800)
    correlation = np.corrcoef(X[:, :40].T)
    assert correlation[0, 1:20].mean() == pytest.approx(0.9, abs=0.02)
    assert correlation[0, 20:40].mean() == pytest.approx(0.72, abs=0.03)
    residual = y - X @ np.linalg.lstsq(X, y, rcond=None)[0]
    assert 0.02 < np.mean(np.abs(residual) > 2.5 * np.median(np.abs(residual)) / 0.6745) < 0.15


def test_song_years_follow_published_fits():
    found = make("song_years", 4, rows=30_000)
    X, y = found["X"].astype(float), found["y"]
    assert X.shape == (30_000, 90) and y.min() >= 1922 and y.max() <= 2011 and (y == np.rint(y)).all()
    np.testing.assert_allclose(X.std(axis=0), 1, atol=1e-3)
    A = np.column_stack([X, np.ones(len(X))])
    r2 = 1 - np.var(y - A @ np.linalg.lstsq(A, y, rcond=None)[0]) / np.var(y)
    assert r2 == pytest.approx(0.24, abs=0.04)
    s = np.linalg.svd(X, compute_uv=False)
    assert s[0] / s[-1] > 5 and np.mean((y - y.mean()) ** 3) < 0


def test_gas_sensors_and_turned_objects():
    gas = make("gas_sensors", 5)
    assert gas["X"].shape == (1000, 128) and np.bincount(gas["y"])[1:].min() >= 166
    images = make("turned_objects", 6, views=8, side=16)
    assert images["X"].shape == (160, 256) and images["X"].min() >= 0 and images["X"].max() <= 1
    first = images["X"][:8]
    near, far = np.sum((first[0] - first[1]) ** 2), np.sum((images["X"][0] - images["X"][8]) ** 2)
    assert 0 < near < 10 * far and np.bincount(images["y"])[1:].tolist() == [8] * 20


def test_trust_graph_counts():
    X = make("trust_graph", 7, nodes=300, edges=3000, loops=5)["X"]
    assert X.shape == (300, 300) and X.nnz == 3000 and X.diagonal().astype(bool).sum() == 5
    assert np.mean(X.data == 1) == pytest.approx(0.853, abs=0.002)
    degree = np.sort(np.diff(X.indptr))
    assert degree[-30:].sum() > 0.3 * 3000


MINI = [f"{name}-mini" for name in ("cardiac", "coil20", "soc-sign-epinions", "soc-epinions1", "gas-drift")]


@pytest.mark.parametrize("name", MINI)
def test_mini_stand_ins_are_prepared_alike_each_time(name, tmp_path):
    first = prepare.prepare(name, tmp_path / "a.h5", offline=True)
    second = prepare.prepare(name, tmp_path / "b.h5", offline=True)
    assert first["sha256"] == second["sha256"] and first["stand_in"]
    assert (tmp_path / "a.h5").read_bytes() == (tmp_path / "b.h5").read_bytes()


GRAPH = {"X": sparse.csr_matrix(np.eye(20, k=1) - np.eye(20, k=-2))}
CASES = [("outlier_regression", {}), ("links", {"source": GRAPH, "non_links": 1.0})]
CASES += [("regression", {"source": {"attrs": {"stand_in": True}}, "redraw": REDRAW})]
CASES += [("song_years", {"rows": 50}), ("cardiac", REDRAW["params"]), ("gas_sensors", {"rows": 20})]
CASES += [("turned_objects", {"views": 3, "side": 8})]


@pytest.mark.parametrize(("name", "params"), CASES)
def test_same_seed_same_arrays_other_seed_others(name, params):
    check_seeds(name, params)
