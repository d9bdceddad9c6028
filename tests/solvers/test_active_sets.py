"""Conditional gradients with active sets: rates, weights, drop steps, and the same answers as plain ones."""

import instances
import numpy as np
import pytest
from feasible import make

from projfree import solvers
from projfree.door.function import Function
from projfree.engine import metrics
from projfree.engine.oracles.constrained import Oracles
from projfree.sets import l1_ball, nuclear_ball, simplex
from projfree.solvers.inner.active_set import ActiveSet, Vertex

METHODS = ["away_fw", "pairwise_fw", "blended_pairwise_fw", "fully_corrective_fw"]
over_methods = pytest.mark.parametrize("name", METHODS)


def least_squares(n=30, seed=0):
    """A strongly convex quadratic whose minimum over the simplex lies inside a face."""
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((60, n)) / np.sqrt(60) + np.eye(60, n)
    aim = np.zeros(n)
    aim[:5] = 0.2
    c = A @ aim - 0.3 * A @ (np.arange(n) >= 5)
    H, b = A.T @ A, A.T @ c
    L = float(np.linalg.eigvalsh(H)[-1])
    x0 = np.eye(n)[-1]
    return Function(lambda x: (0.5 * x @ H @ x - b @ x, H @ x - b), x0, {"L_full": L})


def gaps(name, problem, feasible, steps, **params):
    """The exact Frank-Wolfe gap after each step, and the last state."""
    rng = np.random.default_rng(0)
    oracles, solver = Oracles(problem, feasible, rng), solvers.make(name, params)
    state, found = solver.start(oracles, rng), []
    for _ in range(steps):
        state = solver.step(oracles, state, rng)
        found.append(metrics.make("fw_gap", problem, feasible)(state.iterate))
        if state.converged:
            break
    return np.array(found), state


@pytest.mark.parametrize("rule", ["short", "adaptive"])
@over_methods
def test_the_gap_falls_linearly_on_a_polytope_where_plain_steps_zigzag(name, rule):
    """Away steps: gap ≤ C q^k (Lacoste-Julien and Jaggi 2015, Theorem 1); plain steps are Ω(1/k)."""
    problem, feasible = least_squares(), simplex.Set(1.0)
    found, _ = gaps(name, problem, feasible, 400, step_rule=rule)
    plain, _ = gaps("frank_wolfe", problem, feasible, 400, step_rule="short")
    assert found.min() < 1e-9 and plain.min() > 1e-5
    reached = [int(np.argmax(found <= level)) + 1 for level in (1e-3, 1e-5, 1e-7)]
    first, second = reached[1] - reached[0], reached[2] - reached[1]
    assert second <= 3 * first + 20, "each two digits take about as many steps"


@over_methods
def test_x_is_the_combination_of_its_atoms(name):
    problem, feasible = least_squares(), l1_ball.Set(1.0)
    _, state = gaps(name, problem, feasible, 37)
    active = state.active
    assert (active.weights > 0).all() and active.weights.sum() == pytest.approx(1.0)
    x = np.zeros(problem.shape)
    for weight, atom in zip(active.weights, active.atoms, strict=True):
        atom.add_to(x, weight)
    np.testing.assert_allclose(active.x, x, atol=1e-12)
    assert feasible.contains(active.x)


@pytest.mark.parametrize(
    "feasible", ["birkhoff", "k_sparse", "box", "nuclear_ball", "spectraplex", "product"]
)
@over_methods
def test_on_every_kind_of_atom_they_find_what_plain_steps_find(name, feasible):
    feasible, shape = make(feasible, 1.0)
    rng = np.random.default_rng(1)
    aim, start = rng.standard_normal(shape), rng.standard_normal(shape)
    start = feasible.lmo(start)
    start = start if isinstance(start, np.ndarray) else start.toarray()
    problem = Function(lambda x: (0.5 * np.vdot(x - aim, x - aim), x - aim), start, {"L_full": 1.0})
    found, state = gaps(name, problem, feasible, 60 if name == "fully_corrective_fw" else 400)
    assert found.min() < 1e-3 * (1 + abs(found[0])) and feasible.contains(state.iterate, 1e-7)
    if hasattr(feasible, "project"):
        np.testing.assert_allclose(state.iterate, feasible.project(aim), atol=2e-2)


def test_an_away_step_that_uses_up_a_weight_drops_the_atom():
    active = ActiveSet.at(np.array([1.0, 0.0]))
    place = active.place(np.array([0.0, 1.0]))
    active.move(place, None, 0.25, active.direction(place, None))
    assert active.place(np.array([0.0, 1.0])) == place, "a vertex that is there is found again"
    d, longest = active.direction(None, place), active.longest(None, place)
    assert active.move(None, place, longest, d)
    np.testing.assert_allclose(active.x, [1.0, 0.0])
    assert len(active.atoms) == 1 and active.weights[0] == pytest.approx(1.0)


def test_vertices_are_kept_by_their_non_zeros():
    x = np.zeros((40, 5))
    x[3, 2] = -2.0
    vertex, G = Vertex.of(x), np.random.default_rng(0).standard_normal((40, 5))
    assert vertex.values.size == 1 and vertex.inner(G) == -2.0 * G[3, 2]
    assert Vertex.of(G).places is None and Vertex.of(G).same(Vertex.of(G.copy()))
    assert not Vertex.of(G).same(vertex)


@over_methods
def test_on_completion_they_beat_plain_steps(name):
    problem, ball = instances.completion(), nuclear_ball.Set(2.0)
    found, _ = gaps(name, problem, ball, 60)
    plain, _ = gaps("frank_wolfe", problem, ball, 60)
    assert found.min() < 0.5 * plain.min()
