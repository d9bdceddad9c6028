"""Every projection-free method obeys the lower bound; what would break its proof is found."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import probed
import pytest
from probed import of_rows as column
from referee.papers.nfwu.probes import chain_lemma, lower_bound
from scipy.optimize import minimize

from projfree.problems import hard_instance
from projfree.sets import l2_ball

rows = partial(probed.rows, "nfwu")
line_search = partial(rows, solver="frank_wolfe", params={"step_rule": "line_search"})
METHODS = [
    *(("frank_wolfe", {"step_rule": rule}) for rule in ("gap", "short", "open_loop", "line_search")),
    ("momentum_frank_wolfe", {}),
    *(("nfwu", {"estimator": "full", "eta": eta}) for eta in (1, 10, 100)),
    ("nfwu", {"estimator": "spider", "eta": 10, "epoch": 3, "batch": 1}),
    ("ncgs", {"option": "I"}),
    ("ncgs", {"option": "II"}),
    ("ncgs_vr", {}),
    *(("estimator_frank_wolfe", {"estimator": name}) for name in ("svrg", "sg", "sampled_svrg", "saga")),
]


@pytest.mark.parametrize("chain", [1, 10, 40])
@pytest.mark.parametrize("solver, params", METHODS, ids=str)
def test_no_method_is_faster_than_the_bound(solver, params, chain):
    found = rows("lower_bound", solver=solver, params=params, chain=chain)
    lo = np.array([row.counts["LO"] for row in found])
    ratio, columns = column(found, "gap_over_radius"), column(found, "columns")
    assert np.all(ratio[lo < chain] >= 0.08) and column(found, "lo_to_bound")[-1] >= min(chain, lo[-1])
    assert np.all(columns <= np.maximum(lo, 1)), "an answer has told more than one column"
    assert column(found, "consistency").max() <= 1e-12
    assert lo[-1] <= 3 * chain and (chain == 1 or len(found) > 2)


def test_the_columns_of_a_row():
    found = line_search("lower_bound", chain=6)
    ratio, lo = column(found, "gap_over_radius"), np.array([row.counts["LO"] for row in found])
    np.testing.assert_allclose(column(found, "gap"), ratio * 230 * np.sqrt(6))
    np.testing.assert_array_equal(column(found, "best_gap_over_radius"), np.minimum.accumulate(ratio))
    np.testing.assert_array_equal(column(found, "bound"), np.where(lo < 6, 0.08, 0.0))
    hit = lo[np.argmax(ratio <= 0.08)]
    np.testing.assert_array_equal(column(found, "lo_to_bound"), np.minimum(lo, hit))
    assert np.all(np.diff(column(found, "queries")) > 1), "values are queries too"


def test_x_1_depends_on_v_1():
    """The paper's index asks for v_1 ⊥ x_1; Frank-Wolfe from 0 has x_1 ∥ v_1."""
    found = rows("lower_bound", solver="frank_wolfe", params={"step_rule": "open_loop"})
    np.testing.assert_allclose(column(found, "first_overlap"), 1.0, rtol=1e-12)


def test_one_who_is_told_the_columns_beats_the_bound():
    """The bound is no property of the function: after one linear minimisation one can be at a minimum."""

    class Told:
        def start(self, oracles, rng):
            oracles.problem.finish()
            return SimpleNamespace(iterate=np.zeros(oracles.problem.shape))

        def step(self, oracles, state, rng):
            problem = oracles.problem
            oracles.lmo(problem.gradient(state.iterate))
            begin = 5 * problem._columns.sum(axis=1)
            state.iterate = minimize(problem.value, begin, jac=problem.gradient, tol=1e-8).x
            return state

    instance = lower_bound.fresh(np.random.default_rng(0), chain=10)
    run = lower_bound.trajectory(Told(), instance, np.random.default_rng(0), 3)
    assert run.first(run.gaps() <= hard_instance.BOUND * instance.radius) == 1


def test_a_step_of_many_minimisations_is_cut_at_the_horizon():
    params = {"option": "II", "rule": "theorem", "eta": 1e-9}
    found = rows("lower_bound", solver="ncgs", params=params, chain=10)
    assert found[-1].counts["LO"] <= 30


def test_the_law_of_the_accuracy():
    found = line_search("lower_bound_law", inverse_epsilons=[2, 4, 6])
    assert column(found, "chain").tolist() == [4, 16, 36]
    np.testing.assert_allclose(column(found, "lower_bound"), [4, 16, 36])
    assert np.all(column(found, "worst_ratio") >= 1) and column(found, "consistency").max() <= 1e-12
    assert column(found, "lo_to_epsilon").tolist() == [5, 17, 37] and column(found, "reached").all()


@pytest.mark.parametrize("solver, params", METHODS[4:7], ids=str)
def test_the_law_holds_for_those_that_do_not_reach_it(solver, params):
    found = rows("lower_bound_law", solver=solver, params=params)
    assert np.all(column(found, "worst_ratio") >= 1)
    assert np.all(column(found, "lo_to_epsilon") >= column(found, "lower_bound"))


def test_the_lemma_at_random_points():
    found = rows("chain_lemma", points=2000, chain=10)
    assert column(found, "points").tolist() == [400] * 5 and not column(found, "violations").any()
    assert column(found, "depth").max() <= 12 and column(found, "sup_slope").max() <= 23
    assert 0 < column(found, "gradient").max() <= 23
    assert 100 < column(found, "hessian").max() <= 152


def test_a_violation_is_counted():
    y = np.array([[0.5, 2.0, 0.1], [3.0, 0.2, 5.0], [2.0, 2.0, 2.0], [0.1, 0.2, 0.3]])
    slopes = np.array([[0.5, 9.0, 2.0], [9.0, 1.5, 0.0], [0.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
    assert chain_lemma.violations(y, slopes) == 1  # of the first point, whose y_1 has a small slope


def test_the_hessian_of_a_quadratic(monkeypatch):
    matrix = np.array([[2.0, 1.0], [1.0, -3.0]])
    monkeypatch.setattr(chain_lemma, "chain_gradient", lambda y: y @ matrix)
    expected = np.abs(np.linalg.eigvalsh(matrix)).max()
    assert chain_lemma.hessian_norm(np.ones((3, 2)), 1e-5) == pytest.approx(expected, rel=1e-8)


def test_the_ball_is_that_of_the_instance():
    run = lower_bound.Trajectory(lower_bound.fresh(np.random.default_rng(0), chain=4), l2_ball.Set(460.0))
    run.append(np.zeros(28), {"LO": 0})
    assert run.gaps()[0] == pytest.approx(460 * np.exp(0.5)), "‖∇F(0)‖ = Φ'(0)"
