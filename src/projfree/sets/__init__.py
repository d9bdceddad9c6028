"""Feasible sets, a file each, with ``lmo, project, contains, diameter, norm_bound, gauge``."""

from __future__ import annotations

from projfree.ground import registry


def available() -> tuple[str, ...]:
    """Names of all sets."""
    return registry.names(__name__)


def load(name: str) -> type:
    """The class ``Set`` of the file called `name`; ValueError listing the known names otherwise."""
    return registry.load(__name__, name).Set


def make(given: dict):
    """The set ``given = {name, **params}``."""
    params = dict(given)
    return load(params.pop("name"))(**params)
