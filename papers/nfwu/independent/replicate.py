"""Replication of Figures 1 to 4 of "Complexities in Projection-Free Stochastic Non-convex Minimization"
(Shen, Fang, Zhao, Huang, Qian, AISTATS 2019), from its text: robust low rank matrix recovery, loss (5),

    minimise  f(X) = sum over observed (i,j) of 1 - exp(-(X_ij - Y_ij)^2 / (2 sigma))
    subject to  ||X||_* <= B.   (4)

Five gradient estimators run inside the same Normalized Frank-Wolfe Update (Algorithm 1).  Three quantities
are measured outside the clock with the exact gradient: the gap V_C(x; f) of (2), the root mean square
error to the underlying matrix, and ||g - grad f(x)||.  Everything is in the scale of the sum (4); divide by n
for (1).
Usage: python replicate.py [--out DIR] [--seeds 3] [--quick] [--variants]
"""

import argparse
import csv
import os
import time

import numpy as np
from scipy.sparse.linalg import svds

EPOCHS = 20  # "The number of epoch T is set to 20 for all cases"


class Problem:
    def __init__(self, rank, rho, seed, d=200, B=100.0, sigma=1.0):
        rng = np.random.default_rng(seed)
        U = np.linalg.qr(rng.standard_normal((d, rank)))[0]
        V = np.linalg.qr(rng.standard_normal((d, rank)))[0]
        s = 2.0 ** np.arange(1, rank + 1) / 2**rank * 50  # 50, 25, 12.5, ...: sum below 100 = B
        self.M = (U * s) @ V.T
        noisy = self.M.ravel().copy()
        hit = rng.choice(d * d, int(0.05 * d * d), replace=False)  # 5 % of the entries of M
        noisy[hit] += rng.uniform(-rho, rho, hit.size)
        self.I = rng.choice(d * d, int(0.10 * d * d), replace=False)  # 10 % of the entries are seen
        self.Y = noisy[self.I]
        self.d, self.B, self.sigma, self.n = d, B, sigma, self.I.size
        self.v0 = np.ones(d)

    def d1(self, x, k=slice(None)):  # psi'(x - Y), one number an observed entry
        z = x[k] - self.Y[k]
        return z / self.sigma * np.exp(-z * z / (2 * self.sigma))

    def d2(self, x, k=slice(None)):  # psi''(x - Y)
        z = x[k] - self.Y[k]
        return (1 / self.sigma - z * z / self.sigma**2) * np.exp(-z * z / (2 * self.sigma))

    def value(self, x):
        return float(np.sum(1 - np.exp(-((x - self.Y) ** 2) / (2 * self.sigma))))

    def lo(self, g):
        """(3): minus B times the leading singular pair of the gradient; g holds the observed entries only."""
        G = np.zeros(self.d * self.d)
        G[self.I] = g
        u, s, vt = svds(G.reshape(self.d, self.d), k=1, v0=self.v0, tol=1e-6)
        return -self.B * u[:, 0], vt[0], s[0]


class Estimator:
    """GE 1 to 5.  x is the vector of the observed entries of X: every gradient and Hessian lives there."""

    def __init__(self, P, kind, p, b, rng):
        self.P, self.kind, self.p, self.b, self.rng, self.t = P, kind, p, b, rng, 0
        self.sfo = self.sso = 0

    def mean(self, k, values):  # n/b times the sum over the sample: the 1/|S| of the paper, scaled to (4)
        out = np.zeros(self.P.n)
        np.add.at(out, k, values * (self.P.n / len(k)))
        return out

    def __call__(self, x):
        P, kind = self.P, self.kind
        start = self.t % self.p == 0
        self.t += 1
        k = self.rng.integers(0, P.n, self.b)  # i.i.d. and uniform
        if kind == "SG":  # GE 1
            self.sfo += self.b
            return self.mean(k, P.d1(x, k))
        if start:  # line 1 of GE 2 to 5
            self.sfo += P.n
            self.ref, self.gref = x, P.d1(x)
            if kind.startswith("CA"):
                self.sso += P.n
                self.H = P.d2(x)
            g = self.gref  # at x = reference, GE 2 and 4 give the exact gradient too
        else:
            self.sfo += 2 * self.b
            base, gbase = (self.ref, self.gref) if kind.endswith("SVRG") else (self.last, self.glast)
            g = gbase + self.mean(k, P.d1(x, k) - P.d1(base, k))  # GE 2 and 3
            if kind.startswith("CA"):  # GE 4: (x - reference); GE 5: (x - last); Hessians at the reference
                self.sso += self.b
                g = g + (self.H - self.mean(k, np.ones(self.b)) * self.H) * (x - base)
        self.last, self.glast = x, g
        return g


