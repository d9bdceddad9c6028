"""Feasible sets, a file each, with ``lmo, project, contains, diameter, norm_bound, gauge``."""

from __future__ import annotations

from projfree.ground import parameters, registry


def available() -> tuple[str, ...]:
    """Names of all sets."""
    return registry.names(__name__)


def load(name: str) -> type:
    """The class ``Set`` of the file called `name`; an unknown name is an error that lists the known."""
    return registry.load(__name__, name).Set


def make(given: dict):
    """The set ``given = {name, **params}``."""
    return parameters.make(__name__, "Set", given)
