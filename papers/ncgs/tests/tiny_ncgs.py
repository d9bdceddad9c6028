"""Parameters that make each probe of ncgs small; a new one needs a line here or a test of its own."""

from probed import Tiny

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
PARAMS = {
    "condg_certificate": {"shape": [8, 8], "trials": 24, "gammas": [0.05, 0.25, 2], "etas": [0.5, 0.1]},
    "estimator_moments": {"draws": 800, "pairs": 2},
    "identity": {"iterations": 16},
    "minibatch": {"horizons": [4, 8], "batch": 1},
    "n_dependence": {"solver": "ncgs", "params": {"option": "II"}, "components": [100, 200], "level": 0.3},
    "oracle_costs": {"shape": [40, 30], "repetitions": 2},
    "rates": RATES["option-1"],
    "sampling": {"horizons": [4, 16], "draws": 300},
    "stationarity": {"trials": 10},
}
TINY = Tiny("ncgs", PARAMS)
