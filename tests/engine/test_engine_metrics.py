"""Metrics of observed iterates and of states, and what the second-order oracles count."""

import instances
import numpy as np
import pytest

from projfree.engine import metrics
from projfree.engine.oracles.constrained import Oracles
from projfree.linalg.sampled import SparseOnPattern
from projfree.sets import nuclear_ball


@pytest.mark.parametrize("kind", ["observed", "atoms"])
@pytest.mark.parametrize("shape", [(12, 10), (70, 60), (30, 1)])
def test_the_gap_of_a_sparse_gradient_is_that_of_the_dense_one(kind, shape):
    problem, rng = instances.completion(shape, loss="cil"), np.random.default_rng(0)
    ball = nuclear_ball.Set(2.0)
    gap, x = metrics.make("fw_gap", problem, ball), problem.start(kind)
    for _ in range(8):
        assert isinstance(problem.gradient(x), SparseOnPattern)
        assert gap(x) == pytest.approx(gap(instances.dense(x)), rel=1e-10) and gap(x) >= 0
        x.toward(ball.lmo(rng.standard_normal(shape), rng=rng), rng.uniform(0.1, 0.9))


@pytest.mark.parametrize("kind", ["array", "observed", "atoms"])
def test_every_metric_takes_every_kind_of_iterate(kind):
    problem, ball = instances.completion(loss="cil"), nuclear_ball.Set(2.0)
    *_, (_, state) = instances.walk(problem, "nfwu", 5, iterate=kind)
    names = ("fw_gap", "sq_gradient_mapping", "infeasibility", "gradient_norm", "rank", *problem.metrics)
    for name in names:
        metric = metrics.make(name, problem, ball)
        assert metric(state.x) == pytest.approx(metric(instances.dense(state.x)), rel=1e-8, abs=1e-13), name


def test_the_driver_hands_states_to_metrics_that_ask_for_them():
    problem = instances.completion(loss="cil")
    setting = instances.setting(problem, {"iterations": 3}, metrics=())
    setting.metrics = {"steps": lambda state: state.t, "size": lambda x: x.shape[0]}
    setting.metrics["steps"].of_state = True
    trace = instances.run(problem, "nfwu", setting=setting)
    assert trace.metrics["steps"] == [0.0, 1.0, 2.0, 3.0] and set(trace.metrics["size"]) == {12.0}


@pytest.mark.parametrize("kind", ["array", "observed"])
def test_counts_and_values_of_the_second_order_oracles(kind):
    problem = instances.completion(loss="cil")
    o, batch = Oracles(problem, nuclear_ball.Set(2.0), np.random.default_rng(0)), np.array([2, 5, 2])
    x = problem.start(kind)
    g, slopes = o.anchor(x)
    o.counts = dict.fromkeys(o.counts, 0)
    curvatures = o.component_curvatures(x)
    assert o.counts["SSO"] == problem.n and sum(o.counts.values()) == problem.n
    direction = problem.gradient(x)
    terms = o.curvature_terms(curvatures, direction, batch)
    assert o.counts["SSO"] == problem.n + 3
    np.testing.assert_array_equal(terms, curvatures[batch] * problem.arguments(direction)[batch])
    counts = dict(o.counts)
    o.hessian_product(curvatures, direction)
    o.add_components(g.copy(), terms, batch)
    assert o.counts == counts, "known scalars cost nothing"
    made = o.add_component_difference(g.copy(), x, np.zeros_like(slopes), batch)
    assert o.counts["IFO"] == 2 * 3
    expected = instances.dense(g) + instances.dense(problem.component_gradient(x, batch))
    np.testing.assert_allclose(instances.dense(made), expected, atol=1e-15)
