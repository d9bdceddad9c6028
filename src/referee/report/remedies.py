"""What would decide an undecided claim, and what that costs in CPU time."""

import re
from pathlib import PurePosixPath

from .html import WORDS

#: How a reason ends or begins → what would decide it; a cost is added where a time is known.
REMEDIES = WORDS["remedies"]
FEW_LEVELS = "levels could be compared"
LENGTH = re.compile(r"([\d.]+) of ([\d.]+) s")


def remedy(entry, rows, spec) -> str:
    """What would decide an entry of claims.json, from the reasons of its open rows; empty if none is known.

    `rows` are its own of verdicts.csv, in the columns that are open; `spec` has the times, seeds and
    repetitions.
    """
    cost, longer = cost_of(entry, spec), {}
    early = [FEW_LEVELS in row["reason"] for row in rows]  # no longer run has more records there
    for row, few in zip(rows, early, strict=True):
        if few or not row["length"] or row["truth"] is True:
            continue
        run, axis = map(float, LENGTH.search(row["length"]).groups())
        longer[row["panel"]] = max(longer.get(row["panel"], 1.0), axis / run)
    if longer:
        total, command = (
            cost_of(entry, spec, longer),
            ", `--run paper`" if (spec.get("runs") or {}).get("paper") else "",
        )
        text = f"a run over the paper's whole axis{command}" + (f": {_time(total)}" if total else "")
        return text + ("; " + REMEDIES[FEW_LEVELS].partition(";")[0] if any(early) else "")
    reasons = [row["reason"] for row in rows if row["truth"] is None]
    words = [words for end, words in REMEDIES.items() if any(end in reason for reason in reasons)]
    texts = [w.format(same=_time(cost), twice=_time(2 * cost)) for w in words[:2]]
    return "; ".join(w if cost or ": " not in w or "close" in w else w.partition(":")[0] for w in texts)


def cost_of(entry, spec, longer=None) -> float:
    """CPU seconds of the runs that an entry was judged on, as budgets bound them; 0 if none is in time.

    longer: of these experiments alone, each so many times as long.
    """
    total = 0.0
    for trace in map(PurePosixPath, entry["traces"]):
        experiment = spec["experiments"].get(trace.parent.name) or {}
        runs = (experiment.get("seeds") or 1) + (experiment.get("repetitions") or 1) - 1
        times = 1.0 if longer is None else longer.get(trace.parent.name, 0.0)
        total += times * runs * ((experiment.get("budget") or {}).get("cpu_seconds") or 0)
    return total


def _time(seconds):
    """“about 40 CPU minutes”."""
    if seconds < 90:
        return f"about {max(round(seconds), 1)} CPU seconds"
    if seconds < 5400:
        return f"about {round(seconds / 60)} CPU minutes"
    return f"about {float(f'{seconds / 3600:.2g}'):g} CPU hours"
