"""Inner policies of generalised conditional gradient: what is done to an iterate after the atom was added.

A file is a policy: class ``Policy`` with ``start(oracles)`` → the first iterate in the kind that it works on,
and ``reduce(oracles, x)`` → an iterate of no larger ℓ + λρ, with ρ ≥ κ (then the rate holds, gcg Prop. 16).
"""

from __future__ import annotations

from projfree.common import parameters, registry


def available() -> tuple[str, ...]:
    """Names of the policies."""
    return registry.names(__name__)


def make(params: dict):
    """The policy ``{name, **parameters}``, checked against the annotations of its `Policy`."""
    return parameters.make(__name__, "Policy", params)
