import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.evidence.judging.ranges import ANY, Range, above, difference, every, least, median, quotient

ENDS = st.floats(-50, 50)
RANGES = st.tuples(ENDS, ENDS).map(lambda pair: Range(*sorted(pair)))


@given(st.lists(RANGES, min_size=1, max_size=7))
def test_the_median_is_antisymmetric(ranges):
    forth, back = median(ranges), median([Range(-r.high, -r.low) for r in ranges])
    assert (forth.low, forth.high) == (-back.high, -back.low)


def test_what_says_nothing_leaves_the_median():
    assert median([ANY, Range(1, 2), ANY]) == Range(1, 2)
    assert median([ANY]) == ANY and median([]) == ANY
    assert median([Range(-math.inf, 0), Range(math.inf, math.inf)]).low == -math.inf


def test_a_ratio_of_two_that_never_come_is_unknown():
    never = Range(10, math.inf)
    assert quotient(never, never) == Range(0, math.inf)
    assert difference(Range(math.inf, math.inf), Range(math.inf, math.inf)) == ANY
    assert quotient(Range(1, 2), Range(4, math.inf)) == pytest.approx((0, 0.5))
    assert quotient(Range(4, 8), Range(1, 2)) == pytest.approx((2, 8))


@pytest.mark.parametrize(
    ("margin", "truth"),
    [((0.0, 1), True), ((-1, -0.1), False), ((-1, 1), None), ((math.nan, math.nan), None)],
)
def test_three_truths(margin, truth):
    assert above(Range(*margin)) is truth


def test_every_and_least():
    assert every([True, None]) is None and every([None, False]) is False and every([True, True]) is True
    assert least([Range(1, 9), Range(2, 3)]) == Range(1, 3)
