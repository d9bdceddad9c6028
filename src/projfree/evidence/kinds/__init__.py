"""Kinds of claims: small functions over panels, found by folder; a claim is one of them with parameters."""

import projfree.evidence.kinds as package
from projfree.ground.registry import discover

from .base import KINDS, Finding, defaults, lookup, signature

discover(package)

__all__ = ["KINDS", "Finding", "defaults", "lookup", "signature"]
