"""F at the clean two-view data, and at the clean data plus atoms that fit the noise (GCG-T16, T17)."""

import numpy as np
from scipy.optimize import minimize_scalar

from projfree.common.parameters import NotNegative
from referee.jobs.probes import Row


def measure(job, problem, constraint, rng, *, weights: list[NotNegative] = (80.0, 60.0, 40.0)):
    """One row for each λ.

    ``truth``: F at the clean data with their own dictionary, λΣ‖H*_i‖ its penalty; ``expected``: its mean
    5·(number of noisy entries) + λ·t*·√m (noise U[0, 10]); ``off`` = |truth/expected − 1|.
    ``slope``: the mean over columns of what the unit atom on the signs of the noise gains, against λ;
    ``fitted``: F with an atom on the noise of each column, its weight by a search; ``error``: the clean error
    of that; ``change`` = fitted/truth − 1 = −``gain``.
    """
    clean, latent = problem.clean, problem.latent
    noise = problem.target - clean
    atoms = constraint.on_spheres(noise)
    slopes = np.einsum("ij,ij->j", constraint.on_spheres(np.sign(noise)), np.sign(noise))
    loss = problem.value(clean)
    norms = np.linalg.norm(latent, axis=1).sum()
    for i, weight in enumerate(weights):
        truth = loss + weight * norms
        expected = 5.0 * np.count_nonzero(noise) + weight * len(latent) * np.sqrt(problem.shape[1])
        sizes = np.array([_size(problem, atoms, j, weight) for j in range(problem.shape[1])])
        fitted = problem.value(clean + atoms * sizes) + weight * (norms + sizes.sum())
        yield Row(
            i,
            {
                "weight": float(weight),
                "truth": truth,
                "expected": float(expected),
                "off": abs(truth / expected - 1),
                "slope": float(slopes.mean()),
                "fitted": fitted,
                "gain": 1 - fitted / truth,
                "change": fitted / truth - 1,
                "error": float(np.sum((atoms * sizes) ** 2)),
            },
        )


def _size(problem, atoms, j, weight):
    """argmin over σ ≥ 0 of ℓ of column j at X*_j + σc_j, plus λσ."""
    c, noise = atoms[:, j], problem.target[:, j] - problem.clean[:, j]

    def objective(size):
        r = np.abs(size * c - noise)
        inner = np.minimum(r, problem.smoothing)
        return float(np.sum(inner * (r - 0.5 * inner)) / problem.smoothing) + weight * size

    found = minimize_scalar(objective, bounds=(0.0, 2.0 * float(np.linalg.norm(noise))), method="bounded")
    return float(found.x) if found.fun < objective(0.0) else 0.0
