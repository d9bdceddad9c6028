"""Status and forecast of a run, from its files and its study."""

import json
import time
from pathlib import Path
from statistics import median

from projfree.engine.budget import Budget
from projfree.engine.clock import Clock
from projfree.trace.runs import group_of

from .. import study
from ..common.project import project_root
from ..jobs.store import FOLDER, Store, data_of, origin
from ..study.files import stores
from . import costs, records
from .costs import duration_text
from .records import index

#: Lines of its log that are told of a failed job.
TOLD = 4
#: A checkpoint comes every half minute: a job that wrote nothing for so many seconds is no longer at work.
SILENT = 300


def finished(loaded, work) -> set[tuple[str, str]]:
    """(experiment, method) of each run of a study whose trace is in the store already."""
    shelf, there = Store(Path(work) / "results" / FOLDER), set()
    base = study.load(loaded.paper, loaded.tuned_in) if loaded.tuned_in != loaded.run else loaded
    about = {name: _origin(loaded, name, Path(work)) for name in loaded.experiments}
    for experiment, method in [pair for pair in loaded.solves() if about[pair[0]] is not None]:
        tuning = None
        if base is not loaded and loaded.searches(experiment, method):
            tuning = shelf.tuning_place(base.job(experiment, method), _origin(base, experiment, Path(work)))
            if not tuning.exists():
                continue
        if shelf.found(loaded.job(experiment, method), about[experiment], tuning, Path.exists):
            there.add((experiment, method))
    return there


def _origin(loaded, experiment, work):
    """What a run knows of its instance; None where its data is not prepared yet."""
    if not loaded.needs_instance(experiment):
        return origin({}, "generated")
    source, dataset = loaded.instance_of(experiment), loaded.dataset(experiment)
    path = work / "data" / "prepared" / f"{dataset}.h5"
    if dataset and not path.exists():
        return None
    return origin(loaded.recipe(source).plain(), data_of(path if dataset else None))


def remaining(loaded, work=".", published=False) -> dict:
    """What of a run is left: ``runs`` of ``all``, those ``taken`` from published tables, costs as `predict`.

    The one account of it, for a plan before the run and a status during it.
    """
    root = project_root()
    plan = costs.predict(loaded, root / "reports" / "reference" / loaded.paper)
    taken = set(records.published(loaded, root, work)) if published else set()
    there = [index(folder) for folder in stores(root, loaded.paper, loaded.run)] if published else []
    other = {name for one in there if one.get("run") == loaded.run for name in one["panels"]} - taken
    every, done = loaded.solves(), finished(loaded, work)
    left = [(e, m) for e, m in every if (e, m) not in done and e not in taken]
    unit_of = {e: unit for unit, members in loaded.units().items() for e in members}
    here = costs.paces(Path(work) / "results" / loaded.run / "benchmarks", loaded.paper, plan["each"])
    pace, seconds = median(here.values()) if here else 1.0, 0.0
    for experiment, method in left:
        name = f"solve {experiment}/{method}"
        if loaded.experiment(experiment).bundle:
            name = f"evidence {unit_of[experiment]}"
        share = sum(pair in left for pair in every if unit_of[pair[0]] == unit_of[experiment])
        seconds += pace * plan["each"][name] / (share if name.startswith("evidence") else 1)
    counts = {"runs": len(left), "all": len(every), "taken": sum(e in taken for e, _ in every)}
    return {**plan, **counts, "other": len(other), "here": len(here), "pace": pace, "cpu_seconds": seconds}


def shortest(loaded, work=".", seconds=60.0) -> list[str]:
    """What the shortest jobs of a run make that are not made and whose data is here: one, or more."""
    each, there = costs.predict(loaded, project_root() / "reports" / "reference" / loaded.paper)["each"], []
    done, results = finished(loaded, work), f"results/{loaded.run}"
    for unit, experiments in loaded.units().items():
        pairs = [(e, m) for e in experiments for m in loaded.experiment(e).run_here]
        bundle = loaded.experiment(experiments[0]).bundle
        jobs = [pairs] if bundle else [[pair] for pair in pairs]
        if any(_origin(loaded, e, Path(work)) is None for e in experiments):
            continue
        for runs in (job for job in jobs if not {*job} <= done):
            (e, m), *_ = runs
            name, place = f"solve {e}/{m}", f"{results}/traces/{loaded.paper}/{e}/{m}.h5"
            if bundle:
                name, place = f"evidence {unit}", f"{results}/evidence/{loaded.paper}/{unit}"
            there.append((each[name], place))
    there.sort()
    total = [sum(cost for cost, _ in there[: k + 1]) for k in range(len(there))]
    return [place for k, (_, place) in enumerate(there) if k == 0 or total[k] <= seconds]


