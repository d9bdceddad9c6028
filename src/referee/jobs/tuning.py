"""Tuning: every method searches its grid on a seed of its own, each try with the same share of the budget.

The best try has the lowest criterion at the end, or, if the budget ends runs at a level of the criterion, how
much of the budget a run took to that level; no try goes on for longer than the best so far took. The method's
default is also tried; a grid with its best value at its edge goes on by its own ratio; and equal values on a
whole grid mean that the parameter has no effect. The table of tries says all that.
"""

import dataclasses
import json
import math

from projfree import solvers
from projfree.common.atomic_io import atomic_write
from projfree.engine.clock import Clock
from projfree.engine.cpu_pinning import lane
from projfree.engine.schedule import Schedule

from . import instance
from .job import make_setting, run_seed, with_tuned

#: Values of a grid whose results differ by less, relatively, are a tie.
TIE = 1e-9


def tune(job, instance_path, output) -> dict:
    """Search the grid of a job on the tuning seed and write the tries and the choice.

    ``job.search`` holds the ``seed`` (which is not judged), ``pilot`` (a parameter set to the number of
    iterations that fit in the budget), ``grid``, a list of stages, each one parameter with its values, and
    ``extensions``, how often a grid may grow; a stage keeps earlier choices.

    Returns
    -------
    dict
        The table: ``tried`` (parameters, ``value`` of the criterion at the end, the ``share`` of the budget
        that was spent, why the run ended), ``chosen``, and of each stage its ``parameter``, ``default``,
        ``best``, whether the best is ``interior`` (None where values have no order), whether all are a
        ``tie``, and by how many values the grid was ``extended``. ``untuned`` says which parameters the
        criterion does not see.
    """
    search = job.search
    bench = _Bench(job, instance.load_problem(instance_path, search.seed, job.problem.plain()))
    chosen = {search.pilot: bench.pilot()} if search.pilot else {}
    stages = []
    for stage in search.grid:
        ((name, values),) = stage.items()
        stages.append(_searched(bench, chosen, name, values, search.extensions))
        if not stages[-1]["tie"]:
            chosen = {**chosen, name: stages[-1]["best"]}
    record = {
        "experiment": job.experiment,
        "method": job.method,
        "criterion": bench.criterion,
        "seed": search.seed,
        "budget": job.budget.plain(),
        "share_of_budget": search.share or 1,
        "stages": stages,
        "untuned": [stage["parameter"] for stage in stages if stage["tie"]],
        "tried": list(bench.tried.values()),
        "chosen": chosen,
        "made_from": made_from(job, instance_path),
    }
    atomic_write(output, json.dumps(record, indent=1), mark(job))
    return record


def mark(job) -> bytes:
    """The pattern of tables of tried values of the same method, see `projfree.common.owned`."""
    return rb'\{\s*"experiment": "%s",\s*"method": "%s"' % (job.experiment.encode(), job.method.encode())


def made_from(job, instance_path) -> dict:
    """The inputs of a table of tried values: its job, data and environment, named as in a trace."""
    attrs = instance.job_attrs(job, instance_path)
    names = ("spec", "instance_digest", "instance_sha256", "dataset_sha256", "environment", "git_commit")
    return {name: attrs[name] for name in names}


