"""Completion of ratings: ``OMP_NUM_THREADS=1 python benchmarks/bench_completion.py [ratings.dat[.gz]]``.

Kernels on 10⁶ generated entries of 6,040×3,952 at rank 40 against NumPy's gather, on one thread and two; the
polar against ARPACK; 100 Frank-Wolfe steps on the nuclear ball with ratings of the size of MovieLens 100K
against copt; and, if they are given or the mirror (PROJFREE_MIRROR) has them, on the ratings of MovieLens 1M
CPU seconds from the start to the certificate
κ°(−∇ℓ) ≤ 1.01 λ of GCG with blocks of atoms, item means subtracted, beside Algorithm 3 as it stands, and
beside soft-impute (iterated singular value thresholding with ARPACK) and cmfrec (alternating least squares in
C) to the same objective.
All in turn in one run; medians. The peers copt and cmfrec are no part of the environment: pip install them.
"""

from __future__ import annotations

import gzip
import importlib
import statistics
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, svds
from threadpoolctl import threadpool_limits

from projfree import sets, solvers
from projfree.completion import lanes
from projfree.completion.centring import offsets
from projfree.engine.oracles import constrained, regularised
from projfree.linalg import completion_kernels as plain
from projfree.penalties import trace_norm
from projfree.problems import matrix_completion, ratings_completion
from referee.data import catalog, fetch, generators, store
from referee.data.errors import Unavailable

USERS, ITEMS, RATINGS, RANK, TURNS = 6040, 3952, 1_000_000, 40, 7
LONGEST = 20.0  # CPU seconds of Algorithm 3
FAST, LITERAL = ("block_gcg", {"tol": 0.01}), ("gcg", {"tol": 0.01})


def generated(threads=1):
    X = generators.generate(
        "ratings_standin", np.random.default_rng(0), users=USERS, items=ITEMS, ratings=RATINGS
    )["X"]
    return problem_of(X, threads)


def problem_of(X, threads=1):
    rows = np.repeat(np.arange(X.shape[0], dtype=np.int32), np.diff(X.indptr))
    arrays = {"rows": rows, "cols": X.indices, "values": X.data.astype(np.float32), "shape": X.shape}
    return ratings_completion.Problem(arrays, threads=threads)


def from_the_mirror(folder):
    """MovieLens 1M, or None and a line that says so."""
    try:
        files = fetch.fetch(catalog.dataset("movielens-1m"), store.settings(folder, offline=True))
        return files["ratings.dat"]
    except Unavailable:
        print("no ratings given, and no mirror has MovieLens 1M: its rows are left out")


def movielens(path):
    """Three quarters of the ratings of MovieLens 1M, less the means of the items."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as lines:
        user, item, rating = np.array([line.split(b"::")[:3] for line in lines]).astype(int).T
    kept = np.random.default_rng(0).permutation(user.size)[:750_070]
    user, item, rating = user[kept] - 1, item[kept] - 1, rating[kept].astype(float)
    rating -= offsets(user, item, rating, (USERS, ITEMS), "item")[1][item]
    X = sparse.csr_matrix((rating, (user, item)), shape=(USERS, ITEMS))
    X.sort_indices()
    return problem_of(X)


def numpy_gradient(problem, rows, U, V):
    """Value and gradients with NumPy: the factors gathered, two sparse products."""
    e = np.einsum("ij,ij->i", U[rows], V[problem.pattern.cols]) - problem.target
    E = sparse.csr_matrix((e, problem.pattern.cols, problem.pattern.indptr), shape=problem.shape)
    return float(e @ e) / 2, E @ V, E.T @ U


def medians(clock, *functions, taken=statistics.median):
    """Median seconds of each, or what else is to be taken, in turn, after one call to warm up."""
    for function in functions:
        function()
    found = [[] for _ in functions]
    for _ in range(TURNS):
        for function, seconds in zip(functions, found, strict=True):
            began = clock()
            function()
            seconds.append(clock() - began)
    return [taken(seconds) for seconds in found]


def kernels():
    one, two = generated(), generated(threads=2)
    rng, rows = np.random.default_rng(1), one.pattern.rows
    U, V = (0.3 * rng.standard_normal((side, RANK)) for side in one.shape)
    own, gathered = medians(
        process_time, lambda: one.factor_gradients(U, V), lambda: numpy_gradient(one, rows, U, V)
    )
    line("fused value and gradient, rank 40", own, gathered, "NumPy gather", 0.015)
    own, gathered = medians(
        process_time,
        lambda: one.image(U, V),
        lambda: np.einsum("ij,ij->i", U[rows], V[one.pattern.cols]),
    )
    line("sampled product, rank 40", own, gathered, "NumPy gather", 0.004)
    threads, single = medians(
        perf_counter, lambda: two.factor_gradients(U, V), lambda: one.factor_gradients(U, V)
    )
    line("the gradient on two threads (wall)", threads, single, "one thread", single / 1.7)
    in_vectors(one, rng)
    G, penalty = one.gradient(one.slopes(one.image(U, V))), trace_norm.Penalty(1.0)
    E = sparse.csr_matrix((G.values.astype(float), one.pattern.cols, one.pattern.indptr), shape=one.shape)
    own, arpack = medians(
        process_time, lambda: penalty.polar(G, rng=rng, tol=1e-3), lambda: svds(E, k=1, tol=1e-3)
    )
    line("leading pair to 1e-3", own, arpack, "scipy svds (ARPACK)")


def in_vectors(problem, rng):
    """The gradient of `projfree complete` against the plain loops that gcg's published runs have."""
    given = problem.pattern.indptr, problem.pattern.cols, problem.target
    for rank in (8, 40, 80):
        U, V = (rng.standard_normal((side, rank)).astype(np.float32) for side in problem.shape)
        left = np.empty_like(U)
        own, loops = medians(
            process_time,
            lambda U=U, V=V: lanes.gradients(*given, U, V),
            lambda U=U, V=V, left=left: plain.value_and_gradients((0, USERS), *given, U, V, left),
            taken=min,
        )
        line(f"the same in vectors, rank {rank}", own, loops, "plain loops", loops / 1.4)