def run(rows, experiment, P, kind, frac, seed, step, label=""):
    """Algorithm 1: X <- X + step (V - X), with step = eta/D; step is a function of (p, t)."""
    p, b = frac, P.n // frac
    ge = Estimator(P, kind, p, b, np.random.default_rng(1000 * frac + seed))
    X, spent = np.zeros((P.d, P.d)), 0.0
    every = max(1, p // 5)
    for t in range(EPOCHS * p + 1):
        t0 = time.process_time()
        x = X.ravel()[P.I]
        g = ge(x)
        u, v, _ = P.lo(g)
        spent += time.process_time() - t0
        if t % every == 0 or t % p == p - 1:
            gx = P.d1(x)
            gap = P.B * P.lo(gx)[2] + float(gx @ x)  # max over U of <grad f, X - U>
            rmse = float(np.sqrt(np.mean((X - P.M) ** 2)))
            rows.append(
                [
                    experiment,
                    kind + label,
                    seed,
                    frac,
                    t,
                    f"{spent:.3f}",
                    f"{t / p:.3f}",
                    ge.sfo,
                    ge.sso,
                    f"{gap:.6e}",
                    f"{rmse:.6e}",
                    f"{np.linalg.norm(g - gx):.6e}",
                    f"{P.value(x):.8g}",
                ]
            )
        t0 = time.process_time()
        w = step(p, t)
        X = (1 - w) * X + (w * u)[:, None] * v
        spent += time.process_time() - t0
    tail = [r for r in rows if r[:4] == [experiment, kind + label, seed, frac] and float(r[6]) >= EPOCHS - 5]
    err = [float(r[11]) for r in tail if float(r[11]) > 0]
    print(
        f"{experiment:18s} {kind + label:20s} n/{frac:<3d} seed {seed}: "
        f"V {np.mean([float(r[9]) for r in tail]):9.3f} "
        f"RMSE {np.mean([float(r[10]) for r in tail]):.4f}  |g - grad| {np.mean(err) if err else 0:8.4f}  "
        "(means over the "
        f"last 5 epochs) {spent:.1f} s",
        flush=True,
    )


def check(P):
    rng = np.random.default_rng(0)
    x, h = P.Y + rng.standard_normal(P.n), 1e-6
    e = rng.standard_normal(P.n)
    assert abs((P.value(x + h * e) - P.value(x - h * e)) / (2 * h) - P.d1(x) @ e) < 1e-5, "gradient"
    assert np.allclose((P.d1(x + h * e) - P.d1(x - h * e)) / (2 * h), P.d2(x) * e, atol=1e-6), "Hessian"
    for kind in (
        "SG",
        "SVRG",
        "SPIDERG",
        "CASVRG",
        "CASPIDERG",
    ):  # unbiased: the mean over many draws is near grad f
        ge = Estimator(P, kind, 10**9, 400, rng)
        ge(x)
        y, total = x + 0.1 * e, 0
        for _ in range(300):
            ge.last, ge.glast = x, P.d1(x)
            total = total + ge(y)
        one = np.linalg.norm(ge(y) - P.d1(y))
        bias = np.linalg.norm(total / 300 - P.d1(y))
        scale = np.linalg.norm(P.d1(y))
        print(
            f"check {kind:10s} mean of 300 draws off by {bias / scale:.4f} of the norm; "
            f"one draw about {one / scale:.4f}"
        )
        assert bias < 0.15 * max(one, 0.02 * scale) or bias < 0.25 * scale and kind == "SG", kind
    assert np.linalg.norm(P.M, "nuc") <= P.B


def fixed(c):
    return lambda p, t: c


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", help="not used: the data are generated")
    ap.add_argument("--out", default=os.path.dirname(os.path.abspath(__file__)))
    ap.add_argument("--seeds", type=int, default=3)
    ap.add_argument("--quick", action="store_true")
    ap.add_argument("--variants", action="store_true", help="also other readings of the step and a step grid")
    a = ap.parse_args()
    kinds = ("SG", "SVRG", "SPIDERG", "CASVRG", "CASPIDERG")
    rows = []
    D = 200.0  # diameter of the nuclear ball of radius 100
    readings = {"eta=p/T over D": lambda p, t: p / EPOCHS / D, "eta=1/20": fixed(1 / EPOCHS)}
    figures = [("fig1 r5 rho10", 5, 10)] + (
        [] if a.quick else [("fig2 r10 rho10", 10, 10), ("fig3 r15 rho10", 15, 10), ("fig4 r10 rho5", 10, 5)]
    )
    for name, rank, rho in figures:
        for s in range(1 if a.quick else a.seeds if rank == 5 else 1):
            P = Problem(rank, rho, s)
            if s == 0 and rank == 5:
                check(P)
            for frac in (10, 50) if a.quick else (10, 20, 50):
                for kind in kinds:
                    run(rows, name, P, kind, frac, s, readings["eta=p/T over D"])
    if a.variants:
        P = Problem(5, 10, 0)
        for frac in (10, 50):
            for kind in kinds:
                run(rows, "reading 1/20", P, kind, frac, 0, readings["eta=1/20"])
                run(rows, "reading 2/(t+2)", P, kind, frac, 0, lambda p, t: 2 / (t + 2))
        for frac in (10, 50):  # every method with its own best constant step
            for c in (0.001, 0.0025, 0.005, 0.0125, 0.025):
                for kind in kinds:
                    run(rows, "step grid", P, kind, frac, 0, fixed(c), f" step {c:g}")
    with open(os.path.join(a.out, "curves.csv"), "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(
            (
                "experiment method seed batch_divisor step seconds epoch sfo sso gap rmse "
                "grad_error objective"
            ).split()
        )
        w.writerows(rows)


if __name__ == "__main__":
    main()
