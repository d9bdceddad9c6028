"""Sums of atoms against the dense recursion, and their exact continuation."""

import numpy as np
import pytest

from projfree.linalg.atoms import Atom, inner, toward
from projfree.linalg.sampled import ObservedAtoms, Pattern, SparseOnPattern


def unit(rng, n):
    v = rng.standard_normal(n)
    return v / np.linalg.norm(v)


def make_pattern(rng, m=14, n=11, count=60):
    flat = rng.choice(m * n, count, replace=False)
    return Pattern(flat // n, flat % n, (m, n))


def run(x, rng, steps, dense=None):
    """Frank-Wolfe like steps on x and, where given, on a dense matrix."""
    for _ in range(steps):
        atom, gamma = Atom(unit(rng, x.shape[0]), unit(rng, x.shape[1]), -3.0), rng.random()
        assert toward(x, atom, gamma) is x
        if dense is not None:
            dense[...] = (1 - gamma) * dense + gamma * atom.toarray()
    return x


def test_equals_the_dense_recursion():
    rng = np.random.default_rng(0)
    x, dense = ObservedAtoms(make_pattern(rng)), np.zeros((14, 11))
    assert np.array_equal(x.toarray(), dense) and x.nuclear_norm() == 0.0
    for _ in range(10):
        run(x, rng, 5, dense)
        np.testing.assert_allclose(x.toarray(), dense, rtol=0, atol=1e-13)
        np.testing.assert_allclose(x.values, dense[x.pattern.rows, x.pattern.cols], rtol=0, atol=1e-13)
        assert x.nuclear_norm() == pytest.approx(np.linalg.norm(dense, "nuc"))
    U, w, V = x.factors()
    assert U.shape == (14, 50) and w.shape == (50,) and V.shape == (11, 50)
    np.testing.assert_allclose((U * w) @ V.T, dense, rtol=0, atol=1e-13)


def test_nuclear_norm_while_the_factors_are_thin():
    rng = np.random.default_rng(1)
    x = run(ObservedAtoms(make_pattern(rng)), rng, 3)
    assert x.nuclear_norm() == pytest.approx(np.linalg.norm(x.toarray(), "nuc"))


def test_a_full_step_leaves_one_atom():
    rng = np.random.default_rng(2)
    x = run(ObservedAtoms(make_pattern(rng)), rng, 20)
    atom = Atom(unit(rng, 14), unit(rng, 11), 2.0)
    x.toward(atom, 1.0)
    assert len(x.factors()[1]) == 1
    np.testing.assert_allclose(x.toarray(), atom.toarray(), rtol=0, atol=1e-15)
    np.testing.assert_allclose(x.values, atom.toarray()[x.pattern.rows, x.pattern.cols], atol=1e-15)


def test_a_step_of_zero_changes_nothing():
    rng = np.random.default_rng(3)
    x = run(ObservedAtoms(make_pattern(rng)), rng, 4)
    before = x.toarray()
    x.toward(Atom(unit(rng, 14), unit(rng, 11), 2.0), 0.0)
    assert len(x.factors()[1]) == 4 and np.array_equal(x.toarray(), before)


@pytest.mark.parametrize("gamma", [-0.1, 1.1, np.nan])
def test_steps_outside_the_segment_are_refused(gamma):
    rng = np.random.default_rng(4)
    with pytest.raises(ValueError, match="outside"):
        ObservedAtoms(make_pattern(rng)).toward(Atom(unit(rng, 14), unit(rng, 11), 2.0), gamma)


def test_the_common_factor_does_not_underflow():
    rng = np.random.default_rng(5)
    x, dense = ObservedAtoms(make_pattern(rng)), np.zeros((14, 11))
    for _ in range(400):
        atom = Atom(unit(rng, 14), unit(rng, 11), 1.0)
        toward(x, atom, 0.99)
        dense = 0.01 * dense + 0.99 * atom.toarray()
    np.testing.assert_allclose(x.toarray(), dense, rtol=0, atol=1e-14)
    assert np.isfinite(x.factors()[1]).all()


@pytest.mark.parametrize("steps_before", [0, 1, 7, 8, 9, 33])
def test_round_trip_continues_bit_by_bit(steps_before):
    rng = np.random.default_rng(6)
    x = run(ObservedAtoms(make_pattern(rng)), rng, steps_before)
    stored = x.to_arrays()
    assert all(isinstance(a, np.ndarray) for a in stored.values())
    back = ObservedAtoms.from_arrays(x.pattern, stored)
    state = rng.bit_generator.state
    run(x, rng, 30)
    rng.bit_generator.state = state
    run(back, rng, 30)
    for key, array in x.to_arrays().items():
        assert np.array_equal(array, back.to_arrays()[key]), key
    assert np.array_equal(x.toarray(), back.toarray())


def test_foreign_values_are_refused():
    rng = np.random.default_rng(8)
    x = run(ObservedAtoms(make_pattern(rng)), rng, 5)
    with pytest.raises(ValueError, match="stored values"):
        ObservedAtoms.from_arrays(make_pattern(rng, count=59), x.to_arrays())


def test_inner_products_and_products():
    rng = np.random.default_rng(9)
    x = run(ObservedAtoms(make_pattern(rng)), rng, 6)
    y = run(ObservedAtoms(x.pattern), rng, 4)
    G = SparseOnPattern(x.pattern, rng.standard_normal(60))
    atom, X = Atom(unit(rng, 14), unit(rng, 11), -2.0), rng.standard_normal((14, 11))
    for other in (X, G, atom, y):
        full = other if isinstance(other, np.ndarray) else other.toarray()
        assert inner(x, other) == pytest.approx(np.sum(x.toarray() * full), abs=1e-12)
        assert inner(other, x) == pytest.approx(np.sum(x.toarray() * full), abs=1e-12)
    v, u = rng.standard_normal(11), rng.standard_normal(14)
    np.testing.assert_allclose(x.matvec(v), x.toarray() @ v, atol=1e-13)
    np.testing.assert_allclose(x.rmatvec(u), x.toarray().T @ u, atol=1e-13)
