"""Speed of the numerics as ratios in one run: ``OMP_NUM_THREADS=1 python benchmarks/bench_linalg.py``.

Each figure is a median over repetitions; both sides take turns, so that a busy machine slows both alike.
"""

from __future__ import annotations

import statistics
from time import perf_counter

import numpy as np
import scipy.sparse
from scipy.sparse.linalg import svds
from threadpoolctl import threadpool_limits

from projfree import losses, sets
from projfree.linalg.atoms import toward
from projfree.linalg.sampled import ObservedAtoms, Pattern, SparseOnPattern
from projfree.linalg.singular import leading_pair

SIGMA_ACCURACY = 1e-4
DRIFT = 0.03  # relative change of the gradient from one call to the next


def seconds(function):
    began = perf_counter()
    function()
    return perf_counter() - began


def medians(repetitions, *functions):
    """Median seconds of each function, called in turn."""
    for function in functions:
        function()
    times = [[seconds(function) for function in functions] for _ in range(repetitions)]
    return [statistics.median(column) for column in zip(*times, strict=True)]


def sparse(rng, m, n, count):
    flat = rng.choice(m * n, count, replace=False) if count < m * n // 2 else np.arange(count)
    return SparseOnPattern(Pattern(flat // n, flat % n, (m, n)), rng.standard_normal(count))


def drifted(rng, operator):
    """A similar operator, as the gradient of the next iteration."""
    if isinstance(operator, np.ndarray):
        return operator + DRIFT * rng.standard_normal(operator.shape)
    return SparseOnPattern(
        operator.pattern, operator.values + DRIFT * rng.standard_normal(operator.values.size)
    )


def for_scipy(operator):
    if isinstance(operator, np.ndarray):
        return operator
    return scipy.sparse.csr_matrix(
        (operator.values, operator.pattern.cols, operator.pattern.indptr), shape=operator.shape
    )


def leading_pair_against_arpack(name, operator, calls, repetitions):
    """One row: both start from the right vector of the call before; the errors reached are printed."""
    rng = np.random.default_rng(1)
    previous, rows = leading_pair(operator, rng=rng), []
    for call in range(calls):
        operator = drifted(rng, operator)
        other, start = for_scipy(operator), previous.v
        left = (
            other @ start if operator.shape[0] < operator.shape[1] else start
        )  # ARPACK takes the small side

        def ours(operator=operator, start=start, call=call):
            return leading_pair(operator, start=start, rng=np.random.default_rng(call))

        def arpack(other=other, left=left):
            return svds(other, k=1, v0=left, tol=SIGMA_ACCURACY)

        exact = svds(other, k=1, v0=left, tol=1e-12)[1][0]
        previous = ours()
        errors = 1 - previous.sigma / exact, 1 - arpack()[1][0] / exact
        rows.append((*medians(repetitions, ours, arpack), previous.matvecs, *errors))
    mine, theirs, products, my_error, their_error = (np.array(column) for column in zip(*rows, strict=True))
    print(
        f"{name:<28}{1e6 * np.median(mine):>11.0f} µs{1e6 * np.median(theirs):>11.0f} µs"
        f"{np.median(theirs / mine):>8.1f}x   {np.median(products):.0f} products,"
        f" errors of σ {my_error.max():.0e} and {their_error.max():.0e}"
    )


def projections(m, n, rank, repetitions):
    """One row a method, against the full decomposition, on signal + noise."""
    rng = np.random.default_rng(2)
    U, V = np.linalg.qr(rng.standard_normal((m, rank)))[0], np.linalg.qr(rng.standard_normal((n, rank)))[0]
    X = (U * np.linspace(2, 1, rank)) @ V.T + 0.2 / np.sqrt(max(m, n)) * rng.standard_normal((m, n))
    ball = sets.load("nuclear_ball")(0.5 * rank)
    full, *others = medians(
        repetitions,
        *(lambda method=method: ball.project(X, method) for method in ("full", "gram", "partial")),
    )
    answer = np.linalg.matrix_rank(ball.project(X), tol=1e-9)
    for method, own in zip(("gram", "partial"), others, strict=True):
        error = np.linalg.norm(ball.project(X, method) - ball.project(X))
        print(
            f"{f'projection {m}×{n}, {method}':<28}{1e6 * own:>11.0f} µs{1e6 * full:>11.0f} µs"
            f"{full / own:>8.1f}x   against full SVD; answer of rank {answer}, difference {error:.0e}"
        )


def frank_wolfe_iteration(iterations=300):
    """One iteration at 200×200 with 4,000 entries: sparse gradient, warm linear minimisation, step."""
    rng = np.random.default_rng(3)
    pattern = sparse(rng, 200, 200, 4000).pattern
    observed = np.where(rng.random(4000) < 0.05, rng.uniform(-3, 3, 4000), 0.01 * rng.standard_normal(4000))
    loss, ball, x, atom = losses.make("sl0"), sets.load("nuclear_ball")(5.0), ObservedAtoms(pattern), None
    times, products = [], []
    for k in range(iterations):
        began = perf_counter()
        gradient = SparseOnPattern(pattern, loss.slope(x.values, observed))
        atom = ball.lmo(gradient, start=atom, rng=rng)
        toward(x, atom, 2 / (k + 2))
        times.append(perf_counter() - began)
        products.append(atom.matvecs)
    print(
        f"{'Frank-Wolfe 200×200, 4,000':<28}{1e6 * statistics.median(times):>11.0f} µs an iteration"
        f" ({statistics.median(products):.0f} products); limit 600 µs"
    )


def loss_passes():
    """Value and slope of long vectors, against one bare exponential."""
    rng = np.random.default_rng(4)
    for count in (4_000, 900_000):
        t, y = rng.standard_normal(count), (rng.random(count) < 0.5).astype(float)
        for name in ("sl0", "sig2"):
            loss = losses.make(name)
            own, bare = medians(15, lambda loss=loss, t=t, y=y: loss.value_slope(t, y), lambda t=t: np.exp(t))
            label = f"{name} value+slope, {count:,}"
            print(f"{label:<28}{1e6 * own:>11.0f} µs{1e6 * bare:>11.0f} µs   (one exp)")


def main():
    rng = np.random.default_rng(0)
    print(f"{'':<28}{'projfree':>14}{'peer':>14}{'ratio':>9}")
    leading_pair_against_arpack("pair 200×200, 4,000", sparse(rng, 200, 200, 4000), 7, 9)
    leading_pair_against_arpack("pair 6040×3952, 10^6", sparse(rng, 6040, 3952, 10**6), 3, 3)
    for m, n in ((49, 55), (55, 35), (200, 200), (301, 150), (301, 300), (400, 400), (129, 5000)):
        leading_pair_against_arpack(f"pair {m}×{n} dense", rng.standard_normal((m, n)), 3, 5)
    frank_wolfe_iteration()
    projections(2000, 2000, 20, 2)
    projections(129, 5000, 20, 3)
    loss_passes()


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
