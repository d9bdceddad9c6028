"""Every probe gives finite rows; what the theorems say holds; and a broken method is found out."""

from pathlib import Path

import numpy as np
import pytest
import tiny
from tiny import column, measured

from projfree.engine.trace import read_trace
from projfree.ground import rooms
from projfree.jobs import probe as probes
from projfree.jobs.instance import load_problem
from projfree.papers.ncgs.probes import condg_certificate, estimator_moments, rates, stationarity
from projfree.sets import nuclear_ball
from projfree.solvers import ncgs
from projfree.solvers.estimators import svrg
from projfree.solvers.inner import condg as condg_module

#: Probes of gcg, whose problems are of another kind: test_{gcg,rival,view,completion,path}_probes.py.
OF_GCG = {"ball_rates", "inexact_polars", "relaxed_steps", "trace_norm_optimum"}
OF_GCG |= {
    "corrective_steps",
    "fixed_rank_geometry",
    "lifted_ball",
    "canonical_correlations",
    "factor_bounds",
}
OF_GCG |= {"penalty_grid", "trapped_descent", "truth_and_noise", "view_polar", "view_polar_random"}
OF_GCG |= {"penalty_weights", "ratings_facts", "svd_costs", "completion_scale", "regularisation_path"}


def test_every_probe_has_tiny_parameters_or_a_test_of_its_own():
    papers = ("gcg", "ipg", "mpcgs", "ncgs", "nfwu")
    assert {*tiny.PARAMS, *OF_GCG} == {name for paper in papers for name in rooms.modules(paper, "probes")}
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*_probes.py"))
    assert all(name in tests for name in OF_GCG)


@pytest.mark.parametrize("name", list(tiny.PARAMS))
def test_rows_are_finite_and_repeat(name, tmp_path):
    traces, again = measured(tmp_path, name), measured(tmp_path, name)
    assert [trace.seed for trace in traces] == [0, 1]
    for trace, same in zip(traces, again, strict=True):
        assert len(trace.iteration) >= 2 and trace.end_status == "iterations"
        assert trace.metrics.keys() == same.metrics.keys() and trace.oracles == same.oracles
        for metric, values in trace.metrics.items():
            assert np.isfinite(values).all(), metric
            assert values == same.metrics[metric] or metric.startswith(("seconds_", "memory_")), metric
        assert np.all(np.diff(trace.cpu_seconds) >= 0)


def test_seeds_measure_different_things(tmp_path):
    first, second = measured(tmp_path, "condg_certificate")
    assert first.metrics["gap"] != second.metrics["gap"]


def test_the_trace_of_a_probe_says_what_was_asked(tmp_path):
    measured(tmp_path, "identity")
    attrs, _ = read_trace(tmp_path / "identity.h5")
    assert attrs["solver"] == "identity" and '"iterations": 16' in attrs["params"]


def test_a_probe_without_instance_needs_none(tmp_path):
    job = tiny.job("oracle_costs", tiny.PARAMS["oracle_costs"])
    without = {key: value for key, value in job.items() if key not in ("problem", "set", "generator")}
    probes.run_probe(without, None, tmp_path / "costs.h5")
    attrs, traces = read_trace(tmp_path / "costs.h5")
    assert attrs["dataset_sha256"] == "generated" and not attrs["stand_in"] and len(traces) == 2


def test_unknown_parameters_list_the_known(tmp_path):
    told = "parameter 'trails'. Did you mean 'trials'.* Known are: etas, gammas, radius, shape, trials"
    with pytest.raises(ValueError, match=told):
        measured(tmp_path, "condg_certificate", {"trails": 3})


def instance_problem():
    """The problem of the first seed."""
    return load_problem(tiny.instance(), 0, tiny.SPEC)


def certificate_holds(traces):
    """NCGS-T1 in all rows, by parts."""
    gap, eta, distance, allowed = (
        np.array(column(traces, m)) for m in ("gap", "eta", "sq_distance", "gamma_eta")
    )
    lo, bound = (np.array(column(traces, m)) for m in ("lo_calls", "lo_bound"))
    return {
        "gap": bool(np.all(gap <= eta * (1 + 1e-12))),
        "distance": bool(np.all(distance <= allowed)),
        "calls": bool(np.all(lo <= bound)),
        "descent": max(column(traces, "max_increase")) <= 1e-12,
        "step": max(column(traces, "step_error")) <= 1e-12,
    }


def test_condg_keeps_its_certificate(tmp_path):
    assert certificate_holds(measured(tmp_path, "condg_certificate")) == dict.fromkeys(
        ("gap", "distance", "calls", "descent", "step"), True
    )


@pytest.mark.parametrize("factor", [0.5, 1.5])
def test_a_wrong_step_of_condg_is_found(tmp_path, monkeypatch, factor):
    move = condg_module._move

    def wrong(x, h, g, u, v, gamma, xi):
        return move(x, h, g, u, v, gamma, min(1.0, factor * xi))

    monkeypatch.setattr(condg_module, "_move", wrong)
    params = {**tiny.PARAMS["condg_certificate"], "trials": 4, "gammas": [2.0], "etas": [1.0]}
    assert not certificate_holds(measured(tmp_path, "condg_certificate", params))["step"]


def test_an_objective_that_rises_is_found():
    ball, zero = nuclear_ball.Set(2.0), np.zeros((3, 3))
    watched = condg_certificate.Watched(ball, np.random.default_rng(0), np.eye(3), zero, 1.0)
    points = [zero, -0.5 * np.eye(3), 0.1 * np.eye(3)]
    watched.seen = [(x, zero) for x in points[:2]]
    assert watched.max_increase(points[2]) == pytest.approx(
        (0.315 + 1.125) / 1.125
    )  # values 0, −1.125, 0.315
    assert watched.max_increase(-0.6 * np.eye(3)) == 0.0


