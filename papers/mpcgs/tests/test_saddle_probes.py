"""The theory checks of mpcgs hold on tiny instances, and a broken method is found out."""

import numpy as np
import pytest
from probed import column
from tiny_mpcgs import TINY

from projfree.solvers import mpcgs
from projfree.solvers.inner import sliding


def columns(folder, name, params, *metrics):
    traces = TINY.measured(folder, name, params)
    return [np.array(column(traces, metric)) for metric in metrics]


@pytest.mark.parametrize("rule", ["theorem", "exact"])
def test_theorem_1_and_the_order_of_the_gaps(rule, tmp_path):
    params = {"solver": "mpcgs", "horizons": [1, 5, 20, 60], "params": {"y_rule": rule}}
    of = ("gap", "bound", "saddle_fw_gap", "gidel_gap", "mean_error", "infeasibility", "lo_x", "lo_x_bound")
    gap, bound, fw, gidel, mean, outside, lo, lo_bound = columns(tmp_path, "saddle_rates", params, *of)
    assert np.all(gap <= bound) and np.all(fw >= gap - 1e-9)
    assert np.all(gap >= gidel - 1e-6) and np.all(gidel >= -1e-6)
    assert max(mean) <= 1e-13 and max(outside) <= 1e-10 and np.all(lo <= lo_bound)


def test_a_method_without_averaging_is_found_out(tmp_path, monkeypatch):
    monkeypatch.setattr(mpcgs, "blend", lambda x, v, share: v if x.ndim == 1 else (1 - share) * x + share * v)
    params = {"solver": "mpcgs", "horizons": [20, 60]}
    (mean,) = columns(tmp_path, "saddle_rates", params, "mean_error")
    assert max(mean) > 1e-6


def test_structure(tmp_path):
    of = ("contraction", "contraction_bound", "response_ratio", "midpoint", "concavity", "certificate_ratio")
    params = {"trials": 30}
    found, bound, ratio, middle, concavity, certificate = columns(tmp_path, "saddle_structure", params, *of)
    assert np.all(found <= bound + 1e-12) and np.all(bound <= 0.5) and max(ratio) <= 1
    assert max(middle) <= 1e-12 and max(concavity) <= 1e-9 and max(certificate) <= 1


def test_simplex_condg(tmp_path):
    of = ("gap", "eta", "lo_calls", "lo_bound", "sq_distance", "allowed", "max_increase", "step_error")
    given = columns(tmp_path, "simplex_condg", {"trials": 9}, *of)
    gap, eta, lo, bound, distance, allowed, increase, step = given
    assert np.all(gap <= eta) and np.all(lo <= bound) and np.all(distance <= allowed)
    assert max(increase) <= 1e-12 and max(step) <= 1e-12


@pytest.mark.parametrize("kappa", [2, 100])
def test_phases_halve_and_keep_their_count(kappa, tmp_path):
    params, of = {"solver": "cgs", "kappa": kappa, "phases": 4}, ("error", "promised", "lo_phase", "lo_bound")
    error, promised, lo, bound = columns(tmp_path, "sliding_phases", params, *of)
    assert np.all(error <= promised) and np.all(lo <= bound)


def test_a_phase_that_is_too_short_is_found_out(tmp_path, monkeypatch):
    monkeypatch.setattr(sliding.Phases, "length", lambda self, kappa: 1)
    params = {"solver": "cgs", "kappa": 100, "phases": 8}
    error, promised = columns(tmp_path, "sliding_phases", params, "error", "promised")
    assert np.any(error > promised)


def test_bias_is_small_against_its_noise(tmp_path):
    gap, bound = columns(tmp_path, "sample_bias", {"runs": 4, "horizons": [10, 20]}, "mean_gap", "bound")
    assert np.all(gap <= bound)


def test_a_decomposition_that_is_left_out_keeps_its_place(tmp_path):
    params = {"shape": [30, 20], "classes": [3, 6], "length": 5, "steps": 1, "repetitions": 1}
    params |= {"full_below": 300, "batch": 5}
    full, gram = columns(tmp_path, "saddle_costs", params, "seconds_po_full", "seconds_po_gram")
    assert np.isnan(full).tolist() == 2 * [False, True] and np.all(gram > 0)  # of two seeds
