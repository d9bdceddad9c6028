"""κ as the least ½Σ(‖U_i‖_c² + ‖V_i‖²) over factors: Proposition 15 for the trace norm (GCG-T5)."""

from projfree.common.parameters import Count
from projfree.linalg.spectral import nuclear_norm
from projfree.penalties.trace_norm import Penalty
from referee.jobs.probes import Row


def measure(job, problem, constraint, rng, *, trials: Count = 200, largest: Count = 8):
    """One row a random pair of factors U (m, k), V (n, k).

    ``over_sizes`` = ½(‖U‖² + ‖V‖²)/Σ‖U_i‖‖V_i‖ ≥ 1, ``sizes_over`` = Σ‖U_i‖‖V_i‖/‖UVᵀ‖_tr ≥ 1;
    ``equality``: |½(‖U‖² + ‖V‖²)/‖UVᵀ‖_tr − 1| of the factors of the singular value decomposition.
    """
    made = Penalty(1.0)
    for trial in range(trials):
        m, n, k = (int(side) for side in rng.integers(1, largest + 1, 3))
        U, V = rng.standard_normal((m, k)), rng.standard_normal((n, k))
        exact = nuclear_norm(U @ V.T)
        sizes = float(made.sizes(U, V).sum())
        yield Row(
            trial,
            {
                "over_sizes": made.bound(U, V) / sizes,
                "sizes_over": sizes / exact,
                "equality": abs(made.bound(*made.rotate(U, V)) / exact - 1),
            },
        )
