"""Objectives over data: value, gradients, constants and metrics; one file a problem, found by folder."""

from .. import registry


def available() -> list[str]:
    """Names of the known problems."""
    return list(registry.names(__name__))


def load(name: str):
    """The `Problem` class of that name; an unknown name is an error that lists the known."""
    return registry.load(__name__, name).Problem
