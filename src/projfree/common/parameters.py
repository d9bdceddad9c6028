"""Parameters, checked against the annotations of their class or function: names, types, options, ranges.

A set, a penalty, a problem, a solver, a probe or a generator says by its annotations what it accepts::

    radius: NotNegative
    linear: Literal["lanczos", "gram"] = "lanczos"
    batch: Count | None = None

`make` finds one of them by name and makes it of the parameters that a file gives; `checked` guards the same
against Python code. A parameter without annotation passes as it is.
"""

import functools
import inspect
import math
import reprlib
from dataclasses import dataclass, fields, is_dataclass
from numbers import Integral, Real
from operator import attrgetter
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from . import registry
from .names import unknown


@dataclass(frozen=True)
class Range:
    """Numbers ≥ `least` (or > `above`) and ≤ `most` (or < `below`); infinite only if a limit is."""

    least: float | None = None
    most: float | None = None
    above: float = -math.inf
    below: float = math.inf

    def __contains__(self, number) -> bool:
        low = number > self.above if self.least is None else number >= self.least
        return bool(low and (number < self.below if self.most is None else number <= self.most))

    def __str__(self) -> str:
        limits = {">": self.above, "≥": self.least, "<": self.below, "≤": self.most}
        finite = {sign: limit for sign, limit in limits.items() if limit is not None and math.isfinite(limit)}
        return " and ".join(f"{sign} {limit:g}" for sign, limit in finite.items())

    @property
    def finite(self) -> bool:
        """Whether it leaves infinity out."""
        return not {self.least, self.most} & {math.inf, -math.inf}


Positive = Annotated[float, Range(above=0)]
NotNegative = Annotated[float, Range(least=0)]
Fraction = Annotated[float, Range(above=0, most=1)]
Share = Annotated[float, Range(least=0, most=1)]
Count = Annotated[int, Range(least=1)]
Natural = Annotated[int, Range(least=0)]

#: Classes that are called as their module is.
PARTS = ("Set", "Penalty", "Solver")

_WORDS = {bool: "True or False", str: "a string", dict: "a mapping", list: "a list", tuple: "a list"}
_WORDS |= {int: "a whole number", float: "a finite number", NoneType: "None", Any: "anything"}


def make(package: str, part: str, given: dict, *first, **by_name):
    """What the `part` of a module of a package makes of ``given = {name, **params}``.

    Parameters
    ----------
    package : dotted name of the package in which modules are found by name
    part : the class, function or classmethod in the module: ``Set``, ``Penalty.for_problem``
    first, by_name : arguments that are no parameters
    """
    params = dict(given)
    maker = attrgetter(part)(registry.load(package, params.pop("name", None)))
    return call(maker, params, *first, **by_name)


def call(maker, params: dict, *first, **by_name):
    """``maker(*first, **params, **by_name)`` with checked parameters."""
    check(maker, params, len(first), by_name)
    return maker(*first, **params, **by_name)


def check(maker, params: dict, first: int = 0, by_name=()) -> None:
    """ValueError for a parameter that is unknown or missing, or has a value that its annotation rules out.

    Parameters
    ----------
    maker : class, function or bound method
    params : dict
    first, by_name : how many arguments at the beginning, and which others, are no parameters
    """
    entries = list(inspect.signature(maker).parameters.values())[first:]
    known = {e.name: e for e in entries if e.kind != e.VAR_KEYWORD and e.name not in by_name}
    is_open = any(e.kind == e.VAR_KEYWORD for e in entries)
    for name in params:
        if name not in known and not is_open:
            raise ValueError(unknown("parameter", name, known, _subject(maker)))
    for name, entry in known.items():
        if entry.default is entry.empty and name not in params:
            raise ValueError(f"{_subject(maker)}: {name} is missing")
    _check_values(maker, params)


def checked(maker):
    """Decorator of a function or a dataclass: the values of its arguments are checked in every call."""
    function = maker.__init__ if isinstance(maker, type) else maker
    signature = inspect.signature(function)

    @functools.wraps(function)
    def guarded(*args, **kwargs):
        _check_values(maker, signature.bind_partial(*args, **kwargs).arguments)
        return function(*args, **kwargs)

    if function is maker:
        return guarded
    maker.__init__ = guarded
    if maker.__name__ in PARTS:
        maker.__repr__ = _named
    return maker


