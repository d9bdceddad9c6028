"""min ℓ(W) + λκ(W), κ an atomic penalty that is reached through its polar."""

from . import Family

FAMILY = Family("regularised", constraint="penalty", oracles="regularised", metrics="regularised")
