"""Every oracle, prox and projection on generated cases: right by a formula of our own, or a clear error.

A case is a subject (each set, polar, prox method and projection of a vector there is, by discovery), an
array of few digits, so that 2ᵏ of it is exact, and the form in which it is given. Answers are compared with
formulas, not with each other, so permutations, signs and transposes are cases like all. The seed of a case is
its number; `pytest --long` runs twenty times as many.
"""

import inspect
import itertools
import warnings

import numpy as np
import pytest
from feasible import MADE, _definite, _points
from scipy import sparse
from scipy.optimize import brentq, minimize_scalar, nnls

from projfree import penalties, sets
from projfree.linalg import projections
from projfree.penalties import multi_view, oscar, rank, trace_lasso, trace_norm
from projfree.sets import nuclear_ball

CASES, LONG = 5000, 100_000
TIGHT = 1e-9  # relative to the size of what is compared
RADIUS = 1.5


def svd(X):
    return np.linalg.svd(X, compute_uv=False)


def eigenvalues(X):
    return np.linalg.eigvalsh((X + X.T) / 2)


def rows(X):
    return np.sqrt((X**2).sum(axis=1))


def top(x, k):
    return np.sort(np.abs(x))[-k:]


def sums(X):
    return np.concatenate([X.sum(axis=0), X.sum(axis=1)])


def variation(x):
    return sum(np.abs(np.diff(x, axis=axis)).sum() for axis in range(x.ndim))


def within(x, k):
    """By how much entries are not in [0, 1], or their mean is above k of all."""
    return max(-x.min(), x.max() - 1, x.sum() / k - 1)


def k_support(x):
    """The norm for k = 3, √min Σ x_i²/θ_i over 0 < θ ≤ 1, Σθ ≤ 3 (McDonald, Pontil and Stamos 2016)."""
    size = np.abs(x[x != 0])
    if size.size <= 3:
        return np.linalg.norm(size)
    mu = brentq(lambda m: np.minimum(size / m, 1).sum() - 3, size.min() / 2, size.sum(), xtol=1e-14)
    return np.sqrt((size**2 / np.minimum(size / mu, 1)).sum())


def distance(points, x):
    """The distance of x from the hull of the rows, −1 for 0: by non-negative least squares (Wolfe 1976)."""
    scale = 1 + np.abs(x).max()
    A = np.vstack([(points - x).T / scale, np.ones(len(points))])
    weights = nnls(A, np.r_[np.zeros(len(x)), 1.0])[0]
    miss = np.linalg.norm(weights @ points / weights.sum() - x)
    return miss if miss > 1e-12 * scale else -1.0


def majorised(x):
    """The largest mean excess of some entries over as many of 5 … 0; of all of them also what they lack."""
    return max(((SUBSETS @ x - MOST) / SUBSETS.sum(axis=1)).max(), (MOST[-1] - x.sum()) / 6)


def projector(X):
    """By how much X is no mean of projectors of rank 2."""
    values = eigenvalues(X)
    return max(np.abs(X - X.T).max(), -values[0], values[-1] - 1, abs(values.sum() / 2 - 1))


def l1_distance(x):
    """The distance of x from the l1 ball, by all numbers of entries that stay."""
    size = np.sort(np.abs(x).ravel())[::-1]
    shifts = (np.cumsum(size) - 1) / np.arange(1, size.size + 1)
    return np.linalg.norm(np.minimum(size, max(shifts.max(), 0)))


PERMUTATIONS = np.array(list(itertools.permutations(range(5))))
RANKS = np.array(list(itertools.permutations(range(6))), float)
OWL = np.array([3.0, 2.0, 1.0, 1.0, 0.5, 0.0])
OWL_ATOMS = np.array(
    [s / OWL[: np.count_nonzero(s)].sum() for s in itertools.product((-1, 0, 1), repeat=6) if any(s)]
)
SUBSETS = np.array(list(itertools.product((0.0, 1.0), repeat=6)))[1:]
MOST = np.array([np.arange(5, 5 - piece.sum(), -1).sum() for piece in SUBSETS])
FORM, POINTS = _definite(5), _points(12, 5)
WHOLE = np.array([y for y in itertools.product((0.0, 1.0, 2.0), repeat=3) if 9 - np.dot(y, (3, 2, 4)) >= 0])
LEFT = np.minimum((9 - WHOLE @ (3, 2, 4)) / 2.5, 2.0)
PACKED = np.vstack([np.c_[WHOLE, 0 * LEFT], np.c_[WHOLE, LEFT]])
PIECES = np.array(list(itertools.product((0.0, 1.0), repeat=12)))[1:-1]
BOUNDARIES = np.array([variation(piece.reshape(4, 3)) for piece in PIECES])

