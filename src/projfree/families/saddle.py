"""min over x in a feasible set, max over y in the problem's own `dual_set`."""

from . import Family

FAMILY = Family("saddle", constraint="set", oracles="saddle", metrics="saddle")
