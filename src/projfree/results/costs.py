"""What jobs cost: measured by the workflow, kept with the published report, predicted for another machine."""

import json
from functools import cache
from pathlib import Path
from time import process_time

import numpy as np
from threadpoolctl import threadpool_limits

from ..ground import provenance
from ..ground.outside import read_json
from ..ground.sealed import atomic_write

#: CPU seconds of a job beside its solver: interpreter, imports, instance, metrics (share of the budget).
FIXED, METRIC_SHARE = 3.0, 0.6
GUESS = 1.0  # CPU seconds of a seed that ends by counts
#: Seconds for which Snakemake looks at a job's CPU time all the while, and between its later looks.
CLOSE_LOOK, LOOK = 15, 30
FOLDERS = ("instances", "traces", "evidence", "tuning")


def measured(benchmarks, paper: str):
    """Rule, job, wall and CPU seconds, peak MB of a paper's jobs, a DataFrame of the benchmark files."""
    import pandas as pd  # the workflow asks for bounds only, at every start

    rows = []
    for path in files_of(benchmarks, paper, ".tsv"):
        row = pd.read_csv(path, sep="\t", na_values="-").iloc[0]
        rule, _, *job = path.relative_to(benchmarks).with_suffix("").parts
        cpu, memory = (float(row.get(name, np.nan)) for name in ("cpu_time", "max_rss"))
        wall = float(row["s"])
        cpu = wall if np.isnan(cpu) else cpu * wall / _seen(wall)
        rows.append((rule, "/".join(job), wall, cpu, np.nan_to_num(memory)))
    return pd.DataFrame(rows, columns=["rule", "job", "seconds", "cpu_seconds", "peak_mb"])


def _seen(wall: float) -> float:
    """Seconds of a job at Snakemake's last look at its CPU time, which is all that benchmark files have."""
    return wall if wall < CLOSE_LOOK else wall - (wall - CLOSE_LOOK) % LOOK


def files_of(folder, paper: str, ending: str) -> list[Path]:
    """Logs or benchmark files of a paper: ``<rule>/<paper>/<job>``, or ``<rule>/<paper>`` of a lone job."""
    folder = Path(folder)
    return sorted([*folder.glob(f"*/{paper}/**/*{ending}"), *folder.glob(f"*/{paper}{ending}")])


def save(results, paper: str, path) -> None:
    """Keep the costs of a run under its name, with what it takes to compare machines and the disk it takes.

    Parameters
    ----------
    results : Path
        Of the run, ``results/<run>``.
    paper : str
    path : Path
        ``costs.json`` of the published report; other runs in it stay.
    """
    results, path = Path(results), Path(path)
    jobs = measured(results / "benchmarks", paper)
    files = [file for part in FOLDERS for file in (results / part / paper).rglob("*") if file.is_file()]
    kept = read_json(path) if path.exists() else {}
    kept[results.name] = {
        "machine": provenance.cpu_model(),
        "calibration_seconds": round(calibration(), 4),
        "disk_mb": round(sum(file.stat().st_size for file in files) / 1e6, 1),
        "jobs": {
            f"{job.rule} {job.job}".strip(): [round(job.cpu_seconds, 1), round(job.peak_mb)]
            for job in jobs.itertuples()
        },
    }
    atomic_write(path, json.dumps(kept, indent=1) + "\n")


@cache
def calibration(repetitions: int = 40) -> float:
    """CPU seconds of a fixed load (products, sorting, gathering), the least of several on this machine."""
    rng = np.random.default_rng(0)
    A, x = rng.standard_normal((400, 400)), rng.standard_normal(500_000)
    places, found = rng.integers(x.size, size=x.size), []
    with threadpool_limits(1):  # as in a run
        for _ in range(repetitions):
            began = process_time()
            for _ in range(5):
                A @ A
            np.sort(x)
            x[places].sum()
            sum(i * i for i in range(200_000))
            found.append(process_time() - began)
    return min(found)


