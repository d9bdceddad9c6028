"""Costs of jobs: measured by the workflow, kept with the published report, for predictions and README."""

import json
import math
from pathlib import Path

from projfree.common import provenance
from projfree.common.atomic_io import atomic_write

from ..common.bounded import table as bounded_table
from ..evidence.files import read


def duration_text(seconds: float) -> str:
    """``42 s``, ``351 s``, ``12 min``, ``1 h 46 min``: two or three digits say enough."""
    if seconds < 600:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


#: CPU seconds of a job beside its solver (interpreter, imports), and of a run that ends by counts: a guess.
FIXED, GUESS = 3.0, 1.0
#: Of a second of a run's budget: CPU seconds at most, its metrics included; and as measured on 299 jobs of
#: full runs, of which many end before their budget does (quartiles 0.49, 0.73, 0.99).
MOST, USUAL = 1.6, 0.82
#: Budgets that tuning spent of those that it may spend: 283 of 408 in a quick run. Few grids grow to the end.
TRIED = 0.7
#: Seconds for which Snakemake looks at a job's CPU time all the while, and between its later looks.
CLOSE_LOOK, LOOK = 15, 30
FOLDERS = ("instances", "traces", "evidence")


def measured(benchmarks, paper: str):
    """Rule, job, wall and CPU seconds, peak MB of a paper's jobs, a DataFrame of the benchmark files."""
    import pandas as pd  # the workflow asks for bounds only, at every start

    rows = []
    for path in files_of(benchmarks, paper, ".tsv"):
        row = bounded_table(path, sep="\t", na_values="-").iloc[0]
        rule, _, *job = path.relative_to(benchmarks).with_suffix("").parts
        cpu, memory = (float(row.get(name, math.nan)) for name in ("cpu_time", "max_rss"))
        wall = float(row["s"])
        # The file has the CPU time at Snakemake's last look at it.
        seen = wall if wall < CLOSE_LOOK else wall - (wall - CLOSE_LOOK) % LOOK
        cpu = wall if math.isnan(cpu) else cpu * wall / seen
        rows.append((rule, "/".join(job), wall, cpu, 0.0 if math.isnan(memory) else memory))
    return pd.DataFrame(rows, columns=["rule", "job", "seconds", "cpu_seconds", "peak_mb"])


def paces(benchmarks, paper: str, each: dict) -> dict[str, float]:
    """Job → its CPU seconds here over those predicted; without what was resumed, or taken from the store."""
    if not files_of(benchmarks, paper, ".tsv"):
        return {}
    made = {f"{row.rule} {row.job}": row.cpu_seconds for row in measured(benchmarks, paper).itertuples()}
    known = [n for n in made.keys() & each.keys() if n[:6] in ("solve ", "eviden") and each[n] > 0]
    return {name: pace for name in known if 0.2 < (pace := made[name] / each[name]) < 5}


def durations(benchmarks, paper: str) -> dict:
    """Wall seconds, jobs and peak memory of each rule of a run."""
    columns = {"jobs": ("seconds", "size"), "seconds": ("seconds", "sum"), "peak_mb": ("peak_mb", "max")}
    return measured(benchmarks, paper).groupby("rule").agg(**columns).round({"seconds": 1}).to_dict("index")


def sharing(folders, experiments) -> str:
    """Number of runs in results tables that had a core for themselves, in words; empty without any."""
    import pandas as pd  # slow to import, as the tables are

    from projfree.engine.cpu_pinning import SHARED

    from ..evidence.tidy import read_tidy, run_columns, table_in

    paths = [path for name in sorted(experiments) if (path := table_in(folders, name)).is_file()]
    tables = [bounded_table(path, read_tidy) for path in paths]
    runs = [t.drop_duplicates(run_columns(t))["others_on_core"] for t in tables if "others_on_core" in t]
    if not runs:
        return ""
    every = pd.concat(runs)
    used = every.dropna()
    text = f"{len(used)} of {len(every)} timed runs had a core of their own"
    if len(used):
        shared = (used > SHARED).sum()
        text += f"; on {shared} of them others used more than {SHARED:.0%} of it (at most {used.max():.0%})"
    return text


