"""`python tests/often.py [--runs 10] [--busy 3]`: the whole suite again and again, in random order.

The last runs have two busy loops beside them. What was green at this commit, with nothing changed, is kept in
.cache/often.json and not run again, so that ten runs may be broken off. Tells a table, a line a run, and
fails where a run did.
"""

import argparse
import contextlib
import json
import re
import subprocess
import sys
import time

from places import ROOT

KEPT = ROOT / ".cache/often.json"
SUITE = [sys.executable, "-m", "pytest", "--dist", "loadfile", "--no-loadscope-reorder"]
HEAD = "| order | beside it | passed | skipped | failed | seconds |\n|---:|---|---:|---:|---:|---:|"
LOOP = [sys.executable, "-c", "while True: pass"]


def main(arguments=None):
    """Run what was not yet green, tell, and exit with the number of runs that failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--busy", type=int, default=3, help="runs with busy loops beside them")
    parser.add_argument("--cores", default="2")
    parser.add_argument("tests", nargs="*", help="files of tests; without any the whole suite")
    given = parser.parse_args(arguments)
    print(f"Commit {commit()}.\n\n{HEAD}", flush=True)
    loops = [0] * (given.runs - given.busy) + [2] * given.busy
    sys.exit(sum(not green(seed, busy, given) for seed, busy in enumerate(loops)))


def green(seed, loops, given) -> bool:
    """Whether a run of the suite is green, now or earlier at this commit; its line is told."""
    name = " ".join([str(seed), str(loops), *given.tests])
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    known = kept.get(commit(), {})
    line, passed = (known[name], True) if name in known else run(seed, loops, given)
    print(line, flush=True)
    if passed and not commit().endswith("-dirty"):
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text(json.dumps({commit(): {**known, name: line}}, indent=1))
    return passed


def commit() -> str:
    """The commit checked out, with what tracked files differ in from it."""
    asked = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def run(seed, loops, given) -> tuple[str, bool]:
    """The line of one run of the suite in an order of its own; whether it was green."""
    command = [*SUITE, "-n", given.cores, "--shuffle", str(seed), *given.tests]
    began = time.monotonic()
    with busy(loops):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    seconds, counts = time.monotonic() - began, counted(done.stdout)
    if done.returncode:
        print(done.stdout[-4000:], file=sys.stderr, flush=True)
    cells = [seed, f"{loops} busy loops" if loops else "nothing", *counts, f"{seconds:.0f}"]
    return f"| {' | '.join(map(str, cells))} |", done.returncode == 0


@contextlib.contextmanager
def busy(loops):
    """Processes that only use a core, as long as this lasts."""
    others = [subprocess.Popen(LOOP) for _ in range(loops)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def counted(output) -> list[int]:
    """Passed, skipped, failed of pytest's last line; errors count as failures."""
    last = output.strip().splitlines()[-1]
    found = {word: int(number) for number, word in re.findall(r"(\d+) (passed|skipped|failed|error)", last)}
    return [found.get("passed", 0), found.get("skipped", 0), found.get("failed", 0) + found.get("error", 0)]


if __name__ == "__main__":
    main()