def predict(loaded, reference, speed=calibration) -> dict:
    """Jobs, CPU seconds, peak MB of a job and disk MB of a run.

    What a run of that name took is kept, and scaled by the ratio of the two machines' calibrations. A job
    that it did not have, or a run that was not kept, is taken from its budget in seconds, an upper
    bound, or guessed at `GUESS` seconds a seed where it ends by counts. ``unknown`` and ``guessed`` say how
    many such jobs there are; ``each`` has the CPU seconds of every job by its name, the rule's and its own.

    Parameters
    ----------
    loaded : Study
    reference : Path
        The published report of the paper, with its ``costs.json``, or a folder without one.
    speed : callable
        CPU seconds of the fixed load on this machine.
    """
    path = Path(reference) / "costs.json"
    known = read_json(path).get(loaded.run) if path.exists() else None
    known = known or {"jobs": {}}
    ratio = speed() / known["calibration_seconds"] if known["jobs"] else 1.0
    solver_jobs = {name: bounds for name, *bounds in _solver_jobs(loaded)}
    seen = {
        name: (ratio * cpu, peak)
        for name, (cpu, peak) in known["jobs"].items()
        if name in solver_jobs or _still_there(loaded, *name.split())
    }
    each = {name: (seconds, limit) for name, (seconds, limit, _) in solver_jobs.items()} | seen
    unknown = [counted for name, (*_, counted) in solver_jobs.items() if name not in seen]
    return {
        "jobs": len(each),
        "cpu_seconds": sum(seconds for seconds, _ in each.values()),
        "peak_mb": max((peak for _, peak in each.values()), default=0.0),
        "disk_mb": known.get("disk_mb"),
        "unknown": len(unknown),
        "guessed": sum(unknown),
        "each": {name: seconds for name, (seconds, _) in each.items()},
    }


def _still_there(loaded, rule: str, job: str = "") -> bool:
    """Whether a job that is no solver's is one of the study as it is now."""
    known = {
        "solve": (),
        "bundle": (),
        "figure": loaded.spec["figures"],
        "table": loaded.spec.get("tables", ()),
    }
    known |= dict.fromkeys(("instance", "tune", "tidy"), loaded.experiments)
    return job.split("/")[0] in known.get(rule, ("",))


def bound(loaded, experiment: str, method: str) -> tuple[float, bool]:
    """CPU seconds that a run may take, by its budget, and whether they are a guess: it ends by counts."""
    limits = loaded.budget(experiment, method)
    budget = limits and limits.cpu_seconds
    runs = len(loaded.runs(experiment, method)) + tries(loaded.method(experiment, method))
    return (1 + METRIC_SHARE) * (budget or GUESS) * runs, not budget


def tries(method) -> float:
    """Whole budgets that tuning may take: each grid, its default, and the values beyond its edge."""
    if not method.searches:
        return 0.0
    grids = (len(values) + 1 + method.search.extensions for s in method.search.grid for values in s.values())
    return sum(grids) + 0.25 * bool(method.search.pilot)


def bundle_bound(loaded, name: str) -> float:
    """CPU seconds that a bundle may take."""
    runs = [(e, m) for e in loaded.bundles()[name] for m in loaded.experiment(e).methods]
    return FIXED + sum(bound(loaded, *run)[0] for run in runs)


def _solver_jobs(loaded):
    """(name, CPU seconds, MB at most, whether it ends by counts) of each solver job; a bundle is one."""
    for experiment, method in loaded.solves():
        values = loaded.experiment(experiment)
        if not values.bundle:
            seconds, guessed = bound(loaded, experiment, method)
            yield f"solve {experiment}/{method}", FIXED + seconds, values.memory_mb, guessed
    for name, experiments in loaded.bundles().items():
        memory = max(loaded.experiment(e).memory_mb for e in experiments)
        guessed = any(bound(loaded, e, m)[1] for e in experiments for m in loaded.experiment(e).methods)
        yield f"bundle {name}", bundle_bound(loaded, name), memory, guessed
