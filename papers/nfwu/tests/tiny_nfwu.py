"""Parameters that make each probe of nfwu small; a new one needs a line here or a test of its own."""

from probed import COMPLETION, Tiny

#: Its theory needs a bound of the third derivative.
ROBUST = {"name": "matrix_completion", "loss": "cil", "sigma": 1.0, "weight": "mean"}
PARAMS = {
    "accuracies": {"estimator": "caspider", "epsilons": [0.04, 0.02]},
    "chain_lemma": {"chain": 4, "points": 100, "scales": [0.5, 2]},
    "component_orders": {"estimator": "casvrg", "components": [50, 100], "kappa": 0.1},
    "error_orders": {"distances": [0.1, 0.01]},
    "estimator_costs": {"sizes": [30, 40], "repetitions": 1, "epoch": 3, "epochs": 2},
    "estimator_identities": {"params": {"eta": 0.5}, "steps": 8},
    "exact_moments": {"estimator": "casvrg", "batch": 1, "epoch": 3, "steps": 4, "params": {"eta": 0.5}},
    "lower_bound": {"solver": "frank_wolfe", "params": {"step_rule": "open_loop"}, "chain": 4},
    "lower_bound_law": {"solver": "momentum_frank_wolfe", "inverse_epsilons": [2, 3]},
    "single_component": {},
    "step_bounds": {"estimator": "casvrg", "steps": 6, "every": 2, "params": {"eta": 0.5}},
    "step_costs": {"estimator": "casvrg", "shapes": [[30, 50]], "observed": 400, "steps": 3, "epoch": 2},
    "theory_parameters": {"epsilons": [1e-3, 1e-4]},
}
TINY = Tiny("nfwu", PARAMS, COMPLETION | {"problem": ROBUST})
