"""Steps and linear minimisations on instances of FrankWolfe.jl's tests, next to what those tests assert.

The instances are made anew from what the tests describe; random numbers are our own. It prints the table of
docs/frank-wolfe.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

import projfree as pf


@dataclass(frozen=True)
class Row:
    """One run of ours, and what a test of theirs asserts of the like run."""

    instance: str
    function: Callable
    feasible: object
    start: np.ndarray
    method: str
    tol: float
    budget: int
    theirs: str
    file: str
    options: dict = field(default_factory=dict)


def square(aim):
    """‖x − aim‖² and its gradient."""
    return lambda x: (float(np.sum((x - aim) ** 2)), 2 * (x - aim))


def regression(rng):
    """½‖Ax − b‖² of 200 samples and 1000 features, with its gradient."""
    A, b = rng.standard_normal((200, 1000)) / np.sqrt(200), rng.standard_normal(200)

    def function(x):
        miss = A @ x - b
        return 0.5 * miss @ miss, A.T @ miss

    return function


def rows():
    """All runs."""
    rng = np.random.default_rng(0)
    uniform, many, fit = rng.random(100), rng.random(10_000), regression(rng)
    simplex, sparse, first = pf.sets.Simplex(1.0), pf.sets.KSparse(1.0, 40), np.eye(100)[0]

    def corner(k, n):
        return np.repeat([1.0, 0.0], [k, n - k])

    def of(instance, file, function, feasible, start):
        return lambda method, tol, budget, theirs, **options: Row(
            instance, function, feasible, start, method, tol, budget, theirs, file, options
        )

    norm = of("least norm, simplex, n = 100", "approximate_caratheodory", square(0.0), simplex, first)
    yield norm("frank-wolfe", 1e-7, 100, "100 steps", step_rule="short")
    yield norm("frank-wolfe", 0, 101, "value 0.01314422", step_rule="open_loop")
    ones = of("ones, 40-sparse, n = 100", "open_loop_parametric", square(1.0), sparse, corner(40, 100))
    yield ones("frank-wolfe", 0, 10_001, "gap ≤ 0.00479984", step_rule="open_loop")
    near = of("uniform, 40-sparse, n = 100", "away_step_cg", square(uniform), sparse, corner(40, 100))
    yield near("away-fw", 1e-5, 10_000, "≤ 1909 steps")
    yield near("blended-cg", 1e-5, 10_000, "≤ 338 steps")
    small = pf.sets.Simplex(4.0), 4 * np.eye(10)[0]
    least = of("least norm, 4 × simplex, n = 10", "active_set_variants", square(0.0), *small)
    yield least("blended-pairwise-fw", 3e-7, 6000, "≤ 51 LO")
    aim = square(uniform / uniform.sum())
    inside = of("inside, simplex, n = 100", "corrective_steps", aim, simplex, first)
    for method in ("away-fw", "pairwise-fw", "blended-pairwise-fw"):
        yield inside(method, 1e-7, 1000, "≤ 1000 steps")
    wide = pf.sets.KSparse(1.0, 10), corner(10, 1000)
    fitted = of("regression, 10-sparse, n = 1000", "quadratic_corrections", fit, *wide)
    yield fitted("quadratic-corrective-fw", 1e-6, 1000, "≤ 1000 steps")
    large = pf.sets.KSparse(1.0, 100), corner(100, 10_000)
    far = of("uniform, 100-sparse, n = 10⁴", "bcg_direction_error", square(many), *large)
    yield far("blended-cg", 1e-3, 1000, "≤ 1000 steps")


def cells(row):
    """The cells of a row of the table."""
    constants = {"L_full": 2.0} if row.options else {}
    found = pf.minimize(
        row.function,
        row.feasible,
        row.method,
        x0=row.start,
        tol=row.tol,
        budget=row.budget,
        options=row.options,
        constants=constants,
    )
    rule = "".join(f", {value.replace('_', ' ')}" for value in row.options.values())
    value = f"value {found.fun:.8f}" if row.theirs.startswith("value") else f"gap {found.gap:.8f}"
    reached = f"gap {row.tol:g}" if row.tol else value
    default = pf.minimize(row.function, row.feasible, x0=row.start, tol=row.tol or 1e-7, budget=row.budget)
    counts = str(found.nit), str(found.counts["LO"]), str(default.nit) if default.success else "–"
    return row.instance, f"`{row.method}`{rule}", reached, *counts, row.theirs, f"`{row.file}`"


def main():
    """Print the table."""
    for row in rows():
        print("| " + " | ".join(cells(row)) + " |")


if __name__ == "__main__":
    main()
