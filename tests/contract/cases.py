"""Every solver on every small problem: all that are found with their defaults, and options beside."""

import dataclasses

import instances
import numpy as np

from projfree.engine.schedule import Schedule

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
}
PROBLEMS = instances.small_problems()
SOLVERS = [(name, {}) for name in instances.solvers_of()]
SOLVERS += [(name, params) for name, table in VARIANTS.items() for params in table]
#: The defaults, of any estimator, on every problem; what only an option changes on the first of each.
CASES = [
    (name, params, problem)
    for name, params in SOLVERS
    for problem in PROBLEMS
    if params.keys() <= {"estimator"} or problem.endswith("-0")
]
#: For what is costly or does not depend on the precision of the data.
FEWER = [case for case in CASES if case[2] != "multi_task-1"]
SCHEDULE = Schedule(ratio=1.3)


def label(value):
    """Readable ids: ``ncgs``, ``option=I``."""
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


def same_state(a, b):
    """Assert that two states hold the same numbers of the same types, bit by bit."""
    assert type(a) is type(b)
    if dataclasses.is_dataclass(a):
        for entry in dataclasses.fields(a):
            same_state(getattr(a, entry.name), getattr(b, entry.name))
    elif isinstance(a, list):
        assert len(a) == len(b)
        for one, other in zip(a, b, strict=True):
            same_state(one, other)
    elif hasattr(a, "to_arrays"):
        same_state(a.to_arrays(), b.to_arrays())
    elif isinstance(a, dict):
        assert a.keys() == b.keys()
        for key, value in a.items():
            same_state(value, b[key])
    else:
        np.testing.assert_array_equal(a, b)
        assert not isinstance(a, np.ndarray) or (a.dtype == b.dtype and a.flags.c_contiguous)


def arrays_of(problem) -> dict:
    """Copies of all arrays that a problem holds, to see that nobody writes into them."""
    found = {k: v.copy() for k, v in vars(problem).items() if isinstance(v, np.ndarray)}
    pattern = getattr(problem, "pattern", None)
    return found | {f"pattern.{k}": getattr(pattern, k).copy() for k in ("rows", "cols") if pattern}
