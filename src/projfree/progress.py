"""Status, forecast and the record of a run, from its files and its study."""

from pathlib import Path

import h5py

from . import costs


def summary(loaded, root=".") -> str:
    """What of a run is done: a line for the paper, then what is under way or failed."""
    results = Path(root) / "results" / loaded.run
    solves = loaded.solves()
    traces = results / "traces" / loaded.paper
    done = [pair for pair in solves if (traces / pair[0] / f"{pair[1]}.h5").exists()]
    lines = [f"{loaded.paper} ({loaded.run}): {len(done)} of {len(solves)} traces done"]
    for experiment, method in solves:
        unfinished = traces / experiment / f".{method}.unfinished"
        if unfinished.is_dir() and (experiment, method) not in done:
            seeds = f"{_seeds_done(unfinished)} of {_seed_count(loaded, experiment)} seeds"
            lines.append(f"  started   {experiment} {method}: {seeds}")
        elif (experiment, method) not in done and _failed(results, loaded.paper, experiment, method):
            lines.append(
                f"  failed    {experiment} {method}: {_failed(results, loaded.paper, experiment, method)}"
            )
    return "\n".join(lines)


def forecast(loaded, root=".") -> str:
    """Jobs, CPU hours, memory and disk of a run, in a line."""
    plan = costs.predict(loaded, Path(root) / "reports" / "reference" / loaded.paper)
    hours = f"{plan['cpu_seconds'] / 3600:.1f} CPU hours"
    if plan["unknown"]:
        hours += f" by the budgets of {plan['unknown']} jobs"
        hours += f", {plan['guessed']} of them guessed" if plan["guessed"] else ", an upper bound"
    disk = f", {plan['disk_mb'] / 1e3:.1f} GB of disk" if plan["disk_mb"] else ""
    memory = f"up to {plan['peak_mb'] / 1e3:.1f} GB of memory a job"
    return f"{loaded.paper} ({loaded.run}): {plan['jobs']} jobs, about {hours}, {memory}{disk}"


def durations(folder, paper) -> dict:
    """Wall seconds, jobs and peak memory of each rule of a run, from the workflow's benchmark files."""
    return {
        rule: {
            "jobs": len(jobs),
            "seconds": round(float(jobs.seconds.sum()), 1),
            "peak_mb": float(jobs.peak_mb.max()),
        }
        for rule, jobs in costs.measured(folder, paper).groupby("rule")
    }


def data_hashes(folder) -> dict:
    """SHA-256 of the raw data behind each instance of a run."""
    hashes = {}
    for path in sorted(Path(folder).glob("*.h5")):
        with h5py.File(path) as handle:
            stand_in = " (stand-in)" if handle.attrs["stand_in"] else ""
            hashes[path.stem] = f"{handle.attrs['dataset_sha256']}{stand_in}"
    return hashes


def _seeds_done(folder):
    return sum(1 for path in folder.glob("seed-*.h5") if "checkpoint" not in path.name)


def _seed_count(loaded, experiment):
    return loaded.experiment(experiment).get("seeds", 1)


def _failed(results, paper, experiment, method):
    """The last line of a job's log, if there is a log but no trace."""
    log = results / "logs" / "solve" / paper / experiment / f"{method}.log"
    lines = log.read_text().strip().splitlines() if log.exists() else []
    return lines[-1] if lines else ""
