"""Metrics of observed iterates, of states and of what methods tell; the second-order oracles."""

import json
import math

import instances
import numpy as np
import pytest

from projfree import solvers
from projfree.engine import metrics
from projfree.engine.budget import Budget
from projfree.engine.driver import Setting, drive
from projfree.engine.metrics.base import of_tally
from projfree.engine.oracles.base import Tally
from projfree.engine.oracles.constrained import Oracles
from projfree.linalg.sampled import SparseOnPattern
from projfree.problems.robust_multiclass import Problem, tiny_arrays
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
def test_values_of_the_second_order_oracles(kind):
    problem = instances.completion(loss="cil")
    o, batch = Oracles(problem, nuclear_ball.Set(2.0), np.random.default_rng(0)), np.array([2, 5, 2])
    x = problem.start(kind)
    (g, slopes), curvatures, direction = o.anchor(x), o.component_curvatures(x), problem.gradient(x)
    terms = o.curvature_terms(curvatures, direction, batch)
    np.testing.assert_array_equal(terms, curvatures[batch] * problem.arguments(direction)[batch])
    made = o.add_component_difference(g.copy(), x, np.zeros_like(slopes), batch)
    expected = instances.dense(g) + instances.dense(problem.component_gradient(x, batch))
    np.testing.assert_allclose(instances.dense(made), expected, atol=1e-15)


def test_sums_largest_and_last_values_go_through_json():
    tally = Tally()
    tally.add(idle=np.True_, passes=3)
    tally.add(idle=False, passes=np.int64(2))
    tally.most(rise=math.nan)
    tally.most(rise=-2.0, over=-7)
    tally.most(rise=-3.0, over=np.int64(-9))
    tally.last(bound=1)
    tally.last(bound=np.float64(0.5))
    assert tally == {"idle": 1, "passes": 5, "rise": -2.0, "over": -7.0, "bound": 0.5}
    assert json.loads(json.dumps(tally)) == tally


def test_a_metric_of_what_was_not_told_is_its_value_before():
    metric = of_tally("rise", -math.inf)
    assert metric.of_tally and metric(Tally()) == -math.inf and metric(Tally(rise=2.0)) == 2.0


@pytest.mark.parametrize("params, in_start", [({}, 0), ({"vertex": True}, 1), ({"fast_forward": True}, 4)])
def test_the_tally_is_of_steps_and_the_counts_of_the_start_too(params, in_start):
    problem, ball = Problem(tiny_arrays(np.random.default_rng(0))), nuclear_ball.Set(3.0, linear="gram")
    first = {"lo_x": 0, "lo_y": 0, "fo_literal": 0, "theorem_bound": math.inf, "most_passes_over": -1000}
    made = {name: metrics.make(name, problem, ball) for name in first}
    solver = solvers.make("mpcgs", {"max_lo": 5, **params})
    setting = Setting(Budget({"iterations": 3}), metrics=made)
    trace = drive(problem, ball, solver, np.random.SeedSequence(0), 0, setting)
    assert {name: values[0] for name, values in trace.metrics.items()} == first
    end = {name: values[-1] for name, values in trace.metrics.items()}
    assert end["lo_x"] + end["lo_y"] + in_start == trace.oracles["LO"][-1]
    assert end["lo_x"] >= 3 and end["theorem_bound"] < math.inf and end["most_passes_over"] > -1000
