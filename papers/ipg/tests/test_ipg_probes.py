"""Probes of ipg: what the theorems say holds, and a broken prox or solver is found out."""

import numpy as np
import pytest
from probed import column
from referee.papers.ipg.probes import convexity
from tiny_ipg import PLANT, TINY

from projfree.penalties import oscar
from projfree.penalties.prox import Prox, dual_frank_wolfe

measured = TINY.measured


@pytest.mark.parametrize("kind", ["oscar", "trace_lasso"])
def test_certificates_hold(tmp_path, kind):
    traces = measured(tmp_path, "prox_certificates", {"kind": kind, "trials": 25, "largest": 5})
    limits = {"overrun": 1e-10, "below": 1e-10, "identity": 1e-10, "rate": 1, "exact_difference": 1e-9}
    for metric, limit in (limits | {"excess": 1e-9} if kind == "oscar" else limits).items():
        assert max(column(traces, metric)) <= limit, metric


def test_a_gap_that_is_too_small_is_found_out(tmp_path, monkeypatch):
    prox = dual_frank_wolfe.prox

    def boastful(*args, **options):
        found = prox(*args, **options)
        return Prox(found.x, found.value, 0.5 * found.gap, found.passes, found.warm)

    monkeypatch.setattr(dual_frank_wolfe, "prox", boastful)
    traces = measured(tmp_path, "prox_certificates", {"trials": 60})
    assert max(column(traces, "overrun")) > 1e-6


@pytest.mark.parametrize("params", [{}, {"error_power": 0, "step_factor": 0.5}])
def test_descent_with_planted_errors(tmp_path, params):
    traces = measured(tmp_path, "proximal_descent", {"passes": 60, "params": {"prox": PLANT, **params}})
    assert max(column(traces, "descent")) <= 1e-10 and max(column(traces, "descent_convex")) <= 1e-10
    for metric, bound in (("path", "path_bound"), ("path", "path_bound_convex"), ("crit", "crit_bound")):
        assert np.all(np.array(column(traces, metric)) <= np.array(column(traces, bound)) * (1 + 1e-9))
    assert max(column(traces, "rise")) <= 1e-12


def test_theorem_3(tmp_path):
    params = {"passes": 40, "theorem3": 0.5, "params": {"step_factor": 0.5, "prox": PLANT}}
    assert max(column(measured(tmp_path, "proximal_descent", params), "theorem3")) <= 1e-10
    traces = measured(tmp_path, "linear_rate", {"step_factor": 0.9, "passes": 30, "reference": 2000})
    assert np.all(np.array(column(traces, "shrinkage")) <= np.array(column(traces, "rate")))


def test_identities(tmp_path):
    traces = measured(tmp_path, "proximal_identities", {"passes": 30})
    limits = {"momentum_error": 1e-12, "momentum_low": 0, "first_pass": 1e-12, "trace_difference": 1e-10}
    for metric, limit in limits.items():
        assert max(column(traces, metric)) <= limit, metric


def test_table_2(tmp_path):
    ends = {}
    for function in convexity.FUNCTIONS:
        traces = measured(tmp_path, "convexity", {"function": function, "trials": 150})
        ends[function] = {name: values[-1] for name, values in traces[0].metrics.items()}
    assert ends["correntropy"]["largest_violation"] > 1e-2 and ends["correntropy"]["least_curvature"] < -0.3
    assert ends["rank"]["largest_violation"] == 2
    for function in ("oscar", "trace_lasso", "logistic"):
        assert ends[function]["largest_violation"] <= 1e-12
    assert ends["logistic"]["least_curvature"] >= 0
    assert ends["logistic"]["largest_curvature"] == pytest.approx(1 / 8)
    with pytest.raises(ValueError, match="unknown function 'l1'. Known are: correntropy, logistic, oscar"):
        measured(tmp_path, "convexity", {"function": "l1"})


def test_a_grid_of_parameters(tmp_path):
    (first, _) = measured(tmp_path, "parameter_grid")
    assert first.metrics["delta"] == [0.1, 0.1, 1, 1] and first.metrics["max_inner"] == [1, 3, 1, 3]
    assert first.metrics["inner"][1] > first.metrics["inner"][0]
    assert min(first.metrics["excess"]) > 0


def test_planted_errors_make_floors(tmp_path):
    params = {"params": {"error_power": 0, "prox": PLANT}, "grid": {"error_scale": [1e-8, 1e-4, 1e-2]}}
    (first, _) = measured(tmp_path, "parameter_grid", {**params, "passes": 150, "mapping": True})
    assert np.all(np.diff(first.metrics["excess"]) > 0)
    assert np.all(np.diff(first.metrics["sq_gradient_mapping"]) > 0)
    assert first.metrics["excess_ratio"][0] < 2 < first.metrics["excess_ratio"][-1]


def test_recorded_points_compare_the_methods(tmp_path):
    proxes = {"exact": {"method": "igm_restart"}, "inexact": {"method": "dual_frank_wolfe", "max_inner": 0}}
    traces = measured(tmp_path, "recorded_prox", {"passes": 6, "every": 3, "proxes": proxes})
    assert traces[0].iteration == [0, 3, 6]
    assert max(column(traces, "error_exact")) < 1e-12 < max(column(traces, "error_inexact"))
    assert min(column(traces, "seconds_exact")) >= 0 and column(traces, "gap_exact") == [0] * 6


def test_prox_scaling_leaves_out_what_takes_too_long(tmp_path):
    params = {"sizes": [10, 20], "repetitions": 1, "interpreted_up_to": 10, "rows": 5}
    (first, _) = measured(tmp_path, "prox_scaling", params)
    assert np.isfinite(first.metrics["seconds_igm_interpreted"][0])
    assert np.isnan(first.metrics["seconds_igm_interpreted"][1])
    assert first.metrics["seconds_ratio_pava"][0] == pytest.approx(
        first.metrics["seconds_pava"][0] / first.metrics["seconds_inexact"][0]
    )
    assert set(oscar.EXACT) <= {name.removeprefix("seconds_") for name in first.metrics}


@pytest.mark.parametrize("baseline", ["truncated_svd", "node_signs", "logistic_regression"])
def test_baselines_beat_a_constant(tmp_path, baseline):
    for trace in measured(tmp_path, "link_baselines", {"baseline": baseline}):
        auc = trace.metrics["auc_test"]
        assert auc[0] == 0.5 and auc[1] != 0.5
