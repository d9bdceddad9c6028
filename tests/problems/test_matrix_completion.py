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


def test_the_value_is_the_sum_over_observed_entries():
    x = np.arange(12.0).reshape(4, 3) / 5
    problem = Problem(arrays(), sigma=2.0)
    z = np.array([x[0, 2] - 0.5, x[1, 0] + 1, x[1, 2] - 2, x[3, 1] - 0.1])
    assert problem.value(x) == pytest.approx(np.sum(1 - np.exp(-(z**2) / 2)), rel=1e-14)
    gradient = np.zeros((4, 3))
    gradient[[0, 1, 1, 3], [2, 0, 2, 1]] = z * np.exp(-(z**2) / 2)
    np.testing.assert_allclose(problem.gradient(x), gradient, rtol=1e-13)
    assert Problem(arrays(), sigma=2.0, weight="mean").value(x) == pytest.approx(problem.value(x) / 4)


def both_kinds(problem, atoms=6, seed=0):
    """The same point as a sum of atoms and as an array."""
    rng, ball = np.random.default_rng(seed), nuclear_ball.Set(2.0)
    x = problem.start("atoms")
    for _ in range(atoms):
        x.toward(ball.lmo(rng.standard_normal(problem.shape), rng=rng), rng.uniform(0.1, 0.9))
    return x, x.toarray()


@pytest.mark.parametrize("weight", ["sum", "mean"])
@pytest.mark.parametrize("shape", [(12, 10), (40, 3), (1, 1)])
def test_sums_of_atoms_and_arrays_agree(weight, shape):
    problem = instances.completion(shape, share=1.0 if shape == (1, 1) else 0.5, weight=weight)
    x, same = both_kinds(problem)
    batch = np.array([0, problem.n - 1, 0])
    assert isinstance(x, ObservedAtoms) and isinstance(problem.gradient(x), SparseOnPattern)
    assert problem.value(x) == pytest.approx(problem.value(same), rel=1e-12)
    np.testing.assert_allclose(problem.gradient(x).toarray(), problem.gradient(same), rtol=1e-11, atol=1e-14)
    (gradient, slopes), (dense, dense_slopes) = problem.anchor(x), problem.anchor(same)
    np.testing.assert_allclose(gradient.toarray(), dense, rtol=1e-11, atol=1e-14)
    np.testing.assert_allclose(slopes, dense_slopes, rtol=1e-11, atol=1e-12)
    for a, b in (
        (problem.component_gradient(x, batch), problem.component_gradient(same, batch)),
        (
            problem.component_gradient_difference(x, 0 * slopes, batch),
            problem.component_gradient_difference(same, 0 * slopes, batch),
        ),
    ):
        np.testing.assert_allclose(a.toarray(), b, rtol=1e-11, atol=1e-12)
    atom = nuclear_ball.Set(2.0).lmo(dense, rng=np.random.default_rng(1))
    for gamma in (0.0, 0.3, 1.0):
        expected = problem.value((1 - gamma) * same + gamma * atom.toarray())
        assert problem.line(x, atom)(gamma) == pytest.approx(expected, rel=1e-11)
        assert problem.line(same, atom)(gamma) == pytest.approx(expected, rel=1e-11)
    assert problem.reconstruction_error(x) == pytest.approx(problem.reconstruction_error(same), rel=1e-12)


def test_reconstruction_error_by_hand():
    problem = Problem(arrays(truth=np.ones((4, 3))))
    assert problem.reconstruction_error(np.zeros((4, 3))) == pytest.approx(1.0)


def test_a_residual_of_1e4_has_value_one_and_no_slope():
    problem = Problem(arrays(values=[1e4, -1e4, 1e4, 1e100]))
    assert problem.value(np.zeros((4, 3))) == 4.0 and not problem.gradient(np.zeros((4, 3))).any()


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


def test_unsorted_positions_keep_their_values():
    """Positions may come in any order: value i belongs to position i."""
    x = np.arange(12.0).reshape(4, 3) / 5
    order = np.array([3, 1, 0, 2])
    shuffled = {k: v[order] for k, v in arrays().items() if k != "shape"}
    assert Problem(arrays(**shuffled)).value(x) == pytest.approx(Problem(arrays()).value(x), rel=1e-14)