def test_a_condg_that_returns_too_early_is_found(tmp_path, monkeypatch):
    threshold = condg_module.StopRule.threshold
    monkeypatch.setattr(condg_module.StopRule, "threshold", lambda self, first: 5 * threshold(self, first))
    holds = certificate_holds(measured(tmp_path, "condg_certificate"))
    assert not holds["gap"] and holds["step"] and holds["descent"]


def test_the_two_criteria_bound_each_other(tmp_path):
    traces = measured(tmp_path, "stationarity")
    below, gap, above = (np.array(column(traces, m)) for m in ("gamma_sq_mapping", "fw_gap", "upper"))
    assert np.all(below <= gap * (1 + 1e-9)) and np.all(gap <= above * (1 + 1e-9)) and np.all(gap > 0)
    assert max(column(traces, "nonexpansive_excess")) <= 1e-9
    assert max(column(traces, "mapping_increase")) <= 1e-9
    assert max(column(traces, "scaled_mapping_decrease")) <= 1e-9
    assert max(column(traces, "interior_error")) <= 1e-9
    assert sorted(set(column(traces, "gamma"))) == [0.01, 0.25, 3]


def test_a_wrong_gradient_mapping_is_found(tmp_path, monkeypatch):
    true = stationarity.gradient_mapping
    monkeypatch.setattr(
        stationarity, "gradient_mapping", lambda x, g, gamma, ball: 2 * true(x, g, gamma, ball)
    )
    traces = measured(tmp_path, "stationarity")
    assert np.any(np.array(column(traces, "gamma_sq_mapping")) > column(traces, "fw_gap"))
    assert max(column(traces, "interior_error")) > 1e-3


def test_option_1_has_no_acceleration(tmp_path):
    traces = measured(tmp_path, "identity")
    assert max(column(traces, "ag_error")) <= 1e-12 and max(column(traces, "md_error")) <= 1e-12
    momentum = measured(tmp_path, "identity", {"option": "I-momentum", "iterations": 16})
    assert max(column(momentum, "ag_error_momentum")) > 1e-6


def test_each_step_of_option_1_is_a_projected_gradient_step(tmp_path):
    traces = measured(tmp_path, "identity", {"iterations": 64})
    assert 0 < max(column(traces, "prox_ratio")) <= 1


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
    values = {"problem": tiny.CONVEX} if name == "exact" else {}
    traces = measured(tmp_path, "rates", tiny.RATES[name], **values)
    eps, bound, own = (np.array(column(traces, m)) for m in ("eps", "bound", "own_bound"))
    assert np.all(eps > 0) and np.all(eps <= own) and np.all(own <= bound * (1 + 1e-12))
    assert max(column(traces, "infeasibility")) <= 2e-9


def test_bounds_of_the_theorems_by_hand():
    """SPEC-ncgs B2, B4 with L = 2, l = 0.4463·L, R = ‖θ*‖ = M = 2, N = 10."""
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
    traces = measured(tmp_path, "rates", tiny.RATES["exact"], problem=tiny.CONVEX)
    assert np.any(np.array(column(traces, "eps")) > column(traces, "bound"))


@pytest.mark.parametrize("name", ["stochastic", "frank-wolfe"])
def test_rates_count_the_run_only(name, tmp_path):
    (trace, _) = measured(tmp_path, "rates", tiny.RATES[name])
    horizons = np.array(trace.iteration)
    assert trace.iteration == tiny.RATES[name]["horizons"]
    if name == "stochastic":
        assert trace.oracles["IFO"] == (horizons * (horizons + 1) // 2).tolist()
    else:
        assert trace.oracles["FO"] == trace.oracles["LO"] == horizons.tolist()
        assert trace.metrics["eps"][1] <= trace.metrics["eps"][0]


def test_averages_of_the_criterion():
    criteria = np.array([[4.0, 1.0], [2.0, 5.0], [3.0, 3.0]])
    assert rates._average(criteria, "min").tolist() == [2.0, 1.0]
    assert rates._average(criteria, "mean").tolist() == [3.0, 3.0]
    p = np.array([2, 6, 12]) / 20  # 3k(k+1)/(N(N+1)(N+2)), N = 3
    np.testing.assert_allclose(rates._average(criteria, "weighted"), p @ criteria)
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


def test_a_level_that_is_not_reached_costs_infinity(tmp_path):
    params = {**tiny.PARAMS["n_dependence"], "level": 1e-12, "max_steps": 3, "components": [100]}
    assert column(measured(tmp_path, "n_dependence", params), "ifo_to_eps") == [np.inf] * 2


def test_costs_are_positive_and_of_the_shape_asked(tmp_path):
    traces = measured(tmp_path, "oracle_costs")
    for metric in ("seconds_lmo", "seconds_projection_full", "seconds_projection_gram"):
        assert min(column(traces, metric)) > 0
    assert set(column(traces, "rows")) == {40.0} and set(column(traces, "cols")) == {30.0}


def test_random_points_are_feasible_and_spread():
    ball, rng = nuclear_ball.Set(2.0), np.random.default_rng(0)
    sizes = [ball.gauge(condg_certificate.random_point(ball, (6, 5), rng)) for _ in range(100)]
    assert max(sizes) <= 2.0 and min(sizes) >= 0.2 - 1e-12 and np.std(sizes) > 0.3
