"""Parameters: every kind of annotation, what it refuses, and what is said then."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from projfree import sets
from projfree.common import parameters
from projfree.common.parameters import Count, Fraction, Natural, NotNegative, Positive, Range, Share, checked

INFINITE = Annotated[float, Range(least=0, most=math.inf)]
OPTIONS = Literal["lanczos", "gram"]
#: Annotation, values that fit, values that do not, what is asked for.
KINDS = [
    (int, [0, -3, np.int64(4), 10**400], [True, 1.0, "1", None, np.bool_(True)], "a whole number"),
    (float, [0, -3, 0.5, np.float32(2)], [True, "1", None, math.nan, math.inf, 1j], "a finite number"),
    (bool, [True, False], [0, 1.0, "true", None], "True or False"),
    (str, ["", "a"], [b"a", 1, None], "a string"),
    (dict, [{}, {"a": 1}], [[], None, "a"], "a mapping"),
    (list, [[], (1, "a")], ["ab", None, {1}], "a list"),
    (Any, [None, object()], [], "anything"),
    (np.ndarray, [np.ones(2)], [[1.0, 1.0], 1.0], "of type ndarray"),
    (int | None, [3, None], [3.5, "3"], "a whole number or None"),
    (list[Count], [[], [1, 2], (3,)], [[0], [1, 2.5], 1, "12"], "a list, each a whole number ≥ 1"),
    (tuple[Count, ...], [(), [1, 2, 3]], [[0], 1], "a list, each a whole number ≥ 1"),
    (tuple[Count, str], [[1, "a"]], [[1], [1, "a", 2], ["a", 1]], "a list of (a whole number ≥ 1, a string)"),
    (Count | list[Count], [2, [2]], [0, [0]], "a whole number ≥ 1 or a list, each a whole number ≥ 1"),
    (OPTIONS, ["gram"], ["Gram", "", None, 0], "'lanczos' or 'gram'"),
    (Literal[1, "a"], [1, "a"], [True, 1.0], "1 or 'a'"),
    (Count, [1, 7], [0, -1, 1.5, True], "a whole number ≥ 1"),
    (Natural, [0, 7], [-1, 0.5], "a whole number ≥ 0"),
    (Positive, [1e-300, 2], [0, -1, math.inf, math.nan], "a finite number > 0"),
    (NotNegative, [0, 2.5], [-1e-300, math.inf, math.nan], "a finite number ≥ 0"),
    (Fraction, [1, 0.1], [0, 1.1], "a finite number > 0 and ≤ 1"),
    (Share, [0, 1], [-0.1, 1.1], "a finite number ≥ 0 and ≤ 1"),
    (Annotated[float, Range(above=1, below=2)], [1.5], [1, 2], "a finite number > 1 and < 2"),
    (INFINITE, [0, math.inf], [-1, -math.inf, math.nan], "a number ≥ 0"),
]


@pytest.mark.parametrize(("kind", "good", "bad", "words"), KINDS, ids=[row[3] for row in KINDS])
def test_every_kind_of_annotation(kind, good, bad, words):
    assert [value for value in good if not parameters.fits(value, kind)] == []
    assert [value for value in bad if parameters.fits(value, kind)] == []
    assert parameters.words(kind) == words


UNCHECKED = [Annotated[str, Range(least=0)], dict[str, int], "int", 3, list[dict[str, int]]]


@pytest.mark.parametrize("kind", UNCHECKED)
def test_an_annotation_that_cannot_be_checked_is_told(kind):
    with pytest.raises(TypeError, match="cannot be checked"):
        parameters.words(kind)


limits = st.none() | st.integers(-3, 3) | st.floats(-3, 3)
numbers = st.integers() | st.floats() | st.integers(-4, 4)


@given(least=limits, most=limits, number=numbers)
def test_closed_ranges(least, most, number):
    inside = math.isfinite(number) if isinstance(number, float) else True
    inside &= (least is None or number >= least) and (most is None or number <= most)
    assert parameters.fits(number, Annotated[float, Range(least=least, most=most)]) == inside


@given(above=st.floats(-3, 3), below=st.floats(-3, 3), number=numbers)
def test_open_ranges(above, below, number):
    inside = above < number < below
    assert parameters.fits(number, Annotated[float, Range(above=above, below=below)]) == inside


@given(number=numbers)
def test_a_number_is_either_taken_or_refused_by_name_and_value(number):
    def made():
        return sets.make({"name": "l2_ball", "radius": number})

    if parameters.fits(number, NotNegative):
        assert made().radius == number
        return
    with pytest.raises(ValueError) as error:
        made()
    assert str(error.value).startswith("set 'l2_ball': radius must be a finite number ≥ 0, not ")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"name": "nuclear_bal"}, "sets: unknown name 'nuclear_bal'. Did you mean 'nuclear_ball'"),
        ({"radius": 1}, "sets: unknown name None. Known are: birkhoff,"),
        ({"name": "nuclear_ball"}, "set 'nuclear_ball': radius is missing"),
        (
            {"name": "nuclear-ball", "raduis": 1},
            "set 'nuclear_ball': unknown parameter 'raduis'. Did you mean 'radius'? Known are: linear, rad",
        ),
        ({"name": "l2_ball", "radius": "1"}, "set 'l2_ball': radius must be a finite number ≥ 0, not '1'"),
        (
            {"name": "nuclear_ball", "radius": 1, "linear": "grom"},
            "set 'nuclear_ball': unknown linear 'grom'. Did you mean 'gram'? Known are: gram, lanczos",
        ),
    ],
)
def test_one_form_of_message(given, told):
    with pytest.raises(ValueError) as error:
        sets.make(given)
    assert str(error.value).startswith(told)


def test_what_is_given_is_left_as_it_is():
    given = {"name": "l2_ball", "radius": 2}
    assert sets.make(given).radius == 2 and given == {"name": "l2_ball", "radius": 2}


@checked
@dataclass(frozen=True)
class Ordered:
    """Two sizes, the second not smaller."""

    first: Positive
    second: Positive
    rule: Literal["up", "down"] | None = None

    def __post_init__(self):
        if self.second < self.first:
            raise ValueError("the second is smaller")


@checked
@dataclass(frozen=True)
class Named(Ordered):
    """As well with a name."""

    name: str = ""


@pytest.mark.parametrize("cls", [Ordered, Named])
def test_direct_construction_is_guarded_and_fields_are_compared_after(cls):
    assert cls(1, second=2, rule="up").second == 2 and cls(1.0, 1.0).rule is None
    with pytest.raises(ValueError, match="first must be a finite number > 0, not 0"):
        cls(0, 1)
    with pytest.raises(ValueError, match="second must be a finite number > 0, not 'a'"):
        cls(2, second="a")
    with pytest.raises(ValueError, match="unknown rule 'dwon'. Did you mean 'down'.*are: None, down, up"):
        cls(1, 2, "dwon")
    with pytest.raises(ValueError, match="the second is smaller"):
        cls(2, 1)
    with pytest.raises(TypeError, match="missing"):
        cls(1)


def test_a_guarded_function_keeps_its_face():
    @checked
    def scaled(point, *, by: Positive = 1.0, **rest):
        """A multiple."""
        return point * by, rest

    assert scaled("a", by=3, other=-1) == ("aaa", {"other": -1}) and scaled.__doc__ == "A multiple."
    with pytest.raises(ValueError, match="by must be a finite number > 0, not 0"):
        scaled("a", by=0)


def test_arguments_that_are_no_parameters_cannot_be_given():
    def measure(job, rng, *, steps: Count, source=None, free=None):
        return job, rng, steps, source, free

    found = parameters.call(measure, {"steps": 2, "free": "any"}, "job", "rng", source=1)
    assert found == ("job", "rng", 2, 1, "any")
    for name in ("job", "source"):
        with pytest.raises(ValueError, match=f"unknown parameter '{name}'. Known are: free, steps"):
            parameters.call(measure, {"steps": 2, name: 1}, "job", "rng", source=1)


def test_what_takes_any_name_passes_it_on():
    def made(arrays, *, weight: Literal["sum", "mean"] = "sum", **others):
        return weight, others

    assert parameters.call(made, {"sigma": 1}, {}) == ("sum", {"sigma": 1})
    with pytest.raises(ValueError, match="unknown weight 'max'"):
        parameters.call(made, {"weight": "max", "sigma": 1}, {})
