"""Feasible sets, one file each, with ``lmo, support, contains, gauge, diameter, norm_bound``.

Most sets also have ``project``. ``sets.NuclearBall(2.0)`` makes the set of the file ``nuclear_ball``.

    >>> import projfree as pf
    >>> ball = pf.sets.L1Ball(2.0)
    >>> ball.lmo([3.0, -4.0]), ball.support([3.0, -4.0])
    (array([0., 2.]), 8.0)
    >>> ball.project([3.0, -4.0]), ball.contains([3.0, -4.0]), ball.gauge([3.0, -4.0])
    (array([ 0.5, -1.5]), False, 7.0)
"""

from projfree.common import parameters, registry


def available() -> tuple[str, ...]:
    """Names of all sets."""
    return registry.names(__name__)


def load(name: str) -> type:
    """The class ``Set`` of the file called `name`; an unknown name is an error that lists the known names."""
    return registry.load(__name__, name).Set


def make(definition: dict):
    """The set ``definition = {name, **params}``."""
    return parameters.make(__name__, "Set", definition)


def __getattr__(name: str) -> type:
    return load(registry.named(__name__, name))


def __dir__() -> list[str]:
    return registry.contents(__name__, "available", "load", "make")
