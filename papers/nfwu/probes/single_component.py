"""One component a step suffices with curvature (NFWU-T7, second part; NFWU-C12)."""

import numpy as np

from projfree.common.parameters import Count, Positive
from projfree.engine.oracles.constrained import Oracles
from referee.jobs.probes import Row

from ._nfwu import CURVATURE_AIDED, ESTIMATORS, at_each_step, inner_steps, solver


def measure(
    job, problem, constraint, rng, *, epochs: Count = 2, share: Positive = 0.5, params: dict | None = None
):
    """One row an epoch, b = 1, η = ε/L, at the ε for which κ = `share`·n^{−2}, where theory asks for no more.

    ``rms_<estimator>`` root mean square of ‖g^t − ∇F(x^t)‖ over the epoch's steps that are no anchors, p by
    theory (``epoch_<estimator>``), ≤ ``eps`` for CASVRG and CASPIDER; ``rms_svrg`` and ``rms_spider``, at the
    p of CASVRG and of CASPIDER, are contrasts. IFO and SSO counts are of all four runs up to the end, the
    same in every row.
    """
    L, L2 = problem.constants["L_vr"], problem.constants["L2_vr"]
    epsilon = share * L**2 / (L2 * problem.n**2)
    oracles = Oracles(problem, constraint, rng)
    found = {"eps": np.full(epochs, epsilon)}
    for name in CURVATURE_AIDED:
        b, p = ESTIMATORS[name].theory(problem.constants, problem.n, epsilon)
        if b != 1 or p < 2:
            raise ValueError(f"one component does not suffice for {name}: theory gives b = {b:g}, p = {p:g}")
        epoch = int(p)
        found[f"epoch_{name}"] = np.full(epochs, epoch)
        for each in (name, name.removeprefix("ca")):
            method = solver(each, params, batch=1, epoch=epoch, eta=epsilon / L)
            errors = at_each_step(method, oracles, rng, epochs * epoch)[:, 1]
            inner = errors[inner_steps(errors.size, epoch)].reshape(epochs, epoch - 1)
            found[f"rms_{each}"] = np.sqrt(np.mean(inner**2, axis=1))
    for index in range(epochs):
        yield Row(index, {name: float(values[index]) for name, values in found.items()}, dict(oracles.counts))
