"""Lazy conditional gradients: fewer linear minimisations to the same certificate, for every method."""

import instances
import numpy as np
import pytest
from test_active_sets import gaps, least_squares

from projfree.engine.oracles.constrained import Oracles
from projfree.sets import nuclear_ball, simplex
from projfree.solvers import lazy
from projfree.solvers.inner.active_set import Vertex

#: Method → (its options, the gap that it reaches, steps of it, most LO of lazy per LO of plain steps).
REACHED = {
    "away_fw": ({}, 1e-10, 250, 0.4),
    "pairwise_fw": ({}, 1e-10, 250, 0.5),
    "blended_pairwise_fw": ({}, 1e-10, 250, 0.4),
    "fully_corrective_fw": ({}, 1e-10, 30, 1.0),
    "quadratic_corrective_fw": ({}, 1e-10, 30, 1.0),
    "dicg": ({}, 1e-10, 250, 0.99),  # the vertex to move away from is always asked for
    "frank_wolfe": ({"step_rule": "short"}, 2e-2, 400, 0.1),
    "adaptive_fw": ({}, 1e-2, 400, 0.1),
    "momentum_frank_wolfe": ({}, 5e-3, 400, 0.1),
}


def run(name, feasible, aim, most, **params):
    """Steps to an exact gap of `aim` on a known least squares problem: (LO, state)."""
    problem, rng = least_squares(), np.random.default_rng(0)
    oracles = Oracles(problem, feasible, rng)
    for state in instances.steps(name, oracles, most, rng, **params):
        gradient = problem.gradient(state.iterate)
        if gradient @ state.iterate + feasible.support(-gradient) <= aim:
            return oracles, state
    raise AssertionError(f"{name} did not reach {aim} in {most} steps")


@pytest.mark.parametrize("name", REACHED)
def test_it_reaches_the_gap_with_fewer_linear_minimisations(name):
    options, aim, most, share = REACHED[name]
    plain, _ = run(name, simplex.Set(), aim, most, **options)
    lazily, state = run("lazy", simplex.Set(), aim, most, method=name, options=options)
    assert lazily.counts["LO"] <= share * plain.counts["LO"]
    assert simplex.Set().contains(state.iterate)


def test_all_its_methods_are_looked_at():
    """Those of Reddi and of nfwu draw batches: the contract tests run them."""
    assert set(lazy.METHODS) == {*REACHED, "estimator_frank_wolfe", "nfwu"}


def test_without_an_answer_from_the_cache_it_is_the_method_itself():
    lazily, state = run("lazy", simplex.Set(), 1e-10, 30, method="fully_corrective_fw")
    plain, same = run("fully_corrective_fw", simplex.Set(), 1e-10, 30)
    assert "cached" not in lazily.tally and lazily.counts == plain.counts
    np.testing.assert_array_equal(state.iterate, same.iterate)


class Watched(lazy.Lazy):
    """Looks at every answer."""

    answers = []

    def lmo(self, G, start=None, tol=None):
        phi, before = self._s.phi, self._oracles.counts["LO"]
        v = super().lmo(G, start, tol)
        gain, best = float(G @ (self._x - v)), float(G @ self._x + simplex.Set().support(-G))
        self.answers.append((phi, self._oracles.counts["LO"] > before, gain, best, self._s.phi))
        return v


def test_every_answer_is_that_of_a_weak_separation_oracle(monkeypatch):
    """An old atom gains Φ/K at least; a new one is the best, and Φ falls where that gains less than Φ/K."""
    monkeypatch.setattr(lazy, "Lazy", Watched)
    monkeypatch.setattr(Watched, "answers", [])
    run("lazy", simplex.Set(), 1e-8, 250, K=3.0)
    assert {made for _, made, *_ in Watched.answers} == {True, False}
    for phi, made, gain, best, after in Watched.answers:
        if made:
            assert gain == pytest.approx(best, rel=1e-6, abs=1e-14)
            assert after <= phi / 2 if gain < phi / 3 else after == phi
        else:
            assert gain >= phi / 3 * (1 - 1e-12) and after == phi


def test_the_cache_keeps_the_atoms_used_last():
    _, state = run("lazy", simplex.Set(), 1e-4, 250, cache=3)
    assert len(state.atoms) == 3
    problem, feasible = least_squares(), simplex.Set()
    oracles, solver = Oracles(problem, feasible, np.random.default_rng(0)), lazy.Solver(cache=2)
    state = solver.start(oracles, None)
    state.atoms = [Vertex.of(np.eye(30)[0]), Vertex.of(np.eye(30)[1])]
    state.phi = 1e-3
    G = np.r_[-1.0, np.zeros(29)]
    answer = lazy.Lazy(oracles, state, solver).lmo(G)
    np.testing.assert_array_equal(answer, np.eye(30)[0])
    assert [int(atom.places[0]) for atom in state.atoms] == [1, 0] and oracles.counts["LO"] == 0


def test_an_inexact_answer_without_a_gain_does_not_end_the_use_of_the_cache():
    problem, feasible, solver = least_squares(), simplex.Set(), lazy.Solver()
    oracles = Oracles(problem, feasible, np.random.default_rng(0))
    state = solver.start(oracles, None)
    state.phi, G = 1e-3, np.zeros(30)
    lazy.Lazy(oracles, state, solver).lmo(G)  # x gains nothing over any vertex
    assert state.phi == 5e-4


def test_on_rank_one_atoms():
    problem, ball = instances.completion(), nuclear_ball.Set(2.0)
    result, state = gaps("lazy", problem, ball, 60)
    plain, _ = gaps("frank_wolfe", problem, ball, 60)
    assert result.min() < 0.5 * plain.min() and ball.contains(state.iterate)


def test_a_wrong_option_of_the_method_is_told_at_once():
    with pytest.raises(ValueError, match="unknown parameter 'steprule'"):
        lazy.Solver(method="away_fw", options={"steprule": "short"})
    with pytest.raises(ValueError, match="Known are: "):
        lazy.Solver(method="ncgs")
