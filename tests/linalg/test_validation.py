"""What comes through the door, and what is turned away by its name."""

import warnings

import numpy as np
import pytest

from projfree import problems, sets
from projfree.linalg import validation
from projfree.linalg.low_rank import LowRankPlusSparse
from projfree.linalg.sampled import Pattern, SparseOnPattern, operator, sampled_product


def test_what_is_fine_passes_as_it_is():
    x, X = np.ones(3), np.asfortranarray(np.ones((3, 2)))
    assert validation.vector("x", x) is x and validation.matrix("X", X, (3, None)) is X
    S = SparseOnPattern(Pattern([0], [1], (2, 3)), np.ones(1))
    assert operator("S", S) is S and operator("X", X) is X


NO_VECTORS = {
    "real numbers, not complex128": np.ones(2, complex),
    "real numbers, not object": np.array([1.0, None]),
    "real numbers, not <U": ["a", "b"],
    "a vector, not an array of shape \\(2, 1\\)": np.ones((2, 1)),
    "a vector, not a number": 3.0,
    "a vector, not empty": [],
    "an array of real numbers: ": [[1.0], [1.0, 2.0]],
}


@pytest.mark.parametrize("message", NO_VECTORS)
def test_what_is_no_vector_is_refused_by_name(message):
    with pytest.raises(ValueError, match=f"^the slope.*{message}"):
        validation.vector("the slope", NO_VECTORS[message])


PATTERN, COLUMNS = Pattern([0, 1], [1, 0], (2, 2)), np.ones((2, 1))
SPARSE = SparseOnPattern(PATTERN, np.ones(2))
#: Doors that take arrays without a word, and what a part of them is when it is complex.
COMPLEX = {
    "values": lambda z: SparseOnPattern(PATTERN, np.ones(2) + z),
    "a vector": lambda z: SPARSE.matvec(np.ones(2) + z),
    "a block of columns": lambda z: SPARSE.rmatmat(COLUMNS + z),
    "factors": lambda z: LowRankPlusSparse(COLUMNS, COLUMNS + z, SPARSE),
    "U": lambda z: sampled_product(PATTERN, COLUMNS + z, COLUMNS),
    "features": lambda z: problems.RobustRegression({"features": np.eye(3) + z, "targets": np.arange(3.0)}),
    "targets": lambda z: problems.RobustRegression({"features": np.eye(3), "targets": np.arange(3.0) + z}),
    "values given": lambda z: problems.MatrixCompletion(
        {"rows": [0, 1], "cols": [1, 0], "values": np.ones(2) + z, "shape": (2, 2)}
    ),
    "A": lambda z: problems.SimplexLeastSquares({"A": np.diag([1.0, 9.0]) + z, "c": np.ones(2)}, kappa=2.0),
    "polytope: lower": lambda z: sets.Polytope(E=np.ones((1, 2)), f=[1.0], lower=np.zeros(2) + z).lmo([1, 2]),
    "polytope: E": lambda z: sets.Polytope(E=np.ones((1, 2)) + z, f=[1.0]),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_no_imaginary_part_is_lost_on_the_way_to_a_kernel(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        COMPLEX[name](0.0)
        with pytest.raises(ValueError, match=f"^{name.removesuffix(' given')} must be real numbers, not c"):
            COMPLEX[name](0j)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_refused_wherever_it_stands(bad):
    for position in range(9):
        x = np.full(9, 1e308)
        x[position] = bad
        for given in (x, x[::-1], x.astype(object).astype(float)):
            with pytest.raises(ValueError, match="^x has entries that are not finite"):
                validation.vector("x", given)
        with pytest.raises(ValueError, match="not finite"):
            validation.finite("X", np.asfortranarray(x.reshape(3, 3)))


def test_sizes_are_exact():
    with pytest.raises(ValueError, match="x must be a vector of 3, not an array of shape \\(2,\\)"):
        validation.vector("x", np.ones(2), 3)
    with pytest.raises(ValueError, match="X must be a matrix of any×3, not an array of shape \\(3, 2\\)"):
        validation.matrix("X", np.ones((3, 2)), (None, 3))
    for given in (np.ones(3), np.ones((0, 3)), np.ones((1, 1, 1))):
        for check in (validation.matrix, operator):
            with pytest.raises(ValueError, match="X must be a matrix, not"):
                check("X", given)


@pytest.mark.parametrize("number", [0.0, -1.0, np.nan, np.inf, True, 1j, "1", None, np.ones(1)])
def test_what_is_not_positive_is_refused(number):
    with pytest.raises(ValueError, match="gamma must be a finite number > 0, not "):
        validation.positive("gamma", number)


def test_numbers_of_all_kinds_are_positive():
    assert all(validation.positive("g", t(2)) == 2.0 for t in (int, float, np.float32, np.int8, np.float64))
