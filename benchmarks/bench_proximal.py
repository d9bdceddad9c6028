"""Proximal points of ipg: ``OMP_NUM_THREADS=1 python benchmarks/bench_proximal.py``.

The prox of OSCAR with 10^6 features against sorting them, group merging beside it; a pass of IPG and its
rank-10 step on soc-sign-epinions against SciPy's truncated SVD from a cold start; the prox of the trace Lasso
with a certificate on gas sensor drift against subgradients to the same gap; peak memory of link-prediction
jobs. Both datasets from ``data/raw`` or the mirror (PROJFREE_MIRROR), else their small stand-ins.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
from bench_saddle import build_figure, report_peak, verdict
from scipy.sparse.linalg import LinearOperator, svds
from threadpoolctl import threadpool_limits

from projfree import solvers, study
from projfree.data import prepare
from projfree.data.errors import Unavailable
from projfree.engine.metrics import composite
from projfree.engine.oracles.composite import Oracles
from projfree.ground.root import checkout
from projfree.jobs.instance import load_problem, make_constraint
from projfree.penalties import oscar

LINKS, GAS = ("ipg", "epinions-signed"), ("ipg", "gas-drift")
FEATURES, PASSES, TURNS = 1_000_000, 12, 7
SCALES = (1.0, 1e-3)  # of p: nearly nothing merges; nearly everything does
CERTIFICATE, MOST_STEPS = 1e-6, 2000
LIMIT_SORT, LIMIT_PASS, LIMIT_SVDS, LIMIT_TRACE = 3, 0.060, 3, 10


def seconds(function) -> float:
    """CPU seconds of the call."""
    began = process_time()
    function()
    return max(process_time() - began, 1e-9)


def medians(turns, *functions) -> list[float]:
    """Median CPU seconds of each, called in turn after one call that compiles."""
    rows = [[seconds(function) for function in functions] for _ in range(turns + 1)][1:]
    return [statistics.median(column) for column in zip(*rows, strict=True)]


def sorted_l1(size=FEATURES):
    """The prox of OSCAR against a sort of its point, iterative group merging in passes beside it."""
    rng = np.random.default_rng(0)
    penalty = oscar.Penalty(0.01 + 0.01 / size * np.arange(size)[::-1])
    for scale in SCALES:
        p = scale * rng.standard_normal(size)
        own, merging, sort = medians(
            TURNS,
            lambda p=p: penalty.prox(p, 1.0, method="pava"),
            lambda p=p: penalty.prox(p, 1.0, method="igm_pass"),
            lambda p=p: np.sort(p),
        )
        line(f"OSCAR prox, p ~ {scale:g}·N(0, 1)", own, sort, own / sort, "sorting", LIMIT_SORT)
        line("  group merging in passes", merging, sort, merging / sort, "sorting")


def links(path):
    """A pass of IPG after some, and its rank-r step against a cold truncated SVD of the same matrix."""
    problem, penalty, params = load(path, LINKS, "link-ipg")
    oracles, rng = Oracles(problem, penalty, np.random.default_rng(0)), np.random.default_rng(0)
    solver = solvers.make("pg", params)
    state = solver.start(oracles, rng)
    passes = []
    for _ in range(PASSES + TURNS):
        passes.append(seconds(lambda: solver.step(oracles, state, rng)))
    line(
        "pass of IPG, rank 10", statistics.median(passes[PASSES:]), LIMIT_PASS, None, "the aim in CPU time", 1
    )
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


def trace_lasso(path):
    """Accelerated dual ascent to a certificate of 1e-6(1 + h), against subgradients to the same gap: on the
    first proximal point of a run, where both start from nothing, and on a later one.
    """
    problem, penalty, _ = load(path, GAS, "ipg-dual")
    oracles, rng = Oracles(problem, penalty, np.random.default_rng(0)), np.random.default_rng(0)
    solver = solvers.make("pg", {"prox": {"method": "dual_fista", "relative_tol": CERTIFICATE}})
    state = solver.start(oracles, rng)
    for k in range(PASSES + 1):
        if k in (0, PASSES):
            p, gamma = composite.center(problem, state.x, state.gamma), state.gamma
            own, reached = certified(penalty, p, gamma, "dual_fista")
            peer, missed = certified(penalty, p, gamma, "dual_frank_wolfe", max_inner=MOST_STEPS)
            label = f"trace Lasso prox, pass {k + 1}"
            line(label, own, peer, peer / own, "subgradients", LIMIT_TRACE, at_least=True)
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
    print(f"{label:<34}{1e3 * own:>9.1f} ms{1e3 * peer:>9.1f} ms{ratio:>9.2f}   against {against}{kept}")


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
            links(graph)
            trace_lasso(gas)
        for method in ("link-apg", "link-aipg"):
            report_peak(LINKS, method, graph, {"iterations": 3}, {})


if __name__ == "__main__":
    main()
