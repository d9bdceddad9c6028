"""Proximal points of ipg: ``OMP_NUM_THREADS=1 python benchmarks/bench_proximal.py``.

The prox of OSCAR against skglm's and sorting, group merging beside it; projections onto the simplex against
copt's; a pass of IPG and its rank-10 step on soc-sign-epinions against SciPy's truncated SVD from a cold
start; the prox of the trace Lasso with a certificate on gas sensor drift against subgradients to the same
gap; peak memory of link-prediction jobs. Both datasets from ``data/raw`` or the mirror (PROJFREE_MIRROR),
else their small stand-ins.
"""

from __future__ import annotations

import statistics
import tempfile
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np
from bench_saddle import build_figure, report_peak, verdict
from copt.constraint import euclidean_proj_simplex
from scipy.sparse.linalg import LinearOperator, svds
from skglm.penalties import SLOPE
from threadpoolctl import threadpool_limits

from projfree import solvers
from projfree.common.root import checkout
from projfree.engine.metrics import composite
from projfree.engine.oracles.composite import Oracles
from projfree.linalg.compiled import njit
from projfree.linalg.projections import project_simplex
from projfree.penalties import oscar
from referee import study
from referee.data import prepare
from referee.data.errors import Unavailable
from referee.jobs.instance import load_problem, make_constraint

LINKS, GAS = ("ipg", "epinions-signed"), ("ipg", "gas-drift")
SIZES = (1_000, 100_000, 1_000_000)
FEATURES, PASSES, TURNS = 1_000_000, 12, 7
SCALES = (1.0, 1e-3)  # of p: nearly nothing merges; nearly everything does
CERTIFICATE, MOST_STEPS = 1e-6, 2000
LIMIT_PASS, LIMIT_SVDS, LIMIT_TRACE = 0.060, 3, 2
LIMIT_SKGLM, LIMIT_SORT, LIMIT_SPARSE, LIMIT_COPT = 2, 6.5, 1, 2


def seconds(function) -> float:
    """CPU seconds of the call."""
    began = process_time()
    function()
    return max(process_time() - began, 1e-9)


def medians(turns, *functions, repeats=1) -> list[float]:
    """Median CPU seconds of each, called in turn `repeats` times after one turn that compiles."""

    def again(function):
        for _ in range(repeats):  # no result is kept: new pages for each would be timed
            function()

    def often(function):
        return seconds(partial(again, function)) / repeats

    rows = [[often(function) for function in functions] for _ in range(turns + 1)][1:]
    return [statistics.median(column) for column in zip(*rows, strict=True)]


def sorted_l1():
    """The prox of OSCAR against skglm's and a sort of its point, where nearly nothing merges: of a Gaussian
    point, one sorted already, and one with all but a twentieth of the entries small.
    """
    for size in SIZES:
        rng = np.random.default_rng(0)
        weights = 0.01 + 0.01 / size * np.arange(size)[::-1]
        penalty, peer = oscar.Penalty(weights), SLOPE(weights)
        dense = rng.standard_normal(size)
        sparse = np.where(rng.random(size) < 0.05, dense, 1e-3 * dense)
        for kind, p in (("", dense), (", sorted", np.sort(np.abs(dense))[::-1].copy()), (", sparse", sparse)):
            own, other, sort = medians(
                TURNS,
                partial(penalty.prox, p, 1.0),
                partial(peer.prox_vec, p, 1.0),
                partial(np.sort, p),
                repeats=FEATURES // size,
            )
            line(
                f"OSCAR prox of {size:,}{kind}", own, other, other / own, "skglm", LIMIT_SKGLM, at_least=True
            )
            line("", own, sort, own / sort, "sorting", LIMIT_SPARSE if kind == ", sparse" else LIMIT_SORT)


def merging(size=FEATURES):
    """Group merging in passes against pooling, where nearly nothing and nearly everything merges."""
    rng = np.random.default_rng(0)
    penalty = oscar.Penalty(0.01 + 0.01 / size * np.arange(size)[::-1])
    for scale in SCALES:
        p = scale * rng.standard_normal(size)
        times = medians(
            TURNS, *(lambda m=m, p=p: penalty.prox(p, 1.0, method=m) for m in ("igm_pass", "pava"))
        )
        line(f"group merging, p ~ {scale:g}·N(0, 1)", *times, times[0] / times[1], "pooling")


def simplex():
    """The projection onto the simplex against copt's, where few entries stay and where nearly all do."""
    for size in SIZES:
        y = np.random.default_rng(0).standard_normal(size)
        for total in (1.0, float(size)):
            own, peer = medians(
                TURNS,
                lambda y=y, t=total: project_simplex(y, t),
                lambda y=y, t=total: euclidean_proj_simplex(y, t),
                repeats=FEATURES // size,
            )
            line(
                f"simplex of {size:,}, Σ = {total:g}",
                own,
                peer,
                peer / own,
                "copt",
                LIMIT_COPT,
                at_least=True,
            )


