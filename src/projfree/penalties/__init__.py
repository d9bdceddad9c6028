"""Penalties, one file each, with ``value`` and ``prox``; `prox` has the algorithms for proximal points.

A penalty is made for a problem: `make` gives it the parts of the problem that it needs (the size of the
gradient at zero for weights in its units, the data for the trace Lasso). ``penalties.Oscar(lambda1=0.1)`` is
`Unmade`: `minimize` makes it for its problem.
"""

from dataclasses import dataclass, field
from functools import partial
from inspect import Signature, signature
from typing import Any

import numpy as np

from projfree.common import parameters, registry


def available() -> tuple[str, ...]:
    """Names of all penalties."""
    return registry.names(__name__)


def load(name: str) -> Any:
    """The class ``Penalty`` of the file called `name`; an unknown name is an error that lists the known."""
    return registry.load(__name__, name).Penalty


def make(definition: dict, problem):
    """The penalty ``definition = {name, **params}`` for a problem."""
    return parameters.make(__name__, "Penalty.for_problem", definition, problem)


@dataclass(frozen=True)
class Unmade:
    """A penalty with its name and parameters, but without its problem."""

    name: str
    params: dict
    made: dict = field(default_factory=dict, repr=False, compare=False)  # shape → what `prox` made for it

    def for_problem(self, problem):
        """The penalty itself."""
        return make({"name": self.name, **self.params}, problem)

    def prox(self, p, gamma, *, problem=None, **options):
        """The proximal point of p for the penalty, made for a `problem`.

        Without a problem, only penalties work that need nothing but the shape of p.

        Examples
        --------
        >>> import projfree as pf
        >>> pf.penalties.Oscar(lambda1=1.0, lambda2=0.5, units="absolute").prox([3.0, -2.0, 0.1], 0.5).x
        array([ 2. , -1.25, 0. ])
        """
        if problem is not None:
            return self.for_problem(problem).prox(p, gamma, **options)
        shape = p.shape if hasattr(p, "shape") else np.shape(p)
        if shape not in self.made:  # checks of parameters take longer than a prox of few entries
            self.made[shape] = self.for_problem(Nowhere(self.name, shape))
        return self.made[shape].prox(p, gamma, **options)


class Nowhere:
    """A substitute for a problem, for penalties that need only the shape of a point."""

    def __init__(self, penalty, shape):
        self.penalty, self.shape = penalty, shape

    def __getattr__(self, name):
        hint = ", or its weights as units='absolute'" if name == "constants" else ""
        raise ValueError(f"{self.penalty} needs `{name}` of a problem: give one as problem=…{hint}")


def unmade(name: str, *arguments, **params) -> Unmade:
    """The penalty called `name`, checked as far as it can be without a problem."""
    maker = load(name).for_problem
    if arguments:
        params = without_first(maker).bind_partial(*arguments, **params).arguments
    parameters.check(maker, params, 1)
    return Unmade(name, params)


def __getattr__(name: str):
    """A function that makes an `Unmade`, with the parameters and the docstring of ``for_problem``."""
    module = registry.named(__name__, name)
    made: Any = partial(unmade, module)
    maker = load(module).for_problem
    made.__doc__, made.__signature__ = maker.__doc__, without_first(maker)
    return made


def without_first(function) -> Signature:
    """A function's signature without its first parameter."""
    return Signature(list(signature(function).parameters.values())[1:])


def __dir__() -> list[str]:
    return registry.contents(__name__, "available", "load", "make")
