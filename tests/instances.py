"""Small problems and short runs, for the tests of the engine, the problems, the solvers and the contract."""

import numpy as np

from projfree import problems, solvers
from projfree.engine import metrics as known_metrics
from projfree.engine.budget import Budget
from projfree.engine.driver import Setting, drive
from projfree.engine.oracles.constrained import Oracles
from projfree.engine.schedule import Schedule
from projfree.families import constrained
from projfree.penalties import oscar, rank, trace_lasso
from projfree.problems import link_prediction, matrix_completion, multi_task, robust_regression
from projfree.sets import nuclear_ball

RADIUS = 2.0
NAMES = {"paper": "made", "experiment": "e", "instance_of": "e", "method": "m", "run": "quick"}


def job(**values):
    """A job, as the study makes it, of one seed and with names that say nothing where none are given."""
    from referee.study.models.experiment import Job  # the library is tested without what its models need

    return Job(**{**NAMES, "seeds": [0], "budget": None, **values})


def completion_job(shape, observe, **values):
    """A job on a small matrix completion with corrupted entries, in a nuclear ball."""
    generator = {"name": "completion", "shape": shape, "rank": 2, "radius": 2, "observe": observe}
    given = {
        "generator": generator | {"corrupt": 0.1, "noise": 1.0, "mode": "A", "corruption": "add"},
        "problem": {"name": "matrix_completion", "loss": "sl0", "sigma": 1.0, "weight": "sum"},
        "set": {"name": "nuclear_ball", "radius": 2},
    }
    return job(**given, **values)


def recipe(job, *seeds):
    """What the instance of a job is made from, with these seeds beside the job's own."""
    from referee.study.models.experiment import Recipe

    names = ("paper", "experiment", "instance_of", "generator", "problem")
    return Recipe(**{name: getattr(job, name) for name in names}, seeds=[*job.seeds, *seeds])


def small_problems(seed=0, families=(constrained.FAMILY,)) -> dict:
    """Every small instance of every problem of these families, by ``<problem>-<number>``."""
    return {
        f"{name}-{i}": problem
        for name in problems.available()
        if problems.load(name).family in families
        for i, problem in enumerate(problems.load(name).small(np.random.default_rng(seed)))
    }


def solvers_of(*families) -> list:
    """Names of the solvers of these families that need no other set than the nuclear-norm ball.

    Of `constrained` if none is named.
    """
    wanted = set(families or (constrained.FAMILY,))
    found = {name: solvers.load(name) for name in solvers.available()}
    return [
        name
        for name, solver in found.items()
        if wanted & set(solver.families)
        and not (constrained.FAMILY in solver.families and solvers.lacking(solver, nuclear_ball.Set))
    ]


def completion(shape=(12, 10), share=0.5, seed=0, values=None, **params):
    """A completion problem of low rank with noise, or with the given values (one a position)."""
    rng = np.random.default_rng(seed)
    rows, cols = np.nonzero(rng.random(shape) < share)
    truth = rng.standard_normal((shape[0], 2)) @ rng.standard_normal((2, shape[1])) / np.sqrt(shape[0])
    noisy = truth[rows, cols] + 0.3 * rng.standard_normal(rows.size)
    arrays = {"rows": rows, "cols": cols, "values": noisy if values is None else np.full(rows.size, values)}
    return matrix_completion.Problem({**arrays, "truth": truth}, **params)


def task_arrays(sizes=(15, 22, 9), d=8, seed=0, dtype=np.float64):
    """Features with a constant last column and labels that a random direction mostly explains."""
    rng = np.random.default_rng(seed)
    ptr = np.concatenate([[0], np.cumsum(sizes)])
    features = rng.standard_normal((ptr[-1], d))
    features[:, -1] = 1
    labels = features @ rng.standard_normal(d) + 0.5 * rng.standard_normal(ptr[-1]) < 0
    return {"features": features.astype(dtype), "labels": labels.astype(np.int8), "task_ptr": ptr}


def tasks(sizes=(15, 22, 9), d=8, seed=0, dtype=np.float64, **params):
    """A multi-task problem."""
    return multi_task.Problem(task_arrays(sizes, d, seed, dtype), **params)


