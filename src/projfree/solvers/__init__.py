"""Methods as a state and a step; one file a method, found by folder.

``solvers/ncgs_vr.py`` is the solver ``ncgs_vr``: its ``Solver`` holds the parameters, its ``State`` what a
step needs to know. `estimators` and `inner` hold what several methods share.
"""

from ..ground import parameters, registry


def available() -> list[str]:
    """Names of the known solvers."""
    return list(registry.names(__name__))


def load(name: str):
    """The `Solver` class of that name; an unknown name is an error that lists the known."""
    return registry.load(__name__, name).Solver


def suits(name: str, problem) -> bool:
    """Whether a solver is for that kind of problem: whether the problem's `family` is among its `families`.

    What a solver `needs` of a penalty, such as its prox, is looked for in the one that goes with a small
    problem.
    """
    solver = load(name)
    beside = getattr(problem, "small_constraint", None)
    return problem.family in solver.families and not (beside and lacking(solver, beside))


def check_needs(solver, constraint) -> None:
    """Raise `ValueError` where a set or a penalty lacks what a solver `needs` of it."""
    for part in lacking(solver, constraint):
        name, other = (type(x).__module__.rpartition(".")[2].replace("_", "-") for x in (solver, constraint))
        word = "set" if type(constraint).__name__ == "Set" else "penalty"
        raise ValueError(f"{name} needs a {word} with `{part}`, and {other} has none")


def lacking(solver, constraint) -> list[str]:
    """What a solver (or its class) needs of a set or a penalty that this one does not have."""
    return [part for part in getattr(solver, "needs", ()) if not hasattr(constraint, part)]


def make(name: str, params: dict):
    """A solver with its parameters, checked against the annotations of its `Solver`."""
    return parameters.make(__name__, "Solver", {"name": name, **params})
