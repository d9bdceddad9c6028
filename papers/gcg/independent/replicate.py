"""Generalized conditional gradient for sparse estimation (Yu, Zhang, Schuurmans, JMLR 18, 2017).
Replication of Figure 2 (matrix completion on MovieLens, Section 5.1) from the text alone.

  python replicate.py --data DIR [--out DIR] [--set 100k 1m] [--study base fair lambda centre]

DIR holds u.data (MovieLens 100K) and ratings.dat or ratings.dat.gz (MovieLens 1M), anywhere below it.
min_W F(W) = 1/2 |P(X - W)|_F^2 + lambda |W|_tr   (51), without the division by |P|_0."""

import argparse
import csv
import glob
import gzip
import os
import time

import numpy as np
import scipy.sparse as sp
from scipy.optimize import minimize
from scipy.sparse.linalg import LinearOperator, svds


class Completion:
    """Training and test ratings; counts the polars, the passes over the training ratings and the seconds."""

    def __init__(self, users, items, ratings, lam, seed=0):
        self.n, self.m, self.lam = users.max() + 1, items.max() + 1, lam
        train = np.random.default_rng(seed).permutation(len(ratings)) < round(0.75 * len(ratings))
        X = sp.csr_matrix((ratings[train], (users[train], items[train])), (self.n, self.m))
        X.sort_indices()
        self.x, self.cols, self.indptr = X.data, X.indices, X.indptr
        self.rows = np.repeat(np.arange(self.n), np.diff(X.indptr))
        T = sp.csr_matrix(
            (np.arange(len(self.x)) + 1, self.cols, self.indptr), X.shape
        ).T.tocsr()  # the same, by item
        self.tperm, self.tcols, self.tptr = T.data - 1, T.indices, T.indptr
        self.test = users[~train], items[~train], ratings[~train]
        self.norm2 = self.x @ self.x
        self.restart()

    def restart(self):
        self.polars, self.passes, self.evals, self.spent, self.clock = 0, 0, 0, 0.0, time.process_time()

    def later(self, fn):
        """A measurement outside the clock and the counts."""
        keep = self.polars, self.passes, time.process_time()
        out = fn()
        self.polars, self.passes = keep[:2]
        self.clock += time.process_time() - keep[2]
        return out

    def sparse(self, r):
        """The matrix with entries r on the observed set, and its transpose."""
        return (
            sp.csr_matrix((r, self.cols, self.indptr), (self.n, self.m)),
            sp.csr_matrix((r[self.tperm], self.tcols, self.tptr), (self.m, self.n)),
        )

    def entries(self, U, V):
        self.passes += U.shape[1]
        out, counts = np.zeros(len(self.x)), np.diff(self.indptr)
        for u, v in zip(U.T, V.T):
            out += np.repeat(u, counts) * np.ascontiguousarray(v).take(self.cols)
        return out

    def predict(self, U, V):
        u, i, _ = self.test
        return sum(U[u, j] * V[i, j] for j in range(U.shape[1])) if U.shape[1] else np.zeros(len(u))

    def polar(self, r):
        """(30), Line 3: the leading singular pair of the residual P(X - W) = -gradient, by Lanczos."""
        R, Rt = self.sparse(r)

        def count(A, b):
            self.passes += 1
            return A @ b

        A = LinearOperator(
            (self.n, self.m), matvec=lambda b: count(R, b), rmatvec=lambda b: count(Rt, b), dtype=float
        )
        u, s, vt = svds(A, 1, v0=np.ones(min(self.n, self.m)), tol=1e-4)
        self.polars += 1
        return s[0], u[:, 0], vt[0]

    def gap(self, objective, r, s):
        """F(W) minus the dual value at Y = min(1, lambda / |R|_sp) R of max <Y, X> - |Y|^2 / 2,
        |Y|_sp <= lambda."""
        y = r * min(1.0, self.lam / s)
        return objective - (y @ self.x - 0.5 * y @ y)


