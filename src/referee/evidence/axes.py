"""What figures, claims and tables read of a tidy table: a column, or a sum of columns over divisors.

``LO``, ``IFO+SSO``, ``FO+matvec/10``, ``IFO/n``, ``(IFO+SSO)/n``, with n the components of the experiment's
problem (of a sum without brackets nothing says what is meant). Any other name is a column's.
"""

import re
from dataclasses import dataclass
from functools import cache

import pandas as pd

from projfree.trace.counts import COUNTS

from ..study.models.experiment import Budget

NUMBER = r"\d+(?:\.\d+)?"
TERM = re.compile(rf"([\w.]+)(?:/({NUMBER}))?")
WHOLE = re.compile(rf"(?:\((.+)\)|([\w.]+))/(n|{NUMBER})")
#: The column that a budget calls by another name.
IN_BUDGETS = {"iteration": "iterations"}


@dataclass(frozen=True)
class Axis:
    """A parsed axis: (column, divisor) of each term, and the divisor of their sum."""

    terms: tuple[tuple[str, str], ...]
    divisor: str = "1"


@cache
def parse(name: str) -> Axis:
    """The terms of an axis; a name of another form is a column."""
    whole = WHOLE.fullmatch(name)
    inner, divisor = (whole[1] or whole[2], whole[3]) if whole else (name, "1")
    terms = [TERM.fullmatch(term) for term in inner.split("+")]
    if not all(terms):
        return Axis(((name, "1"),))
    return Axis(tuple((term[1], term[2] or "1") for term in terms), divisor)


def columns(name: str) -> list[str]:
    """Columns that an axis reads."""
    return [column for column, _ in parse(name).terms]


def is_count(name: str) -> bool:
    """Whether an axis counts oracle calls."""
    return set(columns(name)) <= set(COUNTS)


def with_axes(frame: pd.DataFrame, names, components: int | None = None) -> pd.DataFrame:
    """The frame with a column for each axis that it can form; axes with an unknown column are left out.

    Raises
    ------
    ValueError
        For ``/n`` where nothing says what n is.
    """
    known = set(frame)
    formed = [name for name in names if name not in known and known.issuperset(columns(name))]
    return frame.assign(**{name: _evaluate(frame, name, components) for name in formed}) if formed else frame


def _evaluate(frame, name, components):
    axis = parse(name)
    divisor = components if axis.divisor == "n" else float(axis.divisor)
    if not divisor:
        raise ValueError(f"axis {name!r}: nothing says n, which are the `components` of a panel")
    return sum(frame[column] / float(divisor) for column, divisor in axis.terms) / divisor


def limit_on(budget: Budget | None, name: str) -> float | None:
    """Where a budget ends on an axis; None where it says nothing of it."""
    axis = parse(name)
    column, _ = axis.terms[0]
    stated = budget.limits.get(IN_BUDGETS.get(column, column)) if budget else None
    plain = axis.terms == ((column, "1"),) and axis.divisor != "n"
    return stated / float(axis.divisor) if stated and plain else None
