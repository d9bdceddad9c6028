"""Methods as a state and a step; one file for each method, found by its name.

``solvers/ncgs_vr.py`` is the solver ``ncgs_vr``: its ``Solver`` has the parameters, its ``State`` the data of
a step. `estimators` and `inner` have the parts that several methods share.
"""

from ..common import parameters, registry


def available() -> list[str]:
    """Names of the known solvers."""
    return list(registry.names(__name__))


def load(name: str):
    """The `Solver` class of that name; an unknown name is an error that lists the known names."""
    return registry.load(__name__, name).Solver


def suits(name: str, problem) -> bool:
    """Whether a solver handles that kind of problem: whether the problem's `family` is among its `families`.

    If a solver `needs` an oracle of a penalty, such as its prox, the penalty of a small problem is checked.
    """
    solver = load(name)
    beside = getattr(problem, "small_constraint", None)
    return problem.family in solver.families and not (beside and lacking(solver, beside))


def check_needs(solver, constraint) -> None:
    """Raise `ValueError` if a set or a penalty lacks an oracle that a solver `needs`."""
    for part in lacking(solver, constraint):
        name, other = (type(x).__module__.rpartition(".")[2].replace("_", "-") for x in (solver, constraint))
        word = "set" if type(constraint).__name__ == "Set" else "penalty"
        raise ValueError(f"{name} needs a {word} with `{part}`, and {other} has none")


def lacking(solver, constraint) -> list[str]:
    """Oracles that a solver (or its class) needs and that this set or penalty lacks."""
    return [part for part in getattr(solver, "needs", ()) if not hasattr(constraint, part)]


def make(name: str, params: dict):
    """A solver with parameters that are checked against the annotations of its `Solver`."""
    return parameters.make(__name__, "Solver", {"name": name, **params})
