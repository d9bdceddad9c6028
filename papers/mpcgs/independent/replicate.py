"""Replication of Figure 1 of "Efficient Projection-Free Algorithms for Saddle Point Problems"
(Chen, Luo, Zhang, Yu, NeurIPS 2020), from its text.  The text at hand has lost its formulas;
what was rebuilt is listed in guessed.md.

    min over ||X||_* <= R, max over y in the simplex of  sum_i y_i loss_i(X) - (lam/2) ||n y - 1||^2,    (4)
    loss_i(X) = log(1 + sum_{j != b_i} exp(x_j . a_i - x_{b_i} . a_i))      (multiclass logistic loss)

Measured outside the clock: the FW-gap, max <grad_x f, X - U> + max <grad_y f, w - y>, an upper bound of the
primal-dual gap.  Rows have unit norm.  All runs stop after a fixed number of steps; only the seconds vary.
Usage: python replicate.py --data DIR [--out DIR] [--rows 1000] [--quick] [--variants] [--fullsize]
DIR holds news20/news20.bz2 and rcv1-subset/rcv1_dev_secondlevel.svm.gz (LIBSVM text).
"""

import argparse
import bz2
import csv
import gzip
import os
import time

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import svds


def read_libsvm(path, rows=None, seed=0, min_count=3):
    opener = bz2.open if path.endswith("bz2") else gzip.open
    lines = opener(path, "rt").read().splitlines()
    if rows and rows < len(lines):
        keep = np.sort(np.random.default_rng(seed).choice(len(lines), rows, replace=False))
        lines = [lines[i] for i in keep]
    lab, ind, val, ptr = [], [], [], [0]
    for l in lines:
        f = l.split()
        lab.append(f[0])
        for z in f[1:]:
            a, b = z.split(":")
            ind.append(int(a)), val.append(float(b))
        ptr.append(len(ind))
    A = sp.csr_matrix((val, ind, ptr))
    A = A[:, np.flatnonzero(np.diff(A.tocsc().indptr) >= min_count)]  # drop features seen in fewer rows
    A = sp.diags(1 / np.maximum(1e-12, np.sqrt(np.asarray(A.multiply(A).sum(1)).ravel()))) @ A  # unit rows
    return A.tocsr(), np.unique(lab, return_inverse=True)[1]


class Problem:
    def __init__(self, A, b, R, lam_n):
        self.A, self.AT, self.b, self.R = A, A.T.tocsr(), b, R
        self.n, self.d = A.shape
        self.h = b.max() + 1
        self.lam = lam_n / self.n
        s = svds(A.astype(float), k=1, v0=np.ones(min(A.shape)), return_singular_vectors=False)[0]
        self.Lx = 0.5 * 1.0  # Hessian of one loss <= 1/2 ||a_i||^2; the y_i sum to one
        self.Lxy2mu = 2 * s**2 / self.n**2 / self.lam  # L_xy^2 / mu, the same in the scales y and n y
        self.lo = self.ifo = self.proj = 0

    def scores(self, X, rows=None):
        A = self.A if rows is None else self.A[rows]
        b = self.b if rows is None else self.b[rows]
        S = A @ X
        m = S.max(1, keepdims=True)
        E = np.exp(S - m)
        Z = E.sum(1)
        loss = np.log(Z) + m[:, 0] - S[np.arange(b.size), b]
        P = E / Z[:, None]
        P[np.arange(b.size), b] -= 1
        return loss, P

    def grad_x(self, X, y, rows=None):  # full, or the mini-batch estimate n/|S| sum_S y_i grad loss_i
        if rows is None:
            self.ifo += self.n
            return self.AT @ (self.scores(X)[1] * y[:, None])
        self.ifo += len(rows)
        return self.A[rows].T @ (self.scores(X, rows)[1] * (y[rows] * self.n / len(rows))[:, None])

    def losses(self, X):
        self.ifo += self.n
        return self.scores(X)[0]

    def grad_y(self, loss, y):
        return loss - self.lam * self.n * (self.n * y - 1)

    def value(self, X, y):
        return float(y @ self.scores(X)[0] - self.lam / 2 * np.sum((self.n * y - 1) ** 2))

    def lo_x(self, G):
        self.lo += 1
        u, s, vt = svds(G, k=1, v0=np.ones(self.h), tol=1e-5)
        return -self.R * np.outer(u[:, 0], vt[0])

    def project_x(self, X):
        self.proj += 1
        U, s, Vt = np.linalg.svd(X, full_matrices=False)
        return (U * project_simplex(s, self.R)) @ Vt if s.sum() > self.R else X

    def gap(self, X, y):  # exact FW-gap with dense norms; outside the clock and the counts
        loss, P = self.scores(X)
        Gx, gy = self.AT @ (P * y[:, None]), self.grad_y(loss, y)
        return (np.sum(Gx * X) + self.R * np.sqrt(np.linalg.eigvalsh(Gx.T @ Gx)[-1])) + (gy.max() - gy @ y)


