"""What axes, metrics and experiments are called, in figures and in sentences."""

import re
from collections import Counter

AXIS_LABELS = {
    "cpu_seconds": "CPU time (s)",
    "model_seconds": "model time (s)",
    "wall_seconds": "wall time (s)",
    "iteration": "iterations",
    "FO": "full gradients (FO)",
    "IFO": "component gradients (IFO)",
    "IFO/n": "full-gradient equivalents (IFO/n)",
    "IFO+SSO": "oracle calls (IFO + SSO)",
    "(IFO+SSO)/n": "oracle calls over n ((IFO + SSO)/n)",
    "SSO": "Hessian-vector products (SSO)",
    "LO": "linear minimisations (LO)",
    "PO": "projections (PO)",
    "PU": "polar searches (PU)",
    "matvec": "matrix-vector products",
    "FO+matvec/10": "work (FO + matvec/10)",
    "outer": "outer iterations",
    "weight": "λ",
    "delta": "δ of the descent test",
    "objective": "objective F",
    "sq_gradient_mapping": "squared gradient mapping ‖g‖²",
    "fw_gap": "Frank-Wolfe gap",
    "saddle_fw_gap": "saddle Frank-Wolfe gap",
    "fw_gap_phi": "Frank-Wolfe gap of φ (y exact)",
    "rmse_test": "test RMSE",
    "accuracy_test": "test accuracy",
    "rmse_best": "least test RMSE",
    "error_test": "test error",
    "error_clean": "reconstruction error",
    "error_noisy": "error on the noisy views",
    "reconstruction_error": "reconstruction error (RMSE)",
    "crit": "distance to a critical point",
    "gradient_error": "error of the gradient estimate",
    "relative_gap": "Frank-Wolfe gap over the radius, V/R",
    "polar_ratio": "polar over λ, κ°(−∇ℓ)/λ",
    "excess": "excess over the reference (share of the start's)",
    "seconds": "CPU time (s)",
}

SECONDS_OF = re.compile("seconds_(?!ratio)")


def axis_label(name):
    """Label, with its unit, of an axis."""
    column, _, divisor = name.partition("/")
    if name not in AXIS_LABELS and divisor:
        return f"{axis_label(column)} / {axis_label(divisor)}"
    return AXIS_LABELS.get(name, SECONDS_OF.sub("seconds of ", name).replace("_", " "))


def titles_of(titles: dict[str, str]) -> dict[str, str]:
    """Key → title of an experiment; with the key behind it where several have the same title."""
    times = Counter(titles.values())
    return {key: title if times[title] == 1 else f"{title} ({key})" for key, title in titles.items()}
