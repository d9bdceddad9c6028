"""Objectives over data: value, gradients, constants and metrics; one file a problem, found by folder.

From Python ``problems.MatrixCompletion(arrays)`` is the problem of the file ``matrix_completion``.
"""

from ..common import parameters, registry


def available() -> list[str]:
    """Names of the known problems."""
    return list(registry.names(__name__))


def load(name: str):
    """The `Problem` class of that name; an unknown name is an error that lists the known."""
    return registry.load(__name__, name).Problem


def make(given: dict, arrays: dict, constants: dict | None = None):
    """The problem ``given = {name, **params}`` over the arrays of an instance.

    `constants` are those that were computed for the same arrays before; without them the problem computes
    its own.
    """
    return parameters.make(__name__, "Problem", given, arrays, constants=constants)


def __getattr__(name: str) -> type:
    return load(registry.named(__name__, name))


def __dir__() -> list[str]:
    return registry.contents(__name__, "available", "load", "make")
