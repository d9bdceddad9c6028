"""How the gradient mapping and the Frank-Wolfe gap bound each other (NCGS-T2)."""

import numpy as np

from projfree.common.parameters import Count, Positive
from projfree.engine.metrics.constrained import gradient_mapping
from referee.jobs.probes import Row

from .condg_certificate import random_point, true_gap


def measure(job, problem, constraint, rng, *, trials: Count = 50, gammas: list[Positive] = (0.01, 0.25, 3)):
    """One row a random feasible θ and γ.

    γ‖g‖² ≤ gap ≤ ‖g‖(γ‖∇F‖ + D); g is 1-Lipschitz in ω; γ ↦ ‖g‖ falls, γ ↦ γ‖g‖ rises; g = ∇F where the
    step stays inside.
    """
    for trial in range(trials):
        theta = random_point(constraint, problem.shape, rng)
        gradient = problem.gradient(theta)
        gap = true_gap(constraint, gradient, theta)
        norms = [np.linalg.norm(gradient_mapping(theta, gradient, g, constraint)) for g in sorted(gammas)]
        scaled = [g * norm for g, norm in zip(sorted(gammas), norms, strict=True)]
        for i, gamma in enumerate(sorted(gammas)):
            g = gradient_mapping(theta, gradient, gamma, constraint)
            other = gradient + rng.standard_normal(problem.shape)
            moved = np.linalg.norm(g - gradient_mapping(theta, other, gamma, constraint))
            small = 0.5 * theta  # a point whose step of a small length stays inside
            step = min(
                gamma, 0.25 * constraint.radius / max(constraint.gauge(problem.gradient(small)), 1e-300)
            )
            inside = gradient_mapping(small, problem.gradient(small), step, constraint)
            yield Row(
                trial * len(gammas) + i,
                {
                    "gamma": gamma,
                    "gamma_sq_mapping": gamma * norms[i] ** 2,
                    "fw_gap": gap,
                    "upper": norms[i] * (gamma * np.linalg.norm(gradient) + constraint.diameter),
                    "nonexpansive_excess": moved - np.linalg.norm(gradient - other),
                    "mapping_increase": max(0.0, *np.diff(norms)),
                    "scaled_mapping_decrease": max(0.0, *(-np.diff(scaled))),
                    "interior_error": float(np.max(np.abs(inside - problem.gradient(small)))),
                },
            )
