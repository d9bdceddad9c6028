"""Powers of two: no digit changes, squares are numbers afterwards, and bad matrices are refused."""

import numpy as np
import pytest

from projfree.linalg.scaling import exponent, resized, scaled, times_power

SIZES = [5e-324, 1e-310, 1e-300, 1e-170, 1e-60, 1.0, 1e60, 1e170, 1e300, 1.7e308]


@pytest.mark.parametrize("size", SIZES)
def test_scaling_is_exact_and_squares_are_numbers(size):
    X = size * np.array([[1.0, -0.5], [0.25, 1.0]])
    Y, e = scaled(X)
    assert np.array_equal(np.ldexp(Y, e), X)
    assert 1e-125 < np.abs(Y).max() ** 2 < 1e125
    assert times_power(Y[0, 0], e) == X[0, 0]


def test_ordinary_matrices_are_not_copied():
    X = np.ones((3, 2))
    assert scaled(X)[0] is X and resized(X.astype(np.float32))[0].dtype == np.float32
    assert exponent(np.zeros(4), (2, 2)) == 0


def test_single_precision_has_a_smaller_range():
    Y, e = resized(np.full((2, 2), 1e-30, dtype=np.float32))
    assert Y.dtype == np.float32 and e < -90 and 0.5 <= Y[0, 0] < 1


@pytest.mark.parametrize(
    "bad, told",
    [
        (np.ones(3), "shape"),
        (np.ones((2, 2, 2)), "shape"),
        (np.ones((0, 3)), "not empty"),
        (np.ones((2, 2), complex), "complex128"),
        (np.full((2, 2), "a"), "real"),
        (np.array([[1.0, np.nan]]), "1×2 matrix .* not finite"),
        (np.array([[1.0], [-np.inf]]), "2×1 matrix .* not finite"),
    ],
)
def test_what_is_no_matrix_is_refused(bad, told):
    with pytest.raises(ValueError, match=told):
        scaled(bad)
