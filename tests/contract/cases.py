"""Every solver on every small problem, family by family: all that are found with their defaults, and options.

A case is (solver, its parameters, problem); `run` is one of its runs, `killed` one that dies.
"""

import functools

import instances
import numpy as np

from projfree import solvers
from projfree.engine.schedule import Schedule
from projfree.families import composite, constrained, regularised, saddle, strongly_convex
from projfree.sets import nuclear_ball

VARIANTS = {
    "estimator_frank_wolfe": [
        *({"estimator": name} for name in ("sg", "sampled_svrg", "saga")),
        {"open_loop": True},
        {"random_output": True},
    ],
    "frank_wolfe": [{"step_rule": rule} for rule in ("short", "line_search", "open_loop")],
    "adaptive_fw": [{"step_rule": "secant"}],
    "lazy": [{"method": name} for name in ("frank_wolfe", "fully_corrective_fw", "nfwu")],
    "ncgs": [
        {"option": "I"},
        {"option": "I-momentum"},
        {"option": "II-exact"},
        {"option": "II", "rule": "theorem", "eta": 0.5},
        {"option": "II", "rule": "relative"},
        {"output": "theta_md"},
    ],
    "ncgs_vr": [
        {"batch": 1, "epoch": 0},
        {"smoothness": "L_max", "rule": "relative"},
        {"random_output": True},
    ],
    "nfwu": [
        *({"estimator": name, "epoch": 6} for name in ("full", "sg", "svrg", "casvrg", "caspider")),
        {"estimator": "caspider", "epoch": 4, "iterate": "atoms", "step_rule": "open_loop"},
        {"estimator": "casvrg", "epoch": 7, "iterate": "array", "replace": False},
        {"estimator": "full", "step_rule": "short", "track": False},
    ],
    "svrg": [{"projection": "gram"}, {"projection": "partial"}, {"random_output": True}],
    "gcg": [
        {"reduce": {"name": "null"}},
        {"reduce": {"name": "null"}, "line_search": "open_loop"},
        {"reduce": {"name": "lbfgs", "iterations": 3}, "line_search": "open_loop"},
        {"reduce": {"name": "lbfgs", "rotate": True}},
        {"reduce": {"name": "scaled_lbfgs"}},
        {"reduce": {"name": "sphere"}, "seeds": {"columns": 3}},
    ],
    "block_gcg": [{"atoms": 2, "iterations": 3}],
    "bcd": [{"columns": 2, "starts": 2, "step_size": "constant"}],
    "dhm": [{"correct": "line_search"}],
    "js": [{"radius": 1.5, "step_rule": rule} for rule in ("harmonic", "line_search")],
    "mmbs": [{"accuracy": 0.1}],
    "apg_svt": [{"plain": True}],
    "mpcgs": [{"y_rule": "theorem"}, {"y_rule": "exact"}, {"vertex": True, "fast_forward": True}],
    "spfw": [{"average": True}],
    "svre": [{"projection": "full", "batch": 7}],
}
REQUIRED = {"js": {"radius": 1.5}}  # what has no default
#: Proxes that each penalty is tried with; None is its reference.
PROXES = {
    "oscar": [None, {"method": "igm_pass"}, {"method": "dual_frank_wolfe"}, {"method": "perturbed"}],
    "trace_lasso": [None, {"method": "dual_frank_wolfe", "max_inner": 3}],
    "rank": [None, {"method": "arpack", "start": "warm"}, {"method": "block_power", "oversample": 2}],
}
OTHERS = [
    ("pg", {"gradient_error": 1e-2}, "robust_regression-0"),
    ("pg", {"error_share": 0.1, "prox": {"method": "perturbed"}}, "robust_regression-0"),
    ("nmapg", {"reference": "average"}, "robust_regression-0"),
    ("nmapg", {"delta": 0.1, "delta_units": "L"}, "robust_regression-0"),
    ("pg", {"gradient_error": 1e-2}, "link_prediction-0"),
]
REGULARISED = ("objective", "surrogate", "rank", "polar_ratio", "dual_gap")


def penalty_name(problem):
    return type(problem.small_constraint).__module__.rpartition(".")[2]


def options(*families):
    """(solver, parameters): the defaults, and what is listed beside."""
    names = instances.solvers_of(*families)
    return [(n, REQUIRED.get(n, {})) for n in names] + [(n, p) for n in names for p in VARIANTS.get(n, ())]


def fits(name, params, problem) -> bool:
    """Whether these parameters make sense for the loss and the penalty of a regularised problem."""
    reduce, penalty = params.get("reduce", {}), problem.small_constraint
    return (
        solvers.suits(name, problem)
        and (params.get("correct") != "line_search" or problem.quadratic)
        and (hasattr(penalty, "rotate") or not (reduce.get("rotate") or reduce.get("name") == "scaled_lbfgs"))
        and (hasattr(penalty, "on_spheres") or reduce.get("name") != "sphere")
    )