def line4(p, w, rho, a):
    """Line 4 of Algorithm 3 (and (40)): min over 0 <= eta <= 1, theta >= 0
    of l((1-eta) W + theta uv) + lambda ((1-eta) rho + theta)."""
    K = np.array([[w @ w, w @ a], [w @ a, a @ a]])
    b = np.array([w @ p.x - p.lam * rho, a @ p.x - p.lam])
    value = lambda z: 0.5 * z @ K @ z - b @ z
    inside = [np.linalg.solve(K, b)] if np.linalg.det(K) > 1e-12 * K[0, 0] * K[1, 1] and w @ w > 0 else []
    faces = [np.array([c, max(0.0, (b[1] - c * K[0, 1]) / K[1, 1])]) for c in (0.0, 1.0)]
    faces += [np.array([np.clip(b[0] / K[0, 0], 0, 1), 0.0])] if w @ w > 0 else []
    z = min([z for z in inside if 0 <= z[0] <= 1 and z[1] >= 0] + faces, key=value)
    return 1 - z[0], z[1]


def surrogate(p, flat, t):
    """F_{t+1}(U, V) of (53) for the trace norm, l(UV) + lambda/2 (|U|^2 + |V|^2), and its gradient."""
    U, V = flat[: p.n * t].reshape(p.n, t), flat[p.n * t :].reshape(p.m, t)
    R, Rt = p.sparse(p.x - p.entries(U, V))
    p.passes += 2 * t
    p.evals += 1
    return (
        0.5 * R.data @ R.data + p.lam / 2 * (flat @ flat),
        np.concatenate([(p.lam * U - R @ V).ravel(), (p.lam * V - Rt @ U).ravel()]),
    )


def gcg(p, steps, record, inner=20, ftol=0.0):
    """Algorithm 3: polar, line 4, then Reduce by at most `inner` iterations of L-BFGS; rho by (54).
    inner 0 is Algorithm 2 with the update (40) and Improve = Null (vanilla GCG)."""
    U, V, rho, w, pred = (
        np.zeros((p.n, 0)),
        np.zeros((p.m, 0)),
        0.0,
        np.zeros(len(p.x)),
        np.zeros(len(p.test[0])),
    )
    for t in range(steps + 1):
        r = p.x - w
        s, u, v = p.polar(r)
        record(t, 0.5 * r @ r + p.lam * rho, r, s, pred, t)
        a = p.entries(u[:, None], v[:, None])
        eta, theta = line4(p, w, rho, a)
        if inner == 0:
            w, rho = (1 - eta) * w + theta * a, (1 - eta) * rho + theta
            pred = (1 - eta) * pred + theta * u[p.test[0]] * v[p.test[1]]
            continue
        U = np.hstack([np.sqrt(1 - eta) * U, np.sqrt(theta) * u[:, None]])
        V = np.hstack([np.sqrt(1 - eta) * V, np.sqrt(theta) * v[:, None]])
        start = np.concatenate([U.ravel(), V.ravel()])
        out = minimize(
            lambda z: surrogate(p, z, t + 1),
            start,
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": inner, "maxcor": 10, "ftol": ftol, "gtol": 1e-5},
        )
        U, V = out.x[: U.size].reshape(U.shape), out.x[U.size :].reshape(V.shape)
        rho, w = 0.5 * (out.x @ out.x), p.entries(U, V)
        p.last = U, V
        pred = p.later(lambda: p.predict(U, V))


