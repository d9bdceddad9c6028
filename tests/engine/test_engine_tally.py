"""What methods tell beside the counts: sums, largest and last values, and the metrics of them."""

import json
import math

import numpy as np
import pytest

from projfree import solvers
from projfree.engine import metrics
from projfree.engine.budget import Budget
from projfree.engine.driver import Setting, drive
from projfree.engine.metrics.base import of_tally
from projfree.engine.oracles.base import Tally
from projfree.problems.robust_multiclass import Problem, tiny_arrays
from projfree.sets import nuclear_ball


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
