"""The polar of the multi-view norm against brute force and CVXPY, and its factor penalty."""

import cvxpy as cp
import numpy as np
import pytest

from projfree.penalties.multi_view import Penalty
from projfree.penalties.polar import two_view


def made(G, n1, radii=(1.0, 1.0), **options):
    penalty = Penalty(1.0, (n1, len(G) - n1), radii, **options)
    return penalty, penalty.polar(G, rng=np.random.default_rng(0))


def semidefinite(G, n1, radii):
    """κ°(G) by (72): min μ₁ + μ₂, μ₁I₁ + μ₂I₂ ⪰ GGᵀ of the scaled G."""
    scaled = np.concatenate([radii[0] * G[:n1], radii[1] * G[n1:]])
    first, mu = np.diag((np.arange(len(G)) < n1).astype(float)), cp.Variable(2)
    above = mu[0] * first + mu[1] * (np.eye(len(G)) - first) - scaled @ scaled.T >> 0
    problem = cp.Problem(cp.Minimize(cp.sum(mu)), [above])
    problem.solve(solver="CLARABEL", tol_gap_abs=1e-10, tol_gap_rel=1e-10, tol_feas=1e-10)
    return np.sqrt(problem.value)


def tiny(kind, rng):
    n1, n2, m = rng.integers(1, 5), rng.integers(1, 5), rng.integers(1, 6)
    G = rng.standard_normal((n1 + n2, m))
    if kind == "signs":  # ties and repeated singular values, as slopes of the robust loss are
        G = np.sign(G)
    elif kind == "low-rank":
        G = rng.standard_normal((n1 + n2, 1)) @ rng.standard_normal((1, m))
    elif kind == "one-view":
        G[:n1] = 0.0
    elif kind == "one-column":
        G = G[:, :1]
    elif kind == "one-row":
        n1, G = 1, G[: 1 + n2]
    return G, n1


@pytest.mark.parametrize("kind", ["any", "signs", "low-rank", "one-view", "one-column", "one-row"])
def test_polar_is_the_optimum_of_the_semidefinite_program(kind):
    rng = np.random.default_rng(3)
    for radii in ((1.0, 1.0), (1.0, 5.0)):
        for _ in range(3):
            G, n1 = tiny(kind, rng)
            penalty, found = made(G, n1, radii)
            assert found.value == pytest.approx(semidefinite(G, n1, radii), rel=1e-6)
            assert found.value <= found.bound <= found.value * (1 + 1e-6)
            assert found.u @ G @ found.v == pytest.approx(found.value, rel=1e-9)
            assert penalty.column_norms(found.u[:, None])[0] == pytest.approx(1.0)
            assert np.linalg.norm(found.v) == pytest.approx(1.0)


def test_certified_bounds_close_on_three_hundred_random_gradients():
    rng = np.random.default_rng(7)
    uncertified = 0
    for trial in range(300):
        G, n1 = tiny(("any", "signs", "low-rank")[trial % 3], rng)
        _, found = made(G, n1, (1.0, 2.0))
        assert found.bound - found.value <= 1e-6 * found.value, trial
        uncertified += not found.certified
    assert 0 < uncertified < 60  # the heuristic does fail, and the dual mends it


def test_zero_gradient_and_an_empty_view():
    penalty, found = made(np.zeros((5, 4)), 3, (2.0, 1.0))
    assert found.value == found.bound == 0.0
    assert penalty.column_norms(found.u[:, None])[0] == pytest.approx(1.0)
    G = np.zeros((5, 4))
    G[3:] = np.random.default_rng(1).standard_normal((2, 4))
    _, found = made(G, 3, (1.0, 3.0))
    assert found.value == pytest.approx(3.0 * np.linalg.norm(G[3:], 2))
    assert not found.u[:3].any()


def test_null_space_of_two_dimensions_is_mixed_to_equal_blocks():
    # ‖G₁v‖ + ‖G₂v‖ with orthogonal row spaces: neither eigenvector alone is the maximiser
    K1, K2 = np.diag([4.0, 0.0]), np.diag([0.0, 1.0])
    found = two_view.polar(K1, K2, np.array([1.0, 0.0]), certify=-1.0)
    assert found.dual and found.value == pytest.approx(np.sqrt(5.0), rel=1e-9)
    v = two_view.maximiser(K1, K2, 0.25, 5.0)
    assert np.abs(v) == pytest.approx(np.array([2.0, 1.0]) / np.sqrt(5.0))


def test_dual_method_agrees_and_bad_input_is_refused():
    rng = np.random.default_rng(13)
    G = rng.standard_normal((6, 4))
    penalty, found = made(G, 3)
    other = penalty.polar(G, rng=rng, method="dual")
    assert other.value == pytest.approx(found.value, rel=1e-6) and not other.certified
    with pytest.raises(ValueError, match="Known are: dual, power"):
        penalty.polar(G, rng=rng, method="simplex")
    with pytest.raises(ValueError, match="not finite"):
        penalty.polar(np.full((6, 4), np.nan), rng=rng)
    with pytest.raises(ValueError, match=r"radii must be .* > 0.*, not \(1.0, 0.0\)"):
        Penalty(1.0, (3, 3), (1.0, 0.0))
