"""By how much a sentence is missed, on cells with known numbers."""

import math

import pytest

from referee.evidence.inverse import WORST, missed
from referee.evidence.judging.ranges import Range
from referee.evidence.relations import AtMost, Equal, Less, Monotone, Order, SlopeAtMost
from referee.evidence.relations.base import Cell

LESS = Less("a", "b", factor=2)
FAR = Range(3.0, 5.0)


@pytest.mark.parametrize(
    ("relation", "measured", "times"),
    [
        (LESS, {"ratio": FAR}, 6),  # of a range the nearer end
        (Order(["a", "b", "c"]), {"a / b": Range.of(0.5), "b / c": FAR}, 3),
        (Equal("b", "a", within=1), {"ratio": Range(0.05, 0.1)}, 5),
        (Equal("b", "a", within=1), {"ratio": FAR}, 1.5),
        (Equal(1.0, "a", within=0.1), {"largest error": FAR}, 30),
        (AtMost(2.0), {"measured / bound": Range.of(4.0)}, 4),
        (AtMost(2.0, at_least=True), {"measured / bound": Range.of(0.25)}, 4),
        (AtMost(0, within=0.5), {"least distance to the limit": Range.of(-2.0)}, 4),
        (SlopeAtMost(order=1, within=0.25), {"slope": Range.of(2.0)}, 4),
        (LESS, {"ratio": Range(1e9, math.inf)}, math.exp(WORST)),
    ],
)
def test_a_false_cell_is_missed_by_how_many_times_it_is_beyond(relation, measured, times):
    assert missed(relation, Cell(False, False, measured)) == pytest.approx(math.log(times))


@pytest.mark.parametrize(
    ("relation", "cell", "expected"),
    [
        (LESS, Cell(True, False, {"ratio": FAR}), 0),
        (LESS, Cell(None, None, {"ratio": FAR}), None),  # open
        (LESS, Cell(True, True, {"ratio": FAR}), None),  # its control holds too
        (LESS, Cell(False, False, {"ratio": Range.of(0.49)}), 0),  # false by its scatter alone
        (LESS, Cell(False, False, {"difference": FAR}), None),  # a difference has no size of its own
        (Monotone("a"), Cell(False, False, {"rise": FAR}), None),
    ],
)
def test_what_is_true_open_or_without_a_distance(relation, cell, expected):
    assert missed(relation, cell) == expected
