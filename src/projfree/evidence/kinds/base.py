"""What a kind is: a function of (panel, seed, parameters) that returns a `Finding`."""

import inspect
from typing import NamedTuple

KINDS = {}
#: Parameters of kinds that hold names of methods: a name, a list of names, or a list of such lists.
METHOD_ARGS = ("a", "b", "method", "methods", "others", "headroom")


class Finding(NamedTuple):
    """What one seed of one panel says.

    Attributes
    ----------
    truth : bool
    measured : dict
        Words → number, the same words for every seed.
    remark : str
        Something that a reader of the verdict has to know, such as a level that was replaced.
    """

    truth: bool
    measured: dict[str, float]
    remark: str = ""


def kind(function):
    """Register a function ``(panel, seed, *, threshold, …) -> Finding`` under its name.

    Every kind has a `threshold`: the number whose halving and doubling is the claim's sensitivity.
    """
    if "threshold" not in inspect.signature(function).parameters:
        raise TypeError(f"kind {function.__name__} has no threshold")
    KINDS[function.__name__] = function
    return function


def lookup(name: str):
    """The kind of that name; an unknown one is an error that lists the known."""
    if name not in KINDS:
        raise ValueError(f"unknown kind {name!r}; known: {', '.join(sorted(KINDS))}")
    return KINDS[name]


def signature(name: str) -> dict[str, inspect.Parameter]:
    """Parameters of a kind beside panel and seed."""
    return dict(list(inspect.signature(lookup(name)).parameters.items())[2:])


def defaults(name: str, args: dict) -> dict:
    """`args` with the kind's defaults filled in; unknown and missing parameters are errors."""
    known = signature(name)
    unknown = sorted(set(args) - set(known))
    if unknown:
        raise ValueError(f"kind {name}: unknown parameter {', '.join(unknown)}; known: {', '.join(known)}")
    filled = {key: p.default for key, p in known.items() if p.default is not p.empty} | args
    lacking = [key for key in known if key not in filled]
    if lacking:
        raise ValueError(f"kind {name}: missing parameter {', '.join(lacking)}")
    return filled