def dhm(p, steps, record):
    """DHM as the paper runs it: GCG with the totally corrective update (42), L-BFGS on the weights,
    products buffered."""
    A, K, b, sig, preds = [], np.zeros((0, 0)), np.zeros(0), np.zeros(0), []
    for t in range(steps + 1):
        w = sum(c * a for c, a in zip(sig, A)) if t else np.zeros(len(p.x))
        p.passes += t
        r = p.x - w
        s, u, v = p.polar(r)
        pred = p.later(lambda: sum(c * q for c, q in zip(sig, preds)) if t else np.zeros(len(p.test[0])))
        record(t, 0.5 * r @ r + p.lam * sig.sum(), r, s, pred, np.count_nonzero(sig))
        A.append(p.entries(u[:, None], v[:, None]))
        preds.append(p.later(lambda: u[p.test[0]] * v[p.test[1]]))
        k = np.array([a @ A[-1] for a in A])
        p.passes += t + 1
        K = np.block([[K, k[:-1, None]], [k[None, :-1], k[-1:, None]]])
        b = np.append(b, A[-1] @ p.x)
        sig = minimize(
            lambda z: (0.5 * z @ K @ z - b @ z + p.lam * z.sum(), K @ z - b + p.lam),
            np.append(sig, 0.0),
            jac=True,
            method="L-BFGS-B",
            bounds=[(0, None)] * (t + 1),
            options={"maxiter": 1000, "ftol": 1e-13, "gtol": 1e-6},
        ).x
        g = K @ sig - b + p.lam  # optimality of (42)
        assert max(np.abs(g[sig > 1e-6]).max(initial=0), -g.min()) < 0.05 * p.lam


def js(p, steps, record, zeta, search=False):
    """JS: conditional gradient on the lifted problem tr Z = 2 zeta; one step is W + eta (zeta u v^T - W),
    eta = 2 / (t + 2)."""
    w, pred = np.zeros(len(p.x)), np.zeros(len(p.test[0]))
    for t in range(steps + 1):
        r = p.x - w
        s, u, v = p.polar(r)
        record(t, 0.5 * r @ r + p.lam * zeta, r, s, pred, t)
        d = zeta * p.entries(u[:, None], v[:, None]) - w
        eta = min(1.0, max(0.0, (d @ r) / (d @ d))) if search else 2 / (t + 2)
        w = w + eta * d
        pred = (1 - eta) * pred + eta * zeta * u[p.test[0]] * v[p.test[1]]


def apg(p, steps, record):
    """APG (Section 2) with L = 1: the proximal update is a full SVD. The traditional solver that the paper
    leaves out."""
    W = Y = np.zeros((p.n, p.m))
    theta, rho = 1.0, 0.0
    for t in range(steps + 1):
        w = W[p.rows, p.cols]
        r = p.x - w
        pred = p.later(lambda: W[p.test[0], p.test[1]])
        s = p.later(lambda: p.polar(r)[0])
        record(t, 0.5 * r @ r + p.lam * rho, r, s, pred, np.count_nonzero(S) if t else 0)
        G = Y.copy()
        G[p.rows, p.cols] = p.x  # Y - gradient(Y)
        u, S, vt = np.linalg.svd(G, full_matrices=False)
        S = np.maximum(S - p.lam, 0)
        W_new, rho, new = (u * S) @ vt, S.sum(), (1 + np.sqrt(1 + 4 * theta**2)) / 2
        Y, W, theta = W_new + (theta - 1) / new * (W_new - W), W_new, new


