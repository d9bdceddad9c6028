"""Tuning: every solver of a panel searches with the same budget, on a seed of its own; the table is kept."""

import json
import math

from ..ground.sealed import atomic_write
from . import instance
from .attributes import job_attrs
from .job import make_setting, run_seed, with_tuned

#: Each solver's search costs as much CPU as this many of the panel's budgets (five tries of a quarter each).
SEARCH = 1.25


def tune(job, instance_path, output) -> dict:
    """Search the grid of a job on the tuning seed and write what was tried and chosen.

    ``job.search`` holds the ``seed`` (which is not judged), ``pilot`` (a parameter set to the number of
    iterations that fit in the budget) and ``grid``, a list of stages, each one parameter with its values; a
    stage keeps what earlier ones chose.
    """
    search = job.search
    problem = instance.load_problem(instance_path, search.seed, job.problem.plain())
    chosen, tried = {}, []
    if search.pilot:
        chosen[search.pilot] = _pilot(job, problem)
    trials = sum(len(values) for stage in search.grid for values in stage.values())
    for stage in search.grid:
        ((name, values),) = stage.items()
        results = [_try(job, problem, {**chosen, name: value}, SEARCH / trials) for value in values]
        tried += results
        stage_best = min(results, key=lambda result: result["value"])
        earlier = [r for r in tried if r not in results]
        best = min([stage_best, *earlier], key=lambda result: result["value"])
        chosen = {**chosen, **best["params"]}
    record = {
        "experiment": job.experiment,
        "method": job.method,
        "criterion": _criterion(job),
        "seed": search.seed,
        "budget": job.budget.plain(),
        "tried": tried,
        "chosen": chosen,
        "made_from": made_from(job, instance_path),
    }
    atomic_write(output, json.dumps(record, indent=1))
    return record


def made_from(job, instance_path) -> dict:
    """What a table of tried values depends on: its job, data and environment, named as in a trace."""
    attrs = job_attrs(job, instance_path)
    names = ("spec", "instance_digest", "instance_sha256", "dataset_sha256", "environment", "git_commit")
    return {name: attrs[name] for name in names}


def _criterion(job) -> str:
    return job.search.criterion or job.metrics[0]


def _pilot(job, problem):
    """Iterations that fit in the budget, extrapolated from a quarter of it."""
    if job.budget.iterations is not None:
        return job.budget.iterations
    trace = _run(job, problem, {}, 0.25)
    return max(1, 4 * trace.iteration[-1])


def _try(job, problem, params, share):
    trace = _run(job, problem, params, share)
    values = trace.metrics[_criterion(job)]
    best = min((v for v in values if math.isfinite(v)), default=math.inf)
    value = best if trace.end_status != "diverged" else math.inf
    return {
        "params": params,
        "value": value,
        "iterations": trace.iteration[-1],
        "end_status": trace.end_status,
    }


def _run(job, problem, params, share):
    """A run of the solver with a share of the budget on the tuning seed."""
    limits = {k: _scaled(k, v, share) for k, v in job.budget.plain().items() if k != "stop"}
    metrics = list(dict.fromkeys([_criterion(job), *(job.budget.stop or {})]))
    less = {"budget": job.budget.model_copy(update=limits), "metrics": metrics}
    part = with_tuned(job, params).model_copy(update=less)
    return run_seed(part, problem, job.search.seed, make_setting(part, problem))


def _scaled(name, limit, share):
    return limit * share if name.endswith("seconds") else max(1, math.ceil(limit * share))