def links(path):
    """A pass of IPG after some, and its rank-r step against a cold truncated SVD of the same matrix."""
    problem, penalty, params = load(path, LINKS, "link-ipg")
    oracles, rng = Oracles(problem, penalty, np.random.default_rng(0)), np.random.default_rng(0)
    solver = solvers.make("pg", params)
    state = solver.start(oracles, rng)
    passes = []
    for _ in range(PASSES + TURNS):
        passes.append(seconds(lambda: solver.step(oracles, state, rng)))
    own = statistics.median(passes[PASSES:])
    line("pass of IPG, rank 10", own, LIMIT_PASS, None, "the aim in CPU time", 1)
    line("", own, bare_gathers(problem, penalty.bound), None, "memory alone: its gathers, nothing computed")
    Y = composite.center(problem, state.x, state.gamma)
    operator = LinearOperator(
        Y.shape, matvec=Y.matvec, rmatvec=Y.rmatvec, matmat=Y.matmat, rmatmat=Y.rmatmat, dtype=float
    )
    own, peer = medians(
        3,
        lambda: penalty.prox(Y, state.gamma, warm=state.warm_v, **params["prox"]),
        lambda: svds(operator, k=penalty.bound),
    )
    line("rank-10 step, warm", own, peer, peer / own, "svds", LIMIT_SVDS, at_least=True)


def bare_gathers(problem, rank) -> float:
    """CPU seconds to touch the rows that one pass gathers: two sweeps of two products, one in single
    precision, and the entries of the new point.
    """
    cols, rng = problem.pattern.cols, np.random.default_rng(0)
    single, double = (rng.random((problem.shape[1], rank)).astype(kind) for kind in (np.float32, np.float64))
    return medians(TURNS, lambda: [_touch(cols, rows) for rows in 2 * [single] + 3 * [double]])[0]


@njit
def _touch(cols, rows):
    total = rows[0, 0]
    for k in range(cols.size):
        total += rows[np.uint64(cols[k]), 0] + rows[np.uint64(cols[k]), rows.shape[1] - 1]
    return total


def trace_lasso(path):
    """Smoothing Newton to a certificate of 1e-6(1 + h), against subgradients and accelerated dual ascent to
    the same gap: on the first proximal point of a run, where all start from nothing, and on a later one.
    """
    problem, penalty, _ = load(path, GAS, "ipg-dual")
    oracles, rng = Oracles(problem, penalty, np.random.default_rng(0)), np.random.default_rng(0)
    solver = solvers.make("pg", {"prox": {"method": "newton", "relative_tol": CERTIFICATE}})
    state = solver.start(oracles, rng)
    for k in range(PASSES + 1):
        if k in (0, PASSES):
            p, gamma = composite.center(problem, state.x, state.gamma), state.gamma
            own, reached = certified(penalty, p, gamma, "newton")
            for method, options in (("dual_frank_wolfe", {"max_inner": MOST_STEPS}), ("dual_fista", {})):
                peer, missed = certified(penalty, p, gamma, method, **options)
                line(
                    f"trace Lasso prox, pass {k + 1}",
                    own,
                    peer,
                    peer / own,
                    method,
                    LIMIT_TRACE,
                    at_least=True,
                )
                print(f"  gaps over 1 + h: {reached:.1e} and {missed:.1e}")
        state = solver.step(oracles, state, rng)


def certified(penalty, p, gamma, method, **options):
    """CPU seconds, and the certified gap over 1 + h."""
    began = process_time()
    found = penalty.prox(p, gamma, method=method, relative_tol=CERTIFICATE, **options)
    return process_time() - began, found.gap / (1 + found.value)


def line(label, own, peer, ratio, against, limit=None, at_least=False):
    """One row; without a limit it is only shown."""
    ratio = own / peer if ratio is None else ratio
    kept = (
        "" if limit is None else f"; limit {limit}: {verdict(ratio >= limit if at_least else ratio <= limit)}"
    )
    print(f"{label:<34}{1e3 * own:>9.3f} ms{1e3 * peer:>9.3f} ms{ratio:>9.2f}   against {against}{kept}")


def load(path, figure, method):
    """Problem, penalty and parameters of a method of the study."""
    job = study.load(figure[0], root=checkout()).job(figure[1], method)
    problem = load_problem(path, 0, job.problem.plain())
    return problem, make_constraint(job, problem), job.solver.params


def instance(figure, folder):
    """The instance of an experiment, seed 0, from real data or a small stand-in; and which."""
    name = study.load(figure[0], root=checkout()).dataset(figure[1])
    prepared, path = Path(folder, f"{name}.h5"), Path(folder, f"{figure[1]}.h5")
    try:
        prepare.prepare(name, prepared, offline=True)
    except Unavailable:
        name = {"soc-sign-epinions": "soc-sign-epinions-mini", "gas-drift-ten-batches": "gas-drift-mini"}[
            name
        ]
        prepare.prepare(name, prepared, offline=True)
    build_figure(figure, prepared, path)
    print(f"{figure[1]}: {name}")
    return path


def main():
    with tempfile.TemporaryDirectory() as folder:
        graph, gas = instance(LINKS, folder), instance(GAS, folder)
        print(f"{'':<34}{'projfree':>12}{'peer':>12}{'ratio':>9}")
        with threadpool_limits(1):
            sorted_l1()
            merging()
            simplex()
            links(graph)
            trace_lasso(gas)
        for method in ("link-apg", "link-aipg"):
            report_peak(LINKS, method, graph, {"iterations": 3}, {})


if __name__ == "__main__":
    main()