#: Name → the support of the set of size 1; by how much a point lies outside, if None the next less 1; its
#: gauge over its bound, of which a number n says 1 + max(the one before, 0)/n.
FORMULAS = {
    "l1_ball": (lambda g: np.abs(g).max(), None, lambda x: np.abs(x).sum()),
    "l2_ball": (np.linalg.norm, None, np.linalg.norm),
    "linf_ball": (lambda g: np.abs(g).sum(), None, lambda x: np.abs(x).max()),
    "lp_ball": (
        lambda g: (np.abs(g) ** 1.5).sum() ** (1 / 1.5),
        None,
        lambda x: (np.abs(x) ** 3).sum() ** (1 / 3),
    ),
    "k_sparse": (lambda g: top(g, 3).sum(), None, lambda x: max(np.abs(x).max(), np.abs(x).sum() / 3)),
    "simplex": (np.max, lambda x: max(-x.min(), abs(x.sum() - 1)), lambda x: np.abs(x).sum()),
    "box": (lambda g: np.abs(g).sum(), None, lambda x: np.abs(x).max()),
    "nuclear_ball": (lambda G: svd(G)[0], None, lambda X: svd(X).sum()),
    "spectral_ball": (lambda G: svd(G).sum(), None, lambda X: svd(X)[0]),
    "spectraplex": (
        lambda G: eigenvalues(G)[-1],
        lambda X: max(np.abs(X - X.T).max(), -eigenvalues(X)[0], abs(np.trace(X) - 1)),
        lambda X: np.abs(eigenvalues(X)).sum(),
    ),
    "birkhoff": (
        lambda G: G[np.arange(5), PERMUTATIONS].sum(axis=1).max(),
        lambda X: max(-X.min(), np.abs(sums(X) - 1).max()),
        lambda X: sums(np.abs(X)).max(),
    ),
    "group_ball": (lambda G: rows(G).max(), None, lambda X: rows(X).sum()),
    "total_variation": (
        lambda G: (np.abs(PIECES @ (G - G.mean()).ravel()) / BOUNDARIES).max(),
        lambda x: max(variation(x) - 1, abs(x.sum())),
        variation,
    ),
    "polytope": (lambda g: max(g.max(), 0.0), lambda x: max(-x.min(), x.sum() - 1), None),
    "product": (
        lambda g: g[:4].max() + np.linalg.norm(g[4:]),
        lambda x: max(-x[:4].min(), abs(x[:4].sum() - 1), np.linalg.norm(x[4:]) - 1),
        lambda x: max(np.abs(x[:4]).sum(), np.linalg.norm(x[4:])),
    ),
    "hypersimplex": (lambda g: np.sort(g)[-3:].sum(), lambda x: max(within(x, 3), 1 - x.sum() / 3), 1.0),
    "unit_hypersimplex": (lambda g: np.maximum(np.sort(g)[-3:], 0).sum(), lambda x: within(x, 3), 1.0),
    "k_support_ball": (lambda g: np.linalg.norm(top(g, 3)), None, k_support),
    "owl_ball": (lambda g: (OWL_ATOMS @ g).max(), None, lambda x: (OWL[RANKS.astype(int)] @ np.abs(x)).max()),
    "ellipsoid": (lambda g: np.sqrt(g @ np.linalg.solve(FORM, g)), None, lambda x: np.sqrt(x @ FORM @ x)),
    "permutahedron": (lambda g: (RANKS @ g).max(), majorised, np.linalg.norm(RANKS[0])),
    "fantope": (lambda G: eigenvalues(G)[-2:].sum(), projector, 1.0),
    "convex_hull": (lambda g: (POINTS @ g).max(), lambda x: distance(POINTS, x), rows(POINTS).max()),
    "from_lmo": (
        lambda g: np.abs(g).max(),
        lambda x: np.abs(x).sum() - 1,
        lambda x: 1 + (l1_distance(x) if np.abs(x).sum() > 1 else 0),
    ),
    "from_model": (lambda g: (PACKED @ g).max(), lambda x: distance(PACKED, x), 1.0),
}


