"""min F(x) over a feasible set."""

from . import Family

FAMILY = Family("constrained", constraint="set", oracles="constrained", metrics="constrained")
