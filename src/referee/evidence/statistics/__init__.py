"""The twelve statistics: what a claim measures of its curves. What does not fit is a metric of a probe."""

from . import courses, records, times, trends, values  # they register themselves
from .base import STATISTICS, lookup

__all__ = ["STATISTICS", "lookup"]
#: What judging depends on.
MODULES = [module.__name__ for module in (courses, records, times, trends, values)]
