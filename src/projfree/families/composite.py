"""min g(x) + h(x), g smooth and h a penalty that is reached through its prox."""

from . import Family

FAMILY = Family("composite", constraint="penalty", oracles="composite", metrics="composite")
