"""Atoms and the step towards one."""

import numpy as np
import pytest

from projfree.linalg.atoms import Atom, inner, toward


@pytest.fixture
def case():
    rng = np.random.default_rng(0)
    u, v = rng.standard_normal(9), rng.standard_normal(7)
    return rng, Atom(u / np.linalg.norm(u), v / np.linalg.norm(v), -4.0)


def test_an_atom_is_its_outer_product(case):
    rng, atom = case
    full = -4.0 * np.outer(atom.u, atom.v)
    G = rng.standard_normal((9, 7))
    np.testing.assert_allclose(atom.toarray(), full, atol=1e-15)
    assert atom.nuclear_norm() == pytest.approx(np.linalg.norm(full, "nuc"))
    assert atom.shape == (9, 7) and atom.sq_norm == pytest.approx(np.sum(full**2))
    assert inner(G, atom) == pytest.approx(np.sum(G * full))
    assert inner(atom, G) == pytest.approx(np.sum(G * full))
    other = Atom(G[:, 0], G[0], 2.0)
    assert inner(atom, other) == pytest.approx(np.sum(other.toarray() * full))
    assert inner(G, G) == pytest.approx(np.sum(G * G))


@pytest.mark.parametrize("gamma", [0.0, 0.25, 1.0])
def test_toward_an_atom_or_an_array_is_in_place(case, gamma):
    rng, atom = case
    before = rng.standard_normal((9, 7))
    expected = (1 - gamma) * before + gamma * atom.toarray()
    for v in (atom, atom.toarray()):
        X = before.copy()
        assert toward(X, v, gamma) is X
        np.testing.assert_allclose(X, expected, atol=1e-15)
    assert atom.add_to(X, gamma) is X
    np.testing.assert_allclose(X, expected + gamma * atom.toarray(), atol=1e-15)


def test_shapes_that_do_not_fit_are_errors(case):
    _, atom = case
    for X in (np.zeros((7, 9)), np.zeros((9, 8)), np.zeros(7)):
        for wrong in (lambda X=X: toward(X, atom, 0.5), lambda X=X: atom.add_to(X)):
            with pytest.raises(ValueError):
                wrong()
