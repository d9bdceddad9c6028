"""What the theorems of ncgs say holds, and a broken method is found out."""

import numpy as np
import pytest
from probed import column
from referee.papers.ncgs.probes import estimator_moments, minibatch, rates, stationarity
from tiny_ncgs import CONVEX, PARAMS, RATES, TINY

from projfree.sets import nuclear_ball
from projfree.solvers import ncgs
from projfree.solvers.estimators import svrg
from projfree.solvers.inner import condg as condg_module
from referee.jobs.instance import load_problem

measured = TINY.measured


def instance_problem():
    """The problem of the first seed."""
    return load_problem(TINY.instance("rates"), 0, TINY.given("rates")["problem"])


def certificate_holds(traces):
    """NCGS-T1 in all rows, by parts."""
    of = ("gap", "eta", "sq_distance", "gamma_eta", "lo_calls", "lo_bound")
    gap, eta, distance, allowed, lo, bound = (np.array(column(traces, m)) for m in of)
    return {
        "gap": bool(np.all(gap <= eta * (1 + 1e-12))),
        "distance": bool(np.all(distance <= allowed)),
        "calls": bool(np.all(lo <= bound)),
        "descent": max(column(traces, "max_increase")) <= 1e-12,
        "step": max(column(traces, "step_error")) <= 1e-12,
    }


def test_condg_keeps_its_certificate(tmp_path):
    kept = certificate_holds(measured(tmp_path, "condg_certificate"))
    assert kept == dict.fromkeys(("gap", "distance", "calls", "descent", "step"), True)


@pytest.mark.parametrize("factor", [0.5, 1.5])
def test_a_wrong_step_of_condg_is_found(tmp_path, monkeypatch, factor):
    move = condg_module._move

    def wrong(x, h, g, u, v, gamma, xi):
        return move(x, h, g, u, v, gamma, min(1.0, factor * xi))

    monkeypatch.setattr(condg_module, "_move", wrong)
    params = {**PARAMS["condg_certificate"], "trials": 4, "gammas": [2.0], "etas": [1.0]}
    assert not certificate_holds(measured(tmp_path, "condg_certificate", params))["step"]


def test_the_two_criteria_bound_each_other(tmp_path):
    traces = measured(tmp_path, "stationarity")
    below, gap, above = (np.array(column(traces, m)) for m in ("gamma_sq_mapping", "fw_gap", "upper"))
    assert np.all(below <= gap * (1 + 1e-9)) and np.all(gap <= above * (1 + 1e-9)) and np.all(gap > 0)
    for metric in ("nonexpansive_excess", "mapping_increase", "scaled_mapping_decrease", "interior_error"):
        assert max(column(traces, metric)) <= 1e-9, metric
    assert sorted(set(column(traces, "gamma"))) == [0.01, 0.25, 3]


def test_a_wrong_gradient_mapping_is_found(tmp_path, monkeypatch):
    true = stationarity.gradient_mapping
    monkeypatch.setattr(stationarity, "gradient_mapping", lambda *given: 2 * true(*given))
    traces = measured(tmp_path, "stationarity")
    assert np.any(np.array(column(traces, "gamma_sq_mapping")) > column(traces, "fw_gap"))
    assert max(column(traces, "interior_error")) > 1e-3


def test_option_1_has_no_acceleration_and_its_steps_are_those_of_projected_gradients(tmp_path):
    traces = measured(tmp_path, "identity", {"iterations": 64})
    assert max(column(traces, "ag_error")) <= 1e-12 and max(column(traces, "md_error")) <= 1e-12
    assert 0 < max(column(traces, "prox_ratio")) <= 1
    momentum = measured(tmp_path, "identity", {"option": "I-momentum", "iterations": 16})
    assert max(column(momentum, "ag_error_momentum")) > 1e-6


def test_a_wrong_weight_breaks_the_identity(tmp_path, monkeypatch):
    prox_step = ncgs.Solver.prox_step
    monkeypatch.setattr(ncgs.Solver, "prox_step", lambda self, k, a, b: 1.1 * prox_step(self, k, a, b))
    assert max(column(measured(tmp_path, "identity"), "ag_error")) > 1e-6


def test_the_svrg_estimate_is_unbiased_with_bounded_variance(tmp_path):
    traces = measured(tmp_path, "estimator_moments")
    assert max(column(traces, "bias_z")) <= 4
    assert np.all(np.array(column(traces, "variance")) <= column(traces, "variance_bound"))


def test_a_biased_estimate_is_found(tmp_path, monkeypatch):
    update = svrg.Estimator.update

    def biased(self, oracles, anchor, x, rng):
        v, anchor = update(self, oracles, anchor, x, rng)
        return v + (v - anchor.gradient), anchor

    monkeypatch.setattr(estimator_moments.svrg.Estimator, "update", biased)
    assert max(column(measured(tmp_path, "estimator_moments"), "bias_z")) > 4


