"""The developer's loop: ``python benchmarks/bench_loop.py [ROW…]``.

Without rows the short ones; `all` for all of them, `ci` and `env` in a fresh clone (an hour and more). Each
row runs what people type, in this checkout or another (`--root`), until it has been run `--times` times at
this commit; every run is kept in .cache/loop.json as it ends, so that what was broken off goes on. A row that
was run by hand is taken from its log: `--log test=FILE`, once each time; that of .ci/run tells of `env`,
`lint`, `test`, `quick` and `ci`. Told are medians, beside what was measured before the loop was made fast;
`--document` writes table and transcript between the marks of a document. Keep the machine quiet.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from projfree.common.atomic_io import atomic_write
from projfree.common.provenance import cpu_model
from referee import study
from referee.common.marks import between
from referee.publish.costs import measured

FIGURE = "results/quick/figures/ncgs/fig1-left.svg"


@dataclass(frozen=True)
class Row:
    """A command, what is removed before it, whether a fresh clone is its place, and what it was before."""

    command: str
    removed: tuple[str, ...] = ()
    clone: bool = False
    short: bool = True
    fails: bool = False
    before: tuple[float | None, float | None] = (None, None)  # wall and CPU seconds, as they are known


ANY = (None, 2.0)  # every command, with its imports
ROWS = {
    "quick": Row(
        "make quick", ("results/quick", "reports/quick", "results/store"), short=False, before=(600, 940)
    ),
    "nothing to do": Row("make quick"),
    "one figure": Row(f"make quick TARGETS={FIGURE}", (FIGURE,)),
    "taste": Row("make taste", ("results/taste", "reports/taste", "results/store")),
    "mistyped": Row("make quick TARGETS=ncsg", fails=True),
    "help": Row("projfree --help", before=ANY),
    "help of one": Row("projfree complete --help", before=ANY),
    "solvers": Row("projfree solvers", before=ANY),
    "data": Row("projfree data", before=ANY),
    "claims": Row("projfree claims ncgs", before=ANY),
    "status": Row("projfree status --run quick", before=ANY),
    "plan": Row("projfree plan --run quick", before=ANY),
    "lint": Row("make lint", short=False),
    "check": Row("make check", short=False),
    "test": Row("make test", short=False, before=(756, None)),
    "env": Row("make env", clone=True, short=False),
    "ci": Row(".ci/run", clone=True, short=False, before=(2100, None)),
}
#: Rows whose terminal stands in the document.
SHOWN = ("taste", "quick", "one figure", "nothing to do", "mistyped")
#: Of the environment, what a fresh clone is given: nothing that belongs to this checkout or this machine.
GIVEN = re.compile(r"HOME|PATH|TMPDIR|USER|LANG|LC_.*|TERM|PIP_.*|.*_proxy|SSL_CERT_.*", re.IGNORECASE)


def main(arguments=None):
    """Measure what is missing of the rows, and tell them."""
    given = parsed(arguments)
    kept = Kept(given.root)
    for row, log in given.log:
        kept.add(row, seconds_of(row, log), None, "")
    short = [name for name, row in ROWS.items() if row.short]
    for name in list(ROWS) if given.rows == ["all"] else given.rows or ([] if given.log else short):
        for _ in range(given.times - len(kept.runs(name))):
            kept.add(name, *once(ROWS[name], given.root))
            if name == "quick":
                kept.tell("kinds", kinds(given.root))
    told = f"{kept.about}\n\n{table(kept)}{kept.told('kinds')}"
    if given.document:
        text = between(given.document.read_text(), "loop", f"{told}\n\n{transcript(kept)}")
        atomic_write(given.document, text)
    print(told)


def parsed(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="*", metavar="ROW", choices=[*ROWS, "all", []], help=", ".join(ROWS))
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="the checkout that is measured")
    parser.add_argument("--log", type=by_hand, action="append", default=[], metavar="ROW=FILE")
    parser.add_argument("--document", type=Path, help="the document that gets table and transcript")
    return parser.parse_args(arguments)


def by_hand(text):
    """``test=FILE``: a row that was run by hand, and its log."""
    row, _, path = text.partition("=")
    if row not in ROWS or not Path(path).is_file():
        raise argparse.ArgumentTypeError(f"{text!r} is not ROW=FILE with one of {', '.join(ROWS)}")
    return row, Path(path)


def seconds_of(row, log) -> float:
    """What a log tells: CI's of all or of the stage that is called as the row, or the last ``in 603.12s``."""
    text = log.read_text(errors="replace")
    line = "all green in" if row == "ci" else f"{row}:"
    if told := re.search(rf"^== {line} (\d+) s$", text, re.MULTILINE):
        return float(told[1])
    found = re.findall(r"\bin (\d+(?:\.\d+)?) ?(s|min)\b", text)
    if not found or row == "ci":
        sys.exit(f"{log} tells no seconds of {row}: its closing line is missing")
    number, unit = found[-1]
    return float(number) * {"s": 1, "min": 60}[unit]


