"""No improvement at all: Algorithm 2 of the gcg paper with Improve = Null."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Policy:
    """Leaves the iterate, a growing list of atoms, as the line search made it."""

    def start(self, oracles):
        """W = 0, no atoms."""
        return oracles.start("atoms")

    def reduce(self, oracles, x):
        """x."""
        return x
