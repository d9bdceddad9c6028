"""By how much a sentence is missed: the logarithm of how many times beyond its threshold the curves are."""

import math

from .judging.ranges import ANY, Range, log
from .relations import AtMost, Equal, Less, Order, SlopeAtMost
from .relations.base import Cell, Relation

#: What is missed by more counts as much: never is no number.
WORST = math.log(1e3)


def missed(relation: Relation, cell: Cell) -> float | None:
    """0 where the cell is true, a log ratio where it is false, None where nothing is known.

    Parameters
    ----------
    relation : Relation
    cell : Cell
        Of that relation.

    Returns
    -------
    float or None
        In natural logarithms, at most `WORST`: of the ratio over the threshold for comparisons and bounds, of
        the distance in tolerances for identities and slopes. None too for shapes, which have no distance.
    """
    if cell.verdict is None:
        return None
    if cell.verdict:
        return 0.0
    beyond = _beyond(relation, cell.measured)
    return None if beyond is None else min(max(beyond, 0.0), WORST)


def _beyond(relation, measured):
    """How far beyond the threshold, at the end of the range that is nearest to it."""
    if isinstance(relation, Less) and "ratio" in measured:
        return log(measured["ratio"].low) + math.log(relation.factor)
    if isinstance(relation, Order):
        known = [r for r in measured.values() if r != ANY]
        return max((log(r.low) for r in known), default=0.0) + math.log(relation.factor)
    if isinstance(relation, Equal):
        return _apart(relation, measured)
    if isinstance(relation, AtMost):
        return _over(relation, measured)
    if isinstance(relation, SlopeAtMost):
        return log((measured["slope"].low - relation.order) / relation.within)
    return None


def _apart(relation, measured):
    if relation.to_number:
        return log(measured["largest error"].low / relation.within)
    if "ratio" not in measured:
        return None
    return _nearest_zero(measured["ratio"].mapped(log)) - math.log1p(relation.within or 0.0)


def _nearest_zero(value: Range):
    return 0.0 if value.low <= 0 <= value.high else min(abs(value.low), abs(value.high))


def _over(relation, measured):
    if relation.absolute:
        return log(-measured["least distance to the limit"].low / relation.within)
    share = log(measured["measured / bound"].low)
    return -share if relation.at_least else share
