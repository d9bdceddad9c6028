"""Status, forecast and the record of a run, from its files and its study."""

from pathlib import Path

import h5py
import pandas as pd

#: CPU seconds of a job beside its solver: interpreter, imports, instance, metrics (share of the budget).
FIXED, METRIC_SHARE = 3.0, 0.6


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


def forecast(loaded) -> str:
    """Jobs, CPU hours and seeds of a run, from its budgets."""
    seconds, jobs = 0.0, 0
    for experiment, method in loaded.solves():
        values = loaded.experiment(experiment)
        budget = (values.get("budget") or {}).get("cpu_seconds", 1.0)
        tuning = 1.25 * budget if loaded.searches(experiment, method) else 0.0
        seconds += FIXED + (1 + METRIC_SHARE) * (budget * _seed_count(loaded, experiment) + tuning)
        jobs += 1 + loaded.searches(experiment, method)
    hours = f"about {seconds / 3600:.1f} CPU hours at most, one core each"
    return f"{loaded.paper} ({loaded.run}): {jobs} solver jobs, {hours}"


def durations(folder, paper) -> dict:
    """Wall seconds, jobs and peak memory of each rule of a run, from the workflow's benchmark files."""
    found = {}
    for path in Path(folder).glob(f"*/{paper}/**/*.tsv"):
        row = pd.read_csv(path, sep="\t", na_values="-").iloc[0]
        rule = found.setdefault(
            path.relative_to(folder).parts[0], {"jobs": 0, "seconds": 0.0, "peak_mb": 0.0}
        )
        rule["jobs"] += 1
        rule["seconds"] = round(rule["seconds"] + float(row["s"]), 1)
        rule["peak_mb"] = max(rule["peak_mb"], float(row.get("max_rss", 0) or 0))
    return found


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