def summary(loaded, root=".", published=False) -> str:
    """Finished and remaining work of a run, then running and failed jobs."""
    results, left = Path(root) / "results" / loaded.run, remaining(loaded, root, published)
    done = left["all"] - left["runs"] - left["taken"]
    line = f"{loaded.paper} ({loaded.run}): {done} of {left['all']} runs done"
    line += f", {left['taken']} taken from published tables" if left["taken"] else ""
    if left["runs"]:
        line += f", {left['runs']} left: about {duration_text(left['cpu_seconds'])} of CPU time"
    jobs = set()  # that began and have not ended well: of these there is a benchmark file
    for log in costs.files_of(results / "logs", loaded.paper, ".log"):
        rule, *job = log.relative_to(results / "logs").with_suffix("").parts
        ended = results / "benchmarks" / log.relative_to(results / "logs").with_suffix(".tsv")
        if not ended.exists() or ended.stat().st_mtime < log.stat().st_mtime:
            jobs.add((rule, *job[1:]))
    return "\n".join([line, *sorted(_state_of_job(loaded, results, *job) for job in jobs)])


def forecast(loaded, root=".", published=False) -> str:
    """Runs, CPU time, memory and disk of what is left of a run, and where what is known was measured."""
    plan = remaining(loaded, root, published)
    work = f"about {duration_text(plan['cpu_seconds'])} of CPU time"
    if plan["unknown"]:
        work += f" by the budgets of {plan['unknown']} jobs"
        work += f", {plan['guessed']} of them guessed" if plan["guessed"] else ""
    taken = f", {plan['taken']} taken from published tables" if plan["taken"] else ""
    if plan["other"]:
        taken += f" ({plan['other']} published panels are of other code or settings)"
    disk = f", {plan['disk_mb'] / 1e3:.1f} GB of disk" if plan["disk_mb"] else ""
    memory = f"up to {plan['peak_mb'] / 1e3:.1f} GB of memory a job"
    took = f", in times of {plan['machine']}, where it was measured" if plan["machine"] else ""
    if plan["here"]:
        took += f", times {plan['pace']:.2f}: so long took {plan['here']} jobs that were made here"
    head = f"{loaded.paper} ({loaded.run}): {plan['runs']} of {plan['all']} runs to make{taken}"
    return f"{head}, {work}, {memory}{disk}{took}"


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
        shelf = results.parent / FOLDER / loaded.paper / job[0]
        folders = shelf.glob(f".{job[1]}-{'[0-9a-f]' * 16}.unfinished")
        for folder in sorted(folders, key=lambda path: path.stat().st_mtime)[-1:]:
            written, how_far = [log, folder, *folder.glob("*")], _how_far(loaded, folder, *job)
    seconds = time.time() - max(path.stat().st_mtime for path in written if path.exists())
    if seconds > SILENT:
        silent = f"nothing for {seconds / 60:.0f} min"
        return f"  silent   {name}{how_far}: {silent}; if it does not run any more, start the workflow again"
    return f"  running  {name}{how_far}, seen {seconds:.0f} s ago"


def _how_far(loaded, folder, experiment, method):
    """Runs done of a job, and the share of the next one's budget that is spent by its last checkpoint."""
    runs = loaded.runs(experiment, method)
    done = [run for run in runs if (folder / f"{group_of(*run)}.h5").exists()]
    text = f": {len(done)} of {len(runs)} {'runs' if runs[-1][1] else 'seeds'}"
    for checkpoint in folder.glob("seed-*.checkpoint.h5"):
        from projfree.common.hdf5 import open_h5  # of jobs at work alone; it loads NumPy

        clock, budget = Clock(), Budget.parse(loaded.budget(experiment, method).plain())
        try:
            with open_h5(checkpoint) as handle:
                clock.cpu, clock.wall = json.loads(handle.attrs["clock"])
                counts = json.loads(handle.attrs["counts"])
                iteration = json.loads(handle["state/iteration"].attrs["value"])
        except (OSError, KeyError, ValueError):  # it was finished, or replaced, just now
            continue
        text += f", the next at {min(1.0, budget.fraction(iteration, clock, counts)):.0%}"
    return text