def array(rng, shape):
    """Numbers of ten digits of two: any, few, tied, of several sizes, of low rank, one or none at all."""
    x = rng.integers(-512, 513, shape) / 64
    kind = rng.integers(7)
    if kind == 1:
        x[rng.random(shape) < 0.7] = 0.0
    elif kind == 2:
        x = np.rint(x / 4)
    elif kind == 3:
        x = np.ldexp(x, rng.integers(-8, 9, shape))
    elif kind == 4 and x.ndim == 2:
        x = np.outer(np.rint(x[:, 0]), np.rint(x[0]))
    elif kind == 5:
        x[...] = x.flat[0]
    elif kind == 6:
        x[...] = 0.0
        x.flat[rng.integers(x.size)] = rng.integers(-3, 4)
    return x


def spread(x):
    return np.repeat(x, 2, axis=-1)[..., ::2]


def frozen(x):
    x = x.copy()
    x.flags.writeable = False
    return x


def stored_twice(x):
    X = sparse.coo_array(x)
    return sparse.coo_array((np.tile(X.data / 2, 2), tuple(np.tile(c, 2) for c in X.coords)), x.shape)


#: Forms in which an array may be given, and what is to be made of it.
FORMS = {
    "list": np.ndarray.tolist,
    "float32": np.float32,
    "float16": np.float16,
    "longdouble": np.longdouble,
    "int": lambda x: np.rint(x).astype(int),
    "bool": lambda x: x > 0,
    "big-endian": lambda x: x.astype(">f8"),
    "Fortran": np.asfortranarray,
    "transposed": lambda x: np.ascontiguousarray(x.T).T,
    "strided": spread,
    "reversed": lambda x: x[::-1].copy()[::-1],
    "read-only": frozen,
    "strided, read-only": lambda x: frozen(spread(x))[...],
    "masked, nothing hidden": np.ma.masked_array,
    "sparse": sparse.coo_array,
    "stored twice": stored_twice,
    "csr": lambda x: sparse.csr_array(x) if x.ndim == 2 else x,
}


def masked(x, rng):
    hidden = np.zeros(x.shape, bool)
    hidden.flat[rng.integers(x.size)] = True
    return np.ma.masked_array(x, hidden)


def spoilt(value):
    def form(x, rng):
        x = np.where(np.arange(x.size).reshape(x.shape) == rng.integers(x.size), value, x)
        return x if rng.random() < 0.7 else sparse.coo_array(x) if rng.random() < 0.5 else x.tolist()

    return form


#: Forms that are refused by every oracle, projection and prox; the last three are measured by a gauge.
REFUSED = {
    "complex": lambda x, rng: x + 1j,
    "complex without imaginary part": lambda x, rng: x.astype(complex),
    "complex list": lambda x, rng: (x + 1j).tolist(),
    "sparse complex": lambda x, rng: sparse.coo_array(x + 1j),
    "empty": lambda x, rng: np.empty((0, *x.shape[1:])),
    "empty list": lambda x, rng: [],
    "text": lambda x, rng: x.astype(str),
    "objects": lambda x, rng: x.astype(object),
    "nothing": lambda x, rng: None,
    "ragged": lambda x, rng: [[1.0], [1.0, 2.0]],
    "masked": masked,
    "times": lambda x, rng: x.astype("datetime64[s]"),
    "NaN": spoilt(np.nan),
    "∞": spoilt(np.inf),
    "-∞": spoilt(-np.inf),
}


def plain(given):
    given = given.toarray() if sparse.issparse(given) else np.asarray(given)
    return given.astype(float)


def dense(found):
    return found if isinstance(found, np.ndarray) else found.toarray()


def close(found, wanted, size, what):
    gap = np.max(np.abs(np.subtract(found, wanted)))
    assert gap <= TIGHT * size, f"{what}: {found}, not {wanted}"


