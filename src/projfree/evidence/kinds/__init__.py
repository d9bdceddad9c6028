"""Kinds of claims: small functions over panels, found by folder; a claim is one of them with parameters.

Here are those that several papers use; those of one paper stand in its room.
"""

from functools import cache
from importlib import import_module

from ...ground import rooms
from ...ground.names import require
from .base import KINDS


def modules(paper: str) -> list[str]:
    """Modules with the kinds that a paper may use; judging depends on them, though nothing imports them."""
    return rooms.every(paper, "kinds")


@cache
def kinds_of(paper: str) -> dict:
    """The kinds that a paper may use, by name."""
    found = {}
    for name in modules(paper):
        import_module(name)
        for kind, function in KINDS.get(name, {}).items():
            if kind in found:
                raise ValueError(f"{name}: {found[kind].__module__} has a kind {kind!r} too")
            found[kind] = function
    return found


def lookup(name: str, paper: str):
    """The kind of that name; an unknown one is an error that lists the known."""
    known = kinds_of(paper)
    require([name], sorted(known), "kind")
    return known[name]
