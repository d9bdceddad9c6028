"""Measurements that are not one run of a solver; one file a probe, found by folder.

A probe is a function ``measure(job, problem, feasible_set, rng, **params)`` that yields `Row` after `Row`;
`run_probe` writes them as a trace, a record each, so that the evidence reads them like any run.
"""

import inspect
from dataclasses import dataclass, field
from time import process_time

import numpy as np

from .. import registry
from ..engine import instance
from ..engine.driver import children
from ..engine.job import trace_attrs
from ..engine.oracles import TIMERS
from ..engine.trace import SeedTrace, write_trace


@dataclass
class Row:
    """One record of a probe: what was measured, at which count, at what cost."""

    iteration: int
    metrics: dict
    counts: dict = field(default_factory=dict)


def available() -> list[str]:
    """Names of the known probes."""
    return list(registry.names(__name__))


def run_probe(job: dict, instance_path, output) -> None:
    """Run a probe on every seed and write the trace."""
    measure = registry.load(__name__, job["probe"]["name"]).measure
    params = job["probe"]["params"]
    known = list(inspect.signature(measure).parameters)[4:]
    unknown = sorted(set(params) - set(known))
    if unknown:
        raise ValueError(
            f"probe {job['probe']['name']!r} has no parameter {', '.join(unknown)}; "
            f"known are {', '.join(known)}"
        )
    traces = [_seed(job, instance_path, seed, measure, params) for seed in job["seeds"]]
    write_trace(output, probe_attrs(job, instance_path), traces)


def probe_attrs(job: dict, instance_path) -> dict:
    """Root attributes of the trace of a probe, which may have no instance."""
    job = {**job, "solver": job["probe"], "problem": job.get("problem", {}), "set": job.get("set", {})}
    about = instance.instance_attrs(instance_path) if instance_path else {}
    made = {"dataset_sha256": "generated", "digest": "none", "sha256": "none"}
    return trace_attrs(job, {**made, "stand_in": False, "stand_in_note": "", **about})


def _seed(job, instance_path, seed, measure, params):
    problem = instance.load_problem(instance_path, seed, job) if instance_path else None
    feasible_set = instance.make_constraint(job, problem) if {"set", "penalty"} & set(job) else None
    child = children(job["paper"], job["instance_of"], seed)[1]
    trace, began = SeedTrace(seed), process_time()
    for row in measure(job, problem, feasible_set, np.random.Generator(np.random.PCG64DXSM(child)), **params):
        spent = process_time() - began
        trace.append(row.iteration, spent, spent, row.counts, dict.fromkeys(TIMERS, 0.0), row.metrics)
    trace.end_status = "iterations"
    trace.attrs = {"constants": problem.constants if problem else {}, "n": problem.n if problem else 0}
    return trace