#: Sets whose points do not scale.
OF_ONE_SIZE = ("birkhoff", "polytope", "fantope", "from_model")


class OfSet:
    """A set of a size: its oracles by its support, that of the formula, and points by what is outside."""

    def __init__(self, name):
        self.name, (self.maker, self.shape) = name, MADE[name]
        self.best, self.out, self.size = best, out, size = FORMULAS[name]
        if out is None:
            self.out = lambda x: size(x) - 1
        elif isinstance(size, float):
            self.size = lambda x: 1 + max(out(x), 0) / size
        self.unit = 1.0 if name in ("birkhoff", "fantope", "from_model") else RADIUS

    def check(self, x, form, k, rng):
        for part in (self.lmo, self.point, self.project):
            part(x, form, k)

    def refused(self, given, why):
        feasible = self.maker(self.unit)
        for method in ("lmo", "support", "project"):
            if (self.name, method, why) == ("simplex", "lmo", "∞"):
                continue  # it is never the least entry, so nothing is lost
            if hasattr(feasible, method):
                told(lambda m=method: getattr(feasible, m)(given), self.name)
        if why == "NaN" or "∞" in why:
            gauge = feasible.gauge(given)
            assert np.isnan(gauge) if why == "NaN" else gauge == np.inf, gauge
            assert feasible.contains(given) is False
        else:
            told(lambda: feasible.gauge(given), self.name)
            told(lambda: feasible.contains(given), self.name)

    def lmo(self, x, form, k):
        feasible, G, best = self.maker(self.unit), form(np.ldexp(x, k)), self.unit * self.best(-x)
        size = self.unit * (np.abs(x).sum() + 1e-300)
        v = dense(feasible.lmo(G, tol=1e-12))
        assert v.shape == self.shape and self.out(v / self.unit) <= TIGHT
        close(np.vdot(x, v), -best, size, "⟨G, lmo(G)⟩")
        close(np.ldexp(feasible.support(form(np.ldexp(x, k))), -k), self.unit * self.best(x), size, "support")

    def point(self, x, form, k):
        k = 0 if self.name in OF_ONE_SIZE else k
        feasible, given = self.maker(np.ldexp(self.unit, k)), form(np.ldexp(x, k))
        gauge, out = feasible.gauge(given), self.out(x / self.unit)
        if self.size:
            unit = self.size(x / self.unit)
            close(gauge / feasible.bound, unit, 1 + unit, "gauge")
        if abs(out) > 1e-6:
            assert feasible.contains(given) is bool(out < 0), "contains"

    def project(self, x, form, k):
        if not hasattr(sets.load(self.name), "project"):
            return
        k = 0 if self.name in OF_ONE_SIZE else k
        unit = np.ldexp(self.unit, k)
        methods = [None, *nuclear_ball._SVD] if self.name == "nuclear_ball" else ["full"]
        method = methods[k % len(methods)]
        p = np.ldexp(dense(self.maker(unit).project(form(np.ldexp(x, k)), method)), -k)
        away, size = x - p, self.unit + np.abs(x).sum()
        assert p.shape == self.shape and self.out(p / self.unit) <= TIGHT * size
        assert self.best(away) * self.unit <= np.vdot(away, p) + TIGHT * size**2, "nearest"


class OfVector:
    """A projection of `linalg.projections`."""

    shape = (9,)

    def __init__(self, function, near):
        self.name, self.function, self.near = function.__name__, function, near

    def check(self, x, form, k, rng):
        unit = RADIUS * 2.0 ** rng.integers(-3, 4)
        p = np.ldexp(self.function(form(np.ldexp(x, k)), np.ldexp(unit, k)), -k)
        support, outside = self.near
        away, size = x - p, unit + np.abs(x).sum()
        assert outside(p, unit) <= TIGHT * size, "inside"
        assert unit * support(away) <= np.vdot(away, p) + TIGHT * size**2, "nearest"

    def refused(self, given, why):
        told(lambda: self.function(given, 1.0), "")
        for total in (-1.0, np.nan, np.inf, 1j, None):
            told(lambda t=total: self.function(np.ones(3), t), "")


