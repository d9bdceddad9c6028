"""Metrics by name, evaluated while the clock stands still; a file for each kind of problem that has its own.

A metric is a function of the iterate; of the method's state or of the tally where it is so marked (`base`).
"""

from ...common import names, registry


def make(name: str, problem, constraint):
    """The metric of that name, the family's or the problem's own; ValueError for one that is not known."""
    known = registry.load(__name__, problem.family.metrics).known(problem, constraint) | problem.metrics
    names.require([name], known, "metric")
    return known[name]
