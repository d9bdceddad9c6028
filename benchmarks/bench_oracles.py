"""Linear minimisation over each set against the best peer, on one thread, as CPU time.

Peers are copt's where it has one, and the shortest NumPy or SciPy for the same answer. Each time is the least
of many turns that both sides take one after the other; both see one gradient, and their values must agree.
"""

from __future__ import annotations

import ctypes
import sys
from time import process_time

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import linear_sum_assignment, linprog
from scipy.sparse.linalg import eigsh, svds
from threadpoolctl import threadpool_limits

from projfree import sets

SIZES = {"10^3": 1000, "10^6": 1_000_000}
TURNS = 1.0  # seconds of turns a row
M_MMAP_THRESHOLD, LARGE = -3, 2**17  # of malloc.h; bytes


def one_hot(size, place, value):
    x = np.zeros(size)
    x[place] = value
    return x


def l1(G):
    i = np.argmax(np.abs(G))
    return one_hot(G.size, i, -np.sign(G[i]))


def lp(G, q=1.5):
    power = np.abs(G) ** (q - 1)
    return -np.sign(G) * power / np.linalg.norm(G, q) ** (q - 1)


def k_sparse(G, k=20):
    x, places = np.zeros(G.size), np.argpartition(np.abs(G), G.size - k)[G.size - k :]
    x[places] = -np.sign(G[places])
    return x


def polar_factor(G):
    U, _, Vt = np.linalg.svd(G, full_matrices=False)
    return -U @ Vt


def permutation(G):
    X = np.zeros(G.shape)
    X[linear_sum_assignment(G)] = 1
    return X


def group(G):
    norms = np.linalg.norm(G, axis=1)
    X, best = np.zeros(G.shape), np.argmax(norms)
    X[best] = -G[best] / norms[best]
    return X


def chain(G):
    n, sums = G.size, np.cumsum(G[:-1] - G.mean())
    cut = np.argmax(np.abs(sums))
    x = np.where(np.arange(n) <= cut, -np.sign(sums[cut]), 0.0)
    return x - x.mean()


def pair(G):
    U, s, Vt = svds(G, k=1, tol=1e-3, rng=0)
    return -np.outer(U[:, 0], Vt[0])


def dense_pair(G):
    U, s, Vt = np.linalg.svd(G)
    return -np.outer(U[:, 0], Vt[0])


def least_vector(G):
    u = eigh((G + G.T) / 2, subset_by_index=[0, 0])[1][:, 0]
    return np.outer(u, u)


def lanczos_vector(G):
    start = np.random.default_rng(0).standard_normal(len(G))  # the set's own: it decides how many products
    u = eigsh((G + G.T) / 2, k=1, which="SA", tol=1e-3, v0=start)[1][:, 0]
    return np.outer(u, u)


def ball(n):
    return np.full((1, n), 1.0)


#: Row → (set, peers by name, whether points are square matrices, sizes).
ROWS = {
    "l1 ball": (sets.L1Ball(1.0), {"NumPy": l1, "copt": "L1Ball"}, False),
    "l∞ ball": (sets.LinfBall(1.0), {"NumPy": lambda G: -np.sign(G)}, False),
    "lp ball, p = 3": (sets.LpBall(1.0, 3.0), {"NumPy": lp}, False),
    "k-sparse, k = 20": (sets.KSparse(1.0, 20), {"NumPy": k_sparse}, False),
    "simplex": (
        sets.Simplex(1.0),
        {"NumPy": lambda G: one_hot(G.size, np.argmin(G), 1.0), "copt": "SimplexConstraint"},
        False,
    ),
    "hypercube": (sets.Box(0, 1), {"NumPy": lambda G: np.where(G > 0, 0.0, 1.0)}, False),
    "total variation, chain": (sets.TotalVariation(1.0), {"NumPy": chain}, False),
    "group lasso, rows": (sets.GroupBall(1.0), {"NumPy": group}, True),
    "nuclear ball": (sets.NuclearBall(1.0), {"svds": pair, "svd": dense_pair, "copt": "TraceBall"}, True),
    "spectraplex": (sets.Spectraplex(1.0), {"eigh": least_vector, "eigsh": lanczos_vector}, True),
    "spectral ball": (sets.SpectralBall(1.0), {"svd": polar_factor}, True),
    "Birkhoff": (sets.Birkhoff(), {"SciPy": permutation}, True),
}


