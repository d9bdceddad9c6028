"""Relations: what a claim says of its statistics. The name in the YAML → the class with its parameters."""

from .bounds import AtMost, Monotone, SlopeAtMost, Turns
from .comparisons import Equal, Less, Order

RELATIONS = {
    "less": Less,
    "equal": Equal,
    "order": Order,
    "at_most": AtMost,
    "slope_at_most": SlopeAtMost,
    "monotone": Monotone,
    "turns": Turns,
}
