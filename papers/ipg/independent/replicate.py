"""Inexact proximal gradient methods for non-convex and non-smooth optimization (Gu, Wang, Huo, Huang 2018).
Replication of Figure 1 from the text alone: robust OSCAR on Coil20 (panels c, d), link prediction on
soc-sign-epinions (panels e, f), robust trace Lasso on the gas sensor data (panels i, j).

  python replicate.py --data DIR [--out DIR] [--only oscar link trace] [--steps 60]
                      [--study base gamma] (also: eps lambda dim)

DIR holds COIL20.mat, soc-sign-epinions.txt.gz and batch1.dat.gz ... batch10.dat.gz (anywhere below it)."""

import argparse
import csv
import glob
import gzip
import os
import time

import numpy as np
import scipy.io
import scipy.sparse as sp
from scipy.optimize import isotonic_regression
from scipy.sparse.linalg import LinearOperator, svds


# ---------------------------------------------------------------- the three algorithms
def ipg(P, m, record):
    """Algorithm 1. P.prox(y, k) is an element of Prox^{eps_k}(y - gamma grad g(y)); exact prox gives PG."""
    x = P.start()
    record(0, x)
    for k in range(1, m + 1):
        x = P.prox(x, k)
        record(k, x)


def aipg(P, m, record, delta=None):
    """Algorithm 2 (delta None) and Algorithm 3 (delta 0.6); with the exact prox: APG and nmAPG."""
    x_old = x = z = P.start()
    t_old, t = 0.0, 1.0
    fx = record(0, x)
    for k in range(1, m + 1):
        a, b = t_old / t, (t_old - 1) / t
        y = P.combine([(1 - a + b, x), (a, z), (-b, x_old)])  # line 3
        z = P.prox(y, k)  # line 4
        fz = P.f(z)
        if delta is not None and fz <= fx - delta / 2 * P.dist2(z, y):  # Algorithm 3, line 5
            x_old, x = x, z
        else:
            v = P.prox(x, k)  # line 5 / line 8
            x_old, x = x, (z if fz <= P.f(v) else v)  # line 7 / line 9
        t_old, t = t, (np.sqrt(4 * t * t + 1) + 1) / 2
        fx = record(k, x)


ALGORITHMS = {"PG": ipg, "APG": aipg, "nmAPG": lambda P, m, record: aipg(P, m, record, 0.6)}


# ---------------------------------------------------------------- regularisers
class Oscar:
    """h of (10): lambda1 |x|_1 + lambda2 sum_{i<j} max(|x_i|, |x_j|) = sum_j w_{o(j)} |x_j|,
    w_o = lambda1 + lambda2 (o - 1)."""

    def __init__(self, lam1, lam2, n):
        self.w = lam1 + lam2 * np.arange(n)  # weight of the smallest |x_j| first

    def value(self, x):
        return self.w @ np.sort(np.abs(x))

    def subgradient(self, x):
        u = np.empty_like(x)
        u[np.argsort(np.abs(x), kind="stable")] = self.w
        return u * np.where(x < 0, -1.0, 1.0)

    def prox_merge(self, y, gamma):
        """Exact: iterative group merging in interpreted code, one group at a time (what the paper
        compares with)."""
        order = np.argsort(-np.abs(y), kind="stable")
        s = (np.abs(y)[order] - gamma * self.w[::-1]).tolist()
        total, count = [], []
        for v in s:
            total.append(v)
            count.append(1)
            while len(total) > 1 and total[-1] * count[-2] >= total[-2] * count[-1]:
                v2, c2 = total.pop(), count.pop()
                total[-1] += v2
                count[-1] += c2
        x = np.empty_like(y)
        x[order] = np.maximum(np.repeat(np.array(total) / np.array(count), count), 0)
        return x * np.sign(y)

    def prox_rescan(self, y, gamma):
        """Exact, naive: sweep over all groups, merge the first pair out of order, sweep again."""
        order = np.argsort(-np.abs(y), kind="stable")
        s = np.abs(y)[order] - gamma * self.w[::-1]
        c = np.ones(len(s))
        while True:
            bad = np.flatnonzero(s[1:] >= s[:-1])
            if len(bad) == 0:
                break
            i = bad[0]
            s[i] = (s[i] * c[i] + s[i + 1] * c[i + 1]) / (c[i] + c[i + 1])
            c[i] += c[i + 1]
            s, c = np.delete(s, i + 1), np.delete(c, i + 1)
        x = np.empty_like(y)
        x[order] = np.maximum(np.repeat(s, c.astype(int)), 0)
        return x * np.sign(y)

    def prox_pav(self, y, gamma):
        """Exact: the same pooling by a compiled isotonic regression."""
        order = np.argsort(-np.abs(y), kind="stable")
        x = np.empty_like(y)
        x[order] = np.maximum(
            isotonic_regression(np.abs(y)[order] - gamma * self.w[::-1], increasing=False).x, 0
        )
        return x * np.sign(y)