def files_of(folder, paper: str, ending: str) -> list[Path]:
    """Logs or benchmark files of a paper: ``<rule>/<paper>/<job>``, or ``<rule>/<paper>`` of a lone job."""
    folder = Path(folder)
    return sorted([*folder.glob(f"*/{paper}/**/*{ending}"), *folder.glob(f"*/{paper}{ending}")])


def save(loaded, results, path) -> None:
    """Keep the costs of a run, ``results/<run>``, under its name, with the machine and the disk it takes.

    A job's are CPU seconds, peak MB and, of solvers, the CPU seconds that were foreseen by budgets: where
    these change later, with seeds, repetitions or grids, the kept seconds change with them. Other runs in
    `path`, the ``costs.json`` of the published report, stay, and of this one the jobs that were not made
    again.
    """
    results, path = Path(results), Path(path)
    jobs = measured(results / "benchmarks", loaded.paper)
    foreseen = {name: [round(seconds, 1)] for name, seconds, *_ in _solver_jobs(loaded)}
    files = [f for part in FOLDERS for f in (results / part / loaded.paper).rglob("*") if f.is_file()]
    kept = read(path) if path.exists() else {}
    new = {
        name: [round(job.cpu_seconds, 1), round(job.peak_mb), *foreseen.get(name, [])]
        for job in jobs.itertuples()
        if job.rule != "published" and (name := f"{job.rule} {job.job}".strip())  # that is no part of a run
    }
    before = kept.get(results.name, {"jobs": {}})
    old = {
        name: job
        for name, job in before["jobs"].items()
        if name not in new and (name in foreseen or _still_there(loaded, *name.split()))
    }
    disk = round(sum(file.stat().st_size for file in files) / 1e6, 1)
    kept[results.name] = {
        "machine": provenance.cpu_model(),
        "disk_mb": max(disk, before["disk_mb"]) if old else disk,
        "jobs": old | new,
    }
    atomic_write(path, json.dumps(kept, indent=1) + "\n")


def predict(loaded, reference) -> dict:
    """Jobs, CPU seconds, peak MB of a job and disk MB of a run.

    What a run of that name took is kept in ``costs.json`` of the published report `reference` with its
    ``machine``, and scaled by how much more is asked of a job now. A job that it did not have, or a run that
    was not kept, is taken from its budget in seconds as budgets are usually spent, or guessed at `GUESS`
    seconds a seed where it ends by counts. ``unknown`` and ``guessed`` say how many such jobs there are;
    ``each`` has the CPU seconds of every job by its name, the rule's and its own.
    """
    path = Path(reference) / "costs.json"
    known = (read(path).get(loaded.run) if path.exists() else None) or {"jobs": {}}
    solver_jobs = {name: bounds for name, *bounds in _solver_jobs(loaded)}
    # What was foreseen is kept with the costs; files that lack it are of a time when every run was made once.
    before = {name: seconds for name, seconds, *_ in _solver_jobs(loaded, repeated=False)}
    before |= {name: foreseen for name, (_, _, *rest) in known["jobs"].items() for foreseen in rest}
    seen = {
        name: (cpu * solver_jobs[name][0] / before[name] if name in solver_jobs else cpu, peak)
        for name, (cpu, peak, *_) in known["jobs"].items()
        if name in solver_jobs or _still_there(loaded, *name.split())
    }
    each = {name: (seconds, limit) for name, (seconds, limit, _) in solver_jobs.items()} | seen
    unknown = [counted for name, (*_, counted) in solver_jobs.items() if name not in seen]
    return {
        "jobs": len(each),
        "cpu_seconds": sum(seconds for seconds, _ in each.values()),
        "peak_mb": max((peak for _, peak in each.values()), default=0.0),
        "machine": known.get("machine"),
        "disk_mb": known.get("disk_mb"),
        "unknown": len(unknown),
        "guessed": sum(unknown),
        "each": {name: seconds for name, (seconds, _) in each.items()},
    }


def _still_there(loaded, rule: str, job: str = "") -> bool:
    """Whether a job that is no solver's is one of the study as it is now."""
    units, figures = loaded.units(), loaded.spec["figures"]
    known = {"solve": (), "instance": loaded.experiments, "evidence": units, "figure": figures}
    return job.split("/")[0] in known.get(rule, ("",))


