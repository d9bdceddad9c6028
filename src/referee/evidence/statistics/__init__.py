"""Statistics of curves, found by folder: what a claim measures. Those of one paper are in its room."""

from .base import lookup, modules, statistics_of

__all__ = ["lookup", "modules", "statistics_of"]