class TraceLasso:
    """h of (13): lambda ||X Diag(x)||_*; X is replaced by its R factor, which leaves h and Theorem 4
    unchanged."""

    def __init__(self, lam, X):
        self.lam, self.R = lam, np.linalg.qr(X, mode="r")

    def value(self, x):
        return self.lam * np.linalg.svd(self.R * x, compute_uv=False).sum()

    def subgradient(self, x):  # Theorem 4 with the full U V^T
        U, _, Vt = np.linalg.svd(self.R * x)
        return self.lam * np.einsum("ij,ij->j", self.R, U @ Vt)


def subgradient_prox(h, y, gamma, eps, warm, rule, cap=5000):
    """min ||x - y||^2 / (2 gamma) + h(x) up to eps by subgradient steps of length s gamma, s = 2 / (t + 2).
    x = y - gamma u always, with u a mean of subgradients; as h is a norm, u is dual feasible and the
    duality gap is h(x) - <u, x>. rule 'exact' takes the minimising s and starts at the last u."""
    u = h.subgradient(y) if warm is None or rule == "open" else warm
    for t in range(1, cap + 1):
        x = y - gamma * u
        s = h.subgradient(x)
        gap = s @ x - u @ x  # h(x) = <s, x>
        if gap <= eps:
            return x, u, t
        u = u + (s - u) * (2 / (t + 2) if rule == "open" else min(1.0, gap / (gamma * ((s - u) @ (s - u)))))
    return x, u, t  # the cap is counted by the caller


# ---------------------------------------------------------------- problems
class Robust:
    """g of (9) and (12), correntropy loss; step gamma = mult * 0.99 / L with L = ||X||_2^2
    (|second derivative| <= 1)."""

    def __init__(self, X, y, h, sigma, how, eps1, power, mult=1.0, rule="open"):
        self.X, self.y, self.h, self.s2, self.how = X, y, h, sigma**2, how
        self.gamma = mult * 0.99 / np.linalg.norm(X, 2) ** 2
        self.eps1, self.power, self.rule = eps1, power, rule
        self.warm, self.proxes, self.inner, self.capped = None, 0, 0, 0

    def start(self):
        return np.zeros(self.X.shape[1])

    def f(self, x):
        r = self.y - self.X @ x
        return self.s2 / 2 * np.sum(-np.expm1(-r * r / self.s2)) + self.h.value(x)

    def gradient(self, x):
        r = self.y - self.X @ x
        return -self.X.T @ (r * np.exp(-r * r / self.s2))

    def prox(self, x, k):
        y = x - self.gamma * self.gradient(x)
        self.proxes += 1
        if self.how != "inexact":
            return getattr(self.h, "prox_" + self.how)(y, self.gamma)
        v, self.warm, t = subgradient_prox(
            self.h, y, self.gamma, self.eps1 / k**self.power, self.warm, self.rule
        )
        self.inner += t
        self.capped += t == 5000
        return v

    combine = staticmethod(lambda terms: sum(c * x for c, x in terms))
    dist2 = staticmethod(lambda x, y: (x - y) @ (x - y))


