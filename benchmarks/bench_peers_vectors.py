"""Projections and proxes against peers, in one process: ``python benchmarks/bench_peers_vectors.py``.

Each answer of a peer is first compared with ours. CPU seconds are the least of some turns, ours and the
peer's in turn, and should be those of one thread (OMP_NUM_THREADS=1). Rows of missing peers are left out.
"""

from __future__ import annotations

import importlib
from time import process_time

import numpy as np

import projfree as pf

TURNS, SIZES = 5, (1_000, 1_000_000)


def optional(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def pairs(n, rng):
    """(what, peer, ours, theirs) for vectors of n entries: functions without arguments."""
    x = rng.standard_normal(n)
    level, weights = 0.1 * np.sqrt(n), np.sort(rng.random(n))[::-1].copy()
    l1, simplex, l2 = pf.sets.L1Ball(level), pf.sets.Simplex(level), pf.sets.L2Ball(level)
    soft, slope = pf.penalties.L1(0.3), pf.penalties.Slope(weights)
    if copt := optional("copt.constraint"):
        ball, unit = copt.L1Ball(level), copt.SimplexConstraint(level)
        yield "projection, l1 ball", "copt", lambda: l1.project(x), lambda: ball.prox(x, 1.0)
        yield "projection, simplex", "copt", lambda: simplex.project(x), lambda: unit.prox(x, 1.0)
    if other := optional("pyproximal"):
        theirs = other.L1Ball(n, level), other.Simplex(n, level, engine="numba")
        theirs += other.EuclideanBall(np.zeros(n), level), other.L1(0.3)
        ours = l1.project, simplex.project, l2.project, lambda p: soft.prox(p, 1.0).x
        for what, own, peer in zip(("l1 ball", "simplex", "l2 ball", ""), ours, theirs, strict=True):
            name = f"projection, {what}" if what else "prox, l1"
            yield name, "pyproximal", lambda own=own: own(x), lambda peer=peer: peer.prox(x, 1.0)
    if optional("skglm"):
        from skglm.penalties import SLOPE
        from skglm.utils.jit_compilation import compiled_clone

        theirs = compiled_clone(SLOPE(weights))
        yield "prox, SLOPE", "skglm", lambda: slope.prox(x, 1.0).x, lambda: theirs.prox_vec(x, 1.0)


def assignment(n, rng):
    """Linear minimisation over the Birkhoff polytope next to SciPy's."""
    from scipy.optimize import linear_sum_assignment

    G, birkhoff = rng.random((n, n)), pf.sets.Birkhoff()

    def scipy():
        X = np.zeros((n, n))
        X[linear_sum_assignment(G)] = 1.0
        return X

    return f"linear minimisation, Birkhoff {n} × {n}", "SciPy", lambda: birkhoff.lmo(G), scipy


def ratio(ours, theirs):
    """Least CPU seconds of a call, ours and theirs, in turn."""
    np.testing.assert_allclose(ours(), theirs(), atol=1e-3)  # pyproximal bisects
    found = []
    for function in (ours, theirs):
        began, calls = process_time(), 0
        while process_time() - began < 0.05:
            function()
            calls += 1
        found.append([calls])
    for _ in range(TURNS):
        for function, (calls, *seconds) in zip((ours, theirs), found, strict=True):
            began = process_time()
            for _ in range(calls):
                function()
            seconds.append((process_time() - began) / calls)
            found[function is theirs].append(seconds[-1])
    return tuple(min(seconds) for _, *seconds in found)


def rows(sizes=SIZES, sides=(3, 5, 10, 100, 500)):
    """(what, entries, peer, our seconds, theirs)."""
    rng = np.random.default_rng(0)
    cases = [(n, case) for n in sizes for case in pairs(n, rng)]
    cases += [(n * n, assignment(n, rng)) for n in sides]
    for n, (what, peer, ours, theirs) in cases:
        yield what, n, peer, *ratio(ours, theirs)


def main():
    """Print the table."""
    for what, n, peer, ours, theirs in rows():
        print(f"| {what} | {n:,} | {peer} | {1e6 * ours:.3g} µs | {theirs / ours:.2g} |", flush=True)


if __name__ == "__main__":
    main()
