"""Relations: what a claim says of its statistics. The name in the YAML → the class with its parameters."""

from .bounds import AtMost, SlopeAtMost
from .comparisons import Equal, Less, Order
from .shapes import Monotone, Turns

RELATIONS = {
    "less": Less,
    "equal": Equal,
    "order": Order,
    "at_most": AtMost,
    "slope_at_most": SlopeAtMost,
    "monotone": Monotone,
    "turns": Turns,
}
