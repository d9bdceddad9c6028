"""Generators of ipg: links and regression problems."""

import numpy as np
import pytest
from generated import check_seeds, rng
from scipy import sparse

from referee.data import generators
from referee.data.errors import DataError


def graph(*edges, n=6):
    rows, cols, signs = np.array(edges).T
    return {"X": sparse.csr_matrix((signs, (rows, cols)), shape=(n, n)), "attrs": {}}


SMALL = graph((0, 1, 1), (1, 0, -1), (2, 2, 1), (4, 1, 1), (5, 0, -1))


def links(source=SMALL, seed=0, **params):
    return generators.generate("links", rng(seed), paper="ipg", source=source, **params)


def entries(found, prefix=""):
    return sorted(zip(*(found[prefix + key].tolist() for key in ("rows", "cols", "values")), strict=True))


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
    source = generators.generate("trust_graph", rng(1), paper="ipg", nodes=60, edges=500, positive=1) | {
        "attrs": {}
    }
    found = links(source, non_links=1.0, compress=False)
    pairs = set(zip(found["rows"].tolist(), found["cols"].tolist(), strict=True))
    assert len(pairs) == 1000 and (found["values"] == -1).sum() == 500
    assert all(u != v for u, v in pairs)
    known = source["X"].toarray() != 0
    np.testing.assert_array_equal(known[found["rows"], found["cols"]], found["values"] == 1)
    other = links(source, seed=2, non_links=1.0, compress=False)
    assert not np.array_equal(other["rows"], found["rows"])
    with pytest.raises(DataError, match="more than there are"):
        links(source, non_links=9.0)


def test_held_out_links_share_nothing_with_the_known():
    source = generators.generate("trust_graph", rng(1), paper="ipg", nodes=60, edges=500) | {"attrs": {}}
    found = links(source, held_out=0.2)
    known, tested = (
        set(zip(found[p + "rows"].tolist(), found[p + "cols"].tolist(), strict=True)) for p in ("", "test_")
    )
    assert not known & tested and len(known) == 400 and 80 <= len(tested) <= 100
    assert set(found["test_rows"].tolist()) <= set(found["rows"].tolist())
    assert set(found["test_cols"].tolist()) <= set(found["cols"].tolist())


def test_nodes_of_highest_degree():
    source = graph((0, 1, 1), (1, 2, 1), (2, 1, 1), (1, 0, 1), (4, 5, 1))
    assert entries(links(source, nodes=3)) == [(0, 1, 1), (1, 0, 1), (1, 2, 1), (2, 1, 1)]


def table(X, y, stand_in=False):
    return {"X": np.asarray(X, dtype=np.float32), "y": np.asarray(y), "attrs": {"stand_in": stand_in}}


def test_standardised_regression_drops_constant_columns():
    X = rng().standard_normal((50, 4)) * [1, 5, 0, 2] + [0, 3, 7, -1]
    with pytest.warns(UserWarning, match="1 constant columns"):
        found = generators.generate("regression", rng(), paper="ipg", source=table(X, X[:, 0]))
    assert found["features"].shape == (50, 3) and found["features"].flags.c_contiguous
    np.testing.assert_allclose(found["features"].mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(found["features"].std(axis=0), 1, rtol=1e-12)
    assert found["targets"].mean() == pytest.approx(0, abs=1e-12)
    assert found["targets"].std() == pytest.approx(1)


def test_other_scalings_and_targets():
    X, y = rng().standard_normal((30, 4)) + 2, np.repeat([1, 2, 3], 10)
    raw = generators.generate(
        "regression", rng(), paper="ipg", source=table(X, y), scaling="raw", target="one_against_rest"
    )
    np.testing.assert_allclose(raw["features"], X, rtol=1e-6)
    assert raw["targets"].tolist() == [1.0] * 10 + [-1.0] * 20
    unit = generators.generate("regression", rng(), paper="ipg", source=table(X, y), scaling="unit")
    np.testing.assert_allclose(np.linalg.norm(unit["features"], axis=0), 1)
    median = generators.generate("regression", rng(), paper="ipg", source=table(X, y), scaling="median")
    assert np.median(median["targets"]) == 0 and np.median(np.abs(median["targets"])) == 1
    for bad in ({"scaling": "none"}, {"target": "none"}, {"pool": 3}):
        with pytest.raises(DataError if "pool" in bad else ValueError):
            generators.generate("regression", rng(), paper="ipg", source=table(X, y), **bad)


def test_fewer_rows_and_pooled_images():
    X = np.tile(np.arange(16.0), (8, 1)) + rng().standard_normal((8, 16))
    found = generators.generate(
        "regression",
        rng(),
        paper="ipg",
        source=table(X, np.arange(8)),
        pool=2,
        every=2,
        rows=3,
        scaling="raw",
    )
    image = X[2].reshape(4, 4)
    assert found["features"].shape == (3, 4) and found["targets"].tolist() == [0, 2, 4]
    np.testing.assert_allclose(found["features"][1, 1], image[:2, 2:].mean(), rtol=1e-5)


def test_a_stand_in_is_drawn_anew_for_each_seed_and_real_data_are_not():
    redraw = {"generator": "cardiac", "params": {"rows": 60, "groups": 10, "size": 2}}
    fake = table(np.zeros((60, 20)), np.zeros(60), stand_in=True)
    a, b = (
        generators.generate("regression", rng(s), paper="ipg", source=fake, redraw=redraw)["targets"]
        for s in (0, 1)
    )
    assert not np.array_equal(a, b)
    X = rng().standard_normal((9, 2))
    kept = generators.generate(
        "regression", rng(), paper="ipg", source=table(X, X[:, 0]), redraw=redraw, scaling="raw"
    )
    np.testing.assert_allclose(kept["features"], X, rtol=1e-6)


REDRAW = {"generator": "cardiac", "params": {"rows": 30, "groups": 10, "size": 2}}
GRAPH = {"X": sparse.csr_matrix(np.eye(20, k=1) - np.eye(20, k=-2))}
CASES = [("outlier_regression", {}), ("links", {"source": GRAPH, "non_links": 1.0})]
CASES += [("regression", {"source": {"attrs": {"stand_in": True}}, "redraw": REDRAW})]


@pytest.mark.parametrize(("name", "params"), CASES)
def test_same_seed_same_arrays_other_seed_others(name, params):
    check_seeds(name, params)
