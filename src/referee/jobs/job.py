"""One job: all seeds of one (experiment, method), each resumable, into one trace file."""

import shutil
import sys
from pathlib import Path

from projfree import solvers
from projfree.common import provenance
from projfree.common.atomic_io import atomic_h5, atomic_write, read_h5
from projfree.common.hashes import digest
from projfree.common.owned import ANY
from projfree.engine import metrics
from projfree.engine.budget import Budget
from projfree.engine.cpu_pinning import lane
from projfree.engine.driver import Setting, drive, prepared
from projfree.engine.schedule import Schedule
from projfree.engine.seeds import children
from projfree.trace.format import read_seed, write_seed, write_trace
from projfree.trace.runs import group_of

from ..common.ours import require
from . import instance

#: Relative residual of the linear oracle where a job names none.
LMO_TOL = 1e-3
#: All that may be in the folder of an unfinished run.
PARTS = ("environment", "seed-*.h5", f".*.{'[0-9a-f]' * 16}.part")


def run_job(job, instance_path, output, *, on_step=None, checkpoint_seconds=30.0) -> None:
    """Run every seed of a job, the first as often as it says, and write the trace.

    Finished runs and checkpoints live in a folder next to the output until the trace is whole, so that a
    killed job continues.

    Parameters
    ----------
    job : referee.study.models.experiment.Job
    instance_path, output : path
    on_step : callable(iteration), optional
    checkpoint_seconds : float
    """
    about = instance.instance_attrs(instance_path)
    key = digest([job.plain(), about["digest"]])
    folder = Path(output).parent / f".{Path(output).stem}.unfinished"
    require(folder, PARTS)  # all of it is removed at the end
    folder.mkdir(parents=True, exist_ok=True)
    mixed = _worked_elsewhere(folder)
    traces = []
    for run in job.runs:
        traces.append(_run(job, instance_path, run, folder, key, on_step, checkpoint_seconds))
    if instance.instance_attrs(instance_path)["sha256"] != about["sha256"]:
        raise ValueError(f"{instance_path}: changed while the job ran; run it again")
    write_trace(output, {**instance.trace_attrs(job, about), "mixed_environments": mixed}, traces)
    shutil.rmtree(folder, ignore_errors=True)  # another run of the same job may have been faster


def with_tuned(job, tuned: dict | None):
    """The job with the parameters that tuning chose, which override its own."""
    if not tuned:
        return job
    params = {**job.solver.params, **tuned}
    return job.model_copy(update={"solver": job.solver.model_copy(update={"params": params})})


def _worked_elsewhere(folder) -> bool:
    """Whether parts of an unfinished run may come from another machine or other libraries than these."""
    mark, here = folder / "environment", digest(provenance.decisive(provenance.environment()))
    if not mark.exists():
        fresh = not any(folder.iterdir())
        atomic_write(mark, here if fresh else "unknown")
    return mark.read_text(encoding="utf-8") != here


def _run(job, instance_path, run, folder, key, on_step, checkpoint_seconds):
    (seed, repetition), name = run, group_of(*run)
    done = _finished(folder / f"{name}.h5", key, run)
    if done is not None:
        return done
    problem = instance.load_problem(instance_path, seed, job.problem.plain())
    setting = make_setting(job, problem)
    setting.checkpoint, setting.key = folder / f"{name}.checkpoint.h5", key
    setting.checkpoint_seconds, setting.on_step = checkpoint_seconds, on_step
    with lane() as shared:
        trace = run_seed(job, problem, seed, setting)
        trace.attrs["lane"], trace.repetition = shared(), repetition
    with atomic_h5(folder / f"{name}.h5", ANY) as handle:
        handle.attrs["key"] = key
        write_seed(handle.create_group("trace"), trace)
    print(
        f"{job.experiment} {job.method} {name.replace('-', ' ')}: "
        f"{trace.end_status} after {trace.iteration[-1]} iterations"
    )
    return trace


def run_seed(job, problem, seed: int, setting: Setting):
    """Drive the job's solver on one problem; warms the compiled kernels first, outside the clock."""
    return run_solver(solvers.make(job.solver.name, job.solver.params), job, problem, seed, setting)


def run_solver(solver, job, problem, seed: int, setting: Setting):
    """The same for a solver instead of the job's."""
    constraint = instance.make_constraint(job, problem)
    sequence = children(job.paper, job.instance_of, seed)[1]
    solver = prepared(solver, problem, constraint)
    warm_up(job, problem, constraint, solver, sequence)
    trace = drive(problem, constraint, solver, sequence_again(sequence), seed, setting)
    trace.attrs = {"constants": problem.constants, "budget": job.budget.plain(), "n": problem.n}
    return trace


def warm_up(job, problem, constraint, solver, sequence):
    """One step without records or checkpoints, so that compiling and loading is outside the clock."""
    setting = Setting(Budget({"iterations": 1, "cpu_seconds": 0.5}), lmo_tol=_tolerance(job))
    drive(problem, constraint, solver, sequence_again(sequence), -1, setting)


def sequence_again(sequence):
    """A fresh copy of a seed sequence: spawning changes the original."""
    return type(sequence)(entropy=sequence.entropy, spawn_key=sequence.spawn_key)


def make_setting(job, problem) -> Setting:
    """Budget, records and metrics of a job for the driver."""
    constraint = instance.make_constraint(job, problem)
    return Setting(
        budget=Budget.parse(job.budget.plain()),
        records=Schedule(**job.records.plain()) if job.records else Schedule(),
        metrics={name: metrics.make(name, problem, constraint) for name in job.metrics},
        lmo_tol=_tolerance(job),
    )


def _tolerance(job) -> float:
    return LMO_TOL if job.lmo_tol is None else job.lmo_tol


def _finished(path, key, run):
    """A run that an earlier, killed job finished with the same code and parameters, or None."""
    try:
        with read_h5(path) as handle:
            if handle.attrs["key"] != key:
                return None
            trace = read_seed(handle["trace"])
        if (trace.seed, trace.repetition) != run:
            raise ValueError(f"{path.name} is of {trace.group}")
        return trace
    except FileNotFoundError:
        return None
    except (OSError, KeyError, ValueError) as reason:
        print(f"running it again: {reason}", file=sys.stderr)
        return None
