"""Replication of Figure 1 of "Non-convex Conditional Gradient Sliding" (Qu, Li, Xu, ICML 2018), from its
text.

    minimise  F(X) = sum over observed (i,j) of 1 - exp(-(X_ij - Y_ij)^2 / sigma)
    subject to  ||X||_* <= R.   (9)

Left panel: batch methods, 200 x 200, rank 5.  Right panel: finite-sum methods, 400 x 400, rank 8.
The y axis is the squared gradient mapping; the x axis is CPU time.  The oracle calls are counted too.
Here the gradient mapping is always the exact one, ||(X - P(X - gamma grad F(X))) / gamma||^2 with
gamma = 1/(2L), with a full SVD, at the point that the method would return.  It is measured outside the clock.
Runs stop after a fixed number of calls of the linear oracle, so that only the seconds differ between runs.
Usage: python replicate.py [--out DIR] [--seeds 2] [--quick] [--variants]
"""

import argparse
import csv
import os
import time

import numpy as np
from scipy.sparse.linalg import svds


class Problem:
    """Problem (9).  The data are generated (section 6.1.1)."""

    def __init__(self, d, r, R, seed, sigma=1.0, p=0.1, corrupt=0.05, truth="orthonormal"):
        rng = np.random.default_rng(seed)
        if truth == "orthonormal":  # r singular values of one, so ||M||_* = r = R
            U = np.linalg.qr(rng.standard_normal((d, r)))[0]
            V = np.linalg.qr(rng.standard_normal((d, r)))[0]
        else:  # factors with N(0,1) entries; ||M||_* is about r d, far above R
            U, V = rng.standard_normal((d, r)), rng.standard_normal((d, r))
        M = U @ V.T
        self.I = np.flatnonzero(rng.random(d * d) < p)  # observed entries
        self.Y = M.ravel()[self.I]
        hit = rng.random(self.I.size) < corrupt
        self.Y[hit] += rng.uniform(-3, 3, hit.sum())
        self.d, self.R, self.sigma, self.n = d, R, sigma, self.I.size
        self.L = 2.0 / sigma  # largest second derivative of one term; each term owns one entry
        self.lo_calls = self.ifo_calls = 0

    def value(self, X):
        return float(np.sum(1 - np.exp(-((X.ravel()[self.I] - self.Y) ** 2) / self.sigma)))

    def partial(self, X, k):  # derivatives of the terms k with respect to their own entry
        e = X.ravel()[self.I[k]] - self.Y[k]
        return 2 / self.sigma * e * np.exp(-e * e / self.sigma)

    def grad(self, X, count=True):
        self.ifo_calls += self.n * count
        G = np.zeros(self.d * self.d)
        G[self.I] = self.partial(X, slice(None))
        return G.reshape(self.d, self.d)

    def lo(self, G, count=True):
        """Linear oracle: argmin <X, G> over the nuclear ball: minus R times the leading singular pair."""
        self.lo_calls += count
        u, s, vt = svds(G, k=1, v0=np.ones(self.d), tol=1e-6)
        return (-self.R * u[:, 0])[:, None] * vt[0]

    def project(self, X):
        U, s, Vt = np.linalg.svd(X, full_matrices=False)
        if s.sum() > self.R:
            c = (np.cumsum(s) - self.R) / np.arange(1, s.size + 1)
            s = np.maximum(s - c[np.flatnonzero(s > c)[-1]], 0)
        return (U * s) @ Vt

    def mapping2(self, X):
        """Squared norm of the gradient mapping g(X, grad F(X), gamma), section 2.3, gamma = 1/(2L)."""
        g = 0.5 / self.L
        return float(np.sum((X - self.project(X - g * self.grad(X, False))) ** 2)) / g**2


def condg(P, l, u, gamma, eta, budget, cap=10**9):
    """Algorithm 1: Frank-Wolfe with exact line search on <l, x> + ||x - u||^2 / (2 gamma).  cap: at most
    so many     linear oracle calls, which is not in the paper; one call of the oracle is always made."""
    ut = u
    stop = min(budget, P.lo_calls + cap)
    while P.lo_calls < stop:
        h = l + (ut - u) / gamma
        v = P.lo(h)
        D = v - ut
        V = -np.sum(h * D)
        if V <= eta:
            break
        ut = (
            ut + min(1.0, gamma * V / np.sum(D * D)) * D
        )  # = min(1, <(u-ut)/gamma - l, v-ut> / (||v-ut||^2/gamma))
    return ut