def project_simplex(z, R=1.0):
    s = np.sort(z)[::-1]
    c = (np.cumsum(s) - R) / np.arange(1, s.size + 1)
    return np.maximum(z - c[np.flatnonzero(s > c)[-1]], 0)


def cndg(P, l, u, beta, eta, cap=200):
    """Algorithm 2 on <l, x> + beta/2 ||x - u||^2 over the nuclear ball."""
    x = u
    for _ in range(cap):
        g = l + beta * (x - u)
        D = P.lo_x(g) - x
        V = -np.sum(g * D)
        if V <= eta:
            break
        x = x + min(1.0, V / (beta * np.sum(D * D))) * D
    return x


def maximise_y(P, loss, y, eps, cap=500):
    """Line 3 of Algorithm 4.  f(X, .) is a quadratic with Hessian -lam n^2 I, so L = mu and CGS (Algorithm 1)
    is one     CndG call: Frank-Wolfe with exact line search over the simplex until the gap is below eps."""
    q = P.lam * P.n**2
    for _ in range(cap):
        g = P.grad_y(loss, y)
        i = int(np.argmax(g))
        V = g[i] - g @ y
        if V <= eps:
            break
        t = min(1.0, V / (q * (1 - 2 * y[i] + y @ y)))
        y = (1 - t) * y
        y[i] += t
    return y


def mpcgs(P, steps, tol=1.0, bscale=1.0, inner=3, seed=None, b0=50):
    """Algorithm 3 with Prox-step (Algorithm 4); with a seed, Algorithm 6 with Stochastic-Prox-step
    (Algorithm 7)."""
    rng = np.random.default_rng(seed) if seed is not None else None
    x = v = np.zeros((P.d, P.h))
    y = np.ones(P.n) / P.n
    D2 = (2 * P.R) ** 2
    yield x, y
    for k in range(1, steps + 1):
        gamma = 2 / (k + 1)
        beta = bscale * max(2 * P.Lx / k, 2 * gamma * P.Lxy2mu)  # CGS step, and Prox-step a 1/2-contraction
        eta = tol * P.Lx * D2 / (k * (k + 1))
        z = (1 - gamma) * x + gamma * v
        rows = None if rng is None else rng.integers(0, P.n, min(P.n, b0 + k * k))
        xr = x
        for r in range(inner):  # the fixed point of the implicit step
            y = maximise_y(P, P.losses(xr), y, tol * P.Lx * D2 / (k * (k + 1)) / 10)
            vr = cndg(P, P.grad_x(z, y, rows), v, beta, eta)
            xr = (1 - gamma) * x + gamma * vr
        x, v = xr, vr
        yield x, y


def spfw(P, steps, c=2.0):
    """Saddle point Frank-Wolfe (Gidel et al. 2017), not spelled out: both players,
    the same step c/(c + t)."""
    x, y = np.zeros((P.d, P.h)), np.ones(P.n) / P.n
    yield x, y
    for t in range(steps):
        loss, W = P.scores(x)
        P.ifo += P.n
        g = P.grad_y(loss, y)
        s = c / (c + t)
        x, y = (1 - s) * x + s * P.lo_x(P.AT @ (W * y[:, None])), (1 - s) * y
        y[int(np.argmax(g))] += s
        yield x, y


