"""Where the projection by a Gram matrix does not do; that `full` always executes a full decomposition."""

import numpy as np
import pytest

from projfree.engine.oracles.saddle import Oracles
from projfree.problems.robust_multiclass import Problem, tiny_arrays
from projfree.sets import nuclear_ball
from projfree.sets._gram_projection import project_by_gram


@pytest.mark.parametrize("scale", [1e-150, 1e-110, 1e110, 1e150])
def test_where_squares_do_not_do_it_says_so(scale):
    X = scale * np.random.default_rng(1).standard_normal((9, 4))
    assert project_by_gram(X, np.linalg.norm(X, "nuc") / 2) is None
    assert project_by_gram(np.full((3, 2), np.nan), 1.0) is None
    assert project_by_gram(np.zeros((3, 2)), 1.0) is None


def test_a_threshold_below_what_squares_can_tell_is_left_to_others():
    X = np.diag([1.0, 1e-3, 1e-9])
    assert project_by_gram(X, 1.001 - 1e-8) is None
    projected = nuclear_ball.Set(1.001 - 1e-8).project(X, "gram")
    assert np.linalg.norm(projected, "nuc") == pytest.approx(1.001 - 1e-8, abs=1e-10)


def test_full_decomposes_inside_the_ball_too_and_is_counted(monkeypatch):
    done = []
    true = nuclear_ball._SVD["full"]
    monkeypatch.setitem(nuclear_ball._SVD, "full", lambda X, radius: done.append(1) or true(X, radius))
    problem = Problem(tiny_arrays(np.random.default_rng(0)))
    oracles = Oracles(problem, nuclear_ball.Set(1e6), np.random.default_rng(0))
    X = np.random.default_rng(1).standard_normal(problem.shape)
    for method in ("full", "gram", "partial", "full"):
        assert oracles.project(X, method=method) is X
    oracles.dual.project(np.ones(problem.n))
    assert len(done) == oracles.tally["svd"] == 2 and oracles.counts["PO"] == 5