def ncgs(P, budget, N=10, c=1.0, option=1, cap=10**9):
    """Algorithm 2 with the parameters of Theorem 1 (the step beta is c times 1/(2L))."""
    ag = th = np.zeros((P.d, P.d))
    yield ag
    k = 0
    while P.lo_calls < budget:
        k += 1
        a, beta, eta = 2 / (k + 1), c * 0.5 / P.L, 1 / N
        lam = beta if option == 1 else k * beta / 2
        md = (1 - a) * ag + a * th
        g = P.grad(md)
        new = condg(P, g, th, lam, eta, budget, cap)
        if option == 1:
            ag = md - beta * (th - new) / lam  # option I: a plain gradient-mapping step from md
        else:
            ag = condg(P, g, md, beta, eta, budget)  # option II
        th = new
        yield ag


def fw(P, budget, rule="gap", c=1.0):
    """Non-convex Frank-Wolfe (Lacoste-Julien 2016), not spelled out in the paper.  rule 'gap': step
    gap / (c L (2R)^2), cut at 1; 'short': gap / (c L ||d||^2); 'open': 2/(k+2)."""
    X = np.zeros((P.d, P.d))
    yield X
    k = 0
    while P.lo_calls < budget:
        g = P.grad(X)
        D = P.lo(g) - X
        gap = -np.sum(g * D)
        size = (2 * P.R) ** 2 if rule == "gap" else np.sum(D * D)
        X = X + (2 / (k + 2) if rule == "open" else min(1.0, gap / (c * P.L * size))) * D
        k += 1
        yield X


def minibatch_gradient(P, rng, X, Xs, gs, b):
    """v_t of Algorithm 4, in the scale of the sum (n/b instead of 1/b)."""
    k = rng.integers(0, P.n, b)
    P.ifo_calls += 2 * b
    dv = np.zeros(P.d * P.d)
    np.add.at(dv, P.I[k], P.n / b * (P.partial(X, k) - P.partial(Xs, k)))
    return gs + dv.reshape(P.d, P.d)


def ncgs_vr(P, budget, seed, T=25, c=1.0, cap=10**9):
    """Algorithm 4 with the parameters of Theorem 3: b = n^(2/3), m = n^(1/3), lambda = c/(3L), eta = 1/T."""
    rng = np.random.default_rng(1000 + seed)
    b, m, lam = round(P.n ** (2 / 3)), round(P.n ** (1 / 3)), c / (3 * P.L)
    X = np.zeros((P.d, P.d))
    yield X
    while P.lo_calls < budget:
        Xs, gs = X, P.grad(X)
        for _ in range(m):
            X = condg(P, minibatch_gradient(P, rng, X, Xs, gs, b), X, lam, 1 / T, budget, cap)
            yield X
            if P.lo_calls >= budget:
                return


def svfw(P, budget, seed, T=2000, c=1.0):
    """SVFW (Reddi et al. 2016b), not spelled out in the paper: the same v_t, then a Frank-Wolfe step of the
    constant length c * sqrt((F(x0) - F*) / (T L D^2)) with F* >= 0 and D = 2R."""
    rng = np.random.default_rng(1000 + seed)
    b, m = round(P.n ** (2 / 3)), round(P.n ** (1 / 3))
    X = np.zeros((P.d, P.d))
    step = min(1.0, c * np.sqrt(P.value(X) / (T * P.L * (2 * P.R) ** 2)))
    yield X
    while P.lo_calls < budget:
        Xs, gs = X, P.grad(X)
        for _ in range(m):
            v = minibatch_gradient(P, rng, X, Xs, gs, b)
            X = X + step * (P.lo(v) - X)
            yield X
            if P.lo_calls >= budget:
                return


def run(rows, experiment, method, seed, P, points, per_decade=8):
    P.lo_calls = P.ifo_calls = 0
    t0, spent, due = time.process_time(), 0.0, 0.0
    best = last = np.inf
    step, it = -1, iter(points)
    while True:
        X = next(it, None)
        t1 = time.process_time()
        spent += t1 - t0
        if X is not None:
            step, keep, lo, ifo = step + 1, X, P.lo_calls, P.ifo_calls
        if X is None or lo >= due:
            last = P.mapping2(keep)
            best = min(best, last)
            rows.append(
                [
                    experiment,
                    method,
                    seed,
                    step,
                    f"{spent:.3f}",
                    lo,
                    ifo,
                    f"{last:.6e}",
                    f"{P.value(keep):.8g}",
                    f"{np.linalg.norm(keep, 'nuc'):.5g}",
                ]
            )
            due = max(lo + 1, lo * 10 ** (1 / per_decade))
        if X is None:
            break
        t0 = time.process_time()
    print(
        f"{experiment:14s} {method:22s} seed {seed}: {step:5d} steps {spent:6.1f} s {P.lo_calls:6d} LO "
        f"{P.ifo_calls:9d} IFO  mapping^2 last {last:.2e} best {best:.2e}  F {P.value(keep):.4f}",
        flush=True,
    )


