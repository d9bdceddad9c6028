"""Speed of the numerics as ratios in one run: ``OMP_NUM_THREADS=1 python benchmarks/bench_linalg.py``.

Each figure is a median of CPU time over repetitions; both sides take turns, so that a busy machine slows both
alike.
"""

from __future__ import annotations

import statistics
from time import process_time

import numpy as np
import scipy.sparse
from scipy.sparse.linalg import ArpackError, svds
from threadpoolctl import threadpool_limits

from projfree import losses, sets
from projfree.linalg.atoms import toward
from projfree.linalg.observed import ObservedAtoms
from projfree.linalg.sampled import Pattern, SparseOnPattern, sample_outer
from projfree.linalg.singular import leading_pair

SIGMA_ACCURACY = 1e-4
DRIFT = 0.03  # relative change of the gradient from one call to the next


def seconds(function):
    began = process_time()
    function()
    return process_time() - began


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


def large_pairs(repetitions, shape=(6040, 3952), count=10**6):
    """Rows of `leading_pair_against_all`: an edge of noise, one planted atom, two that are nearly tied."""
    rng = np.random.default_rng(5)
    noise = sparse(rng, *shape, count)
    U, V = (np.linalg.qr(rng.standard_normal((side, 2)))[0] for side in shape)
    for name, strengths in (("noise", ()), ("one atom", (3e3,)), ("two atoms", (3e3, 3e3 * 0.999))):
        planted = sum(
            (sample_outer(noise.pattern, U[:, k], V[:, k], s) for k, s in enumerate(strengths)), noise.values
        )
        operator = SparseOnPattern(noise.pattern, planted)
        first, second = svds(for_scipy(operator), k=2, tol=1e-10, return_singular_vectors=False)[::-1]
        for tol in (1e-3, 1e-8):
            leading_pair_against_all(
                f"{name}, {1 - second / first:.0e}, tol {tol:.0e}", operator, tol, repetitions
            )


def leading_pair_against_all(name, operator, tol, repetitions):
    """One row: from random starts, each peer at the loosest tolerance at which its residual is ≤ tol. In the
    end the pairs of products that we take, and what SciPy needs for as many and nothing else.
    """
    matrix, v = for_scipy(operator), np.ones(operator.shape[1])
    calls = {"projfree": lambda seed=0: leading_pair(operator, tol=tol, rng=np.random.default_rng(seed))}
    for solver in ("arpack", "propack", "lobpcg"):
        for own in 10.0 ** -np.arange(0, 17):
            call = peer(matrix, solver, own)
            if residual(matrix, call) <= tol:
                calls[solver] = call
                break
    pairs = calls["projfree"]().matvecs // 2
    calls["products"] = lambda: [matrix.T @ (matrix @ v) for _ in range(pairs)]
    mine, *peers, products = medians(repetitions, *calls.values())
    others = ", ".join(f"{s} {1e3 * t:.0f} ms" for s, t in zip(list(calls)[1:-1], peers, strict=True))
    print(
        f"{name:<32}{1e3 * mine:>7.0f} ms{1e3 * min(peers):>11.0f} ms{min(peers) / mine:>8.1f}x   ({others};"
        f" SciPy's products for {pairs} steps {1e3 * products:.0f} ms)"
    )


def peer(matrix, solver, tol):
    options = {"tol": tol, "solver": solver, "maxiter": None if solver == "arpack" else 1000}
    return lambda: svds(matrix, k=1, rng=0, **options)


def residual(matrix, call) -> float:
    """‖Gᵀu − σv‖/σ of what a peer returns; infinite where it gives up."""
    try:
        u, sigma, v = call()
    except (np.linalg.LinAlgError, ArpackError):
        return np.inf
    return float(np.linalg.norm(matrix.T @ u[:, 0] - sigma[0] * v[0]) / sigma[0])


def certified_pairs(repetitions):
    """What a bound costs: the same pair to a residual, and with its upper bound within as much."""
    operator = sparse(np.random.default_rng(6), 6040, 3952, 10**6)
    for tol in (1e-2, 1e-3, 1e-5):
        plain, certified = medians(
            repetitions,
            lambda tol=tol: leading_pair(operator, tol=tol),
            lambda tol=tol: leading_pair(operator, tol=tol, gap=tol),
        )
        loose, tight = (leading_pair(operator, tol=tol, gap=gap) for gap in (np.inf, tol))
        print(
            f"{f'certified pair, {tol:.0e}':<32}{1e3 * certified:>7.0f} ms{1e3 * plain:>11.0f} ms"
            f"{plain / certified:>8.1f}x   bound/σ − 1: {tight.bound / tight.sigma - 1:.0e} instead of"
            f" {loose.bound / loose.sigma - 1:.0e}"
        )


def projections(m, n, rank, repetitions):
    """One row a method, against the full decomposition, on signal + noise."""
    rng = np.random.default_rng(2)
    U, V = np.linalg.qr(rng.standard_normal((m, rank)))[0], np.linalg.qr(rng.standard_normal((n, rank)))[0]
    X = (U * np.linspace(2, 1, rank)) @ V.T + 0.2 / np.sqrt(max(m, n)) * rng.standard_normal((m, n))
    ball = sets.load("nuclear_ball")(0.5 * rank)
    full, *others = medians(
        repetitions,
        *(lambda method=method: ball.project(X, method) for method in ("full", None, "gram", "partial")),
    )
    answer = np.linalg.matrix_rank(ball.project(X), tol=1e-9)
    for method, own in zip((None, "gram", "partial"), others, strict=True):
        error = np.linalg.norm(ball.project(X, method) - ball.project(X, "full"))
        what = f"projection {m}×{n}, {method or 'default'}"
        print(
            f"{what:<32}{1e6 * own:>11.0f} µs{1e6 * full:>11.0f} µs"
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
        began = process_time()
        gradient = SparseOnPattern(pattern, loss.slope(x.values, observed))
        atom = ball.lmo(gradient, start=atom, rng=rng)
        toward(x, atom, 2 / (k + 2))
        times.append(process_time() - began)
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
    large_pairs(3)
    certified_pairs(3)
    frank_wolfe_iteration()
    projections(2000, 2000, 20, 2)
    projections(129, 5000, 20, 3)
    loss_passes()


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
