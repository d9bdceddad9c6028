"""Measurements that are not one run of a solver: what those of several papers share.

A probe is a file of a paper's room (``papers/<name>/probes``), or of this folder where two papers use it. Its
function ``measure(job, problem, constraint, rng, **params)`` yields `Row` after `Row`; `jobs.probe` writes
them as a trace, a record each, so that the evidence reads them like any run.
"""

from dataclasses import dataclass, field


@dataclass
class Row:
    """One record of a probe: what was measured, at which count, at what cost."""

    iteration: int
    metrics: dict
    counts: dict = field(default_factory=dict)