class _Bench:
    """Runs of the job's solver on the tuning seed; what was tried once is not run again."""

    def __init__(self, job, problem):
        self.job, self.problem = job, problem
        self.criterion = job.search.criterion or job.metrics[0]
        self.defaults = _defaults(job)
        self.level = (job.budget.stop or {}).get(self.criterion)
        self.share = job.search.share or 1.0  # of the budget, which a try has
        self.tried = {}

    def value(self, params) -> float:
        """The value to minimise: the criterion at the end, infinite if the run diverged.

        A run that stopped at a level counts below that: by the level times its share of the budget.
        """
        key = json.dumps({**self.defaults, **params}, sort_keys=True, default=str)
        if key not in self.tried:
            self.tried[key] = self._try(params)
        found = self.tried[key]
        return self.level * found["share"] if self._arrived(found["value"]) else found["value"]

    def _arrived(self, value) -> bool:
        return self.level is not None and value <= self.level

    def pilot(self) -> int:
        """Iterations that fit in the budget, extrapolated from a quarter of what a try has."""
        if self.job.budget.iterations is not None:
            return self.job.budget.iterations
        share = 0.25 * self.share
        trace, _ = self._run({}, share)
        return max(1, round(trace.iteration[-1] / share))

    def _try(self, params):
        trace, spent = self._run(params, self.share)
        end = trace.metrics[self.criterion][-1]
        failed = trace.end_status == "diverged" or not math.isfinite(end)
        if self._arrived(end):
            self.share = min(self.share, spent)
        return {
            "params": params,
            "value": math.inf if failed else end,
            "share": spent,
            "iterations": trace.iteration[-1],
            "end_status": trace.end_status,
        }

    def _run(self, params, share):
        """The trace of a run with a share of the budget, and the share of all of it that was spent."""
        job = self.job
        limits = {
            k: (v * share if k.endswith("seconds") else max(1, math.ceil(v * share)))
            for k, v in job.budget.plain().items()
            if k != "stop"
        }
        metrics = list(dict.fromkeys([self.criterion, *(job.budget.stop or {})]))
        less = {"budget": job.budget.model_copy(update=limits), "metrics": metrics}
        part = with_tuned(job, params).model_copy(update=less)
        setting = make_setting(part, self.problem)
        if self.level is None:  # only the end counts, and metrics cost as much as steps
            setting.records = Schedule(ratio=2)
        with lane():
            trace = run_seed(part, self.problem, job.search.seed, setting)
        clock = Clock(trace.cpu_seconds[-1], trace.wall_seconds[-1])
        counts = {name: values[-1] for name, values in trace.oracles.items()}
        return trace, share * setting.budget.fraction(trace.iteration[-1], clock, counts)


def _searched(bench, chosen, name, values, extensions):
    """The stage of one parameter: its grid with the default, grown while the best stands at its edge."""
    default = bench.defaults.get(name)
    grid = [default, *(value for value in values if value != default)]
    found = [bench.value({**chosen, name: value}) for value in grid]
    tie, extended = (len(found) > 1 and math.isclose(min(found), max(found), rel_tol=TIE)), 0
    while not tie and extended < extensions:
        value = _beyond(grid, grid[found.index(min(found))])
        if value is None or not _allowed(bench.job, {**chosen, name: value}):
            break
        grid.append(value)
        found.append(bench.value({**chosen, name: value}))
        extended += 1
    best = default if tie else grid[found.index(min(found))]
    return {
        "parameter": name,
        "default": default,
        "best": best,
        "interior": _interior(grid, best),
        "tie": tie,
        "extended": extended,
    }


def _defaults(job) -> dict:
    """Parameters that the solver has without tuning."""
    fields = dataclasses.fields(solvers.load(job.solver.name))
    known = {field.name: field.default for field in fields if field.default is not dataclasses.MISSING}
    return {**known, **job.solver.params}


def _ordered(grid) -> list:
    """Values of the grid that have an order by ratio: positive numbers, sorted."""
    return sorted(v for v in grid if isinstance(v, int | float) and not isinstance(v, bool) and v > 0)


def _interior(grid, best) -> bool | None:
    ordered = _ordered(grid)
    if best not in ordered or isinstance(best, bool) or len(ordered) < 2:
        return None
    return ordered[0] < best < ordered[-1]


def _beyond(grid, best):
    """The value beyond the edge at which the best stands, by the grid's own ratio there; None inside."""
    ordered = _ordered(grid)
    if _interior(grid, best) is not False:
        return None
    value = best**2 / ordered[1] if best == ordered[0] else best**2 / ordered[-2]
    if all(isinstance(v, int) for v in ordered):
        value = round(value)
        return None if value in (0, best) else value
    return float(f"{value:.6g}")


def _allowed(job, params) -> bool:
    """Whether the solver takes the parameters: a grid ends where their range does."""
    try:
        solvers.make(job.solver.name, {**job.solver.params, **params})
    except ValueError:
        return False
    return True
