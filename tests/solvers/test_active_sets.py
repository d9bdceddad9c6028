"""Conditional gradients with active sets: rates, weights, drop steps, and the same answers as plain ones."""

import instances
import numpy as np
import pytest
from feasible import make

from projfree import solvers
from projfree.api.function import Function
from projfree.engine import metrics
from projfree.engine.oracles.constrained import Oracles
from projfree.sets import simplex
from projfree.solvers.inner.active_set import ActiveSet, Vertex

METHODS = ["away_fw", "pairwise_fw", "blended_pairwise_fw", "fully_corrective_fw"]
#: Steps to a gap of 1e-12, a tenth above those of the slower rule; L/μ is 15.
SLOWEST = {"away_fw": 315, "pairwise_fw": 178, "blended_pairwise_fw": 204, "fully_corrective_fw": 17}
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


def gaps(name, problem, feasible, count, **params):
    """The exact Frank-Wolfe gap after each step, and the last state."""
    rng, gap = np.random.default_rng(0), metrics.make("fw_gap", problem, feasible)
    result = []
    for state in instances.steps(name, Oracles(problem, feasible, rng), count, rng, **params):
        result.append(gap(state.iterate))
    return np.array(result[1:]), state


@pytest.mark.parametrize("rule", ["short", "adaptive"])
@over_methods
def test_the_gap_falls_linearly_on_a_polytope(name, rule):
    """gap ≤ C q^k down to rounding, q < 1 (Lacoste-Julien and Jaggi 2015, Theorem 1)."""
    result, _ = gaps(name, least_squares(), simplex.Set(1.0), SLOWEST[name], step_rule=rule)
    reached = np.array([np.argmax(result <= 10.0**-digits) for digits in range(2, 13, 2)])
    assert result.min() <= 1e-12
    steps = np.diff(reached)
    assert steps.max() <= 1.5 * steps.mean() + 1, "each two digits take about as many steps"


@pytest.mark.parametrize("kind", ["birkhoff", "k_sparse", "box", "nuclear_ball", "spectraplex", "product"])
@over_methods
def test_on_every_kind_of_atom_they_find_what_plain_steps_find(name, kind):
    feasible, shape = make(kind, 1.0)
    rng = np.random.default_rng(1)
    aim, start = rng.standard_normal(shape), instances.dense(feasible.lmo(rng.standard_normal(shape)))
    problem = Function(lambda x: (0.5 * np.vdot(x - aim, x - aim), x - aim), start, {"L_full": 1.0})
    result, state = gaps(name, problem, feasible, 60 if name == "fully_corrective_fw" else 400)
    linear = getattr(feasible, "is_polytope", False)
    assert result.min() < (1e-9 if linear else 6e-4) and feasible.contains(state.iterate, 1e-7)
    if hasattr(feasible, "project"):  # ½‖x − x*‖² ≤ F(x) − F* ≤ gap
        distance = np.linalg.norm(state.iterate - feasible.project(aim))
        assert distance**2 <= 2 * result[-1] + 1e-20


def test_an_away_step_that_uses_up_a_weight_drops_the_atom():
    active = ActiveSet.at(np.array([1.0, 0.0]))
    place = active.place(np.array([0.0, 1.0]))
    active.go(*active.path(place, None)(0.25))
    assert active.place(np.array([0.0, 1.0])) == place, "a vertex that is there is found again"
    active.go(*active.path(None, place)(active.longest(None, place)))
    np.testing.assert_allclose(active.x, [1.0, 0.0])
    assert len(active.atoms) == 1 and active.weights[0] == pytest.approx(1.0)


def test_a_step_from_an_atom_to_itself_stays():
    """Rounding can make the best and the worst atom one, with a gap above 0."""
    problem = Function(lambda x: (float(x[0]), np.array([1.0, 0.0])), np.array([0.5, 0.5]))
    oracles = Oracles(problem, simplex.Set(), None)
    solver = solvers.make("pairwise_fw", {})
    state = solver.start(oracles, None)
    solver.move(oracles, state, np.array([1.0, 0.0]), 0, 0)
    assert state.active.x.tolist() == [0.5, 0.5] and state.active.weights.tolist() == [1.0]


def test_vertices_are_kept_by_their_non_zeros():
    x = np.zeros((40, 5))
    x[3, 2] = -2.0
    vertex, G = Vertex.of(x), np.random.default_rng(0).standard_normal((40, 5))
    assert vertex.values.size == 1 and vertex.inner(G) == -2.0 * G[3, 2]
    assert Vertex.of(G).places is None and Vertex.of(G).same(Vertex.of(G.copy()))
    assert not Vertex.of(G).same(vertex)
