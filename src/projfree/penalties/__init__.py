"""Penalties, a file each, with ``value`` and ``prox``; how each proximal point is computed is in `prox`.

A penalty is made for a problem: `make` hands it what it needs of it (the size of the gradient at zero for
weights in its units, the data for the trace Lasso).
"""

from __future__ import annotations

from projfree.ground import parameters, registry


def available() -> tuple[str, ...]:
    """Names of all penalties."""
    return registry.names(__name__)


def load(name: str) -> type:
    """The class ``Penalty`` of the file called `name`; an unknown name is an error that lists the known."""
    return registry.load(__name__, name).Penalty


def make(given: dict, problem):
    """The penalty ``given = {name, **params}`` for a problem."""
    return parameters.make(__name__, "Penalty.for_problem", given, problem)