def svre(P, steps, lr, seed=0, b=100, single=False):
    """Mini-batch SVRE (Chavdarova et al. 2019), not spelled out: extragradient with the SVRG estimate of both
    gradients, an epoch of n/b steps.  The step of X is lr, the step of y is min(lr / n, 1 / (2 lam n^2))."""
    rng = np.random.default_rng(seed)
    lry = lr if single else min(lr / P.n, 0.5 / (P.lam * P.n**2))
    x, y = np.zeros((P.d, P.h)), np.ones(P.n) / P.n
    yield x, y
    for t in range(steps):
        if t % max(1, P.n // b) == 0:
            xs, ys, Ls, Ws = x, y, *P.scores(x)
            gs = P.AT @ (Ws * ys[:, None])
            P.ifo += P.n

        def estimate(X, Y):
            r = rng.integers(0, P.n, b)
            P.ifo += b
            l, W = P.scores(X, r)
            gx = gs + P.A[r].T @ ((W * Y[r, None] - Ws[r] * ys[r, None]) * (P.n / b))
            ly = Ls.copy()
            np.add.at(ly, r, (l - Ls[r]) * P.n / b)
            return gx, P.grad_y(ly, Y)

        gx, gy = estimate(x, y)
        xh, yh = P.project_x(x - lr * gx), project_simplex(y + lry * gy)
        gx, gy = estimate(xh, yh)
        x, y = P.project_x(x - lr * gx), project_simplex(y + lry * gy)
        yield x, y


def run(rows, experiment, method, seed, P, points):
    P.lo = P.ifo = P.proj = 0
    spent, due, step, it = 0.0, 1, -1, iter(points)
    best = last = np.inf
    kept = None
    while True:
        t0 = time.process_time()
        item = next(it, None)
        spent += time.process_time() - t0
        if item is not None:
            step, kept = step + 1, item
        if item is None or step >= due or step == 0:
            last = P.gap(*kept)
            best = min(best, last)
            rows.append(
                [
                    experiment,
                    method,
                    seed,
                    step,
                    f"{spent:.3f}",
                    P.lo,
                    P.ifo,
                    P.proj,
                    f"{last:.6e}",
                    f"{P.value(*kept):.8g}",
                ]
            )
            due = max(step + 1, int(step * 1.15))
        if item is None:
            break
    print(
        f"{experiment:20s} {method:24s} seed {seed}: {step:5d} steps {spent:6.1f} s "
        f"{P.lo:6d} LO {P.ifo / P.n:8.1f} passes "
        f"{P.proj:5d} proj  FW-gap last {last:.4e} best {best:.4e}",
        flush=True,
    )
    return best


def check(P):
    rng = np.random.default_rng(0)
    X, E = rng.standard_normal((2, P.d, P.h)) * 0.1
    y, e = rng.dirichlet(np.ones(P.n)), rng.standard_normal(P.n) / P.n
    fx = (P.value(X + 1e-5 * E, y) - P.value(X - 1e-5 * E, y)) / 2e-5
    fy = (P.value(X, y + 1e-5 * e) - P.value(X, y - 1e-5 * e)) / 2e-5
    assert abs(fx - np.sum(P.grad_x(X, y) * E)) < 1e-5 * max(1, abs(fx)), "grad_x"
    assert abs(fy - P.grad_y(P.losses(X), y) @ e) < 1e-5 * max(1, abs(fy)), "grad_y"
    z = project_simplex(1 / P.n + P.losses(X) / (P.lam * P.n**2))  # exact best y, in closed form
    assert np.ptp(P.grad_y(P.losses(X), z)[z > 0]) < 1e-6, "best y"
    W = P.project_x(100 * X)
    assert np.sum((W - 100 * X) * (W - P.lo_x(W - 100 * X))) < 1e-3 * np.linalg.norm(W - 100 * X), (
        "projection"
    )
    print(
        f"checks passed: n {P.n}, d {P.d}, h {P.h}, lam {P.lam:.2e}, Lx {P.Lx:.3f}, Lxy^2/mu {P.Lxy2mu:.3f}",
        flush=True,
    )


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", required=True)
    ap.add_argument("--out", default=os.path.dirname(os.path.abspath(__file__)))
    ap.add_argument("--rows", type=int, default=1000)
    ap.add_argument("--quick", action="store_true")
    ap.add_argument("--variants", action="store_true")
    ap.add_argument("--fullsize", action="store_true", help="only time the three oracles on all of news20")
    a = ap.parse_args()
    files = {"news20": "news20/news20.bz2", "rcv1": "rcv1-subset/rcv1_dev_secondlevel.svm.gz"}
    if a.fullsize:
        P = Problem(*read_libsvm(os.path.join(a.data, files["news20"]), min_count=1), 50.0, 1.0)
        X, y = np.random.default_rng(0).standard_normal((P.d, P.h)), np.ones(P.n) / P.n
        G = P.grad_x(0 * X, y)
        for name, f in (
            ("gradient", lambda: P.grad_x(0 * X, y)),
            ("linear oracle", lambda: P.lo_x(G)),
            ("projection", lambda: P.project_x(X)),
        ):
            t = time.process_time()
            f(), f()
            print(f"full news20, n {P.n}, d {P.d}, h {P.h}: one {name} {(time.process_time() - t) / 2:.3f} s")
        return
    rows, k = [], 0.1 if a.quick else 1.0
    for name, path in list(files.items())[: 1 if a.quick else 2]:
        A, b = read_libsvm(os.path.join(a.data, path), a.rows)
        P = Problem(A, b, 50.0, 1.0)
        check(P)
        run(rows, name, "MPCGS", 0, P, mpcgs(P, int(120 * k)))
        for s in (0, 1):
            run(rows, name, "MPSCGS", s, P, mpcgs(P, int(120 * k), seed=s))
        run(rows, name, "SPFW", 0, P, spfw(P, int(800 * k)))
        for lr in (0.1, 1, 10, 30, 100):
            run(rows, name, f"SVRE lr={lr:g}", 0, P, svre(P, int(250 * k), lr))
        run(rows, name + "-tune", "SVRE one lr=0.001", 0, P, svre(P, int(100 * k), 0.001, single=True))
        for tol, c in ((0.1, 0.1), (0.01, 0.03), (0.003, 0.03)):
            run(rows, name + "-tune", f"MPCGS tol {tol:g} beta {c:g}", 0, P, mpcgs(P, int(60 * k), tol, c))
        for tol, c in ((0.1, 0.1), (0.03, 0.03)):
            run(
                rows,
                name + "-tune",
                f"MPSCGS tol {tol:g} beta {c:g}",
                0,
                P,
                mpcgs(P, int(60 * k), tol, c, seed=0),
            )
        for c in (1.0, 4.0):
            run(rows, name + "-tune", f"SPFW c={c:g}", 0, P, spfw(P, int(500 * k), c))
        save(rows, a.out)
        if a.variants and name == "news20":
            for lr in (20, 30):
                run(rows, name + "-tune", f"SVRE long lr={lr:g}", 0, P, svre(P, 750, lr))
            run(
                rows,
                name + "-tune",
                "MPCGS inner 1 tol 0.01 beta 0.03",
                0,
                P,
                mpcgs(P, 60, 0.01, 0.03, inner=1),
            )
            for tag, Q in (("-R10", Problem(A, b, 10.0, 1.0)), ("-lam x10", Problem(A, b, 50.0, 10.0))):
                run(rows, name + tag, "MPCGS", 0, Q, mpcgs(Q, 80))
                run(rows, name + tag, "MPCGS tol 0.01 beta 0.03", 0, Q, mpcgs(Q, 50, 0.01, 0.03))
                run(rows, name + tag, "MPSCGS", 0, Q, mpcgs(Q, 80, seed=0))
                run(rows, name + tag, "SPFW", 0, Q, spfw(Q, 400))
                for lr in (1, 10, 100):
                    run(rows, name + tag, f"SVRE lr={lr:g}", 0, Q, svre(Q, 120, lr))
            save(rows, a.out)


def save(rows, out):
    with open(os.path.join(out, "curves.csv"), "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(
            "experiment method seed step seconds lo_calls ifo_calls projections fw_gap objective".split()
        )
        w.writerows(rows)


if __name__ == "__main__":
    main()
