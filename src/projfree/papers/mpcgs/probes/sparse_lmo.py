"""CPU of a linear minimisation on sparse gradients against their non-zeros (MPCGS-C8)."""

from contextlib import suppress
from time import process_time

import numpy as np

from projfree.ground.parameters import Count, Fraction
from projfree.linalg.sampled import Pattern, SparseOnPattern
from projfree.linalg.singular import leading_pair
from projfree.probes import Row


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
        spent = min(_seconds(gradient, matvecs) for _ in range(5))
        yield Row(flat.size, {"nnz": flat.size, "seconds_lmo": spent})


def _seconds(gradient, matvecs):
    began = process_time()
    with suppress(ArithmeticError):
        leading_pair(gradient, tol=1e-15, max_matvecs=matvecs)
    return max(process_time() - began, 1e-9)
