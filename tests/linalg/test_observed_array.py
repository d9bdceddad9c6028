"""Arrays with their observed entries beside them, and what components need of an iterate."""

import numpy as np
import pytest

from projfree.linalg.atoms import Atom, inner, toward
from projfree.linalg.sampled import (
    ObservedArray,
    ObservedAtoms,
    Pattern,
    SparseOnPattern,
    difference,
    gather,
    snapshot,
    sq_distance,
)

SHAPE = (14, 11)


def unit(rng, n):
    v = rng.standard_normal(n)
    return v / np.linalg.norm(v)


def make_pattern(rng, count=60):
    flat = rng.choice(SHAPE[0] * SHAPE[1], count, replace=False)
    return Pattern(flat // SHAPE[1], flat % SHAPE[1], SHAPE)


def make_atom(rng, scale=-3.0):
    return Atom(unit(rng, SHAPE[0]), unit(rng, SHAPE[1]), scale)


def walked(x, rng, steps):
    for _ in range(steps):
        assert toward(x, make_atom(rng), rng.random()) is x
    return x


def test_values_are_the_entries_bit_by_bit_after_any_number_of_steps():
    """So that a gradient at the iterate and one at its array are the same numbers."""
    rng = np.random.default_rng(0)
    x, dense = ObservedArray(make_pattern(rng)), np.zeros(SHAPE)
    assert not x.toarray().any() and not x.values.any()
    for _ in range(300):
        atom, gamma = make_atom(rng), rng.random()
        toward(x, atom, gamma)
        toward(dense, atom, gamma)
        np.testing.assert_array_equal(x.values, gather(x.pattern, x.array))
        np.testing.assert_array_equal(x.array, dense)


def test_it_starts_at_a_given_array():
    rng = np.random.default_rng(1)
    X = rng.standard_normal(SHAPE)
    x = ObservedArray(make_pattern(rng), X)
    assert x.toarray() is X and x.shape == SHAPE
    np.testing.assert_array_equal(x.values, gather(x.pattern, X))


def test_norms_and_products():
    rng = np.random.default_rng(2)
    x = walked(ObservedArray(make_pattern(rng)), rng, 7)
    v, u, X = rng.standard_normal(SHAPE[1]), rng.standard_normal(SHAPE[0]), x.toarray()
    np.testing.assert_allclose(x.matvec(v), X @ v, atol=1e-14)
    np.testing.assert_allclose(x.rmatvec(u), X.T @ u, atol=1e-14)
    assert x.nuclear_norm() == pytest.approx(np.linalg.norm(X, "nuc"))
    others = (rng.standard_normal(SHAPE), SparseOnPattern(x.pattern, rng.standard_normal(60)), make_atom(rng))
    for other in others:
        full = other if isinstance(other, np.ndarray) else other.toarray()
        assert inner(x, other) == pytest.approx(np.sum(X * full), abs=1e-12)
        assert inner(other, x) == pytest.approx(np.sum(X * full), abs=1e-12)


@pytest.mark.parametrize("kind", [ObservedArray, ObservedAtoms])
def test_round_trip_continues_bit_by_bit(kind):
    rng = np.random.default_rng(3)
    x = walked(kind(make_pattern(rng)), rng, 9)
    back, copy = kind.from_arrays(x.pattern, x.to_arrays()), x.copy()
    state = rng.bit_generator.state
    walked(x, rng, 20)
    for other in (back, copy):
        assert not np.array_equal(other.values, x.values), "it shares no memory"
        rng.bit_generator.state = state
        walked(other, rng, 20)
        np.testing.assert_array_equal(other.values, x.values)
        np.testing.assert_array_equal(other.toarray(), x.toarray())


@pytest.mark.parametrize("kind", [ObservedArray, ObservedAtoms])
def test_an_atom_of_another_shape_is_refused(kind):
    rng = np.random.default_rng(4)
    with pytest.raises(ValueError, match="shape"):
        toward(kind(make_pattern(rng)), Atom(unit(rng, 11), unit(rng, 14), 1.0), 0.5)


def iterates(rng, pattern):
    """The same point in all kinds."""
    atoms = walked(ObservedAtoms(pattern), rng, 4)
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
    assert sq_distance(array, atom) == pytest.approx(np.sum(gap**2))
    assert sq_distance(array, atom.toarray()) == pytest.approx(np.sum(gap**2))
    for x in observed:
        assert sq_distance(x, atom) == pytest.approx(np.sum(gap[pattern.rows, pattern.cols] ** 2))
