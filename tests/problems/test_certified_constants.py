"""Constants that step lengths stand on are upper bounds, on instances where an iteration ends too early."""

import numpy as np
import pytest
from scipy import sparse

from projfree.problems import (
    _smoothness,
    multi_task,
    multinomial,
    robust_multiclass,
    robust_regression,
    saddle_quadratic,
    simplex_least_squares,
)

ROUNDED = 1 - 1e-13  # the dense values that we compare with are rounded themselves


def close_spectrum(rng, m, n):
    """Gaussian rows of norm 1: singular values so close that Lanczos is far from σ₁ at a small residual."""
    X = rng.standard_normal((m, n))
    return X / np.linalg.norm(X, axis=1)[:, None]


def sq_norm(X):
    return np.linalg.norm(X, 2) ** 2


@pytest.mark.parametrize("start", range(0, 60, 30))
def test_constants_of_multi_task_are_upper_bounds(start):
    for seed in range(start, start + 30):
        rng = np.random.default_rng(seed)
        X = close_spectrum(rng, 250, 100)
        arrays = {"features": X, "labels": rng.integers(0, 2, 250), "task_ptr": np.array([0, 250])}
        problem = multi_task.Problem(arrays)
        sup, norms = problem.loss.sup_curvature, np.linalg.norm(X, axis=1)
        c, full, weighted = problem.constants, sq_norm(X), sq_norm(X * norms[:, None])
        assert c["L_full"] >= sup * full / 250 * ROUNDED
        assert c["L_vr"] >= sup * np.sqrt(weighted / 250) * ROUNDED
        assert c["l_lower"] >= -problem.loss.inf_curvature * full / 250 * ROUNDED
        assert c["L_full"] <= sup * full / 250 * (1 + 1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_constants_of_the_other_problems_are_upper_bounds(seed):
    rng = np.random.default_rng(seed)
    X = close_spectrum(rng, 120, 50)
    labels = np.arange(120) % 4
    square = sq_norm(X)

    regression = robust_regression.Problem({"features": X, "targets": rng.standard_normal(120)}, sigma=1.0)
    assert regression.constants["L_full"] >= regression.loss.sup_curvature * square * ROUNDED

    softmax = multinomial.Problem({"features": X, "labels": labels, "classes": 4})
    assert softmax.constants["L_full"] >= 0.5 * square / 120 * ROUNDED

    csr = sparse.csr_matrix(X)
    parts = {"indptr": csr.indptr, "indices": csr.indices, "data": csr.data, "shape": csr.shape}
    robust = robust_multiclass.Problem({**parts, "labels": labels, "classes": 4})
    assert robust.constants["L_xy"] >= np.sqrt(2 * square) * ROUNDED

    for coupling in (0.05, -3.0):
        saddle = saddle_quadratic.Problem(saddle_quadratic.interior_arrays(rng), coupling=coupling)
        assert saddle.constants["L_xy"] >= abs(coupling) * np.linalg.norm(saddle.B, 2) * ROUNDED

    A = rng.standard_normal((40, 8)) / (1 + np.arange(8))
    least = simplex_least_squares.Problem({"A": A, "c": rng.standard_normal(40)}, noise=1.3)
    exact = np.linalg.eigvalsh(A.T @ A / 40 + least.rho * np.eye(8))
    assert least.constants["mu"] <= exact[0] / ROUNDED and least.constants["L_full"] >= exact[-1] * ROUNDED


@pytest.mark.parametrize("scale", [1e-150, 1e-120, 1.0, 1e140])
@pytest.mark.parametrize("form", [np.asarray, np.asfortranarray, sparse.csr_matrix])
def test_bounds_at_all_scales(scale, form):
    X = close_spectrum(np.random.default_rng(7), 30, 80)
    bound = _smoothness.sq_norm_bound(form(X * scale))
    assert 1 - 1e-12 <= bound / sq_norm(X) / scale**2 <= 1 + 1e-10


@pytest.mark.parametrize(
    "scale, told",
    [(5e-324, "scaling"), (1e-170, "scaling"), (1e160, "scaling"), (1e308, "scaling")]
    + [(np.inf, "not finite"), (np.nan, "not finite")],
)
def test_squares_that_are_no_numbers_are_refused(scale, told):
    with pytest.raises(ValueError, match=told):
        _smoothness.sq_norm_bound(np.full((3, 2), scale))


def test_beyond_the_gram_matrix_lanczos_agrees(monkeypatch):
    X = sparse.random(300, 200, 0.1, random_state=np.random.default_rng(3), format="csr")
    exact = _smoothness.sq_norm_bound(X)
    monkeypatch.setattr(_smoothness, "GRAM_SIDE", 10)
    for form in (X, X.toarray()):
        assert ROUNDED * sq_norm(X.toarray()) <= _smoothness.sq_norm_bound(form)
        assert _smoothness.sq_norm_bound(form) == pytest.approx(exact, rel=1e-2)
