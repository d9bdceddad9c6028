"""What a kind is: a function of (panel, seed, parameters) that returns a `Finding`."""

import inspect
from typing import NamedTuple

from ...ground.names import require

#: Module → name → kind: a paper finds those of its room and of `evidence.kinds` alone.
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
    KINDS.setdefault(function.__module__, {})[function.__name__] = function
    return function


def defaults(function, args: dict) -> dict:
    """`args` with the kind's defaults filled in; unknown and missing parameters are errors."""
    known = dict(list(inspect.signature(function).parameters.items())[2:])  # but panel and seed
    require(args, known, "parameter", f"kind {function.__name__}")
    filled = {key: p.default for key, p in known.items() if p.default is not p.empty} | args
    lacking = [key for key in known if key not in filled]
    if lacking:
        raise ValueError(f"kind {function.__name__}: missing parameter {', '.join(lacking)}")
    return filled