class Link:
    """(11): 1/2 sum log(1 + exp(-X_ij M_ij)), rank(X) <= r; X = U V^T. L = 1/8, so
    gamma = mult * 0.99 * 8."""

    def __init__(self, M, r, how, eps1, power, mult=1.0, rule="open"):
        self.M, self.r, self.how, self.eps1, self.power = M, r, how, eps1, power
        self.gamma, self.rule = mult * 0.99 * 8, rule
        self.row = np.repeat(np.arange(M.shape[0]), np.diff(M.indptr))
        self.v0 = np.random.default_rng(0).standard_normal((M.shape[1], r))
        self.warm, self.proxes, self.inner, self.capped = None, 0, 0, 0

    def start(self):
        return np.zeros((self.M.shape[0], 1)), np.zeros((self.M.shape[1], 1))

    def entries(self, X):
        return sum(X[0][self.row, j] * X[1][self.M.indices, j] for j in range(X[0].shape[1]))

    def f(self, X):
        return 0.5 * np.logaddexp(0, -self.entries(X) * self.M.data).sum()

    def prox(self, X, k):
        e = self.M.data / (1 + np.exp(self.entries(X) * self.M.data))
        S = sp.csr_matrix((self.gamma / 2 * e, self.M.indices, self.M.indptr), self.M.shape)  # -gamma grad g
        St, (U, V) = S.T.tocsr(), X
        mat, rmat = (lambda B: U @ (V.T @ B) + S @ B), (lambda B: V @ (U.T @ B) + St @ B)
        self.proxes += 1
        if self.how != "inexact":
            calls = [0]

            def one(B, fn):
                calls[0] += 1
                return fn(B)

            A = LinearOperator(
                S.shape, matvec=lambda B: one(B, mat), rmatvec=lambda B: one(B, rmat), dtype=float
            )
            u, s, vt = svds(
                A, self.r, v0=self.v0[:, 0], solver="arpack", tol=0 if self.how == "lanczos" else 0.1
            )
            self.inner += calls[0] // 2
            return u * s, vt.T
        B, old = (self.v0 if self.warm is None else self.warm), -np.inf
        for t in range(1, 1001):  # power (subspace) method
            Q = np.linalg.qr(mat(B))[0]
            B = rmat(Q)
            caught = (B * B).sum() / (2 * self.gamma)
            if caught - old <= self.eps1 / k**self.power:  # growth of the captured part
                break
            B, old = np.linalg.qr(B)[0], caught
        self.inner += t * self.r
        self.capped += t == 1000
        self.warm = np.linalg.qr(B)[0]
        return Q, B

    @staticmethod
    def combine(terms):
        terms = [(c, X) for c, X in terms if c != 0]
        return np.hstack([c * X[0] for c, X in terms]), np.hstack([X[1] for c, X in terms])

    def dist2(self, X, Y):
        U, V = self.combine([(1, X), (-1, Y)])
        return np.sum((U.T @ U) * (V.T @ V))


# ---------------------------------------------------------------- data
def find(root, name):
    return sorted(glob.glob(os.path.join(root, "**", name), recursive=True))[0]


def standard(A):
    s = A.std(0)
    return (A - A.mean(0)) / np.where(s > 0, s, 1)


def coil20(root, dims=None):
    d = scipy.io.loadmat(find(root, "COIL20.mat"))
    X, y = standard(d["X"].astype(float)), standard(d["Y"].ravel().astype(float))
    rng = np.random.default_rng(0)
    if dims and dims <= X.shape[1]:  # fewer pixels
        X = X[:, rng.permutation(X.shape[1])[:dims]]
    elif dims:  # more features: products of two pixels
        i, j = rng.integers(X.shape[1], size=(2, dims - X.shape[1]))
        X = np.hstack([X, standard(d["X"][:, i] * d["X"][:, j])])
    return X, y


