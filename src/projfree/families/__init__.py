"""Kinds of problems, a file each: a problem names its own, a solver those that it serves."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Family:
    """A kind of problems; an object that is compared, never its name.

    Attributes
    ----------
    name : str
    constraint : {"set", "penalty"}
        What stands beside the objective, in the word that readers see.
    oracles, metrics : str
        Modules of `engine.oracles` and `engine.metrics` that serve it, found by name, so that no problem
        depends on them.
    """

    name: str
    constraint: Literal["set", "penalty"]
    oracles: str
    metrics: str