def _named(part) -> str:
    """``NuclearBall(radius=2.0)`` of the ``Set`` of ``nuclear_ball``: what is not as it would be without."""
    shown = []
    for field in fields(part):
        value = getattr(part, field.name)
        plain = isinstance(value, float | int | str)
        if value is not field.default and not (plain and value == field.default):
            shown.append(f"{field.name}={value!r}")
    return f"{registry.called(type(part).__module__.rpartition('.')[2])}({', '.join(shown)})"


@functools.cache
def annotations(maker) -> dict:
    """Parameter → annotation; those of a dataclass as the module where a field stands understands them."""
    plain = isinstance(maker, type) and not is_dataclass(maker)
    hints = get_type_hints(maker.__init__ if plain else maker, include_extras=True)
    return {name: hints[name] for name in inspect.signature(maker).parameters if name in hints}


def fits(value, kind) -> bool:
    """Whether a value fits an annotation."""
    origin, inside = get_origin(kind), get_args(kind)
    if kind in (int, float):
        return _is_number(value, kind) and value in Range()
    if origin is Annotated:
        return _is_number(value, inside[0]) and all(value in limits for limits in inside[1:])
    if origin is Literal:
        return any(value == option and type(value) is type(option) for option in inside)
    if origin in (Union, UnionType):
        return any(fits(value, each) for each in inside)
    if {kind, origin} & {list, tuple}:
        if not isinstance(value, list | tuple):
            return False
        if len(inside) < 2 or inside[1] is ...:  # list[X] and tuple[X, ...] ask the same of every item
            return all(fits(item, kind) for item in value for kind in inside[:1])
        return len(value) == len(inside) and all(map(fits, value, inside))
    return kind is Any or isinstance(value, kind)


def words(kind) -> str:
    """The requirement of an annotation in words; TypeError for an annotation that `fits` cannot check."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Annotated and inside[0] in (int, float):
        number = "a number" if inside[0] is float and not inside[1].finite else _WORDS[inside[0]]
        return f"{number} {inside[1]}"
    if origin is Literal:
        return " or ".join(map(repr, inside))
    if origin in (Union, UnionType):
        return " or ".join(map(words, inside))
    if origin in (list, tuple):
        if origin is list or inside[1:] == (...,):
            return f"a list, each {words(inside[0])}"
        return f"a list of ({', '.join(map(words, inside))})"
    if kind in _WORDS or (isinstance(kind, type) and origin is None):
        return _WORDS.get(kind) or f"of type {kind.__name__}"
    raise TypeError(f"parameters cannot be checked against {kind}")


def _check_values(maker, params):
    for name, kind in annotations(maker).items():
        if name in params and not fits(params[name], kind):
            subject, value, options = _subject(maker), params[name], _options(kind)
            if options:
                raise ValueError(unknown(name, value, options, subject))
            raise ValueError(f"{subject}: {name} must be {words(kind)}, not {reprlib.repr(value)}")


def _options(kind) -> tuple:
    """All that may be given, where these are options by name (or None); else nothing."""
    inside = get_args(kind)
    if get_origin(kind) is Literal:
        return inside
    literal = [each for each in inside if get_origin(each) is Literal]
    return (*get_args(literal[0]), None) if literal and {*inside} == {literal[0], NoneType} else ()


def _is_number(value, kind):
    """An integer is a float too; True is no number."""
    return isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool)


def _subject(maker) -> str:
    """``set 'simplex'`` for what stands in ``projfree.sets.simplex``; ``loss 'sq'`` for ``losses.SQ``."""
    package, _, name = maker.__module__.rpartition(".")
    if package == __package__.partition(".")[0]:
        package, name = maker.__module__, maker.__name__.lower()
    kind = package.rpartition(".")[2]
    plural = "es" if kind.endswith("sses") else "s"
    kind = f"{kind[:-3]}y" if kind.endswith("ies") else kind.removesuffix(plural)
    return f"{kind} {name!r}".lstrip()