class Threshold(OfVector):
    """`simplex_threshold`, by the equation it solves."""

    def __init__(self):
        super().__init__(projections.simplex_threshold, None)

    def check(self, x, form, k, rng):
        total = 2.0 ** rng.integers(-3, 4)
        tau = np.ldexp(self.function(form(np.ldexp(x, k)), np.ldexp(total, k)), -k)
        close(np.maximum(x - tau, 0.0).sum(), total, total + np.abs(x).sum(), "Σ max(y − τ, 0)")


class OfPenalty:
    """A prox method, Φ(x) = ‖x − p‖²/(2γ) + h(x)."""

    limit = 400  # of the powers of two that points and weights are multiplied by

    def __init__(self, name, method, shape):
        self.name, self.method, self.shape = name, method, shape

    def __repr__(self):
        return f"{self.name}/{self.method}"

    def refused(self, given, why):
        h = self.penalty(0)
        told(lambda: h.prox(given, 1.0, method=self.method, **self.options()), "")
        for gamma in (0.0, -1.0, np.nan, np.inf, 1j, None):
            told(lambda g=gamma: h.prox(np.ones(self.shape), g, method=self.method, **self.options()), "")

    def options(self):
        return {}


class OfOscar(OfPenalty):
    """Sorted ℓ1: x is the point where u = (p − x)/γ lies in D and ⟨u, x⟩ = h(x)."""

    def penalty(self, k, scale=1.0):
        weights = np.ldexp(scale * np.arange(9.0, 0.0, -1.0), k)
        own = penalties.Slope(weights=weights).for_problem(np.zeros(9))
        return own if self.name == "slope" else oscar.Penalty(weights)

    def check(self, x, form, k, rng):
        gamma, scale = 2.0 ** rng.integers(-6, 3), 2.0 ** rng.integers(-10, 3)
        h = self.penalty(k, scale)
        extra = {"max_inner": 100} if self.method == "dual_frank_wolfe" else {}
        found = h.prox(form(np.ldexp(x, k)), gamma, method=self.method, **extra)
        z, w = np.ldexp(found.x, -k), np.ldexp(h.weights, -k)
        u, value = (x - z) / gamma, np.sort(np.abs(z))[::-1] @ w
        size = 1 + np.abs(x).sum()
        close(np.ldexp(found.value, -2 * k), value, size * (1 + value), "h(x)")
        excess = np.max(np.cumsum(np.sort(np.abs(u))[::-1]) - np.cumsum(w))
        assert excess <= TIGHT * size / gamma, "u lies in D"
        gap = np.ldexp(found.gap, -2 * k)
        assert value - u @ z <= gap + TIGHT * size * (1 + value), "gap"
        assert gap == 0.0 or self.method == "dual_frank_wolfe"


class OfThreshold(OfPenalty):
    """Σ w‖x_g‖, the entries of ℓ1 as groups of one: u = (p − x)/γ has ‖u_g‖ ≤ w_g, and ⟨u, x⟩ = h(x)."""

    GROUPS = np.array([0, 0, 1, 2, 2, 2, 1, 3, 3])

    def penalty(self, k):
        if self.name == "l1":
            return penalties.L1(np.ldexp(np.arange(9.0), k)).for_problem(np.zeros(9))
        weights = np.ldexp([1.0, 0.0, 2.0, 3.0], k)
        return penalties.Group(self.GROUPS, weights).for_problem(np.zeros(9))

    def check(self, x, form, k, rng):
        gamma = 2.0 ** rng.integers(-6, 3)
        groups = np.arange(9) if self.name == "l1" else self.GROUPS
        found, w = self.penalty(k).prox(form(np.ldexp(x, k)), gamma), self.penalty(0).weights
        z = np.ldexp(found.x, -k)
        u, size = (x - z) / gamma, 1 + np.abs(x).sum()
        norm = lambda y: np.sqrt(np.bincount(groups, y * y))  # noqa: E731
        close(np.ldexp(found.value, -2 * k), w @ norm(z), size * 9, "h(x)")
        assert (norm(u) <= w + TIGHT * size / gamma).all(), "not in the dual ball"
        close(u @ z, w @ norm(z), size * size / gamma, "⟨u, x⟩ = h(x)")


