"""The closed-form search of gcg eq. (40) against a solver of the two-variable problem."""

import numpy as np

from projfree.solvers.inner import conic_search


def objective(w, p, x, weight, rho, a, theta):
    return np.sum((a * w + theta * p - x) ** 2) / 2 + weight * (a * rho + theta)


def numerical(w, p, x, weight, rho):
    """The least value over a fine grid of a, each with its best θ."""
    a = np.linspace(0, 1, 2001)
    left = x - a[:, None] * w
    theta = np.maximum(0.0, (left @ p - weight) / (p @ p)) if p @ p else np.zeros_like(a)
    missed = np.sum((theta[:, None] * p - left) ** 2, axis=1) / 2
    return np.min(missed + weight * (a * rho + theta))


def cases():
    rng = np.random.default_rng(0)
    for k in range(1000):
        w, p, x = rng.standard_normal((3, rng.integers(1, 6)))
        if k % 5 == 1:
            w = p * rng.uniform(-2, 2)  # parallel: a singular 2×2
        if k % 50 == 2:
            w = np.zeros_like(w)
        yield w, p, x, rng.uniform(0, 2), rng.uniform(0, 2) * bool(k % 3)


def test_never_above_a_numerical_minimum_and_all_edges_occur():
    seen = set()
    for w, p, x, weight, rho in cases():
        a, theta = conic_search.quadratic(w, p, x, weight, rho)
        assert 0 <= a <= 1 and theta >= 0
        value = objective(w, p, x, weight, rho, a, theta)
        assert value <= numerical(w, p, x, weight, rho) * (1 + 1e-12) + 1e-12
        seen.add(("a=0" if a == 0 else "a=1" if a == 1 else "inside", "θ=0" if theta == 0 else "θ>0"))
    assert len(seen) == 6, seen


def test_sums_of_single_precision_are_taken_in_double():
    rng = np.random.default_rng(2)
    w, p, x = (rng.uniform(1, 5, 200_000).astype(np.float32) for _ in range(3))
    exact = [a.astype(float) @ b.astype(float) for a, b in ((w, w), (w, p), (p, p), (w, x), (p, x))]
    np.testing.assert_allclose(conic_search.products(w, p, x), exact, rtol=1e-12)