def on_the_ball(radius=2000.0, steps=100):
    """CPU seconds of so many Frank-Wolfe steps with the short step: ours, and copt's, which are dense."""
    X = generators.generate(
        "ratings_standin", np.random.default_rng(0), users=943, items=1682, ratings=100_000
    )["X"]
    rows, values = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr)), X.data.astype(float)
    arrays = {"rows": rows, "cols": X.indices, "values": values, "shape": X.shape}
    problem = matrix_completion.Problem(arrays, loss="sq", constants={"L_full": 1.0, "l_lower": 0.0})

    def ours():
        oracles = constrained.Oracles(problem, sets.load("nuclear_ball")(radius), np.random.default_rng(0))
        solver, rng = solvers.make("frank_wolfe", {"step_rule": "short"}), np.random.default_rng(1)
        state = solver.start(oracles, rng)
        for _ in range(steps):
            state = solver.step(oracles, state, rng)
        return problem.value(state.x)

    def dense(x):
        gradient = np.zeros(X.shape)
        gradient[rows, X.indices] = x.reshape(X.shape)[rows, X.indices] - values
        return float(np.vdot(gradient, gradient)) / 2, gradient.ravel()

    def copts():
        lmo, options = copt.constraint.TraceBall(radius, X.shape).lmo, {"step": "DR", "lipschitz": 1.0}
        start = np.zeros(X.shape[0] * X.shape[1])
        return copt.minimize_frank_wolfe(dense, start, lmo, jac=True, max_iter=steps, tol=0, **options).x

    if copt := peer("copt"):
        ours()  # compile
        (own, value), (theirs, x) = spent(ours), spent(copts)
        assert abs(dense(x)[0] - value) < 0.01 * value, "copt went another way"
        line(f"{steps} Frank-Wolfe steps, ML-100K size", own, theirs, "copt", theirs / 20)


def alternating(cmfrec, problem, weight, level, rank):
    """CPU seconds of cmfrec to F ≤ level: the fewest sweeps of 2, 4, 8, … that reach it."""
    entries = (problem.target, (problem.pattern.rows, problem.pattern.cols))
    ratings, own = sparse.coo_matrix(entries, shape=problem.shape), {"user_bias": False, "item_bias": False}
    for sweeps in (2**i for i in range(1, 9)):
        model = cmfrec.CMF(
            k=rank, lambda_=weight, center=False, niter=sweeps, nthreads=1, verbose=False, **own
        )
        seconds, _ = spent(lambda model=model: model.fit(ratings))
        U, V = model.A_.astype(float), model.B_.astype(float)
        rho = (np.vdot(U, U) + np.vdot(V, V)) / 2
        if problem.value(problem.image(U, V)) + weight * rho <= level:
            return seconds, True
    return seconds, False


