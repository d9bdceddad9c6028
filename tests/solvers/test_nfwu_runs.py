"""Runs of nfwu: an independent solver, geometry, descent, estimation errors, degenerate cases (nfwu F)."""

import cvxpy as cp
import instances
import numpy as np
import pytest

from projfree.engine import metrics
from projfree.engine.schedule import Schedule
from projfree.problems.matrix_completion import Problem
from projfree.sets import nuclear_ball

ALL = ["full", "sg", "svrg", "spider", "casvrg", "caspider"]
KINDS = ["array", "observed", "atoms"]
over_estimators = pytest.mark.parametrize("name", ALL)


def completion(**options):
    return instances.completion(loss="cil", weight="mean", **options)


def eight_by_eight(loss):
    rng = np.random.default_rng(8)
    Y = rng.standard_normal((8, 8))
    rows, cols = np.indices((8, 8)).reshape(2, -1)
    problem = Problem({"rows": rows, "cols": cols, "values": Y.ravel(), "truth": Y}, loss=loss, weight="mean")
    return problem, nuclear_ball.Set(np.linalg.norm(Y, "nuc") / 2), Y


@pytest.mark.parametrize("kind", KINDS)
def test_the_short_step_against_cvxpy(kind):
    problem, ball, Y = eight_by_eight("sq")
    X = cp.Variable((8, 8))
    model = cp.Problem(cp.Minimize(cp.sum_squares(X - Y) / 128), [cp.normNuc(X) <= ball.radius])
    best = model.solve(solver=cp.CLARABEL)
    asked = {"metrics": ["objective", "fw_gap"], "records": Late()}
    chosen = instances.setting(problem, {"iterations": 1500}, ball=ball, **asked)
    params = {"estimator": "full", "step_rule": "short", "iterate": kind}
    trace = instances.run(problem, "nfwu", params=params, ball=ball, setting=chosen)
    values, gaps = np.array(trace.metrics["objective"]), np.array(trace.metrics["fw_gap"])
    assert np.all(values - best >= -1e-8) and np.all(values - best <= gaps + 1e-8)
    assert values[-1] - best <= 3e-3 * values[0] and np.all(np.diff(values) <= 0)


class Late(Schedule):
    """Records at 0, 1, 10, 100, … and the end."""

    def after(self, iteration):
        return max(1, 10 * iteration)


def test_the_gap_against_cvxpy():
    problem, ball, _ = eight_by_eight("cil")
    X = instances.random_point(problem, ball.radius, np.random.default_rng(0))
    G, V = problem.gradient(X), cp.Variable((8, 8))
    model = cp.Problem(cp.Minimize(cp.sum(cp.multiply(G, V))), [cp.normNuc(V) <= ball.radius])
    least = model.solve(solver=cp.CLARABEL)
    assert metrics.make("fw_gap", problem, ball)(X) == pytest.approx(np.vdot(G, X) - least, rel=1e-6)


@over_estimators
def test_gradient_error_is_that_of_the_last_estimate(name):
    problem = completion()
    error = metrics.make("gradient_error", problem, nuclear_ball.Set(2.0))
    assert error.of_state
    for kind in KINDS:
        before, result = None, []
        params = {"estimator": name, "epoch": 5, "iterate": kind}
        for _, s in instances.walk(problem, "nfwu", 11, **params):
            if before is None:
                assert np.isnan(error(s))
            else:
                miss = instances.dense(s.estimate) - problem.gradient(before)
                assert error(s) == pytest.approx(np.linalg.norm(miss), rel=1e-10, abs=1e-17)
                result.append(error(s))
            before = instances.dense(s.x).copy()
        exact = np.array(result) < 1e-15
        assert exact.all() if name == "full" else not exact.any() if name == "sg" else True
        if name not in ("full", "sg"):
            assert exact.tolist() == [t % 5 == 0 for t in range(11)]


def test_gradient_error_is_recorded_and_needs_tracking():
    problem = completion()
    trace = instances.run(problem, "nfwu", {"iterations": 4}, metrics=["gradient_error"])
    errors = trace.metrics["gradient_error"]
    assert np.isnan(errors[0]) and errors[1] < 1e-15 < errors[2]
    with pytest.raises(ValueError, match="track is off"):
        instances.run(problem, "nfwu", {"iterations": 4}, params={"track": False}, metrics=["gradient_error"])


@over_estimators
def test_one_observed_entry_and_a_gradient_of_rank_one(name):
    arrays = {"rows": np.array([2]), "cols": np.array([1]), "values": np.array([0.7]), "shape": (5, 4)}
    problem = Problem(arrays, loss="cil", weight="mean")
    params = {"estimator": name, "epoch": 1, "eta": 0.2}
    trace = instances.run(problem, "nfwu", {"iterations": 8}, params=params)
    x = trace.final["x"]
    assert trace.metrics["objective"][-1] < trace.metrics["objective"][0]
    assert np.count_nonzero(np.abs(x) > 1e-12) == 1 and 0 < x[2, 1] <= 0.8


def test_residuals_of_1e200_have_value_one_and_no_slope():
    problem = completion(values=1e200)
    with np.errstate(invalid="raise", divide="raise", over="ignore"):
        params = {"estimator": "caspider", "eta": 0.1}
        trace = instances.run(problem, "nfwu", {"iterations": 3}, params=params)
    assert trace.metrics["objective"] == [1.0] * 4