# ---------------------------------------------------------------- data, checks, driver
def load(root, name):
    if name == "100k":
        d = np.loadtxt(sorted(glob.glob(os.path.join(root, "**", "u.data"), recursive=True))[0], dtype=int)
    else:
        f = sorted(glob.glob(os.path.join(root, "**", "ratings.dat*"), recursive=True))[0]
        text = (
            gzip.open(f, "rt", encoding="latin-1") if f.endswith("gz") else open(f, encoding="latin-1")
        ).read()
        d = np.array(text.replace("::", " ").split(), dtype=int).reshape(-1, 4)
    return d[:, 0] - 1, d[:, 1] - 1, d[:, 2].astype(float)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", required=True)
    ap.add_argument("--out", default=os.path.dirname(os.path.abspath(__file__)))
    ap.add_argument("--set", nargs="+", default=["100k", "1m"])
    ap.add_argument(
        "--users", type=int, default=6040, help="MovieLens 1M: keep this many users, drawn at random"
    )
    ap.add_argument("--study", nargs="+", default=["base", "fair", "lambda", "centre"])
    o = ap.parse_args()
    rows = []
    for name in o.set:
        data, big = load(o.data, name), name == "1m"
        if big:
            keep = np.random.default_rng(0).permutation(data[0].max() + 1)[: o.users]
            data = [d[np.isin(data[0], keep)] for d in data]
            data[0] = np.searchsorted(np.sort(keep), data[0])
        p = Completion(*data, lam=50.0 if big else 10.0)
        z = np.random.default_rng(1).standard_normal(3 * (p.n + p.m)) * 0.3
        d = np.random.default_rng(2).standard_normal(len(z))
        fd = (surrogate(p, z + 1e-5 * d, 3)[0] - surrogate(p, z - 1e-5 * d, 3)[0]) / 2e-5
        assert abs(fd - surrogate(p, z, 3)[1] @ d) < 1e-5 * abs(fd)
        print(
            f"{name}: {p.n} x {p.m}, {len(p.x)} training, {len(p.test[0])} test ratings; "
            "gradient agrees with differences"
        )

        def run(method, fn, exp=name):
            p.restart()
            end = {}

            def record(t, f, r, s, pred, rank):
                p.spent += time.process_time() - p.clock
                rmse, gap = np.sqrt(np.mean((pred - p.test[2]) ** 2)), p.gap(f, r, s)
                assert gap > -1e-6 * f or method.startswith("JS"), (gap, f)
                rows.append(
                    [
                        exp,
                        method,
                        0,
                        t,
                        round(p.spent, 4),
                        p.polars,
                        p.evals,
                        p.passes,
                        rank,
                        repr(float(f)),
                        repr(float(gap)),
                        repr(float(rmse)),
                    ]
                )
                end.update(f=f, gap=gap, rmse=rmse)
                p.clock = time.process_time()

            fn(record)
            with open(os.path.join(o.out, "curves.csv"), "w", newline="") as fh:
                csv.writer(fh).writerows(
                    [
                        (
                            "experiment method seed step seconds polars local_evaluations passes rank "
                            "objective gap test_rmse"
                        ).split()
                    ]
                    + rows
                )
            print(
                f"{exp:16s} {method:14s} step {rows[-1][3]:4d} {p.spent:7.1f}s passes {p.passes:6d} "
                f"F {end['f']:.2f} gap {end['gap']:.3g} RMSE {end['rmse']:.5f}",
                flush=True,
            )

        if "base" in o.study:
            run("GCG", lambda rec: gcg(p, 10 if big else 14, rec))
            zeta = 0.5 * (np.sum(p.last[0] ** 2) + np.sum(p.last[1] ** 2))
            run("DHM", lambda rec: dhm(p, 40 if big else 60, rec))
            run("JS", lambda rec: js(p, 40 if big else 60, rec, zeta))
            run("JS/line search", lambda rec: js(p, 40 if big else 60, rec, zeta, True))
            run("GCG/Null", lambda rec: gcg(p, 40 if big else 60, rec, inner=0))
        if "fair" in o.study:
            run("GCG/5", lambda rec: gcg(p, 6 if big else 12, rec, inner=5), exp=f"{name}/local search")
        if "fair" in o.study and not big:
            run("APG", lambda rec: apg(p, 5, rec))
        if "lambda" in o.study:
            for lam in (25, 10) if big else (50, 5):
                p.lam = float(lam)
                run("GCG", lambda rec: gcg(p, 6 if big else 5, rec), exp=f"{name}/lambda={lam}")
                if lam == 10:
                    run("DHM", lambda rec: dhm(p, 40, rec), exp=f"{name}/lambda={lam}")
                    run("GCG/Null", lambda rec: gcg(p, 40, rec, inner=0), exp=f"{name}/lambda={lam}")
        if "centre" in o.study:  # the same with the mean training rating taken off
            mean = p.x.mean()
            for lam in (50.0, 10.0) if big else (10.0,):
                p, exp = Completion(data[0], data[1], data[2] - mean, lam), f"{name}/centred lambda={lam:g}"
                run("GCG", lambda rec: gcg(p, 8, rec), exp=exp)
                run("DHM", lambda rec: dhm(p, 40, rec), exp=exp)
                run("GCG/Null", lambda rec: gcg(p, 40, rec, inner=0), exp=exp)


if __name__ == "__main__":
    main()
