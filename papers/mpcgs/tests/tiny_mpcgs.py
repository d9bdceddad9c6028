"""Parameters that make each probe of mpcgs small; a new one needs a line here or a test of its own."""

from probed import Tiny

PARAMS = {
    "saddle_costs": {"shape": [80, 200], "classes": [3, 5], "repetitions": 2, "length": 20.0, "steps": 3},
    "saddle_interior": {"solver": "spfw", "steps": 100},
    "saddle_rates": {"solver": "mpcgs", "horizons": [5, 20, 60]},
    "saddle_structure": {"trials": 12},
    "sample_bias": {"runs": 3, "horizons": [10, 20]},
    "simplex_condg": {"trials": 9},
    "sliding_phases": {"solver": "cgs", "phases": 3},
    "sparse_lmo": {"shape": [200, 60]},
}
TINY = Tiny("mpcgs", PARAMS)
