"""Tuning: every solver of a panel searches with the same budget, on a seed of its own; the table is kept
(SPEC-common 0.7).
"""

import json
import math

from ..ground.sealed import atomic_write
from . import instance
from .job import make_setting, run_seed, trace_attrs

#: Each solver's search costs as much CPU as this many of the panel's budgets (five tries of a quarter each).
SEARCH = 1.25


def tune(spec: dict, instance_path, output) -> dict:
    """Search the grid of a job spec on the tuning seed and write what was tried and chosen.

    ``spec["search"]`` holds the ``seed`` (which is not judged), ``pilot`` (a parameter set to the number of
    iterations that fit in the budget) and ``grid``, a list of stages, each one parameter with its values; a
    stage keeps what earlier ones chose.
    """
    search = spec["search"]
    problem = instance.load_problem(instance_path, search["seed"], spec)
    chosen, tried = {}, []
    if "pilot" in search:
        chosen[search["pilot"]] = _pilot(spec, problem)
    trials = sum(len(values) for stage in search.get("grid", []) for values in stage.values())
    for stage in search.get("grid", []):
        ((name, values),) = stage.items()
        results = [_try(spec, problem, {**chosen, name: value}, SEARCH / trials) for value in values]
        tried += results
        stage_best = min(results, key=lambda result: result["value"])
        earlier = [r for r in tried if r not in results]
        best = min([stage_best, *earlier], key=lambda result: result["value"])
        chosen = {**chosen, **best["params"]}
    record = {
        **{key: spec[key] for key in ("experiment", "method")},
        "criterion": search.get("criterion", spec["metrics"][0]),
        "seed": search["seed"],
        "budget": spec["budget"],
        "tried": tried,
        "chosen": chosen,
        "made_from": made_from(spec, instance_path),
    }
    atomic_write(output, lambda part: part.write_text(json.dumps(record, indent=1)))
    return record


def made_from(spec: dict, instance_path) -> dict:
    """What a table of tried values depends on: its job, data and environment, named as in a trace."""
    attrs = trace_attrs(spec, instance.instance_attrs(instance_path))
    names = ("spec", "instance_digest", "instance_sha256", "dataset_sha256", "environment", "git_commit")
    return {name: attrs[name] for name in names}


def _pilot(spec, problem):
    """Iterations that fit in the budget, extrapolated from a quarter of it."""
    if "iterations" in spec["budget"]:
        return int(spec["budget"]["iterations"])
    trace = _run(spec, problem, {}, 0.25)
    return max(1, 4 * trace.iteration[-1])


def _try(spec, problem, params, share):
    trace = _run(spec, problem, params, share)
    values = trace.metrics[spec["search"].get("criterion", spec["metrics"][0])]
    best = min((v for v in values if math.isfinite(v)), default=math.inf)
    value = best if trace.end_status != "diverged" else math.inf
    return {
        "params": params,
        "value": value,
        "iterations": trace.iteration[-1],
        "end_status": trace.end_status,
    }


def _run(spec, problem, params, share):
    """A run of the solver with a share of the budget on the tuning seed."""
    solver = {**spec["solver"], "params": {**spec["solver"]["params"], **params}}
    criterion = spec["search"].get("criterion", spec["metrics"][0])
    stop = spec["budget"].get("stop", {})
    limits = {k: _scaled(k, v, share) for k, v in spec["budget"].items() if k != "stop"}
    metrics = list(dict.fromkeys([criterion, *stop]))
    part = {**spec, "solver": solver, "budget": {**limits, "stop": stop}, "metrics": metrics}
    return run_seed(part, problem, spec["search"]["seed"], make_setting(part, problem))


def _scaled(name, limit, share):
    return limit * share if name.endswith("seconds") else max(1, math.ceil(limit * share))