def copts(name, shape):
    """copt's oracle as a function of G: it gives the direction from x, and asks for −G; None without it."""
    try:
        from copt import constraint
    except ImportError:
        return None
    chosen = constraint.TraceBall(1.0, shape) if name == "TraceBall" else getattr(constraint, name)(1.0)
    x = np.zeros(int(np.prod(shape)))
    return lambda G: chosen.lmo(-G.ravel(), x)[0].reshape(shape)


def least(functions):
    """Least CPU seconds of each, in turns."""
    best, spent = [np.inf] * len(functions), 0.0
    for function in functions:
        function()
    while spent < TURNS:
        for i, function in enumerate(functions):
            repeats = 1 if best[i] > 1e-3 else 20
            began = process_time()
            for _ in range(repeats):
                function()
            took = process_time() - began
            best[i], spent = min(best[i], took / repeats), spent + took
    return best


def fresh_pages():
    """Let glibc map every large array anew, or zeros cost what the calls before have left of the heap."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt:
        mallopt(M_MMAP_THRESHOLD, LARGE)


def row(name, label, rng):
    feasible, peers, square = ROWS[name]
    size = SIZES[label]
    shape = (int(size**0.5),) * 2 if square else (size,)
    G = rng.standard_normal(shape)
    found = {key: copts(f, shape) if isinstance(f, str) else f for key, f in peers.items()}
    found = {
        key: f
        for key, f in found.items()
        if f and not (key == "svd" and square and size > 1e5 and len(peers) > 1)
    }
    ours = feasible.lmo(G)
    value = np.vdot(G, ours if isinstance(ours, np.ndarray) else ours.toarray())
    for key, f in found.items():
        if not np.vdot(G, f(G)) >= value * (1 + 1e-2) - 1e-9:
            raise AssertionError(f"{name}: {key} finds {np.vdot(G, f(G))}, the set {value}")
    times = least([lambda: feasible.lmo(G), *(lambda f=f: f(G) for f in found.values())])
    best = int(np.argmin(times[1:]))
    print(
        f"{name:24} {label:>5}  {times[0] * 1e3:9.4f} ms   {times[0] / times[1 + best]:5.2f}× "
        f"{list(found)[best]} ({times[1 + best] * 1e3:.4f} ms)"
    )


def linear_program(rng):
    """The polytope's oracle is one linear program of SciPy: what the set adds to it."""
    A, n = rng.standard_normal((50, 200)), 200
    feasible, G = sets.Polytope(A=A, b=np.ones(50), lower=-1.0, upper=1.0), rng.standard_normal(n)
    ours, peer = least(
        [
            lambda: feasible.lmo(G),
            lambda: linprog(G, A, np.ones(50), bounds=[(-1, 1)] * n, method="highs-ds").x,
        ]
    )
    print(
        f"{'polytope, 50 rows':24} {n:>5}  {ours * 1e3:9.4f} ms   {ours / peer:5.2f}× linprog "
        f"({peer * 1e3:.4f} ms)"
    )


def main(wanted=()):
    fresh_pages()
    rng = np.random.default_rng(0)
    print("linear minimisation, CPU time a call, against the best peer (aim ≤ 1.1×)")
    with threadpool_limits(1):
        for name in ROWS:
            for label in SIZES:
                if not wanted or name in wanted:
                    row(name, label, rng)
        linear_program(rng)


if __name__ == "__main__":
    main(sys.argv[1:])
