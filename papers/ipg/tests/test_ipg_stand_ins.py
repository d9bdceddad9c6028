"""Shapes and laws of the stand-ins."""

import numpy as np
import pytest
from generated import check_seeds

from referee.data import generators, prepare


def rng(seed=0):
    return np.random.default_rng(seed)


def test_cardiac_has_groups_and_outliers():
    found = generators.generate("cardiac", rng(3), paper="ipg")
    X, y = found["X"].astype(float), found["y"]
    assert X.shape == (3360, 800)
    correlation = np.corrcoef(X[:, :40].T)
    assert correlation[0, 1:20].mean() == pytest.approx(0.9, abs=0.02)
    assert correlation[0, 20:40].mean() == pytest.approx(0.72, abs=0.03)
    residual = y - X @ np.linalg.lstsq(X, y, rcond=None)[0]
    assert 0.02 < np.mean(np.abs(residual) > 2.5 * np.median(np.abs(residual)) / 0.6745) < 0.15


def test_song_years_follow_published_fits():
    found = generators.generate("song_years", rng(4), paper="ipg", rows=30_000)
    X, y = found["X"].astype(float), found["y"]
    assert X.shape == (30_000, 90) and y.min() >= 1922 and y.max() <= 2011 and (y == np.rint(y)).all()
    np.testing.assert_allclose(X.std(axis=0), 1, atol=1e-3)
    fit = np.linalg.lstsq(np.column_stack([X, np.ones(len(X))]), y, rcond=None)[0]
    r2 = 1 - np.var(y - np.column_stack([X, np.ones(len(X))]) @ fit) / np.var(y)
    assert r2 == pytest.approx(0.24, abs=0.04)
    s = np.linalg.svd(X, compute_uv=False)
    assert s[0] / s[-1] > 5 and np.mean((y - y.mean()) ** 3) < 0


def test_gas_sensors_and_turned_objects():
    gas = generators.generate("gas_sensors", rng(5), paper="ipg")
    assert gas["X"].shape == (1000, 128) and np.bincount(gas["y"])[1:].min() >= 166
    images = generators.generate("turned_objects", rng(6), paper="ipg", views=8, side=16)
    assert images["X"].shape == (160, 256) and images["X"].min() >= 0 and images["X"].max() <= 1
    first = images["X"][:8]
    near, far = np.sum((first[0] - first[1]) ** 2), np.sum((images["X"][0] - images["X"][8]) ** 2)
    assert 0 < near < 10 * far and np.bincount(images["y"])[1:].tolist() == [8] * 20


def test_trust_graph_counts():
    X = generators.generate("trust_graph", rng(7), paper="ipg", nodes=300, edges=3000, loops=5)["X"]
    assert X.shape == (300, 300) and X.nnz == 3000 and X.diagonal().astype(bool).sum() == 5
    assert np.mean(X.data == 1) == pytest.approx(0.853, abs=0.002)
    degree = np.sort(np.diff(X.indptr))
    assert degree[-30:].sum() > 0.3 * 3000


@pytest.mark.parametrize(
    "name", ["cardiac-mini", "coil20-mini", "soc-sign-epinions-mini", "soc-epinions1-mini", "gas-drift-mini"]
)
def test_mini_stand_ins_are_prepared_alike_each_time(name, tmp_path):
    first = prepare.prepare(name, tmp_path / "a.h5", offline=True)
    second = prepare.prepare(name, tmp_path / "b.h5", offline=True)
    assert first["sha256"] == second["sha256"] and first["stand_in"]
    assert (tmp_path / "a.h5").read_bytes() == (tmp_path / "b.h5").read_bytes()


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("song_years", {"rows": 50}),
        ("cardiac", {"rows": 30, "groups": 10, "size": 2}),
        ("gas_sensors", {"rows": 20}),
        ("turned_objects", {"views": 3, "side": 8}),
    ],
)
def test_same_seed_same_arrays_other_seed_others(name, params):
    check_seeds(name, params)
