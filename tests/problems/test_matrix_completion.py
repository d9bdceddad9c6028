"""Matrix completion: both kinds of iterate, both weights, and what it refuses."""

import instances
import numpy as np
import pytest

from projfree.linalg.observed import ObservedAtoms
from projfree.linalg.sampled import SparseOnPattern
from projfree.problems.matrix_completion import Problem
from projfree.sets import nuclear_ball


def arrays(**parts):
    made = {"rows": [0, 1, 1, 3], "cols": [2, 0, 2, 1], "values": [0.5, -1.0, 2.0, 0.1], "shape": (4, 3)}
    return {k: np.asarray(v) for k, v in (made | parts).items()}


def test_the_value_is_the_sum_over_observed_entries_in_any_order():
    x = np.arange(12.0).reshape(4, 3) / 5
    problem = Problem(arrays(), sigma=2.0)
    z = np.array([x[0, 2] - 0.5, x[1, 0] + 1, x[1, 2] - 2, x[3, 1] - 0.1])
    assert problem.value(x) == pytest.approx(np.sum(1 - np.exp(-(z**2) / 2)), rel=1e-14)
    gradient = np.zeros((4, 3))
    gradient[[0, 1, 1, 3], [2, 0, 2, 1]] = z * np.exp(-(z**2) / 2)
    np.testing.assert_allclose(problem.gradient(x), gradient, rtol=1e-13)
    assert Problem(arrays(), sigma=2.0, weight="mean").value(x) == pytest.approx(problem.value(x) / 4)
    shuffled = {k: v[[3, 1, 0, 2]] for k, v in arrays().items() if k != "shape"}
    assert Problem(arrays(**shuffled), sigma=2.0).value(x) == pytest.approx(problem.value(x), rel=1e-14)


@pytest.mark.parametrize("weight", ["sum", "mean"])
@pytest.mark.parametrize("shape", [(12, 10), (40, 3), (1, 1)])
def test_sums_of_atoms_and_arrays_agree(weight, shape):
    problem = instances.completion(shape, share=1.0 if shape == (1, 1) else 0.5, weight=weight)
    rng, ball, batch = np.random.default_rng(0), nuclear_ball.Set(2.0), np.array([0, problem.n - 1, 0])
    x = problem.start("atoms")
    for _ in range(6):
        x.toward(ball.lmo(rng.standard_normal(shape), rng=rng), rng.uniform(0.1, 0.9))
    same = x.toarray()
    assert isinstance(x, ObservedAtoms) and isinstance(problem.gradient(x), SparseOnPattern)
    assert problem.value(x) == pytest.approx(problem.value(same), rel=1e-12)
    (gradient, slopes), (dense, dense_slopes) = problem.anchor(x), problem.anchor(same)
    np.testing.assert_allclose(slopes, dense_slopes, rtol=1e-11, atol=1e-12)
    for sums, array in (
        (gradient, dense),
        (problem.gradient(x), problem.gradient(same)),
        [problem.component_gradient(point, batch) for point in (x, same)],
        [problem.component_gradient_difference(point, 0 * slopes, batch) for point in (x, same)],
    ):
        np.testing.assert_allclose(sums.toarray(), array, rtol=1e-11, atol=1e-12)
    atom = ball.lmo(dense, rng=np.random.default_rng(1))
    for gamma in (0.0, 0.3, 1.0):
        expected = problem.value((1 - gamma) * same + gamma * atom.toarray())
        for point in (x, same):
            assert problem.line(point, atom)(gamma) == pytest.approx(expected, rel=1e-11)
    assert problem.reconstruction_error(x) == pytest.approx(problem.reconstruction_error(same), rel=1e-12)


def test_by_hand_the_error_is_relative_and_a_residual_of_1e4_has_value_one_and_no_slope():
    zero = np.zeros((4, 3))
    assert Problem(arrays(truth=np.ones((4, 3)))).reconstruction_error(zero) == pytest.approx(1.0)
    far = Problem(arrays(values=[1e4, -1e4, 1e4, 1e100]))
    assert far.value(zero) == 4.0 and not far.gradient(zero).any()


@pytest.mark.parametrize(
    "parts, match",
    [
        ({"rows": [], "cols": [], "values": []}, "at least one observed entry"),
        ({"values": [0.5, np.nan, 1, 2]}, "observation 1 is nan"),
        ({"values": [0.5, 1, 1, -np.inf]}, "observation 3 is -inf"),
        ({"rows": [0, 1, 1, 4]}, "4"),
        ({"cols": [2, 0, 0, 1]}, "(?i)twice|duplicate|more than once"),
    ],
)
def test_refused_at_load(parts, match):
    with pytest.raises(ValueError, match=match):
        Problem(arrays(**parts))
