"""CPU of a linear minimisation on sparse gradients against their non-zeros (MPCGS-C8)."""

from contextlib import suppress

import numpy as np

from projfree.common.parameters import Count, Fraction
from projfree.engine.clock import timed
from projfree.linalg.sampled import Pattern, SparseOnPattern
from projfree.linalg.singular import leading_pair
from referee.jobs.probes import Row


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    shape: tuple[Count, Count] = (4000, 500),
    densities: list[Fraction] = (0.01, 0.02, 0.04, 0.08),
    matvecs: Count = 80,
):
    """One row a density: ``nnz``, ``seconds_lmo`` of a fixed number of products."""
    m, n = shape
    for density in densities:
        flat = np.sort(rng.choice(m * n, int(density * m * n), replace=False))
        gradient = SparseOnPattern(Pattern(flat // n, flat % n, shape), rng.standard_normal(flat.size))
        spent = min(timed(_exhausted, gradient, matvecs)[1] for _ in range(5))
        yield Row(flat.size, {"nnz": flat.size, "seconds_lmo": spent})


def _exhausted(gradient, matvecs):
    """A search for the leading pair that ends by its products."""
    with suppress(ArithmeticError):
        leading_pair(gradient, tol=1e-15, max_matvecs=matvecs)
