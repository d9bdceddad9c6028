"""Metrics of observed iterates and of states, and what the second-order oracles count."""

import instances
import numpy as np
import pytest

from projfree.engine import metrics
from projfree.engine.oracles.constrained import Oracles
from projfree.linalg.sampled import SparseOnPattern
from projfree.sets import nuclear_ball


@pytest.mark.parametrize("shape", [(12, 10), (70, 60), (30, 1)])
@pytest.mark.parametrize("kind", ["array", "observed", "atoms"])
def test_every_metric_takes_every_kind_of_iterate(kind, shape):
    problem, ball = instances.completion(shape, loss="cil"), nuclear_ball.Set(2.0)
    names = ("fw_gap", "sq_gradient_mapping", "infeasibility", "gradient_norm", "rank", *problem.metrics)
    made = {name: metrics.make(name, problem, ball) for name in names}
    for _, state in instances.walk(problem, "nfwu", 5, iterate=kind):
        assert (kind == "array") != isinstance(problem.gradient(state.x), SparseOnPattern)
        for name, metric in made.items():
            value = metric(state.x)
            assert value == pytest.approx(metric(instances.dense(state.x)), rel=1e-8, abs=1e-13), name
        assert made["fw_gap"](state.x) >= 0


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
