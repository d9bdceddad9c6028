"""A path of ten rising radii by the default method, warm against cold: ``python benchmarks/bench_paths.py``.

For each set it prints the steps and calls of the function of both, and the radii at which warm takes more
steps.
"""

from __future__ import annotations

import numpy as np

import projfree as pf

TOL = 1e-6


def squares(A, b):
    """½‖Ax − b‖² and its gradient."""
    return lambda x: (0.5 * np.sum((A @ x - b) ** 2), A.T @ (A @ x - b))


def logistic(A, y):
    """The mean of log(1 + exp(−y⟨a, x⟩)) and its gradient."""

    def loss(x):
        margin = y * (A @ x)
        return np.logaddexp(0, -margin).mean(), -A.T @ (y / (1 + np.exp(margin))) / len(y)

    return loss


def paths(seed=0):
    """(name, function, radius ↦ set, radius ↦ start, tol)."""
    rng = np.random.default_rng(seed)
    A, b = rng.standard_normal((80, 100)), rng.standard_normal(80)
    M = rng.standard_normal((30, 3)) @ rng.standard_normal((3, 20))
    zero, corner = lambda _: np.zeros(100), lambda radius: radius * np.eye(100)[0]
    vectors = {
        "l1 ball": pf.sets.L1Ball,
        "l2 ball": pf.sets.L2Ball,
        "l∞ ball": lambda r: pf.sets.LinfBall(0.1 * r),
    }
    vectors |= {
        "k-sparse": lambda r: pf.sets.KSparse(r, 5),
        "k-support": lambda r: pf.sets.KSupportBall(r, 5),
    }
    vectors |= {"OWL": lambda r: pf.sets.OwlBall(r, np.linspace(1, 0.1, 100))}
    for name, kind in vectors.items():
        yield f"{name}, least squares", squares(A, b), kind, zero, 0.1 if name == "k-support" else TOL
    for name in ("l1 ball", "k-sparse"):
        yield f"{name}, logistic", logistic(A, np.sign(b)), vectors[name], zero, TOL
    for name, function in (("least squares", squares(A, b)), ("logistic", logistic(A, np.sign(b)))):
        yield f"simplex, {name}", function, pf.sets.Simplex, corner, TOL

    def near(X):
        return (0.5 * np.sum((X - M) ** 2), X - M)

    yield "nuclear-norm ball", near, lambda r: pf.sets.NuclearBall(8 * r), lambda _: np.zeros((30, 20)), 0.5


def steps(function, kind, start, tol, radii):
    """For each radius (steps, calls) warm, and cold; the first is cold in both."""
    warm, cold, last = [], [], None
    for radius in radii:
        alone = pf.minimize(function, kind(radius), x0=start(radius), tol=tol, budget=5000)
        last = (
            alone
            if last is None
            else pf.minimize(function, kind(radius), warm_start=last, tol=tol, budget=5000)
        )
        for found, kept in ((last, warm), (alone, cold)):
            kept.append((found.nit, found.counts["FO"]))
    return np.array(warm), np.array(cold)


def main():
    """Print the table."""
    radii = np.linspace(0.5, 5.0, 10)
    for name, function, kind, start, tol in paths():
        warm, cold = steps(function, kind, start, tol, radii)
        dearer = radii[warm[:, 0] > cold[:, 0]]
        cells = [f"{now}, {before}" for now, before in zip(warm.sum(axis=0), cold.sum(axis=0), strict=True)]
        print(f"| {name} | {cells[0]} | {cells[1]} | {', '.join(map(str, dearer)) or '–'} |", flush=True)


if __name__ == "__main__":
    main()
