"""Batch, epoch and cost that theory gives each estimator: Table 1 as formulas (NFWU-T7, U15)."""

from __future__ import annotations

from typing import Literal

from scipy.optimize import brentq

from projfree.common.parameters import Count, Positive
from projfree.solvers.estimators import relative_curvature
from referee.jobs.probes import Row

from ._nfwu import CURVATURE_AIDED, ESTIMATORS, KAPPAS, VARIANCE_REDUCED, constants_for

#: Exponents of κ²pᵏε²/b, the error of the curvature-aided estimators.
ORDER = {"casvrg": 4, "caspider": 3}


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    epsilons: list[Positive],
    kappa: Literal[*KAPPAS] = "corrected",
    components: Count | None = None,
):
    """One row an ε, for n = `components` of the problem's kind (default: as many as it has), E‖e‖² ≤ ε².

    ``kappa`` κ; for each estimator ``ifo_<estimator>`` IFO an iteration as in Table 1 (n/p + b, a pair as one
    call; SG b), ``sso_<estimator>`` for the curvature-aided ones and ``lo`` 1; ``batch_``,
    ``epoch_<estimator>`` b and p of the variance-reduced ones. ``tight_<estimator>`` b/(κ²p⁴) or b/(κ²p³), 1
    where the constraint is tight (b > 1); ``balance_<estimator>`` pb/n. ``crossing_<estimator>`` κ at which
    the curvature-aided one begins to cost more than SPIDER, found by bisection, over n^{−3/4} (CASVRG) or
    n^{−1/2} (CASPIDER): 1.
    """
    n = components or problem.n
    constants = constants_for(kappa, _scaled(problem, n))
    for index, epsilon in enumerate(epsilons):
        values = {"eps": epsilon, "inverse_eps": 1 / epsilon, "lo": 1}
        values["kappa"] = relative_curvature(constants, epsilon)
        values["ifo_sg"] = ESTIMATORS["sg"].theory(constants, n, epsilon)[0]
        for name in VARIANCE_REDUCED:
            b, p = values[f"batch_{name}"], values[f"epoch_{name}"] = _theory(name, constants, n, epsilon)
            values[f"ifo_{name}"], values[f"balance_{name}"] = n / p + b, p * b / n
        for name in CURVATURE_AIDED:
            b, p = values[f"batch_{name}"], values[f"epoch_{name}"]
            values[f"sso_{name}"] = n / p + b
            values[f"tight_{name}"] = b / (values["kappa"] ** 2 * p ** ORDER[name])
            values[f"crossing_{name}"] = _crossing(name, n)
        yield Row(index, values)


def _scaled(problem, n):
    """The problem's constants if it had n components of the same kind in a mean: L, L₂ ~ n^{−½}."""
    root = (problem.n / n) ** 0.5
    return {**problem.constants, **{name: root * problem.constants[name] for name in ("L_vr", "L2_vr")}}


def _theory(name, constants, n, epsilon):
    return ESTIMATORS[name].theory(constants, n, epsilon)


def _crossing(name, n):
    """κ where the amortised costs of the estimator and of SPIDER meet, over the stated power of n."""

    def dearer(kappa):
        b, p = _theory(name, {"L2_vr": kappa, "L_vr": 1.0}, n, 1.0)
        rival_b, rival_p = _theory("spider", {}, n, 1.0)
        return (n / p + b) / (n / rival_p + rival_b) - 1

    stated = n ** (-3 / 4 if name == "casvrg" else -1 / 2)
    return brentq(dearer, 1e-2 * stated, 1e2 * stated, xtol=1e-14 * stated, rtol=1e-12) / stated
