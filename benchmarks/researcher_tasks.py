"""Twenty-five tasks of a researcher, in a few lines each: ``python benchmarks/researcher_tasks.py``.

Each does what the documents show. It prints the task, the lines of its body, and what came out: the status, a
value and a certificate, or a number.
"""

from __future__ import annotations

import inspect

import numpy as np

import projfree as pf

RNG = np.random.default_rng(0)
A, b = RNG.standard_normal((80, 40)) / 9, RNG.standard_normal(80)
S, M = RNG.random((6, 6)), RNG.standard_normal((30, 3)) @ RNG.standard_normal((3, 20))
SEEN, LABELS = RNG.random(M.shape) < 0.6, np.sign(b)
L = float(np.linalg.norm(A, 2) ** 2)


def squares(x):
    """½‖Ax − b‖² and its gradient."""
    miss = A @ x - b
    return 0.5 * miss @ miss, A.T @ miss


def distance(aim):
    """½‖x − aim‖² and its gradient."""
    return lambda x: (0.5 * np.sum((x - aim) ** 2), x - aim)


def lasso_in_a_ball():
    """Least squares over an l1 ball"""
    return pf.minimize(squares, pf.sets.L1Ball(1.0), x0=np.zeros(40), tol=1e-8)


def portfolio():
    """Mean and variance over a simplex"""
    risk, gain = np.cov(A.T), A.mean(axis=0)

    def function(x):
        return (x @ risk @ x - gain @ x, 2 * risk @ x - gain)

    return pf.minimize(function, pf.sets.Simplex(), x0=np.full(40, 1 / 40), tol=1e-8)


def logistic_regression():
    """Logistic regression over a k-sparse polytope"""

    def loss(x):
        margin = LABELS * (A @ x)
        return np.logaddexp(0, -margin).mean(), -A.T @ (LABELS / (1 + np.exp(margin))) / 80

    return pf.minimize(loss, pf.sets.KSparse(1.0, 5), x0=np.zeros(40))


def completion():
    """Completion of a matrix over a nuclear-norm ball"""

    def loss(X):
        return (0.5 * np.sum((X - M)[SEEN] ** 2), np.where(SEEN, X - M, 0.0))

    return pf.minimize(loss, pf.sets.NuclearBall(30.0), x0=np.zeros(M.shape), tol=0.5)


def nearest_doubly_stochastic():
    """The nearest doubly stochastic matrix"""
    return pf.minimize(distance(S), pf.sets.Birkhoff(), x0=np.eye(6), tol=1e-10)


def decomposition():
    """A doubly stochastic matrix as a sum of permutations"""
    X = pf.minimize(distance(S), pf.sets.Birkhoff(), x0=np.eye(6), tol=1e-10).x
    return f"{len(pf.decompose(X, pf.sets.Birkhoff()).atoms)} permutations"


def polytope_by_inequalities():
    """A polytope by its inequalities"""
    feasible = pf.sets.Polytope(A=np.vstack([np.ones(40), A[:5]]), b=np.full(6, 1.0), upper=0.3)
    return pf.minimize(squares, feasible, x0=np.zeros(40))


def whole_numbers():
    """The hull of the whole points of a linear model"""
    from scipy.optimize import Bounds, LinearConstraint

    rows = LinearConstraint([[3.0, 5.0, 7.0]], -np.inf, 20.0)
    packings = pf.sets.FromModel({"constraints": rows, "bounds": Bounds(0, 4), "integrality": [1, 1, 1]})
    return pf.minimize(distance(np.array([2.0, 2.0, 1.0])), packings, x0=np.zeros(3))


def own_oracle():
    """A set by a linear minimisation of my own"""

    def best(G):
        return -np.sign(G)

    return pf.minimize(
        distance(np.linspace(-2, 2, 9)), pf.sets.FromLmo(best, 3.0, is_polytope=True), x0=np.ones(9)
    )


def away_steps():
    """A method by its name, with a table of the run"""
    kept = []
    options = {"callback": lambda seen: kept.append(seen.gap), "every": 10}
    found = pf.minimize(squares, pf.sets.L1Ball(1.0), "away-fw", x0=np.zeros(40), **options)
    return f"{found.status}, {len(kept)} records, gap {kept[-1]:.1e}"


def path_of_radii():
    """A path of ten radii with warm starts"""
    found, steps = None, 0
    for radius in np.linspace(0.5, 5.0, 10):
        start = {"x0": np.zeros(40)} if found is None else {"warm_start": found}
        found = pf.minimize(squares, pf.sets.L1Ball(radius), tol=1e-6, **start)
        steps += found.nit
    return f"{steps} steps, {found.certificate.name} {found.gap:.1e}"


def early_stop():
    """A run that a callback ends"""

    def enough(seen):
        if seen.gap < 1e-2:
            raise StopIteration

    return pf.minimize(squares, pf.sets.Simplex(), x0=np.eye(40)[0], callback=enough, tol=0).message


