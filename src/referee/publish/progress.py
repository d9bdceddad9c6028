"""Status and forecast of a run, from its files and its study."""

import json
import time
from pathlib import Path

from projfree.engine.budget import Budget
from projfree.engine.clock import Clock
from projfree.trace.runs import group_of

from . import costs, kept
from .costs import duration_text

#: Lines of its log that are told of a failed job.
TOLD = 4
#: A checkpoint comes every half minute: a job that wrote nothing for so many seconds is no longer at work.
SILENT = 300


def summary(loaded, root=".") -> str:
    """Finished and remaining work of a run, then running and failed jobs."""
    results = Path(root) / "results" / loaded.run
    traces, solves = results / "traces" / loaded.paper, loaded.solves()
    done = sum((traces / experiment / f"{method}.h5").exists() for experiment, method in solves)
    taken = _taken(loaded, results)
    more = sum(e in taken and not (traces / e / f"{m}.h5").exists() for e, m in solves)
    line = f"{loaded.paper} ({loaded.run}): {done} of {len(solves)} traces done"
    line += f", {more} more taken from elsewhere" if more else ""
    if done + more < len(solves):
        line += f", about {duration_text(3600 * hours_left(loaded, root))} of CPU time left"
    jobs = [_state_of_job(loaded, results, *job) for job in _open_jobs(results, loaded.paper)]
    return "\n".join([line, *sorted(jobs)])


def hours_left(loaded, root=".") -> float:
    """CPU hours of the jobs that have not ended, those under way as if they had just begun."""
    results = Path(root) / "results" / loaded.run
    benchmarks, taken = results / "benchmarks", _taken(loaded, results)
    reference = Path(root) / "reports" / "reference" / loaded.paper
    each = costs.predict(loaded, reference)["each"]
    left = 0.0
    for name, seconds in each.items():
        rule, _, job = name.partition(" ")
        ended = (
            benchmarks / rule / f"{loaded.paper}/{job}.tsv"
            if job
            else benchmarks / rule / f"{loaded.paper}.tsv"
        )
        of_taken = rule in ("tune", "solve", "tidy") and job.split("/")[0] in taken
        left += 0.0 if of_taken or ended.exists() else seconds
    return left / 3600


def _taken(loaded, results):
    """Experiments whose tidy table is kept, was taken from elsewhere, or, of an alternative, is here."""
    tables, traces = results / "evidence" / loaded.paper, results / "traces" / loaded.paper
    found = kept.kept(loaded, results.parents[1], kept.begun(results, loaded.paper))
    return set(found) | {
        name
        for name in loaded.experiments
        if (tables / f"{name}.csv").exists() and ("@" in loaded.run or not any((traces / name).glob("*.h5")))
    }


def forecast(loaded, root=".") -> str:
    """Jobs, CPU time, memory and disk of a run in a line, and on which machine what is known was measured."""
    plan = costs.predict(loaded, Path(root) / "reports" / "reference" / loaded.paper)
    work = f"{duration_text(plan['cpu_seconds'])} of CPU time"
    if plan["unknown"]:
        work += f" by the budgets of {plan['unknown']} jobs"
        work += f", {plan['guessed']} of them guessed" if plan["guessed"] else ""
    disk = f", {plan['disk_mb'] / 1e3:.1f} GB of disk" if plan["disk_mb"] else ""
    memory = f"up to {plan['peak_mb'] / 1e3:.1f} GB of memory a job"
    took = f", in times of {plan['machine']}, where it was measured" if plan["machine"] else ""
    return f"{loaded.paper} ({loaded.run}): {plan['jobs']} jobs, about {work}, {memory}{disk}{took}"


def _open_jobs(results, paper):
    """(rule, job's parts) of jobs that began and have not ended well: of these there is a benchmark file.

    Jobs that run by hand have no log; theirs is the folder of what is unfinished.
    """
    jobs = set()
    for log in costs.files_of(results / "logs", paper, ".log"):
        rule, *job = log.relative_to(results / "logs").with_suffix("").parts
        ended = results / "benchmarks" / log.relative_to(results / "logs").with_suffix(".tsv")
        if not ended.exists() or ended.stat().st_mtime < log.stat().st_mtime:
            jobs.add((rule, *job[1:]))
    for folder in (results / "traces" / paper).glob("*/.*.unfinished"):
        jobs.add(("solve", folder.parent.name, folder.name[1:].removesuffix(".unfinished")))
    return sorted(jobs)


def _state_of_job(loaded, results, rule, *job):
    """One job that has not ended: failed with the end of its log, running with how far it is, or silent."""
    name = f"{rule} {'/'.join(job)}".strip()
    log = results / "logs" / rule / "/".join([loaded.paper, *job])
    log = log.with_name(f"{log.name}.log")
    lines = log.read_text(errors="replace", encoding="utf-8").strip().splitlines() if log.exists() else []
    if any(line.startswith(("Error:", "Traceback")) for line in lines):
        return "\n".join([f"  failed   {name}", *(f"             {line}" for line in lines[-TOLD:])])
    written, how_far = [log], ""
    if rule == "solve":
        folder = results / "traces" / loaded.paper / job[0] / f".{job[1]}.unfinished"
        written, how_far = [log, folder, *folder.glob("*")], _how_far(loaded, folder, *job)
    seconds = time.time() - max(path.stat().st_mtime for path in written if path.exists())
    if seconds > SILENT:
        silent = f"nothing for {seconds / 60:.0f} min"
        return f"  silent   {name}{how_far}: {silent}; if it does not run any more, start the workflow again"
    return f"  running  {name}{how_far}, seen {seconds:.0f} s ago"


def _how_far(loaded, folder, experiment, method):
    """Runs done of a job, and the share of the next one's budget that is spent by its last checkpoint."""
    asked = loaded.runs(experiment, method)
    done = [run for run in asked if (folder / f"{group_of(*run)}.h5").exists()]
    text = f": {len(done)} of {len(asked)} {'runs' if asked[-1][1] else 'seeds'}"
    for checkpoint in folder.glob("seed-*.checkpoint.h5"):
        try:
            text += f", the next at {_share(checkpoint, loaded.budget(experiment, method).plain()):.0%}"
        except (OSError, KeyError, ValueError):  # it was finished, or replaced, just now
            continue
    return text


def _share(checkpoint, budget):
    from projfree.ground.hdf5 import open_h5  # of jobs at work alone; it loads NumPy

    clock = Clock()
    with open_h5(checkpoint) as handle:
        clock.cpu, clock.wall = json.loads(handle.attrs["clock"])
        counts = json.loads(handle.attrs["counts"])
        iteration = json.loads(handle["state/iteration"].attrs["value"])
    return min(1.0, Budget.parse(budget).fraction(iteration, clock, counts))
