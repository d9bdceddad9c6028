"""The developer's loop, for docs/running.md: ``python benchmarks/bench_loop.py [ROW…]``.

Without rows the short ones; `all` for all of them, `ci` and `env` in a fresh clone (an hour and more). Each
row runs what people type, in this checkout or another (`--root`, for a before), `--times` times, and tells
the medians of its wall seconds and of the CPU seconds of all that it started. `--json` keeps what was
measured, and `--before` puts an earlier file of that kind beside it; `--document` writes table and
transcript between the marks of a document. Keep the machine quiet.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from projfree import study
from projfree.ground.provenance import cpu_model
from projfree.results.costs import measured

FIGURE = "reports/quick/ncgs/figures/fig1-left.svg"
BEGIN, END = "<!-- loop:begin -->", "<!-- loop:end -->"


@dataclass(frozen=True)
class Row:
    """A command, what is removed before it, and whether a fresh clone is its place."""

    command: str
    removed: tuple[str, ...] = ()
    clone: bool = False
    short: bool = True


ROWS = {
    "quick": Row("make quick", ("results/quick", "reports/quick"), short=False),
    "nothing to do": Row("make quick"),
    "one figure": Row(f"make quick TARGETS={FIGURE}", (FIGURE,)),
    "taste": Row("make taste", ("results/taste", "reports/taste")),
    "help": Row("projfree --help"),
    "solvers": Row("projfree solvers"),
    "data list": Row("projfree data list"),
    "claims": Row("projfree claims ncgs"),
    "status": Row("projfree status --run quick"),
    "plan": Row("projfree plan --run quick"),
    "lint": Row("make lint", short=False),
    "check": Row("make check", short=False),
    "test": Row("make test", short=False),
    "env": Row("make env", clone=True, short=False),
    "ci": Row(".ci/run", clone=True, short=False),
}
SHOWN = ["make taste", f"make quick TARGETS={FIGURE}", "make quick", "make quick TARGETS=ncsg"]


def main(arguments=None):
    """Measure rows, and tell them."""
    given = parsed(arguments)
    short = [name for name, row in ROWS.items() if row.short]
    names = list(ROWS) if given.rows == ["all"] else given.rows or short
    found = {name: repeated(ROWS[name], given) for name in names}
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")
    before = json.loads(given.before.read_text()) if given.before else {}
    told = [about(given), "", table(found, before)]
    if "quick" in found:
        told += ["", f"Wall seconds of the jobs of the quick run: {kinds(given.root)}."]
    if given.document:
        replace(given.document, "\n".join([*told, "", transcript(given.root)]))
    print("\n".join(told))


def parsed(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="*", metavar="ROW", choices=[*ROWS, "all", []], help=", ".join(ROWS))
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="the checkout that is measured")
    parser.add_argument("--json", type=Path, help="where the numbers go")
    parser.add_argument("--before", type=Path, help="numbers of an earlier --json")
    parser.add_argument("--document", type=Path, help="the document that gets table and transcript")
    return parser.parse_args(arguments)


def repeated(row, given) -> dict:
    """Medians of wall and CPU seconds, and all walls."""
    runs = [once(row, given.root) for _ in range(given.times)]
    walls, cpus = zip(*runs, strict=True)
    return {"wall": median(walls), "cpu": median(cpus), "walls": walls}


def once(row, root) -> tuple[float, float]:
    """Wall and CPU seconds of one call, in a clone where it wants one."""
    if not row.clone:
        return timed(row, root)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "clone", "--quiet", root, folder], check=True)
        return timed(row, Path(folder))


def timed(row, root) -> tuple[float, float]:
    for name in row.removed:
        path = root / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    began = time.perf_counter()
    with tempfile.TemporaryFile("w+") as log:
        child = subprocess.Popen(row.command.split(), cwd=root, env=environment(root), stdout=log, stderr=log)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - began
        if child.returncode:
            log.seek(0)
            sys.exit(f"{row.command} failed with {child.returncode}:\n{log.read()[-2000:]}")
    return wall, used.ru_utime + used.ru_stime


def environment(root):
    """The checkout's own programs come first."""
    return {**os.environ, "PATH": f"{root / '.venv/bin'}:{os.environ['PATH']}"}


def about(given) -> str:
    asked = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    commit = subprocess.run(asked, cwd=given.root, capture_output=True, text=True, check=True).stdout.strip()
    return f"Commit {commit}, {cpu_model()}, {os.cpu_count()} cores, medians of {given.times}."


def table(found, before) -> str:
    """Markdown: a row each, what was before beside it."""
    lines = ["| | command | before: wall s | CPU s | now: wall s | CPU s |", "|---|---|---:|---:|---:|---:|"]
    for name, now in found.items():
        cells = [seconds(before.get(name), key) for key in ("wall", "cpu")]
        cells += [seconds(now, key) for key in ("wall", "cpu")]
        lines.append(f"| {name} | `{ROWS[name].command}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def seconds(found, key) -> str:
    if not found:
        return ""
    return f"{found[key]:.0f}" if found[key] >= 20 else f"{found[key]:.2g}"


def kinds(root) -> str:
    """Where the seconds of the quick run went, by rule."""
    total = Counter()
    for paper in study.papers():
        total.update(
            measured(root / "results/quick/benchmarks", paper).groupby("rule").seconds.sum().to_dict()
        )
    return ", ".join(f"{rule} {spent:.0f}" for rule, spent in total.most_common())


def transcript(root) -> str:
    """What a terminal shows of the loop, as it is typed; the figure and the taste are made again."""
    for name in ("one figure", "taste"):
        for path in ROWS[name].removed:
            shutil.rmtree(root / path) if (root / path).is_dir() else (root / path).unlink(missing_ok=True)
    lines = []
    for command in SHOWN:
        done = subprocess.run(
            command.split(),
            cwd=root,
            env=environment(root),
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        lines += [f"$ {command}", done.stdout.strip()]
    return "\n".join(["```", *lines, "```"])


def replace(document, text):
    """Put text between the marks of a document."""
    head, begin, rest = document.read_text().partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end):
        sys.exit(f"{document} has no {BEGIN} … {END}")
    document.write_text(f"{head}{BEGIN}\n{text}\n{END}{tail}")


if __name__ == "__main__":
    main()
