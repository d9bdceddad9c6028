"""One job of a probe: all its seeds into one trace file."""

from time import process_time

import numpy as np

from ..engine.oracles.base import TIMERS
from ..engine.seeds import children
from ..engine.trace import SeedTrace, write_trace
from ..ground import parameters, rooms
from . import instance
from .job import trace_attrs


def run_probe(job: dict, instance_path, output) -> None:
    """Run a probe on every seed and write the trace."""
    measure = rooms.load(job["paper"], "probes", job["probe"]["name"]).measure
    traces = [_seed(job, instance_path, seed, measure) for seed in job["seeds"]]
    write_trace(output, probe_attrs(job, instance_path), traces)


def probe_attrs(job: dict, instance_path) -> dict:
    """Root attributes of the trace of a probe, which may have no instance."""
    job = {**job, "solver": job["probe"], "problem": job.get("problem", {}), "set": job.get("set", {})}
    about = instance.instance_attrs(instance_path) if instance_path else {}
    made = {"dataset_sha256": "generated", "digest": "none", "sha256": "none"}
    return trace_attrs(job, {**made, "stand_in": False, "stand_in_note": "", **about})


def _seed(job, instance_path, seed, measure):
    problem = instance.load_problem(instance_path, seed, job) if instance_path else None
    constraint = instance.make_constraint(job, problem) if {"set", "penalty"} & set(job) else None
    rng = np.random.Generator(np.random.PCG64DXSM(children(job["paper"], job["instance_of"], seed)[1]))
    rows = parameters.call(measure, job["probe"]["params"], job, problem, constraint, rng)
    trace, began = SeedTrace(seed), process_time()
    for row in rows:
        spent = process_time() - began
        trace.append(row.iteration, spent, spent, row.counts, dict.fromkeys(TIMERS, 0.0), row.metrics)
    trace.end_status = "iterations"
    trace.attrs = {"constants": problem.constants if problem else {}, "n": problem.n if problem else 0}
    return trace