def dense(x):
    """An iterate or gradient as an array."""
    return x if isinstance(x, np.ndarray) else x.toarray()


def random_point(problem, radius, rng):
    """A feasible point, inside or on the boundary."""
    x = rng.standard_normal(problem.shape)
    return x * (radius * rng.uniform(0.1, 1.0) / np.linalg.norm(x, "nuc"))


def setting(problem, budget=None, *, ball=None, metrics=("objective", "infeasibility"), **values):
    """A setting of the driver: iterations (or other limits), metrics by name, a record a step."""
    ball = ball or nuclear_ball.Set(RADIUS)
    return Setting(
        budget=Budget.parse({"iterations": 20} if budget is None else budget),
        records=values.pop("records", Schedule(every=1)),
        metrics={m: known_metrics.make(m, problem, ball) for m in metrics},
        **values,
    )


def run(problem, solver, budget=None, *, params=None, ball=None, seed=0, **values):
    """The trace of one run of a solver (a name or an object) on a problem."""
    ball = ball or nuclear_ball.Set(RADIUS)
    solver = solvers.make(solver, params or {}) if isinstance(solver, str) else solver
    chosen = values.pop("setting", None) or setting(problem, budget, ball=ball, **values)
    return booked_once(drive(problem, ball, solver, np.random.SeedSequence(seed), seed, chosen))


def booked_once(trace):
    """The trace, if no second of its clock is booked twice: Σ timers ≤ CPU at every record."""
    booked = np.sum(list(trace.timers.values()), axis=0)
    assert np.all(booked <= np.array(trace.cpu_seconds) + 1e-6), "oracles took longer than the run"
    return trace


def steps(solver, oracles, count, rng=None, **params):
    """The states of a solver (a name or an object) at its start and after each step; it may end before."""
    rng = np.random.default_rng(0) if rng is None else rng
    solver = solvers.make(solver, params) if isinstance(solver, str) else solver
    state = solver.start(oracles, rng)
    yield state
    for _ in range(count):
        state = solver.step(oracles, state, rng)
        yield state
        if getattr(state, "converged", False):
            return


def walk(problem, name, steps, *, radius=RADIUS, seed=0, lmo_tol=1e-3, **params):
    """Yield (oracles, state) at the start and after each step, without the driver."""
    rng = np.random.default_rng(seed)
    oracles = Oracles(problem, nuclear_ball.Set(radius), np.random.default_rng(seed + 1), lmo_tol=lmo_tol)
    solver = solvers.make(name, params)
    state = solver.start(oracles, rng)
    yield oracles, state
    for _ in range(steps):
        state = solver.step(oracles, state, rng)
        yield oracles, state


def last(walked):
    """The last of what `walk` yields."""
    *_, pair = walked
    return pair


def robust(seed=0):
    """A robust regression of 80 rows, 12 features, five outliers, σ = 2, and OSCAR of w = (2, 0.2)."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((80, 12))
    b = X @ np.repeat([2.0, -1.0, 0.0], 4) + 0.3 * rng.standard_normal(80)
    b[:5] += 15.0
    problem = robust_regression.Problem({"features": X, "targets": b}, sigma=2.0)
    return problem, oscar.Penalty.for_problem(problem, 2.0, 0.2, units="absolute")


def lasso(seed=0):
    """The same regression with a trace Lasso."""
    problem, _ = robust(seed)
    return problem, trace_lasso.Penalty.for_problem(problem, 0.05)


def links(seed=0):
    """60 × 50 planted signs of rank 3, every tenth turned, and that rank."""
    rng = np.random.default_rng(seed)
    rows, cols = np.nonzero(rng.random((60, 50)) < 0.3)
    signs = np.sign(rng.standard_normal((60, 3)) @ rng.standard_normal((3, 50)))[rows, cols]
    signs *= np.where(rng.random(signs.size) < 0.1, -1, 1)
    problem = link_prediction.Problem({"rows": rows, "cols": cols, "values": signs, "shape": (60, 50)})
    return problem, rank.Penalty(3)


#: What makes a composite problem and its penalty.
COMPOSITE = {"oscar": robust, "trace": lasso, "links": links}
