"""Probes on the small instance of the theory checks, with parameters that take a moment."""

import functools
import tempfile
from pathlib import Path

import numpy as np

from projfree.data import generators, prepare
from projfree.engine.trace import read_trace
from projfree.jobs.build import build_instance
from projfree.jobs.probe import run_probe

SPEC = {
    "paper": "made",
    "experiment": "t",
    "instance_of": "t",
    "method": "m",
    "run": "quick",
    "generator": {"name": "completion", "shape": [12, 12], "rank": 2, "radius": 2, "observe": 0.6}
    | {"corrupt": 0.2, "noise": 1.5, "mode": "A", "corruption": "add"},
    "problem": {"name": "matrix_completion", "loss": "sl0", "sigma": 1.0, "weight": "sum"},
    "set": {"name": "nuclear_ball", "radius": 2},
    "seeds": [0, 1],
}
ROBUST = {"name": "matrix_completion", "loss": "cil", "sigma": 1.0, "weight": "mean"}
CONVEX = {"name": "matrix_completion", "loss": "sq", "weight": "sum"}
RATES = {
    "option-1": {"solver": "ncgs", "params": {"option": "I", "rule": "theorem"}, "at": "theta_md"}
    | {"bound": "theorem1_option1", "horizons": [4, 8]},
    "option-2": {"solver": "ncgs", "params": {"option": "II", "rule": "theorem"}, "at": "theta_md"}
    | {"bound": "theorem1_option2", "horizons": [4, 8]},
    "exact": {"solver": "ncgs", "params": {"option": "II-exact"}, "at": "theta_md", "radius": 1}
    | {"bound": "ghadimi_lan", "horizons": [8, 16, 32]},
    "vr": {"solver": "ncgs_vr", "params": {"rule": "theorem", "smoothness": "L_vr"}, "average": "mean"}
    | {"bound": "theorem3", "smoothness": "L_vr", "horizons": [2, 4]},
    "stochastic": {"solver": "sncgs", "params": {"rule": "theorem"}, "at": "theta_md", "average": "weighted"}
    | {"horizons": [4, 8]},
    "frank-wolfe": {"solver": "frank_wolfe", "horizons": [8, 16]},
}
#: Parameters that make each probe small; a new probe needs a line here.
PARAMS = {
    "accuracies": {"estimator": "caspider", "epsilons": [0.04, 0.02]},
    "chain_lemma": {"chain": 4, "points": 100, "scales": [0.5, 2]},
    "condg_certificate": {"shape": [8, 8], "trials": 24, "gammas": [0.05, 0.25, 2], "etas": [0.5, 0.1]},
    "error_orders": {"distances": [0.1, 0.01]},
    "estimator_costs": {"sizes": [30, 40], "repetitions": 1, "epoch": 3, "epochs": 2},
    "estimator_identities": {"params": {"eta": 0.5}, "steps": 8},
    "estimator_moments": {"draws": 800, "pairs": 2},
    "exact_moments": {"estimator": "casvrg", "batch": 1, "epoch": 3, "steps": 4, "params": {"eta": 0.5}},
    "identity": {"iterations": 16},
    "lower_bound": {"solver": "frank_wolfe", "params": {"step_rule": "open_loop"}, "chain": 4},
    "lower_bound_law": {"solver": "momentum_frank_wolfe", "inverse_epsilons": [2, 3]},
    "n_dependence": {"solver": "ncgs", "params": {"option": "II"}, "components": [100, 200], "level": 0.3},
    "oracle_costs": {"shape": [40, 30], "repetitions": 2},
    "rates": RATES["option-1"],
    "sampling": {"horizons": [4, 16], "draws": 300},
    "single_component": {},
    "stationarity": {"trials": 10},
    "step_bounds": {"estimator": "casvrg", "steps": 6, "every": 2, "params": {"eta": 0.5}},
    "step_costs": {"estimator": "casvrg", "shapes": [[30, 50]], "observed": 400, "steps": 3, "epoch": 2},
    "theory_parameters": {"epsilons": [1e-3, 1e-4]},
    "saddle_costs": {"shape": [80, 200], "classes": [3, 5], "repetitions": 2, "length": 20.0, "steps": 3},
    "saddle_interior": {"solver": "spfw", "steps": 100},
    "saddle_rates": {"solver": "mpcgs", "horizons": [5, 20, 60]},
    "saddle_structure": {"trials": 12},
    "sample_bias": {"runs": 3, "horizons": [10, 20]},
    "simplex_condg": {"trials": 9},
    "sliding_phases": {"solver": "cgs", "phases": 3},
    "sparse_lmo": {"shape": [200, 60]},
}
#: Probes of nfwu, whose theory needs a bound of the third derivative.
NFWU = ("accuracies", "error_orders", "estimator_costs", "estimator_identities", "exact_moments")
NFWU += ("single_component", "step_bounds", "step_costs", "theory_parameters")