class OfTraceLasso(OfPenalty):
    """The dual M that is returned is feasible, x is its point, and the gap is theirs."""

    R = np.triu(np.random.default_rng(0).integers(-64, 65, (6, 6)) / 16)

    def penalty(self, k):
        return trace_lasso.Penalty(self.R, float(np.ldexp(0.5, k)))

    def check(self, x, form, k, rng):
        gamma = 2.0 ** rng.integers(-40, 3)
        h = self.penalty(k)
        limit = 60 if self.method == "dual_frank_wolfe" else 200
        found = h.prox(form(np.ldexp(x, k)), gamma, method=self.method, max_inner=limit)
        z = np.ldexp(found.x, -k)
        value = 0.5 * svd(self.R * z).sum()
        close(np.ldexp(found.value, -2 * k), value, 1 + value, "h(x)")
        u = found.warm if self.method == "dual_frank_wolfe" else np.einsum("ij,ij->j", self.R, found.warm)
        u = np.ldexp(u, -k)
        if self.method != "dual_frank_wolfe":
            assert svd(np.ldexp(found.warm, -k))[0] <= 0.5 * (1 + 1e-8), "M is feasible"  # 2^20 roundings
        miss = np.sum((z - x + gamma * u) ** 2) / (2 * gamma)
        true = miss + value - u @ z
        assert true <= np.ldexp(found.gap, -2 * k) + TIGHT * (1 + value), f"gap {true}, not {found.gap}"


class OfRank(OfPenalty):
    def penalty(self, k):
        return rank.Penalty(2)

    def check(self, x, form, k, rng):
        extra = {"first": 400} if self.method == "block_power" else {}  # it is not certified
        U, V = self.penalty(k).prox(form(np.ldexp(x, k)), 1.0, method=self.method, **extra).x
        X, s = np.ldexp(U @ V.T, -k), svd(x)
        assert U.shape[1] <= 2 and V.shape[1] <= 2
        size = s[0] ** 2 + 1e-300
        loose = 1e-2 if self.method == "block_power" else TIGHT
        assert np.sum((X - x) ** 2) <= np.sum(s[2:] ** 2) + loose * size, "nearest of rank 2"


class OfTraceNorm(OfPenalty):
    def penalty(self, k):
        return trace_norm.Penalty(float(np.ldexp(0.75, k)))

    def options(self):
        return {"warm": np.eye(5, 2)} if self.method == "block" else {}

    def check(self, x, form, k, rng):
        gamma = 2.0 ** rng.integers(-3, 3)
        found = self.penalty(k).prox(form(np.ldexp(x, k)), gamma, method=self.method, **self.options())
        U, V = found.x
        left, s, right = np.linalg.svd(x, full_matrices=False)
        best = (left * np.maximum(s - 0.75 * gamma, 0.0)) @ right
        loose = 1e-1 if self.method == "block" else 1e-6
        assert np.abs(np.ldexp(U @ V.T, -k) - best).max() <= loose * (1 + s[0])


class OfPolar:
    """An atom u vᵀ of an atomic norm: it is one, it has the value that is said, and no atom has more."""

    shape, limit = (7, 5), 400

    def __init__(self, name, penalty, sizes, most):
        self.name, self.penalty, self.sizes, self.most = f"{name} polar", penalty, sizes, most

    def check(self, x, form, k, rng):
        found = self.penalty.polar(form(np.ldexp(x, k)), rng=rng, tol=1e-12)
        value, bound, size = np.ldexp(found.value, -k), np.ldexp(found.bound, -k), np.abs(x).sum()
        assert max(self.sizes(found.u)) <= 1 + TIGHT and np.linalg.norm(found.v) <= 1 + TIGHT, "an atom"
        close(found.u @ x @ found.v, value, size, "⟨u vᵀ, G⟩")
        best = self.most(x)
        assert value - TIGHT * size <= best, "no atom has more"
        assert best <= bound * (1 + 1e-6) + TIGHT * size, f"bound {bound} of {best}"

    def refused(self, given, why):
        told(lambda: self.penalty.polar(given, rng=np.random.default_rng(0)), "")


