"""Counted oracles, a file for each kind of problem that has its own."""

from ...common import registry


def of(family):
    """The class of oracles that serves a family."""
    return registry.load(__name__, family.oracles).Oracles
