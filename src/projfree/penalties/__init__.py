"""Penalties, a file each, with ``value`` and ``prox``; how each proximal point is computed is in `prox`.

A penalty is made for a problem: `make` hands it what it needs of it (the size of the gradient at zero for
weights in its units, the data for the trace Lasso).
"""

from __future__ import annotations

import inspect

from projfree.ground import registry


def available() -> tuple[str, ...]:
    """Names of all penalties."""
    return registry.names(__name__)


def load(name: str) -> type:
    """The class ``Penalty`` of the file called `name`; ValueError listing the known names otherwise."""
    return registry.load(__name__, name).Penalty


def make(given: dict, problem):
    """The penalty ``given = {name, **params}`` for a problem; an unknown parameter is an error."""
    params = dict(given)
    name = params.pop("name")
    cls = load(name)
    known = list(inspect.signature(cls.for_problem).parameters)[1:]
    unknown = sorted(set(params) - set(known))
    if unknown:
        raise ValueError(
            f"penalty {name!r} has no parameter {', '.join(unknown)}; known are {', '.join(known)}"
        )
    return cls.for_problem(problem, **params)
