"""Durations of runs for the README, from the costs that are kept with the published reports."""

from pathlib import Path

from ..ground.bounded import read_json
from ..ground.durations import duration_text
from ..ground.marks import between

HEAD = "| | CPU time | largest job | disk | measured on |\n|---|---|---|---|---|"


def table(reference) -> str:
    """Markdown: the quick run of all papers, the full run of each; `reference` holds a folder a paper."""
    kept = {path.parent.name: read_json(path) for path in sorted(Path(reference).glob("*/costs.json"))}
    quick = [runs["quick"] for runs in kept.values() if "quick" in runs]
    rows = [_row("`make quick`", quick)]
    for name, runs in kept.items():
        rows.append(_row(f"`make replicate TARGETS={name}`", [runs["full"]] if "full" in runs else []))
    return "\n".join([HEAD, *rows])


def renewed(readme: str, reference) -> str:
    """The README with its table of times made again, between the marks `times`."""
    return between(readme, "times", table(reference))


def _row(what, runs):
    """One line for runs that are made together."""
    if not runs:
        return f"| {what} | not kept | | | |"
    seconds = sum(cpu for run in runs for cpu, *_ in run["jobs"].values())
    peak = max(mb for run in runs for _, mb, *_ in run["jobs"].values())
    disk = sum(run["disk_mb"] for run in runs)
    machines = sorted({run.get("machine", "not noted") for run in runs})
    cells = what, duration_text(seconds), f"{peak / 1e3:.1f} GB", f"{disk / 1e3:.1f} GB", ", ".join(machines)
    return f"| {' | '.join(cells)} |"