def bound(loaded, experiment: str, method: str) -> tuple[float, bool]:
    """CPU seconds that a run may take, by its budget, and whether they are a guess: it ends by counts."""
    budget, guessed = _budget(loaded, experiment, method)
    runs = len(loaded.runs(experiment, method)) + _tries(loaded, experiment, method)
    return MOST * budget * runs, guessed


def _budget(loaded, experiment, method):
    limits = loaded.budget(experiment, method)
    seconds = limits and limits.cpu_seconds
    if limits and not seconds and "@" in loaded.run:  # model seconds of an alternative's budget in counts
        oracles = loaded.model.unit_costs.get(experiment, {}).get(method, {})
        counts = {**limits.limits, "iteration": limits.limits.get("iterations", 0)}
        seconds = sum(c * counts.get(name, 0) for costs in oracles.values() for name, c in costs.items())
    return seconds or GUESS, not seconds


def _tries(loaded, experiment, method):
    """Budgets that tuning may take: each grid, its default, and the values beyond its edge, all in shares."""
    if not loaded.tunes(experiment, method):
        return 0.0
    search = loaded.method(experiment, method).search
    grids = (len(values) + 1 + search.extensions for stage in search.grid for values in stage.values())
    return (sum(grids) + 0.25 * bool(search.pilot)) * (loaded.experiment(experiment).tuning_share or 1)


def _solver_jobs(loaded, repeated=True):
    """(name, CPU seconds, MB at most, whether it ends by counts) of each job that runs solvers.

    The seconds are what is foreseen by budgets, tuning included; without `repeated` for one run a seed.
    """
    for unit, experiments in loaded.units().items():
        pairs = [(e, m) for e in experiments for m in loaded.experiment(e).run_here]
        parts = []
        for e, m in pairs:
            budget, guessed = _budget(loaded, e, m)
            runs = (loaded.runs if repeated else loaded.seeds)(e, m)
            parts.append((USUAL * budget * (len(runs) + TRIED * _tries(loaded, e, m)), guessed))
        memory = max(loaded.experiment(e).memory_mb for e in experiments)
        if loaded.experiment(experiments[0]).bundle:
            seconds = FIXED + sum(seconds for seconds, _ in parts)
            yield f"evidence {unit}", seconds, memory, any(guessed for _, guessed in parts)
        else:
            for (e, m), (seconds, guessed) in zip(pairs, parts, strict=True):
                yield f"solve {e}/{m}", FIXED + seconds, memory, guessed


HEAD = "| | CPU time | largest job | disk | measured on |\n|---|---|---|---|---|"


def table(reference) -> str:
    """Markdown: the quick run of all papers, the full run of each; `reference` holds a folder a paper."""
    kept = {path.parent.name: read(path) for path in sorted(Path(reference).glob("*/costs.json"))}
    rows = {"make quick": [runs["quick"] for runs in kept.values() if "quick" in runs]}
    rows |= {
        f"make replicate TARGETS={name}": [runs["full"]] if "full" in runs else []
        for name, runs in kept.items()
    }
    lines = [HEAD]
    for what, runs in rows.items():
        machines = ", ".join(sorted({run.get("machine", "not noted") for run in runs}))
        lines.append(
            f"| `{what}` | {_sums(runs)} | {machines} |" if runs else f"| `{what}` | not kept | | | |"
        )
    full = [runs["full"] for runs in kept.values() if "full" in runs]
    if len(full) > 1:
        lines.append(f"| `make replicate`, all {len(full)} papers | {_sums(full)} | |")
    return "\n".join(lines)


def _sums(runs):
    """Cells of the CPU time, the largest job and the disk of runs together."""
    seconds = sum(cpu for run in runs for cpu, *_ in run["jobs"].values())
    peak = max(mb for run in runs for _, mb, *_ in run["jobs"].values()) / 1e3
    disk = sum(run["disk_mb"] for run in runs) / 1e3
    return f"{duration_text(seconds)} | {peak:.1f} GB | {disk:.1f} GB"
