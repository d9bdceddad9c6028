"""The projection by a Gram matrix against full decompositions; that `full` always executes one."""

import numpy as np
import pytest

from projfree.engine.oracles.saddle import Oracles
from projfree.problems.robust_multiclass import Problem, tiny_arrays
from projfree.sets import nuclear_ball
from projfree.sets._gram_projection import project_by_gram


def matrices(rng, count=300):
    """Tall, wide, square and thin; full and low rank; all with their nuclear norm."""
    for _ in range(count):
        m, n, r = rng.integers(1, 40), rng.integers(1, 12), rng.integers(1, 6)
        X = rng.standard_normal((m, r)) @ rng.standard_normal((r, n)) * 10.0 ** rng.integers(-60, 60)
        yield (X.T if rng.random() < 0.5 else X), np.linalg.norm(X, "nuc")


def test_it_agrees_with_the_full_decomposition():
    rng = np.random.default_rng(0)
    for X, norm in matrices(rng):
        for share in (0.01, 0.5, 0.99, 1.01):
            ball = nuclear_ball.Set(share * norm)
            expected, found = (ball.project(X, method) for method in ("full", "gram"))
            assert np.linalg.norm(found - expected) <= 1e-9 * norm
            assert found is X or ball.contains(found)
            assert (found is X) == (share > 1)


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
