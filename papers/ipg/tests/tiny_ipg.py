"""Parameters that make each probe of ipg small; a new one needs a line here or a test of its own."""

import numpy as np
from probed import Tiny

from referee.data import generators, prepared

PLANT = {"method": "perturbed"}
REGRESSION = {
    "generator": {"name": "outlier_regression"},
    "problem": {"name": "robust_regression", "loss": "cor", "sigma": 2.0},
    "penalty": {"name": "oscar", "lambda1": 2.0, "lambda2": 0.2, "units": "absolute"},
}
LINKS = {
    "generator": {"name": "links", "held_out": 0.2},
    "problem": {"name": "link_prediction"},
    "penalty": {"name": "rank", "bound": 2},
}
PARAMS = {
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


def prepared_graph(folder):
    """A prepared graph of 60 nodes."""
    graph = generators.generate("trust_graph", np.random.default_rng(0), paper="ipg", nodes=60, edges=900)[
        "X"
    ]
    prepared.write(folder / "graph.h5", graph, None, {"stand_in": True, "note": "", "sha256": "made"})
    return folder / "graph.h5"


TINY = Tiny("ipg", PARAMS, REGRESSION, {"link_baselines": LINKS}, {"link_baselines": prepared_graph})
