"""Sums of atoms, and arrays with their observed entries, against the dense recursion; their continuation."""

import numpy as np
import pytest

from projfree.linalg.atoms import Atom, inner, toward
from projfree.linalg.observed import ObservedArray, ObservedAtoms
from projfree.linalg.sampled import Pattern, SparseOnPattern, difference, gather, snapshot, sq_distance

SHAPE = (14, 11)
both = pytest.mark.parametrize("kind", [ObservedArray, ObservedAtoms])


def make_pattern(rng, count=60):
    flat = rng.choice(SHAPE[0] * SHAPE[1], count, replace=False)
    return Pattern(flat // SHAPE[1], flat % SHAPE[1], SHAPE)


def make_atom(rng, scale=-3.0):
    u, v = (rng.standard_normal(side) for side in SHAPE)
    return Atom(u / np.linalg.norm(u), v / np.linalg.norm(v), scale)


def run(x, rng, steps, dense=None):
    """Frank-Wolfe like steps on x and, where given, on a dense matrix."""
    for _ in range(steps):
        atom, gamma = make_atom(rng), rng.random()
        assert toward(x, atom, gamma) is x
        if dense is not None:
            dense[...] = (1 - gamma) * dense + gamma * atom.toarray()
    return x


def made(seed, steps, kind=ObservedAtoms):
    """A generator, and an iterate after some steps."""
    rng = np.random.default_rng(seed)
    return rng, run(kind(make_pattern(rng)), rng, steps)


def test_a_sum_of_atoms_equals_the_dense_recursion():
    (rng, x), dense = made(0, 0), np.zeros(SHAPE)
    assert np.array_equal(x.toarray(), dense) and x.nuclear_norm() == 0.0
    for number in range(1, 51):
        run(x, rng, 1, dense)
        if number == 3 or number % 5 == 0:  # while the factors are thin, and later
            np.testing.assert_allclose(x.toarray(), dense, rtol=0, atol=1e-13)
            np.testing.assert_allclose(x.values, dense[x.pattern.rows, x.pattern.cols], rtol=0, atol=1e-13)
            assert x.nuclear_norm() == pytest.approx(np.linalg.norm(dense, "nuc"))
    U, w, V = x.factors()
    assert U.shape == (14, 50) and w.shape == (50,) and V.shape == (11, 50)
    np.testing.assert_allclose((U * w) @ V.T, dense, rtol=0, atol=1e-13)


def test_steps_at_the_ends_of_the_segment_and_outside():
    rng, x = made(2, 20)
    before, atom = x.toarray(), make_atom(rng, 2.0)
    x.toward(make_atom(rng, 2.0), 0.0)
    assert len(x.factors()[1]) == 20 and np.array_equal(x.toarray(), before)
    for gamma in (-0.1, 1.1, np.nan):
        with pytest.raises(ValueError, match="outside"):
            x.toward(atom, gamma)
    x.toward(atom, 1.0)
    assert len(x.factors()[1]) == 1
    np.testing.assert_allclose(x.toarray(), atom.toarray(), rtol=0, atol=1e-15)
    np.testing.assert_allclose(x.values, atom.toarray()[x.pattern.rows, x.pattern.cols], atol=1e-15)


def test_the_common_factor_does_not_underflow():
    (rng, x), dense = made(5, 0), np.zeros(SHAPE)
    for _ in range(400):
        atom = make_atom(rng, 1.0)
        toward(x, atom, 0.99)
        dense = 0.01 * dense + 0.99 * atom.toarray()
    np.testing.assert_allclose(x.toarray(), dense, rtol=0, atol=1e-14)
    assert np.isfinite(x.factors()[1]).all()


def test_values_of_an_array_are_its_entries_bit_by_bit_after_any_number_of_steps():
    """So that a gradient at the iterate and one at its array are the same numbers."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal(SHAPE)
    x, dense = ObservedArray(make_pattern(rng), X), X.copy()
    assert x.toarray() is X and x.shape == SHAPE and not ObservedArray(x.pattern).toarray().any()
    for _ in range(300):
        atom, gamma = make_atom(rng), rng.random()
        toward(x, atom, gamma)
        toward(dense, atom, gamma)
        np.testing.assert_array_equal(x.values, gather(x.pattern, x.array))
        np.testing.assert_array_equal(x.array, dense)


@both
@pytest.mark.parametrize("steps", [0, 1, 7, 8, 9, 33])
def test_round_trip_continues_bit_by_bit(kind, steps):
    rng, x = made(6, steps, kind)
    back, copy, state = kind.from_arrays(x.pattern, x.to_arrays()), x.copy(), rng.bit_generator.state
    run(x, rng, 30)
    for other in (back, copy):
        assert (other.values != x.values).any() and (other.toarray() != x.toarray()).any(), "no shared memory"
        rng.bit_generator.state = state
        run(other, rng, 30)
        for key, array in x.to_arrays().items():
            assert np.array_equal(array, other.to_arrays()[key]), key
        assert np.array_equal(x.toarray(), other.toarray())


@both
def test_norms_and_products(kind):
    rng, x = made(9, 6, kind)
    G, X = SparseOnPattern(x.pattern, rng.standard_normal(60)), rng.standard_normal(SHAPE)
    others = [X, G, make_atom(rng, -2.0)] + [run(kind(x.pattern), rng, 4)] * (kind is ObservedAtoms)
    for other in others:
        full = other if isinstance(other, np.ndarray) else other.toarray()
        assert inner(x, other) == pytest.approx(np.sum(x.toarray() * full), abs=1e-12)
        assert inner(other, x) == pytest.approx(np.sum(x.toarray() * full), abs=1e-12)
    v, u = rng.standard_normal(11), rng.standard_normal(14)
    np.testing.assert_allclose(x.matvec(v), x.toarray() @ v, atol=1e-13)
    np.testing.assert_allclose(x.rmatvec(u), x.toarray().T @ u, atol=1e-13)
    assert x.nuclear_norm() == pytest.approx(np.linalg.norm(x.toarray(), "nuc"))


@both
def test_what_does_not_fit_is_refused(kind):
    rng, x = made(8, 5, kind)
    with pytest.raises(ValueError, match="shape"):
        toward(x, Atom(np.eye(11)[0], np.eye(14)[0], 1.0), 0.5)
    if kind is ObservedAtoms:
        with pytest.raises(ValueError, match="stored values"):
            kind.from_arrays(make_pattern(rng, count=59), x.to_arrays())


def iterates(rng, pattern):
    """The same point in all kinds."""
    atoms = run(ObservedAtoms(pattern), rng, 4)
    return atoms.toarray(), ObservedArray(pattern, atoms.toarray()), atoms


def test_snapshots_stay_and_differences_are_those_of_the_entries():
    rng = np.random.default_rng(5)
    pattern, atom = make_pattern(rng), make_atom(rng)
    before = ObservedAtoms(pattern)
    for x in iterates(rng, pattern):
        entries = x.copy() if isinstance(x, np.ndarray) else x.values.copy()
        point = snapshot(x)
        toward(x, atom, 0.3)
        old, new = (a if isinstance(a, np.ndarray) else a.values for a in (point, x))
        np.testing.assert_array_equal(old, entries)
        move = difference(x, point)
        assert type(move) is (np.ndarray if isinstance(x, np.ndarray) else SparseOnPattern)
        np.testing.assert_array_equal(getattr(move, "values", move), new - entries)
    assert difference(before, snapshot(before)).any() is False


def test_sq_distance_is_over_what_the_kind_sees():
    rng = np.random.default_rng(6)
    pattern, atom = make_pattern(rng), make_atom(rng)
    array, *observed = iterates(rng, pattern)
    gap = atom.toarray() - array
    for other in (atom, atom.toarray()):
        assert sq_distance(array, other) == pytest.approx(np.sum(gap**2))
    for x in observed:
        assert sq_distance(x, atom) == pytest.approx(np.sum(gap[pattern.rows, pattern.cols] ** 2))
