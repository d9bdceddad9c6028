"""Sets whose atoms have few non-zeros, on sparse gradients and points: the answers to dense ones."""

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

from projfree import sets
from projfree.sets import _products

N = 30
SETS = {
    "l1_ball": sets.L1Ball(1.5),
    "k_sparse": sets.KSparse(1.5, 4),
    "hypersimplex": sets.Hypersimplex(1.5, 4),
    "unit_hypersimplex": sets.UnitHypersimplex(1.5, 4),
    "k_support_ball": sets.KSupportBall(1.5, 4),
    "convex_hull": sets.ConvexHull(sparse.random_array((12, N), density=0.1, rng=0)),
}
PERMUTED = [name for name in SETS if name != "convex_hull"]
FORMS = {
    "vector": sparse.coo_array,
    "row": lambda x: sparse.csr_array(x[None]),
    "column": lambda x: sparse.csc_array(x[:, None]),
    "matrix of the old kind": lambda x: sparse.csr_matrix(x[None]),
    "whole numbers": lambda x: sparse.coo_array(np.rint(4 * x).astype(int)),
    "a table": lambda x: sparse.lil_array(x.reshape(5, 6)),
    "stored twice": lambda x: sparse.coo_array((np.r_[x, x] / 2, (np.r_[np.arange(N), np.arange(N)],)), (N,)),
}


def vectors(count):
    """Of all densities, with ties and none at all."""
    rng = np.random.default_rng(0)
    for number in range(count):
        x = rng.standard_normal(N) * (rng.random(N) < rng.choice([0.0, 0.05, 0.2, 1.0]))
        yield np.rint(x) if number % 3 == 0 else x


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", SETS)
def test_a_sparse_gradient_has_the_same_minimum_and_a_sparse_atom_of_its_shape(name, form, long):
    feasible = SETS[name]
    for x in vectors(2000 if long else 40):
        G = FORMS[form](x)
        dense, v = G.toarray().ravel().astype(float), feasible.lmo(G)
        assert sparse.issparse(v) and v.shape == G.shape
        assert v.nnz <= max(getattr(feasible, "k", 1), 10)
        flat = v.toarray().ravel()
        assert dense @ flat == pytest.approx(dense @ feasible.lmo(dense), rel=1e-13, abs=1e-13)
        assert feasible.contains(flat)
        assert feasible.support(G) == pytest.approx(feasible.support(dense), rel=1e-13, abs=1e-13)


@pytest.mark.parametrize("name", PERMUTED)
def test_a_gradient_that_no_memory_holds(name):
    """10¹² entries; among them are fewer that are not zero than an atom has."""
    places = np.array([5, 10**11, 10**12 - 1])
    G = sparse.coo_array((np.array([3.0, -4.0, 1.0]), (places,)), shape=(10**12,))
    v = SETS[name].lmo(G)
    assert v.shape == G.shape and set(v.coords[0]) & {5, 10**11}
    assert SETS[name].support(G) > 0 and SETS[name].contains(v)


def test_a_hull_of_sparse_points_in_many_dimensions():
    points = sparse.csr_array(([3.0, 4.0], ([0, 1], [5, 10**11])), shape=(2, 10**12))
    G = sparse.coo_array(([1.0, -1.0], ([0, 0], [5, 10**11])), shape=(1, 10**12))
    v = sets.ConvexHull(points).lmo(G)
    assert v.shape == G.shape and v.nnz == 1 and v.data[0] == 4 and sets.ConvexHull(points).support(G) == 3


def test_sparse_gradients_of_the_wrong_size():
    with pytest.raises(ValueError, match="k_sparse: k = 4 for points of 3 entries"):
        SETS["k_sparse"].lmo(sparse.coo_array(np.ones(3)))
    with pytest.raises(ValueError, match="convex_hull: G must have 30 entries, not 3"):
        SETS["convex_hull"].lmo(sparse.coo_array(np.ones(3)))
    with pytest.raises(ValueError, match="l1_ball: G must have at least one entry"):
        SETS["l1_ball"].lmo(sparse.coo_array((0, 3)))


def blocks(rng):
    """A symmetric block-diagonal matrix whose blocks are copies of few: all its eigenvalues are multiple."""
    side = int(rng.integers(2, 6))
    kinds = rng.standard_normal((int(rng.integers(1, 4)), side, side))
    chosen = kinds[rng.integers(len(kinds), size=int(rng.integers(160, 300)) // side + 1)]
    G = sparse.block_diag(list(chosen), format="csr")
    return G + G.T


@pytest.mark.parametrize("dense", [1000, 0])
def test_multiple_eigenvalues_are_all_counted(dense, monkeypatch, long):
    """ARPACK misses copies: the support is a bound all the same, by both ways, and the vertex has them."""
    monkeypatch.setattr(_products, "DENSE", dense)
    for seed in range(200 if long else 8):
        G = blocks(np.random.default_rng(seed))
        values = np.linalg.eigvalsh(G.toarray())
        for feasible, k in ((sets.Fantope(10), 10), (sets.Spectraplex(1.0), 1)):
            exact = values[-k:].sum()
            assert exact * (1 - 1e-14) <= feasible.support(G) <= exact * (1 + (1e-12 if dense else 1e-4))
            operator = aslinearoperator(G)
            assert exact * (1 - 1e-14) <= feasible.support(operator) <= exact * (1 + 1e-4)
            X = feasible.lmo(-G, tol=1e-6)
            assert np.sum(G.toarray() * (X if k > 1 else X.toarray())) >= exact * (1 - 1e-5)
