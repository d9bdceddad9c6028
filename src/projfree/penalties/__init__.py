"""Penalties, a file each, with ``value`` and ``prox``; how each proximal point is computed is in `prox`.

A penalty is made for a problem: `make` hands it what it needs of it (the size of the gradient at zero for
weights in its units, the data for the trace Lasso). From Python ``penalties.Oscar(lambda1=0.1)`` is an
`Unmade` one, which `minimize` makes for its problem.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from inspect import Signature, signature

import numpy as np

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


@dataclass(frozen=True)
class Unmade:
    """A penalty by its name and parameters, without the problem that it is for."""

    name: str
    params: dict

    def for_problem(self, problem):
        """The penalty itself."""
        return make({"name": self.name, **self.params}, problem)

    def prox(self, p, gamma, *, problem=None, **options):
        """The proximal point of p, of the penalty made for a `problem`.

        Without one the penalty must need no more of it than the shape of its points, those of p.

        Examples
        --------
        >>> import projfree as pf
        >>> pf.penalties.Oscar(lambda1=1.0, lambda2=0.5, units="absolute").prox([3.0, -2.0, 0.1], 0.5).x
        array([ 2. , -1.25, 0. ])
        """
        shape = p.shape if hasattr(p, "shape") else np.shape(p)
        return self.for_problem(problem or Nowhere(self.name, shape)).prox(p, gamma, **options)


class Nowhere:
    """In the place of a problem, where a penalty is made for points of a shape alone."""

    def __init__(self, penalty, shape):
        self.penalty, self.shape = penalty, shape

    def __getattr__(self, name):
        hint = ", or its weights as units='absolute'" if name == "constants" else ""
        raise ValueError(f"{self.penalty} needs `{name}` of a problem: give one as problem=…{hint}")


def unmade(name: str, **params) -> Unmade:
    """The penalty called `name`, checked as far as it can be without a problem."""
    parameters.check(load(name).for_problem, params, 1)
    return Unmade(name, params)


def __getattr__(name: str):
    """What makes an `Unmade`, with the parameters and the text of ``for_problem``."""
    module = registry.named(__name__, name)
    made, given = partial(unmade, module), load(module).for_problem
    made.__doc__, made.__signature__ = given.__doc__, without_first(given)
    return made


def without_first(function) -> Signature:
    """A function's signature but for its first parameter."""
    return Signature(list(signature(function).parameters.values())[1:])


def __dir__() -> list[str]:
    return registry.contents(__name__, "available", "load", "make")
