"""One grammar of axes for figures, claims and tables."""

import pandas as pd
import pytest

from referee.evidence.axes import Axis, columns, is_count, limit_on, parse, with_axes
from referee.study.models.experiment import Budget

FRAME = pd.DataFrame({"IFO": [0, 10], "SSO": [0, 5], "prox.tol": [0.5, 1.0], "odd name": [1.0, 2.0]})


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("IFO", Axis((("IFO", "1"),))),
        ("IFO+SSO", Axis((("IFO", "1"), ("SSO", "1")))),
        ("FO+matvec/10", Axis((("FO", "1"), ("matvec", "10")))),
        ("iteration/10", Axis((("iteration", "1"),), "10")),
        ("IFO/n", Axis((("IFO", "1"),), "n")),
        ("(IFO+SSO)/n", Axis((("IFO", "1"), ("SSO", "1")), "n")),
        ("(IFO+SSO/2)/2.5", Axis((("IFO", "1"), ("SSO", "2")), "2.5")),
        ("IFO+SSO/n", Axis((("IFO+SSO/n", "1"),))),  # of what? a column of that name, if there is one
        ("odd name", Axis((("odd name", "1"),))),
    ],
)
def test_parsing(name, expected):
    assert parse(name) == expected
    assert columns(name) == [column for column, _ in expected.terms]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("IFO+SSO", [0, 15]),
        ("IFO+SSO/10", [0, 10.5]),
        ("IFO/n", [0, 2.5]),
        ("(IFO+SSO)/n", [0, 3.75]),
        ("IFO/4", [0, 2.5]),
        ("prox.tol/2", [0.25, 0.5]),
        ("odd name", [1, 2]),
    ],
)
def test_values(name, expected):
    assert with_axes(FRAME, [name], components=4)[name].tolist() == expected


def test_what_cannot_be_formed():
    assert with_axes(FRAME, ["IFO", "IFO+PO", "PO/n"]) is FRAME, "the caller tells what is missing"
    with pytest.raises(ValueError, match="axis 'IFO/n': nothing says n"):
        with_axes(FRAME, ["IFO/n"])


def test_counts_are_told_from_metrics():
    assert is_count("(IFO+SSO)/n") and is_count("matvec") and is_count("FO+matvec/10")
    assert not is_count("cpu_seconds") and not is_count("IFO+cpu_seconds")


def test_where_a_budget_ends():
    budget = Budget(iterations=30, IFO=8, cpu_seconds=None)
    assert (limit_on(budget, "iteration"), limit_on(budget, "iteration/10")) == (30, 3)
    assert limit_on(budget, "IFO") == 8
    assert [limit_on(budget, x) for x in ("IFO/n", "IFO+SSO", "cpu_seconds", "LO")] == [None] * 4
    assert limit_on(None, "LO") is None
