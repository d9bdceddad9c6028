"""Inner policies of generalised conditional gradient: what is done to an iterate after the atom was added.

A file is a policy: class ``Policy`` with ``start(oracles)`` → the first iterate in the kind that it works on,
and ``reduce(oracles, x)`` → an iterate of no larger ℓ + λρ, with ρ ≥ κ (then the rate holds, gcg Prop. 16).
"""

from __future__ import annotations

import dataclasses

from projfree.ground import registry


def available() -> tuple[str, ...]:
    """Names of the policies."""
    return registry.names(__name__)


def make(params: dict):
    """The policy ``{name, **parameters}``; unknown names or parameters are errors that list the known."""
    params = dict(params)
    name = params.pop("name")
    cls = registry.load(__name__, name).Policy
    known = [entry.name for entry in dataclasses.fields(cls)]
    unknown = sorted(set(params) - set(known))
    if unknown:
        raise ValueError(
            f"reduce {name!r} has no parameter {', '.join(unknown)}; known are {', '.join(known)}"
        )
    return cls(**params)
