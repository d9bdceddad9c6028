"""Where the projection by a Gram matrix does not do; that `full` always executes a full decomposition."""

import numpy as np
import pytest

from projfree.engine.oracles.saddle import Oracles
from projfree.problems.robust_multiclass import Problem, tiny_arrays
from projfree.sets import nuclear_ball
from projfree.sets._gram_projection import project_by_gram


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


@pytest.mark.parametrize("copies", [1, 4])
@pytest.mark.parametrize("side", [1, 2, 7, 60])
def test_as_many_vectors_as_the_rank_of_the_answer(side, copies):
    """Each rank, so that each way to find vectors is taken; copies of a value have any vectors."""
    rng = np.random.default_rng(2)
    U, V = (np.linalg.qr(rng.standard_normal((n, side)))[0] for n in (side, side + 3))
    s = np.linspace(1.0, 0.2, -(-side // copies)).repeat(copies)[:side]
    for rank in {*range(copies, side, copies), side}:
        theta = 0.5 * (s[rank - 1] + (s[rank] if rank < side else 0.1))
        kept = np.maximum(s - theta, 0.0)
        for X, best in (((U * s) @ V.T, (U * kept) @ V.T), ((V * s) @ U.T, (V * kept) @ U.T)):
            found = project_by_gram(X, kept.sum(), exact=True)
            np.testing.assert_allclose(found, best, rtol=0, atol=1e-12)
