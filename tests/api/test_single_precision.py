"""Functions in single precision, of NumPy or of other libraries of arrays."""

import numpy as np
import pytest

import projfree as pf

METHODS = ["frank-wolfe", "adaptive-fw", "away-fw", "pairwise-fw", "blended-pairwise-fw", "blended-cg"]
METHODS += ["fully-corrective-fw", "quadratic-corrective-fw", "dicg"]


class Foreign:
    """An array of another library, by what NumPy asks of it."""

    def __init__(self, values):
        self.values = np.asarray(values)
        self.dtype = f"foreign.{self.values.dtype}"

    def __array__(self, dtype=None, copy=None):
        return self.values if dtype is None else self.values.astype(dtype)


class Tensor:
    """An array that must be detached, as PyTorch's that carry a graph, and is passed by DLPack."""

    def __init__(self, values):
        self.values, self.detached = np.asarray(values), False
        self.dtype = f"torch.{self.values.dtype}"

    def detach(self):
        self.detached = True
        return self

    def cpu(self):
        return self

    def __dlpack__(self, **given):
        assert self.detached
        return self.values.__dlpack__(**given)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


def least_squares(seed=0, n=60, p=30):
    """A in float32, b, and the point outside of the simplex."""
    rng = np.random.default_rng(seed)
    A = (rng.standard_normal((n, p)) / np.sqrt(n) + np.eye(n, p)).astype(np.float32)
    b = A @ np.where(np.arange(p) < 5, 0.2, -0.3).astype(np.float32)
    return A, b + np.float32(0.05) * rng.standard_normal(n).astype(np.float32)


def single(A, b, wrap=np.asarray, shift=0.0):
    def function(x):
        miss = A @ np.asarray(x, np.float32) - b
        return wrap(np.float32(0.5) * (miss @ miss) + np.float32(shift)), wrap(A.T @ miss)

    return function


def double(A, b):
    A, b = A.astype(float), b.astype(float)
    return lambda x: (0.5 * np.sum((A @ x - b) ** 2), A.T @ (A @ x - b))


@pytest.mark.parametrize("method", [name for name in METHODS if name not in ("frank-wolfe", "adaptive-fw")])
@pytest.mark.parametrize("shift", [0.0, 100.0])
def test_steps_do_not_stall_at_rounding_of_values(method, shift):
    """The gap falls as of a function in double precision, also where values have lost most of its digits."""
    A, b = least_squares()
    given = {"x0": np.eye(30)[-1], "tol": 3e-5, "budget": 300}
    exact = pf.minimize(double(A, b), pf.sets.Simplex(), method, **given)
    found = pf.minimize(single(A, b, shift=shift), pf.sets.Simplex(), method, **given)
    assert exact.success and found.success and found.nit <= 2 * exact.nit + 10


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("method", METHODS)
def test_the_certificate_is_true_and_says_what_stopped_it(method, seed):
    A, b = least_squares(seed)
    plain, rough, simplex, start = double(A, b), single(A, b), pf.sets.Simplex(), np.eye(30)[-1]
    exact = pf.minimize(plain, simplex, "quadratic-corrective-fw", x0=start, tol=1e-13)
    found = pf.minimize(rough, simplex, method, x0=start, tol=1e-9, budget=2000)
    assert plain(found.x)[0] - (exact.value - exact.gap) <= found.gap
    assert not found.success
    if method not in ("frank-wolfe", "adaptive-fw"):  # these are slow here: they end by their budget
        assert found.status == "stalled" and found.nit < 1000
        assert found.message.startswith("float32: the rest is rounding") and "float64" in found.message
    certificate = pf.certificate(rough, simplex, found.x)
    assert certificate.value == pytest.approx(found.gap, rel=1e-3)
    assert certificate.value > pf.certificate(plain, simplex, found.x).value


@pytest.mark.parametrize("wrap", [Foreign, Tensor])
def test_arrays_of_other_libraries_pass(wrap):
    A, b = least_squares()
    given = {"x0": np.eye(30)[-1], "tol": 1e-4}
    plain = pf.minimize(single(A, b), pf.sets.Simplex(), **given)
    found = pf.minimize(single(A, b, wrap), pf.sets.Simplex(), **given)
    np.testing.assert_array_equal(found.x, plain.x)
    assert found.success and found.gap == plain.gap


def test_points_stay_single_where_the_start_is():
    A, b = least_squares()
    kinds, simplex, start = set(), pf.sets.Simplex(), np.eye(30, dtype=np.float32)[-1]
    function = lambda x: kinds.add(x.dtype) or single(A, b)(x)  # noqa: E731
    found = pf.minimize(function, simplex, x0=start, tol=1e-4)
    assert kinds == {np.dtype(np.float32)} and found.x.dtype == np.float32 and found.success
    outside = abs(found.x.astype(float).sum() - 1.0)
    assert found.certificate.infeasibility <= 1e-6 and outside <= 1e-6
    assert pf.minimize(function, simplex, warm_start=found, tol=1e-4).x.dtype == np.float32
    kinds.clear()
    assert pf.minimize(function, simplex, x0=start.astype(float), tol=1e-4).x.dtype == np.float64
    assert kinds == {np.dtype(np.float64)}


def test_other_functions_are_as_they_were():
    """Double precision, whole numbers and Python's floats have the rounding of double precision."""
    for form in (np.asarray, list, lambda x: x.astype(np.longdouble)):
        problem = pf.Function(lambda x, form=form: (float(x @ x), form(2 * x)), np.ones(3))
        problem.value(problem.x0)
        assert problem.precision == np.finfo(float).eps