def two_views(G):
    """max ‖2 G₁ v‖ + ‖G₂ v‖ over unit v, by its dual: the least over μ of a largest eigenvalue."""
    K, L = 4 * G[:4].T @ G[:4], G[4:].T @ G[4:]

    def largest(log_mu):
        mu = np.exp(log_mu)
        return np.linalg.eigvalsh((1 + mu) * K + (1 + 1 / mu) * L)[-1]

    if not (K.any() and L.any()):
        return np.sqrt(np.linalg.eigvalsh(K + L)[-1])
    return np.sqrt(minimize_scalar(largest, bounds=(-30, 30), method="bounded", options={"xatol": 1e-9}).fun)


def told(call, name):
    """A ValueError that says what is wrong, and with a set where."""
    with pytest.raises(ValueError) as caught:
        call()
    said = str(caught.value)
    assert len(said) > 15 and said.startswith(name), f"unclear: {said}"


NEAR = {
    "project_simplex": (np.max, lambda x, r: max(-x.min(), abs(x.sum() - r))),
    "project_spectrum": (lambda g: max(g.max(), 0.0), lambda x, r: max(-x.min(), x.sum() - r)),
    "project_l1": (lambda g: np.abs(g).max(), lambda x, r: np.abs(x).sum() - r),
    "project_l2": (np.linalg.norm, lambda x, r: np.linalg.norm(x) - r),
}
POLARS = {
    "trace_norm": (trace_norm.Penalty(1.0), lambda u: [np.linalg.norm(u)], lambda G: svd(G)[0]),
    "multi_view": (
        multi_view.Penalty(1.0, (4, 3), (2.0, 1.0)),
        lambda u: [np.linalg.norm(u[:4]) / 2, np.linalg.norm(u[4:])],
        two_views,
    ),
}
PROXES = {
    "oscar": (OfOscar, (9,), (*oscar.EXACT, "dual_frank_wolfe")),
    "trace_lasso": (OfTraceLasso, (6,), ("dual_fista", "dual_frank_wolfe", "newton")),
    "rank": (OfRank, (7, 5), ("dense", "propack", "arpack", "block_power")),
    "trace_norm": (OfTraceNorm, (7, 5), ("full", "partial", "block")),
    "l1": (OfThreshold, (9,), ("full",)),
    "group": (OfThreshold, (9,), ("full",)),
    "slope": (OfOscar, (9,), ("pava",)),
}


def subjects():
    """All that there are: a new set, penalty or projection without a formula is a KeyError here."""
    yield from map(OfSet, sets.available())
    for name, function in vars(projections).items():
        if inspect.isfunction(function) and name.startswith("project_"):
            yield OfVector(function, NEAR[name])
    yield Threshold()
    for name in penalties.available():
        if hasattr(penalties.load(name), "polar"):
            yield OfPolar(name, *POLARS[name])
        if hasattr(penalties.load(name), "prox"):
            kind, shape, methods = PROXES[name]
            yield from (kind(name, method, shape) for method in methods)


def failure(subject, seed):
    """What is wrong in one case, or None."""
    rng = np.random.default_rng(seed)
    x = array(rng, subject.shape)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            if rng.random() < 0.25:
                name = list(REFUSED)[rng.integers(len(REFUSED))]
                subject.refused(REFUSED[name](x, rng), name)
                return None
            name = list(FORMS)[rng.integers(len(FORMS))] if rng.random() < 0.6 else "as it is"
            form = FORMS.get(name, np.copy)
            exact = name in ("float32", "float16", "int", "bool") or rng.random() < 0.4
            most = getattr(subject, "limit", 900)
            k = 0 if exact else max(-most, min(most, int(rng.integers(-900, 901))))
            subject.check(plain(form(x)), form, k, rng)
    except (Exception, pytest.fail.Exception) as error:
        return f"case {seed}, {name}: {type(error).__name__}: {str(error)[:300]}"
    return None


ALL = list(subjects())


@pytest.mark.parametrize(
    "subject", ALL, ids=lambda s: f"{type(s).__name__}-{s!r}" if "/" in repr(s) else s.name
)
def test_the_right_answer_or_a_clear_error(subject, long):
    cases = range((LONG if long else CASES) // len(ALL) + 1)
    wrong = [said for seed in cases if (said := failure(subject, seed))]
    assert not wrong, f"{len(wrong)} of {len(cases)}:\n" + "\n".join(wrong[:20])