def peer(name):
    """A package that the environment does not bring, or None and a line that says so."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed: its row is left out (pip install {name})")


def spent(function):
    """CPU seconds of one call, and what it returns."""
    began = process_time()
    value = function()
    return process_time() - began, value


def certified(problem, weight, method, level=-np.inf, limit=60):
    """CPU seconds to the method's certificate, or before to F ≤ level or the limit; F; κ°(−∇ℓ)/λ."""
    name, params = method
    oracles = regularised.Oracles(problem, trace_norm.Penalty(weight), np.random.default_rng(0))
    solver, rng, began = solvers.make(name, params), np.random.default_rng(1), process_time()
    state, value = solver.start(oracles, rng), np.inf
    while not state.converged and value > level and process_time() - began < limit:
        state = solver.step(oracles, state, rng)
        value = problem.value(state.x.image) + weight * state.x.rho
    seconds, G = process_time() - began, problem.gradient(problem.slopes(state.x.image))
    return seconds, value, trace_norm.Penalty(1.0).polar(G, rng=rng, tol=1e-4).bound / weight


def soft_impute(problem, weight, level, rank, limit=60):
    """CPU seconds of iterated singular value thresholding, its SVD by ARPACK, to F ≤ level."""
    penalty, (m, n) = trace_norm.Penalty(weight), problem.shape
    U, V, began = np.zeros((m, 1)), np.zeros((n, 1)), process_time()
    while process_time() - began < limit:
        slopes = problem.slopes(problem.image(U, V)).astype(float)
        E = sparse.csr_matrix((slopes, problem.pattern.cols, problem.pattern.indptr), shape=problem.shape)
        step = LinearOperator(
            (m, n),
            matvec=lambda v, U=U, V=V, E=E: U @ (V.T @ v) - E @ v,
            rmatvec=lambda u, U=U, V=V, E=E: V @ (U.T @ u) - E.T @ u,
            dtype=float,
        )
        A, s, Bt = svds(step, k=rank, tol=1e-4)
        root = np.sqrt(np.maximum(s - weight, 0.0))
        U, V = np.ascontiguousarray(A * root), np.ascontiguousarray(Bt.T * root)
        if problem.value(problem.image(U, V)) + weight * penalty.bound(U, V) <= level:
            return process_time() - began, True
    return process_time() - began, False


def to_the_certificate(problem):
    certified(problem, 100.0, FAST)  # compile
    certified(problem, 100.0, LITERAL)
    for weight, aim in ((50.0, 0.6), (25.0, 8.0), (10.0, 60.0)):
        own, value, ratio = certified(problem, weight, FAST)
        literal, there, beside = certified(problem, weight, LITERAL, limit=min(10 * own, LONGEST))
        certificate = f"κ°/λ {ratio:.4f}{'' if ratio <= 1.01 else ', NOT certified'}"
        name = f"Algorithm 3 to κ°/λ {beside:.3f}, F {there / value - 1:.2%} above"
        line(f"λ = {weight:g}, F {value:,.0f}, {certificate}", own, literal, name, aim)
        if weight == 25.0:
            own, value, _ = certified(problem, weight, FAST, 297_000)
            line(f"F ≤ 297,000 at λ = 25 ({value:,.0f})", own, literal, name, 3.0)
        if weight == 50.0:
            to_the_same_objective(problem, weight, value * 1.0001, own)


def to_the_same_objective(problem, weight, level, own):
    seconds, there = soft_impute(problem, weight, level, rank=20)
    line("the same, to F·1.0001", own, seconds, f"soft-impute{'' if there else ', not there'}")
    if cmfrec := peer("cmfrec"):
        seconds, there = alternating(cmfrec, problem, weight, level, rank=20)
        line("the same, to F·1.0001", own, seconds, f"cmfrec (ALS){'' if there else ', not there'}")


def line(what, own, peer, name, aim=None):
    text = f"{what:<38}{1e3 * own:>9.1f} ms{1e3 * peer:>10.1f} ms{peer / own:>8.1f}×   {name}"
    print(
        text + (f"; aim {1e3 * aim:.1f} ms: {'kept' if own <= aim else 'NOT KEPT'}" if aim else ""),
        flush=True,
    )


def main():
    print(f"{'':<38}{'projfree':>12}{'peer':>13}{'ratio':>9}")
    kernels()
    on_the_ball()
    with tempfile.TemporaryDirectory() as folder:
        if path := sys.argv[1] if len(sys.argv) > 1 else from_the_mirror(folder):
            to_the_certificate(movielens(Path(path)))


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