@pytest.mark.parametrize("name", ["option-1", "option-2", "exact", "vr"])
def test_bounds_of_the_theorems_hold(name, tmp_path):
    values = {"problem": CONVEX} if name == "exact" else {}
    traces = measured(tmp_path, "rates", RATES[name], **values)
    eps, bound, own = (np.array(column(traces, m)) for m in ("eps", "bound", "own_bound"))
    assert np.all(eps > 0) and np.all(eps <= own) and np.all(own <= bound * (1 + 1e-12))
    assert max(column(traces, "infeasibility")) <= 2e-9


def test_bounds_of_the_theorems_by_hand():
    """With L = 2, l = 0.4463·L, R = ‖θ*‖ = M = 2, N = 10."""
    problem, ball, N, L, R = instance_problem(), nuclear_ball.Set(2.0), 10, 2.0, 2.0
    f0, lower = problem.value(problem.start()), 4 * np.exp(-1.5)
    theta = {name: bound(problem, ball, N, "L_full") for name, bound in rates.BOUNDS.items()}
    first = (12 * L * f0 + 16 * L) / N, (16 / 3 * L * f0 + 28 / 3 * L) / N
    assert theta["theorem1_option1"] == pytest.approx(first)
    second = 192 * L**2 * R**2 / (N**2 * (N + 1)) + 48 * lower * L / N * 3 * R**2 + 96 * L / N
    assert theta["theorem1_option2"][0] == pytest.approx(second)
    assert theta["ghadimi_lan"][0] == pytest.approx(96 * L**2 * R**2 / (N * (N + 1) * (N + 2)))
    assert theta["theorem3"][0] == pytest.approx(18 * L * (f0 + 1) / N)


def test_a_step_of_the_wrong_sign_breaks_the_bound(tmp_path, monkeypatch):
    prox = ncgs.Solver.prox
    monkeypatch.setattr(ncgs.Solver, "prox", lambda self, o, gradient, *rest: prox(self, o, -gradient, *rest))
    traces = measured(tmp_path, "rates", RATES["exact"], problem=CONVEX)
    assert np.any(np.array(column(traces, "eps")) > column(traces, "bound"))


@pytest.mark.parametrize("name", ["stochastic", "frank-wolfe"])
def test_rates_count_the_run_only(name, tmp_path):
    (trace, _) = measured(tmp_path, "rates", RATES[name])
    horizons = np.array(trace.iteration)
    assert trace.iteration == RATES[name]["horizons"]
    if name == "stochastic":
        assert trace.oracles["IFO"] == (horizons * (horizons + 1) // 2).tolist()
    else:
        assert trace.oracles["FO"] == trace.oracles["LO"] == horizons.tolist()
        assert trace.metrics["eps"][1] <= trace.metrics["eps"][0]


def test_averages_of_the_criterion():
    criteria = np.array([[4.0, 1.0], [2.0, 5.0], [3.0, 3.0]])
    p = np.array([2, 6, 12]) / 20  # 3k(k+1)/(N(N+1)(N+2)), N = 3
    for name, expected in {"min": [2.0, 1.0], "mean": [3.0, 3.0], "weighted": p @ criteria}.items():
        np.testing.assert_allclose(rates._average(criteria, name), expected, err_msg=name)
    assert rates.stopping_weights(50).sum() == pytest.approx(1.0, rel=1e-12)


def test_sampling_of_stochastic_ncgs(tmp_path):
    traces = measured(tmp_path, "sampling")
    assert max(column(traces, "probability_error")) <= 1e-12
    assert np.all(np.array(column(traces, "variance")) <= column(traces, "variance_bound"))
    assert column(traces, "sfo") == column(traces, "sfo_formula") == [10.0, 136.0] * 2


def test_components_and_cost_to_a_level(tmp_path):
    for trace in measured(tmp_path, "n_dependence"):
        n, steps, ifo = (np.array(trace.metrics[m]) for m in ("n_components", "steps", "ifo_to_eps"))
        assert np.all(np.abs(n - [100, 200]) < 50) and np.all(ifo == n * steps) and np.all(steps > 0)
    params = {**PARAMS["n_dependence"], "level": 1e-12, "max_steps": 3, "components": [100]}
    assert column(measured(tmp_path, "n_dependence", params), "ifo_to_eps") == [np.inf] * 2


def test_costs_are_positive_and_of_the_shape_asked(tmp_path):
    traces = measured(tmp_path, "oracle_costs")
    for metric in ("seconds_lmo", "seconds_projection_full", "seconds_projection_gram"):
        assert min(column(traces, metric)) > 0
    assert set(column(traces, "rows")) == {40.0} and set(column(traces, "cols")) == {30.0}


@pytest.mark.parametrize(("batch", "samples"), [(1, 6), (3, 18), (None, 21)])
def test_a_mini_batch_is_constant_or_grows(batch, samples):
    problem, ball, rng = instance_problem(), nuclear_ball.Set(2.0), np.random.default_rng(0)
    (row,) = minibatch.measure(None, problem, ball, rng, horizons=[6], batch=batch)
    assert row.counts["IFO"] == samples and row.metrics["eps"] > 0