def gas(root):
    rows, labels = [], []
    base = os.path.dirname(find(root, "batch10.dat.gz"))
    for b in range(1, 11):
        for line in gzip.open(os.path.join(base, f"batch{b}.dat.gz"), "rt"):
            parts = line.split()
            labels.append(float(parts[0].split(";")[0]))
            rows.append([float(p.split(":")[1]) for p in parts[1:129]])
    return standard(np.array(rows)), standard(np.array(labels))


def signed(root, nodes):
    E = np.loadtxt(gzip.open(find(root, "soc-sign-epinions.txt.gz"), "rt"), dtype=int)
    n = E[:, :2].max() + 1
    M = sp.csr_matrix((E[:, 2].astype(float), (E[:, 0], E[:, 1])), (n, n))
    keep = np.argsort(-np.asarray(abs(M).sum(0)).ravel() - np.asarray(abs(M).sum(1)).ravel(), kind="stable")[
        :nodes
    ]
    M = M[keep][:, keep].tocsr()  # the nodes with most links
    M.sort_indices()
    return M


# ---------------------------------------------------------------- driver
class Rows(list):
    """The lines of curves.csv, written after every run."""

    def __init__(self, out):
        self.path = os.path.join(out, "curves.csv")

    def save(self):
        with open(self.path, "w", newline="") as fh:
            csv.writer(fh).writerows([COLUMNS] + self)


COLUMNS = "experiment method seed step seconds proxes inner_steps capped objective".split()


def run(rows, experiment, name, P, m):
    state = {"t": time.process_time(), "spent": 0.0}

    def record(k, x):  # the clock stands still here
        state["spent"] += time.process_time() - state["t"]
        value = P.f(x)
        rows.append(
            [
                experiment,
                name,
                0,
                k,
                round(state["spent"], 5),
                P.proxes,
                P.inner,
                P.capped,
                repr(float(value)),
            ]
        )
        state["t"] = time.process_time()
        return value

    ALGORITHMS[name.split("/")[0].replace("AIPG", "APG").replace("IPG", "PG")](P, m, record)
    print(
        f"{experiment:22s} {name:22s} f {float(rows[-1][-1]):14.6f} {state['spent']:8.2f}s "
        f"proxes {P.proxes} inner {P.inner} capped {P.capped}",
        flush=True,
    )
    rows.save()


def check(P, seed=1):
    rng = np.random.default_rng(seed)
    x, d = rng.standard_normal((2, P.X.shape[1])) * 0.05
    g = lambda t: P.f(x + t * d) - P.h.value(x + t * d)
    fd, an = (g(1e-5) - g(-1e-5)) / 2e-5, P.gradient(x) @ d
    assert abs(fd - an) < 1e-5 * max(1, abs(an)), (fd, an)
    if isinstance(P.h, Oscar):
        y = rng.standard_normal(P.X.shape[1])
        gamma = 1 / P.h.w.max()
        xs = [getattr(P.h, "prox_" + n)(y, gamma) for n in ("merge", "rescan", "pav")]
        u = (y - xs[0]) / gamma  # optimal iff u is in the dual ball and <u, x> = h(x)
        assert np.all(np.cumsum(np.sort(np.abs(u))[::-1]) <= np.cumsum(P.h.w[::-1]) * (1 + 1e-9))
        assert abs(P.h.value(xs[0]) - u @ xs[0]) < 1e-8 * P.h.value(xs[0])
        assert max(np.abs(xs[0] - xs[1]).max(), np.abs(xs[0] - xs[2]).max()) < 1e-10
        print("check: the three exact proxes agree and are optimal")
    print(f"check: gradient {an:.6f}, by differences {fd:.6f}")


