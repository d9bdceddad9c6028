"""Relations: from readings of all seeds of a panel to a cell with its control for each seed."""

import math
from dataclasses import replace
from typing import NamedTuple

from ..judging.ranges import Operand, Range, operand
from ..statistics.base import Reading


class Cell(NamedTuple):
    """The result for one seed of one panel.

    Attributes
    ----------
    truth : bool or None
        None: these curves do not decide it; `reason` says why.
    control : bool or None
        The truth of what has to be false: the claim with its sides exchanged, or of a copy made worse.
    measured : dict
        Words → `Range`.
    hardly : bool
        The effect is there, but smaller than the sentence's "clearly" asks.
    loosely : bool
        A bound holds so loosely that another order would too.
    remedy : str
        What decided it, or was tried, where the sentence's own reading was open.
    """

    truth: bool | None
    control: bool | None
    measured: dict[str, Range]
    reason: str = ""
    hardly: bool = False
    loosely: bool = False
    remedy: str = ""

    @property
    def verdict(self) -> bool | None:
        """Its truth, if the control was refused: a test that accepts both sees no difference."""
        return None if self.truth and self.control is not False else self.truth

    @property
    def why(self) -> str:
        """Why there is no verdict."""
        if self.verdict is not None:
            return ""
        return self.reason or ("its control holds too" if self.truth else "within the resolution")


#: How many times more "clearly", "significantly" and "much" ask for, where the sentence has no number.
CLEARLY = 1.25


class Relation:
    """Base class of relations; the fields of each are its parameters in the YAML."""

    #: Whether the control exchanges the sides (swap), or makes a copy worse (negative).
    control_kind = "negative"
    type = "property"

    @property
    def operands(self) -> list[Operand]:
        """What it reads; nothing known before a panel says what ran, where no methods are named."""
        return [] if self.methods is None else [operand(name) for name in listed(self.methods)]

    def of_all(self, methods: list[str]) -> "Relation":
        """The relation; of all methods that ran if it names none."""
        return replace(self, methods=methods) if getattr(self, "methods", "") is None else self

    def options(self) -> dict:
        """Options for the race: the bound by which values are divided."""
        return {}

    def cells(self, readings: dict[int, Reading]) -> dict[int, Cell]:
        """A cell for each seed."""
        raise NotImplementedError


def listed(value) -> list:
    """A value as a list, unless it is one."""
    return value if isinstance(value, list) else [value]


def positive(name: str, value) -> None:
    """Raise `ValueError` unless a parameter is a positive number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < math.inf:
        raise ValueError(f"{name} is a positive number, not {value!r}")
