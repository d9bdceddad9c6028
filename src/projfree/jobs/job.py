"""One job: all seeds of one (experiment, method), each resumable, into one trace file."""

import shutil
import sys
from pathlib import Path

from .. import solvers
from ..engine import metrics
from ..engine.budget import Budget
from ..engine.driver import Setting, drive, prepared
from ..engine.lane import lane
from ..engine.schedule import Schedule
from ..engine.seeds import children
from ..engine.trace import read_seed, write_seed, write_trace
from ..ground import provenance
from ..ground.sealed import atomic_h5, read_h5
from . import instance


def run_job(spec: dict, instance_path, output, *, tuned=None, on_step=None, checkpoint_seconds=None) -> None:
    """Run every seed of a job spec and write the trace.

    Finished seeds and checkpoints live in a folder beside the output until the trace is whole, so that a
    killed job goes on where it was.

    Parameters
    ----------
    spec : dict
        ``paper, experiment, method, run, solver {name, params}, problem, set, budget, records, metrics,
        seeds, lmo_tol``.
    instance_path, output : path
    tuned : dict, optional
        Parameters chosen by tuning; they override the spec's.
    """
    spec, about = with_tuned(spec, tuned), instance.instance_attrs(instance_path)
    key = provenance.digest([spec, about["digest"]])
    folder = Path(output).parent / f".{Path(output).stem}.unfinished"
    folder.mkdir(parents=True, exist_ok=True)
    mixed = _worked_elsewhere(folder)
    traces = []
    for seed in spec["seeds"]:
        traces.append(_seed(spec, instance_path, seed, folder, key, on_step, checkpoint_seconds))
    write_trace(output, {**trace_attrs(spec, about), "mixed_environments": mixed}, traces)
    shutil.rmtree(folder, ignore_errors=True)  # another run of the same job may have been faster


def with_tuned(spec: dict, tuned: dict | None) -> dict:
    """The spec with the parameters that tuning chose, which override its own."""
    if not tuned:
        return spec
    return {**spec, "solver": {**spec["solver"], "params": {**spec["solver"]["params"], **tuned}}}


def job_attrs(spec: dict, instance_path, tuned: dict | None = None) -> dict:
    """Root attributes that the trace of a job will have."""
    return trace_attrs(with_tuned(spec, tuned), instance.instance_attrs(instance_path))


def _worked_elsewhere(folder) -> bool:
    """Whether parts of an unfinished run may come from another machine or other libraries than these."""
    mark, here = folder / "environment", provenance.digest(provenance.decisive(provenance.environment()))
    if not mark.exists():
        fresh = not any(folder.iterdir())
        mark.write_text(here if fresh else "unknown")
    return mark.read_text() != here


def _seed(spec, instance_path, seed, folder, key, on_step, checkpoint_seconds):
    done = _finished(folder / f"seed-{seed}.h5", key)
    if done is not None:
        return done
    problem = instance.load_problem(instance_path, seed, spec)
    setting = make_setting(spec, problem)
    setting.checkpoint, setting.key = folder / f"seed-{seed}.checkpoint.h5", key
    setting.checkpoint_seconds = (
        spec.get("checkpoint_seconds", 30) if checkpoint_seconds is None else checkpoint_seconds
    )
    setting.on_step = on_step
    with lane() as shared:
        trace = run_seed(spec, problem, seed, setting)
        trace.attrs["lane"] = shared()
    with atomic_h5(folder / f"seed-{seed}.h5") as handle:
        handle.attrs["key"] = key
        write_seed(handle.create_group("trace"), trace)
    print(
        f"{spec['experiment']} {spec['method']} seed {seed}: "
        f"{trace.end_status} after {trace.iteration[-1]} iterations"
    )
    return trace


def run_seed(spec: dict, problem, seed: int, setting: Setting):
    """Drive the spec's solver on one problem; warms the compiled kernels first, outside the clock."""
    constraint = instance.make_constraint(spec, problem)
    solver = solvers.make(spec["solver"]["name"], spec["solver"]["params"])
    sequence = children(spec["paper"], spec["instance_of"], seed)[1]
    solver = prepared(solver, problem, constraint)
    warm_up(spec, problem, constraint, solver, sequence)
    trace = drive(problem, constraint, solver, sequence_again(sequence), seed, setting)
    trace.attrs = {"constants": problem.constants, "budget": spec["budget"], "n": problem.n}
    return trace


def warm_up(spec, problem, constraint, solver, sequence):
    """One step without records or checkpoints, so that compiling and loading is outside the clock."""
    setting = Setting(Budget({"iterations": 1, "cpu_seconds": 0.5}), lmo_tol=spec.get("lmo_tol", 1e-3))
    drive(problem, constraint, solver, sequence_again(sequence), -1, setting)


def sequence_again(sequence):
    """A fresh copy of a seed sequence: spawning changes the original."""
    return type(sequence)(entropy=sequence.entropy, spawn_key=sequence.spawn_key)


def make_setting(spec: dict, problem) -> Setting:
    """Budget, records and metrics of a spec for the driver."""
    constraint = instance.make_constraint(spec, problem)
    return Setting(
        budget=Budget.parse(spec["budget"]),
        records=Schedule(**spec.get("records", {})),
        metrics={name: metrics.make(name, problem, constraint) for name in spec["metrics"]},
        lmo_tol=spec.get("lmo_tol", 1e-3),
    )


def trace_attrs(spec: dict, about: dict) -> dict:
    """Root attributes of the trace contract."""
    return {
        **{name: spec[name] for name in ("paper", "experiment", "method", "run")},
        "solver": spec["solver"]["name"],
        "params": spec["solver"]["params"],
        "problem": {
            **spec["problem"],
            **{key: spec[key] for key in ("set", "penalty") if key in spec},
            "generator": spec.get("generator", {}),
        },
        "code_sha256": spec.get("code", ""),
        "git_commit": provenance.git_commit(),
        "environment": provenance.environment(),
        "instance_digest": str(about["digest"]),
        "instance_sha256": str(about["sha256"]),
        "dataset_sha256": str(about["dataset_sha256"]),
        "stand_in": bool(about["stand_in"]),
        "stand_in_note": str(about["stand_in_note"]),
        "spec": spec,
    }


def _finished(path, key):
    """A seed that an earlier, killed job finished with the same code and parameters, or None."""
    try:
        with read_h5(path) as handle:
            return read_seed(handle["trace"]) if handle.attrs["key"] == key else None
    except FileNotFoundError:
        return None
    except (OSError, KeyError, ValueError) as reason:
        print(f"running the seed again: {reason}", file=sys.stderr)
        return None