@functools.cache
def fresh_problems(turn=0):
    """All small problems, made anew for each turn."""
    families = (constrained.FAMILY, composite.FAMILY, regularised.FAMILY, *SADDLE)
    return instances.small_problems(families=families)


SADDLE = (saddle.FAMILY, strongly_convex.FAMILY)
PROBLEMS = fresh_problems()
OF = {
    family: {key: problem for key, problem in PROBLEMS.items() if problem.family == family}
    for family in (constrained.FAMILY, composite.FAMILY, regularised.FAMILY, *SADDLE)
}
#: The defaults, of any estimator, on every problem; what only an option changes on the first of each.
CASES = [
    (name, params, key)
    for name, params in options()
    for key in OF[constrained.FAMILY]
    if params.keys() <= {"estimator"} or key.endswith("-0")
]
COMPOSITE = [
    (solver, {"prox": prox}, key)
    for key, problem in OF[composite.FAMILY].items()
    for solver in instances.solvers_of(composite.FAMILY)
    for prox in PROXES[penalty_name(problem)]
]
COMPOSITE += OTHERS
PENALISED = [
    (name, params, key)
    for name, params in options(regularised.FAMILY)
    for key, problem in OF[regularised.FAMILY].items()
    if fits(name, params, problem)
]
SADDLES = [
    (name, params, key)
    for name, params in options(*SADDLE)
    if not params or saddle.FAMILY in solvers.load(name).families
    for family in SADDLE
    for key, problem in OF[family].items()
    if solvers.suits(name, problem)
]
ALL = [*CASES, *COMPOSITE, *PENALISED, *SADDLES]
SCHEDULE = Schedule(ratio=1.3)


class Killed(BaseException):
    """Not an error that anything would catch."""


def constraint(problem):
    own = problem.family != constrained.FAMILY
    return problem.small_constraint if own else nuclear_ball.Set(instances.RADIUS)


def setting(problem, iterations=None, ball=None, metrics=None, **values):
    """How the runs of a problem's family are measured, and how long they are."""
    few, records = problem.family in (regularised.FAMILY, *SADDLE), Schedule(every=1)
    names = {
        constrained.FAMILY: ("objective", "infeasibility", "fw_gap", "gradient_norm"),
        composite.FAMILY: ("objective", "rise", "inner"),
        regularised.FAMILY: (*REGULARISED, *problem.metrics),
        saddle.FAMILY: ("objective", "infeasibility", "lo_x", "theorem_bound"),
    }.get(problem.family, ("objective", "infeasibility"))
    budget = {"iterations": iterations or (12 if few else 20)}
    values.setdefault("records", SCHEDULE if problem.family == constrained.FAMILY else records)
    names = names if metrics is None else metrics
    return instances.setting(problem, budget, ball=ball or constraint(problem), metrics=names, **values)


def run(problem, name, params, *, ball=None, seed=3, chosen=None):
    """One run; with the setting of its family unless another is chosen."""
    return instances.run(
        problem,
        name,
        params=params,
        ball=ball or constraint(problem),
        seed=seed,
        setting=chosen or setting(problem),
    )


def killed(chosen, last_save, kill):
    """The setting of a run that saves after step `last_save` and dies after step `kill`."""
    chosen.checkpoint_seconds = 0.0 if last_save == 1 else np.inf

    def on_step(iteration):
        if iteration == kill:
            raise Killed
        chosen.checkpoint_seconds = 0.0 if iteration + 1 == last_save else np.inf

    chosen.on_step = on_step
    return chosen


def label(value):
    return ",".join(f"{k}={v}" for k, v in value.items()) or "default" if isinstance(value, dict) else None


def same_but_clocks(a, b):
    """Assert that two traces are bit by bit the same in all but seconds."""
    assert (a.iteration, a.end_status) == (b.iteration, b.end_status)
    assert a.oracles == b.oracles
    assert a.metrics.keys() == b.metrics.keys()
    for name, values in a.metrics.items():
        np.testing.assert_array_equal(values, b.metrics[name], err_msg=name)
    assert a.final.keys() == b.final.keys()
    for name, array in a.final.items():
        np.testing.assert_array_equal(array, b.final[name], err_msg=f"final {name}")


def arrays_of(problem) -> dict:
    """Copies of all arrays that a problem holds, to see that nobody writes into them."""
    result = {k: v.copy() for k, v in vars(problem).items() if isinstance(v, np.ndarray)}
    pattern = getattr(problem, "pattern", None)
    return result | {f"pattern.{k}": getattr(pattern, k).copy() for k in ("rows", "cols") if pattern}
