"""min F(x) over a feasible set, F strongly convex with modulus ``mu`` among its constants."""

from . import Family

FAMILY = Family("strongly_convex", constraint="set", oracles="constrained", metrics="constrained")