def certificate_of_a_point():
    """How far a given point is from the optimum"""
    x = pf.sets.L1Ball(1.0).project(np.linalg.lstsq(A, b, rcond=None)[0])
    return f"gap {pf.certificate(squares, pf.sets.L1Ball(1.0), x).value:.2e}"


def wrong_gradient():
    """Is my gradient right?"""
    return f"relative error {pf.check_gradient(squares, np.ones(40)):.0e}"


def projections():
    """Projection onto an l1 ball, and membership"""
    ball = pf.sets.L1Ball(1.0)
    x = ball.project(b)
    return f"inside: {ball.contains(x)}, gauge {ball.gauge(x):.3f}"


def sparse_gradient():
    """A linear minimisation of a sparse gradient"""
    from scipy import sparse

    G = sparse.coo_array(([3.0, -4.0], ([0, 5], [1, 2])), shape=(10_000, 10_000))
    return f"{pf.sets.L1Ball(2.0).lmo(G).nnz} entry"


def proximal_lasso():
    """The lasso by its penalty"""
    return pf.minimize(squares, pf.penalties.L1(0.5), x0=np.zeros(40), constants={"L_full": L})


def slope():
    """SLOPE with weights of my own"""
    penalty = pf.penalties.Slope(np.linspace(1.0, 0.1, 40))
    return pf.minimize(squares, penalty, x0=np.zeros(40), constants={"L_full": L})


def own_penalty():
    """A penalty of my own, by its prox"""

    class NotNegative:
        value = staticmethod(lambda x: 0.0 if x.min() >= 0 else np.inf)
        prox = staticmethod(lambda p, gamma: np.maximum(p, 0))

    return pf.minimize(squares, NotNegative(), x0=np.zeros(40), constants={"L_full": L})


def trace_norm():
    """Completion by a trace-norm penalty"""

    def loss(X):
        return (0.5 * np.sum((X - M)[SEEN] ** 2), np.where(SEEN, X - M, 0.0))

    known = {"L_full": 1.0, "lower_bound": 0.0}
    return pf.minimize(loss, pf.penalties.TraceNorm(3.0), x0=np.zeros(M.shape), constants=known, tol=1e-2)


def stochastic():
    """A finite sum by batches"""

    def component(x, rows):
        miss = A[rows] @ x - b[rows]
        return 0.5 * np.mean(miss**2), A[rows].T @ miss / len(rows)

    known = {"L_full": L / 80, "L_vr": L / 80}
    return pf.minimize(
        pf.FiniteSum(component, 80, np.zeros(40), known), pf.sets.L2Ball(1.0), "ncgs-vr", tol=1e-2
    )


def game():
    """A matrix game as a saddle function"""
    known = {"L_xx": 0.0, "L_yy": 0.1, "L_xy": float(np.linalg.norm(S, 2)), "mu": 0.1}

    def pay(x, y):
        return (x @ S @ y - 0.05 * y @ y, S @ y, x @ S - 0.1 * y)

    start = np.full(6, 1 / 6), np.full(6, 1 / 6)
    return pf.minimize(pf.Saddle(pay, *start, pf.sets.Simplex(), known), pf.sets.Simplex(), tol=1e-2)


def product():
    """Two blocks with a set each"""
    both = pf.sets.Product([pf.sets.L1Ball(1.0), pf.sets.LinfBall(0.1)], [20, 20])
    return pf.minimize(squares, both, x0=np.zeros(40))


def imputation():
    """Missing entries of a matrix, λ by cross-validation"""
    from projfree.estimators import MatrixCompletion

    fitted = MatrixCompletion().fit(np.where(SEEN, M, np.nan))
    miss = fitted.transform(np.where(SEEN, M, np.nan)) - M
    return f"rank {fitted.rank_}, error {np.sqrt(np.mean(miss[~SEEN] ** 2) / np.mean(M**2)):.1%}"


def single_precision():
    """A function of float32"""
    a, y = A.astype(np.float32), b.astype(np.float32)

    def half(x):
        return (0.5 * np.sum((a @ x - y) ** 2), a.T @ (a @ x - y))

    return pf.minimize(half, pf.sets.Simplex(), x0=np.eye(40, dtype=np.float32)[0], tol=1e-4)


TASKS = [
    task for task in list(globals().values()) if inspect.isfunction(task) and task.__code__.co_argcount == 0
]


def lines(task) -> int:
    """Lines of its body, without its title, imports and blank ones."""
    body = inspect.getsource(task).splitlines()[2:]
    return sum(bool(line.strip()) and " import " not in line for line in body)


def outcome(task) -> str:
    """What it found, in words."""
    found = task()
    if isinstance(found, str):
        return found
    certified = f"{found.certificate.name} {found.gap:.1e}"
    return f"{found.status} in {found.nit} steps, value {found.fun:.6g}, {certified}"


def main():
    """Print the table."""
    for number, task in enumerate(TASKS, start=1):
        print(f"{number:2} {task.__doc__:58}{lines(task):2} lines  {outcome(task)}", flush=True)


if __name__ == "__main__":
    main()
