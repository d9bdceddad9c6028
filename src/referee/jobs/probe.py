"""One job of a probe: all its seeds into one trace file."""

from time import process_time

import numpy as np

from projfree.common import parameters
from projfree.engine.oracles.base import TIMERS
from projfree.engine.seeds import children
from projfree.trace.format import SeedTrace, write_trace

from ..common import rooms
from . import instance


def run_probe(job, instance_path, output) -> None:
    """Run a probe on every seed and write the trace."""
    measure = rooms.load(job.paper, "probes", job.probe.name).measure
    traces = [_seed(job, instance_path, seed, measure) for seed in job.seeds]
    write_trace(output, instance.job_attrs(job, instance_path), traces)


def _seed(job, instance_path, seed, measure):
    problem = instance.load_problem(instance_path, seed, job.problem.plain()) if instance_path else None
    constraint = instance.make_constraint(job, problem) if job.set or job.penalty else None
    rng = np.random.Generator(np.random.PCG64DXSM(children(job.paper, job.instance_of, seed)[1]))
    rows = parameters.call(measure, job.probe.params, job, problem, constraint, rng)
    trace, began = SeedTrace(seed), process_time()
    for row in rows:
        spent = process_time() - began
        trace.append(row.iteration, spent, spent, row.counts, dict.fromkeys(TIMERS, 0.0), row.metrics)
    trace.end_status = "iterations"
    trace.attrs = {"constants": problem.constants if problem else {}, "n": problem.n if problem else 0}
    return trace