def check(P):
    rng = np.random.default_rng(0)
    A, B = rng.standard_normal((2, P.d, P.d)) / P.d
    fd = (P.value(A + 1e-6 * B) - P.value(A - 1e-6 * B)) / 2e-6
    assert abs(fd - np.sum(P.grad(A, False) * B)) < 1e-6 * max(1, abs(fd)), "gradient"
    Z = rng.standard_normal((P.d, P.d))
    W = P.project(Z)  # W is the projection iff the linear oracle finds no better point
    assert np.sum((W - Z) * (W - P.lo(W - Z, False))) < 1e-4 * np.sum((W - Z) ** 2) ** 0.5, "projection"
    print(f"checks passed: finite differences, projection; d {P.d}, n {P.n}, F(0) {P.value(0 * A):.3f}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", help="not used: the data are generated")
    ap.add_argument("--out", default=os.path.dirname(os.path.abspath(__file__)))
    ap.add_argument("--seeds", type=int, default=2)
    ap.add_argument("--quick", action="store_true")
    ap.add_argument("--variants", action="store_true", help="also the step-size grids and the Gaussian truth")
    a = ap.parse_args()
    nb, nv = (300, 200) if a.quick else (4000, 2000)
    rows = []
    for s in range(a.seeds):
        P = Problem(200, 5, 5.0, s)
        check(P)
        run(rows, "left", "NCGS-I", s, P, ncgs(P, nb))
        run(rows, "left", "NCGS-II", s, P, ncgs(P, nb, option=2))
        run(rows, "left", "FW-gap", s, P, fw(P, nb))
        run(rows, "left", "FW-short", s, P, fw(P, nb, "short"))
        Q = Problem(400, 8, 8.0, s)
        run(rows, "right", "NCGS-VR", s, Q, ncgs_vr(Q, nv, s))
        run(rows, "right", "SVFW", s, Q, svfw(Q, nv, s, T=nv))
        if a.variants and s == 0:
            for c in (0.25, 4, 16):
                run(rows, "left-tune", f"NCGS-I step x{c:g}", s, P, ncgs(P, nb // 2, c=c))
            for N in (1, 100):
                run(rows, "left-tune", f"NCGS-I N={N}", s, P, ncgs(P, nb // 2, N=N))
            run(rows, "left-tune", "NCGS-I N=1 step x4", s, P, ncgs(P, nb // 2, N=1, c=4))
            for c in (0.25, 4):
                run(rows, "left-tune", f"FW-short step x{1 / c:g}", s, P, fw(P, nb, "short", c=c))
            run(rows, "left-tune", "FW-open", s, P, fw(P, nb, "open"))
            for cap, c in ((10, 1), (10, 4), (3, 4)):
                run(
                    rows,
                    "left-tune",
                    f"NCGS-I cap {cap} step x{c:g}",
                    s,
                    P,
                    ncgs(P, nb, N=10**6, c=c, cap=cap),
                )
            for cap, c in ((10, 1), (10, 0.1)):
                run(
                    rows,
                    "right-tune",
                    f"NCGS-VR cap {cap} step x{c:g}",
                    s,
                    Q,
                    ncgs_vr(Q, nv, s, 10**6, c, cap),
                )
            for T, c in ((1, 1), (1, 0.1), (25, 0.1)):
                run(rows, "right-tune", f"NCGS-VR T={T} step x{c:g}", s, Q, ncgs_vr(Q, nv // 2, s, T=T, c=c))
            run(rows, "right-tune", "NCGS-I N=10", s, Q, ncgs(Q, nv // 2))
            run(rows, "right-tune", "FW-short", s, Q, fw(Q, nv, "short"))
            for c in (0.1, 0.3, 3):
                run(rows, "right-tune", f"SVFW step x{c:g}", s, Q, svfw(Q, nv, s, T=nv, c=c))
            G = Problem(200, 5, 5.0, s, truth="gaussian")
            for N in (10, 1000):
                run(rows, "left-gaussian", f"NCGS-I N={N}", s, G, ncgs(G, nb // 4, N=N))
            run(rows, "left-gaussian", "FW-gap", s, G, fw(G, nb // 4))
            run(rows, "left-gaussian", "FW-short", s, G, fw(G, nb // 4, "short"))
            H = Problem(400, 8, 8.0, s, truth="gaussian")
            run(rows, "right-gaussian", "NCGS-VR T=1000", s, H, ncgs_vr(H, nv // 4, s, T=1000))
            run(rows, "right-gaussian", "SVFW", s, H, svfw(H, nv // 4, s, T=nv // 4))
    with open(os.path.join(a.out, "curves.csv"), "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(
            "experiment method seed step seconds lo_calls ifo_calls mapping2 objective nuclear_norm".split()
        )
        w.writerows(rows)


if __name__ == "__main__":
    main()