LINES = {
    "oscar": [(a, h) for h in ("merge", "pav", "inexact") for a in ("PG", "APG", "nmAPG")]
    + [("nmAPG", "rescan")],
    "link": [(a, h) for h in ("lanczos", "inexact") for a in ("PG", "APG", "nmAPG")] + [("nmAPG", "loose")],
    "trace": [(a, "inexact") for a in ("PG", "APG", "nmAPG")],
}
LABEL = {"merge": "", "lanczos": "", "pav": "/compiled", "rescan": "/rescan", "loose": "/loose Lanczos"}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", required=True)
    ap.add_argument("--out", default=os.path.dirname(os.path.abspath(__file__)))
    ap.add_argument("--only", nargs="+", default=["oscar", "link", "trace"])
    ap.add_argument("--study", nargs="+", default=["base", "gamma"], help="also: eps lambda dim")
    ap.add_argument("--steps", type=int, default=60)
    ap.add_argument("--nodes", type=int, default=1000)
    o = ap.parse_args()
    rows, cache = Rows(o.out), {}

    def problem(app, how, frac=0.1, e1=1e-1, power=2.1, mult=1.0, rule="open", dims=None, rank=5):
        """eps_k = e1 f(x_0) / k^power; lambda1 = frac max |grad g(0)|, lambda2 = lambda1 / N; sigma = 1."""
        if (app, dims) not in cache:
            cache[app, dims] = {
                "oscar": lambda r: coil20(r, dims),
                "trace": gas,
                "link": lambda r: signed(r, o.nodes),
            }[app](o.data)
        if app == "link":
            P = Link(cache[app, dims], rank, how, 0, power, mult, rule)
        else:
            X, y = cache[app, dims]
            lam = frac * np.abs(X.T @ (y * np.exp(-y * y))).max()
            h = (
                Oscar(lam, lam / X.shape[1], X.shape[1])
                if app == "oscar"
                else TraceLasso(lam / np.sqrt(len(X)), X)
            )
            P = Robust(X, y, h, 1.0, how, 0, power, mult, rule)
        P.eps1 = e1 * P.f(P.start())
        return P

    name = lambda a, how: (
        ("I" + a if a == "PG" else a.replace("APG", "AIPG")) if how == "inexact" else a + LABEL[how]
    )
    for app in [a for a in o.only if a != "link"]:
        check(problem(app, "inexact"))
    for study, app in [(study, app) for study in o.study for app in o.only]:
        m = o.steps if app != "link" else 2 * o.steps // 5
        if study == "base":
            for a, how in LINES[app]:
                run(rows, app, name(a, how), problem(app, how), m)
        two = [l for l in LINES[app] if l[0] != "APG" and l[1] not in ("rescan", "pav")]
        fast = [l for l in LINES[app] if l[0] == "nmAPG"]
        if study == "gamma" and app != "trace":  # every method with its best step
            for mult in (4, 16) if app == "oscar" else (4,):
                for a, how in [l for l in two if mult == 4 or l[1] == "merge"]:
                    run(rows, f"{app}/gamma*{mult}", name(a, how), problem(app, how, mult=mult), m)
        if study == "eps":  # the inexact methods with their best error
            for e1, power, rule in (
                (1, 2.1, "open"),
                (1e-2, 2.1, "open"),
                (1e-1, 1.1, "open"),
                (1e-1, 2.1, "exact"),
            ):
                if app != "link" or rule == "open":
                    run(
                        rows,
                        f"{app}/eps={e1:g}/k^{power} {rule}",
                        "nmAIPG",
                        problem(app, "inexact", e1=e1, power=power, rule=rule),
                        m,
                    )
        if study == "lambda":
            for key, v in [("rank", 2), ("rank", 20)] if app == "link" else [("frac", 0.01), ("frac", 0.5)]:
                for a, how in fast:
                    run(rows, f"{app}/{key}={v}", name(a, how), problem(app, how, **{key: v}), m)
        if study == "dim" and app == "oscar":
            for dims in (128, 512, 4096):
                for a, how in fast:
                    run(rows, f"oscar/N={dims}", name(a, how), problem(app, how, dims=dims), m // 2)


if __name__ == "__main__":
    main()