PLANT = {"method": "perturbed"}
#: The same for probes of composite objectives, on the regression with outliers or on links.
COMPOSITE = {
    "convexity": {"function": "oscar", "trials": 20},
    "linear_rate": {"passes": 10, "reference": 500},
    "link_baselines": {"baseline": "logistic_regression"},
    "parameter_grid": {"grid": {"delta": [0.1, 1], "prox.max_inner": [1, 3]}, "solver": "nmapg", "passes": 10}
    | {"params": {"prox": {"method": "dual_frank_wolfe"}}, "mapping": True},
    "prox_certificates": {"trials": 10, "largest": 5},
    "prox_scaling": {"sizes": [10, 30], "repetitions": 2, "rows": 20},
    "proximal_descent": {"passes": 15, "params": {"prox": PLANT}, "theorem3": None},
    "proximal_identities": {"passes": 5},
    "recorded_prox": {"passes": 4, "every": 2, "proxes": {"inexact": {"method": "dual_frank_wolfe"}}},
}
PARAMS |= COMPOSITE
REGRESSION = {key: value for key, value in SPEC.items() if key != "set"} | {
    "generator": {"name": "outlier_regression"},
    "problem": {"name": "robust_regression", "loss": "cor", "sigma": 2.0},
    "penalty": {"name": "oscar", "lambda1": 2.0, "lambda2": 0.2, "units": "absolute"},
}
LINKS = REGRESSION | {
    "generator": {"name": "links", "held_out": 0.2},
    "problem": {"name": "link_prediction"},
    "penalty": {"name": "rank", "bound": 2},
}


def spec_of(name) -> dict:
    """The spec that goes with a probe."""
    return LINKS if name == "link_baselines" else REGRESSION if name in COMPOSITE else SPEC


@functools.cache
def instance(kind="completion") -> Path:
    """The instance file of a kind of problem, made once."""
    path = Path(tempfile.mkdtemp()) / "t.h5"
    spec = {"completion": SPEC, "regression": REGRESSION, "links": LINKS}[kind]
    build_instance(spec, path, prepared_graph(path.parent) if kind == "links" else None)
    return path


def prepared_graph(folder):
    """A prepared graph of 60 nodes."""
    graph = generators.generate("trust_graph", np.random.default_rng(0), nodes=60, edges=900)["X"]
    prepare.write(folder / "graph.h5", graph, None, {"stand_in": True, "note": "", "sha256": "made"})
    return folder / "graph.h5"


def job(name, params, **values):
    """The job of a probe."""
    return {**spec_of(name), **values, "probe": {"name": name, "params": params}}


def measured(folder, name, params=None, **values) -> list:
    """The traces of a probe, one a seed."""
    values = {"problem": ROBUST, **values} if name in NFWU else values
    output = folder / f"{name}.h5"
    kind = {id(SPEC): "completion", id(REGRESSION): "regression", id(LINKS): "links"}[id(spec_of(name))]
    run_probe(job(name, PARAMS[name] if params is None else params, **values), instance(kind), output)
    return read_trace(output)[1]


def column(traces, metric) -> list:
    """A metric over all records of all seeds."""
    return [value for trace in traces for value in trace.metrics[metric]]
