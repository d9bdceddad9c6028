"""Component gradients an iteration over the number of components: Table 1 in n (NFWU-T11)."""

import numpy as np

from projfree import problems
from projfree.common.parameters import Count, Positive
from projfree.engine.oracles.constrained import Oracles
from projfree.sets import l2_ball
from referee.jobs.probes import Row

from ..generators import ball_form
from ._nfwu import solver, states


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    estimator: str,
    components: list[Count],
    kappa: Positive,
    epochs: Count = 3,
):
    """One row an n: `epochs` whole epochs of NFWU on a ball form of n components.

    ε is such that κ = L₂ε/L² is `kappa` at every n, as Table 1 holds it. ``ifo_per_step`` and
    ``sso_per_step`` count component gradients and Hessians an iteration, those of anchors with them;
    ``n_components`` is n.
    """
    for n in components:
        arrays = ball_form.generate(rng, size=n, outliers=n // 20)
        ball = problems.make(job.problem.plain(), arrays)
        L, L2 = ball.constants["L_vr"], ball.constants["L2_vr"]
        method = solver(estimator, epsilon=kappa * L**2 / L2)
        oracles = Oracles(ball, l2_ball.Set(constraint.radius * np.sqrt(n / problem.n)), rng)
        steps = epochs * method.sizes(n, ball.constants)[1]
        for _ in states(method, oracles, rng, steps):
            pass
        spent = {f"{axis.lower()}_per_step": oracles.counts[axis] / steps for axis in ("IFO", "SSO")}
        yield Row(n, {"n_components": n} | spent, dict(oracles.counts))
