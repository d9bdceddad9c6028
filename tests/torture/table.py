"""`python tests/torture/table.py docs/reliability.md OUT.json…`: the outcomes as tables in a document.

Outcomes of one condition from several files, as parts of a long form, are added up.
"""

import sys
from pathlib import Path

from outcomes import Outcome, load

HEAD = "| condition | cases | right result | clear error | lost or wrong | seconds | |"
KILLS, ONLY = "python tests/torture/kills.py", "python tests/torture/kills.py --only"

#: (promise, how the names of its conditions begin, what tries it again)
PROMISES = [
    (
        "killed at a random moment, a job goes on bit by bit",
        ["SIGKILL at a random"],
        f'{ONLY} "SIGKILL at a random" --kills 1000',
    ),
    (
        "… before or after the k-th operation that changes the disk",
        ["SIGKILL before or after"],
        f'{ONLY} "before or after" --kills 1000',
    ),
    ("on SIGTERM it saves its state and ends", ["SIGTERM"], f"{ONLY} SIGTERM --kills 100"),
    (
        "two writers with one host name and process number: one whole file",
        ["two writers"],
        f'{ONLY} "process number" --kills 500',
    ),
    (
        "two jobs at once on one output: one whole trace",
        ["two jobs at once"],
        f'{ONLY} "two jobs" --kills 100',
    ),
    (
        "two Snakemakes at once in one folder: one whole trace",
        ["two Snakemakes"],
        "python tests/torture/workflows.py --cases 50",
    ),
    (
        "no space, no right to write: one line, then it goes on",
        ["file system full", "limit on the size", "read-only"],
        f"{KILLS} --kills 500",
    ),
    ("no memory: one line, or as if killed", ["memory limited"], f"{ONLY} memory --kills 200"),
    ("wrong clocks change nothing but times", ["clocks"], f"{ONLY} clocks --kills 50"),
    (
        "leftovers and locks of the dead are in nobody's way",
        ["leftovers", "stale lock"],
        f"{KILLS} --kills 500",
    ),
    (
        "damaged checkpoints, seeds, instances and traces are told, never used",
        ["checkpoint or finished", "instance cut", "trace cut"],
        f"{ONLY} flipped --kills 200",
    ),
    (
        "downloads from bad servers: the right file or a clear error",
        ["download: "],
        "python tests/torture/downloads.py --cases 10000",
    ),
    (
        "damaged data files: read right or told by name",
        ["reader: "],
        "python tests/torture/readers.py --cases 1000000",
    ),
]


def total(outcomes) -> list[Outcome]:
    """One outcome a condition, in the order in which they first came."""
    sums = {}
    for outcome in outcomes:
        name = outcome.condition
        sums[name] = sums[name] + outcome if name in sums else outcome
    return list(sums.values())


def table(abouts, outcomes) -> str:
    """What the outcomes are about, and a row for each; what was not tested says so."""
    lines = [f"{text}." for text in dict.fromkeys(abouts)]
    lines += ["", HEAD, "|---|---:|---:|---:|---:|---:|---|"]
    for o in outcomes:
        counts = [o.cases, o.resumed, o.clear_errors, o.wrong] if o.cases else ["**not tested**", "", "", ""]
        cells = [o.condition, *map(_cell, counts), f"{o.seconds:.0f}"]
        went_on = f"{o.went_on:,} starts went on from a checkpoint" if o.went_on else ""
        lines.append("| " + " | ".join([*cells, (o.note or went_on).replace("|", "\\|")]) + " |")
    return "\n".join(lines)


def tried(outcomes) -> str:
    """A row a promise: how often it was tried, and how often it did not hold."""
    lines = ["| promise | tried | lost, mixed or forged | again |", "|---|---:|---:|---|"]
    for promise, conditions, again in PROMISES:
        found = [o for o in outcomes if o.condition.startswith(tuple(conditions))]
        cases, wrong = sum(o.cases for o in found), sum(o.wrong for o in found)
        counts = [f"{cases:,}", f"{wrong:,}"] if cases else ["**not tried**", ""]
        lines.append("| " + " | ".join([promise, *counts, f"`{again}`"]) + " |")
    return "\n".join(lines)


def _cell(count):
    return f"{count:,}" if isinstance(count, int) else count


def replace(document: str, name: str, text: str) -> str:
    """The document with `text` between its two marks of that name."""
    marks = [f"<!-- {name}:{place} -->" for place in ("begin", "end")]
    head, begin, rest = document.partition(marks[0])
    _, end, tail = rest.partition(marks[1])
    if not begin or not end:
        raise ValueError(f"the document has no {' … '.join(marks)}")
    return f"{head}{begin}\n\n{text}\n\n{end}{tail}"


def main(document, *files):
    """Replace the tables of a document by those of the outcome files."""
    path, loaded = Path(document), [load(name) for name in files]
    outcomes = total(outcome for _, found in loaded for outcome in found)
    text = replace(path.read_text(), "torture", table([about for about, _ in loaded], outcomes))
    path.write_text(replace(text, "tried", tried(outcomes)))


if __name__ == "__main__":
    main(*sys.argv[1:])