class Kept:
    """What was measured at this commit, in a file that grows with every run."""

    def __init__(self, root):
        self.root, self.path = root, root / ".cache/loop.json"
        asked = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
        done = subprocess.run(asked, cwd=root, capture_output=True, text=True, check=True)
        self.commit = done.stdout.strip()
        self.all = json.loads(self.path.read_text()) if self.path.exists() else {}
        if self.commit.endswith("-dirty"):  # which changes they were, nobody knows
            self.all.pop(self.commit, None)
        self.here = self.all.setdefault(self.commit, {"runs": {}, "said": {}})

    @property
    def about(self) -> str:
        """Of which commit and machine the numbers are."""
        return (
            f"Commit {self.commit}, {cpu_model()}, {os.cpu_count()} cores; medians, in brackets how often "
            "it was run; before: the state that the loop was made from, on another machine of two cores."
        )

    def runs(self, name) -> list:
        """(wall, CPU) of each run of a row; no CPU where it comes from a log."""
        return self.here["runs"].get(name, [])

    def add(self, name, wall, cpu, said):
        """Keep one run of a row, and what its terminal said."""
        self.here["runs"].setdefault(name, []).append((wall, cpu))
        self.here["said"][name] = said
        self.path.parent.mkdir(exist_ok=True)
        atomic_write(self.path, json.dumps(self.all, indent=1))
        print(f"{name}: {wall:.2f} s", file=sys.stderr)

    def tell(self, what, text):
        """Keep a sentence for below the table."""
        self.here[what] = text

    def told(self, what) -> str:
        return f"\n\n{self.here[what]}" if what in self.here else ""


def once(row, root) -> tuple[float, float, str]:
    """Wall and CPU seconds of one call and what it said, in a clone where it wants one."""
    if not row.clone:
        environment = {**os.environ, "PATH": f"{root / '.venv/bin'}:{os.environ['PATH']}"}
        return timed(row, root, environment)
    own = Path(sys.prefix) / "bin"
    environment = {name: value for name, value in os.environ.items() if GIVEN.fullmatch(name)}
    path = [part for part in environment["PATH"].split(":") if Path(part) != own]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "clone", "--quiet", root, folder], check=True)
        return timed(row, Path(folder), {**environment, "PATH": ":".join(path)})


def timed(row, root, environment) -> tuple[float, float, str]:
    for name in row.removed:
        path = root / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    with tempfile.TemporaryFile("w+") as log:
        began = time.perf_counter()
        child = subprocess.Popen(row.command.split(), cwd=root, env=environment, stdout=log, stderr=log)
        _, status, used = os.wait4(child.pid, 0)
        wall = time.perf_counter() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        said = log.read()
    if bool(child.returncode) != row.fails:
        sys.exit(f"{row.command} ended with {child.returncode}:\n{said[-2000:]}")
    return wall, used.ru_utime + used.ru_stime, said.strip()


def table(kept) -> str:
    """Markdown: a row each, what was before beside it."""
    lines = ["| | command | before: wall s | CPU s | now: wall s | CPU s |", "|---|---|---:|---:|---:|---:|"]
    for name, row in ROWS.items():
        if runs := kept.runs(name):
            now = [[part for part in column if part is not None] for column in zip(*runs, strict=True)]
            cells = [*map(seconds, row.before), *(seconds(median(c) if c else None) for c in now)]
            lines.append(f"| {name} ({len(runs)}) | `{row.command}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def seconds(found) -> str:
    if found is None:
        return ""
    return f"{found:.0f}" if found >= 20 else f"{found:.2g}"


def kinds(root) -> str:
    """Where the CPU seconds of the quick run went, by rule."""
    total = Counter()
    for paper in study.papers():
        jobs = measured(root / "results/quick/benchmarks", paper)
        total.update(jobs.groupby("rule").cpu_seconds.sum().to_dict())
    told = ", ".join(f"{rule} {spent:.0f}" for rule, spent in total.most_common())
    return f"CPU seconds of the jobs of the quick run: {told}."


def transcript(kept) -> str:
    """What a terminal without a screen says of the loop, as it was kept."""
    said = [(ROWS[name].command, kept.here["said"].get(name)) for name in SHOWN]
    told = "\n".join(["```", *(f"$ {command}\n{text}" for command, text in said if text), "```"])
    return told.replace(f"{kept.root}/", "")


if __name__ == "__main__":
    main()
