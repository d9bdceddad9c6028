"""`python tests/often.py [--runs 10] [--busy 3]`: the whole suite again and again, in random order.

The last runs have two busy loops beside them. Tells a table, a line a run, and fails where a run did.
"""

import argparse
import contextlib
import re
import subprocess
import sys
import time

from places import ROOT

SUITE = [sys.executable, "-m", "pytest", "--dist", "loadfile", "--no-loadscope-reorder"]
HEAD = "| order | beside it | passed | skipped | failed | seconds |\n|---:|---|---:|---:|---:|---:|"
LOOP = [sys.executable, "-c", "while True: pass"]


def main():
    """Run, tell, and exit with the number of runs that failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--busy", type=int, default=3, help="runs with busy loops beside them")
    parser.add_argument("--cores", default="2")
    parser.add_argument("tests", nargs="*", help="files of tests; without any the whole suite")
    given = parser.parse_args()
    print(HEAD, flush=True)
    loops = [0] * (given.runs - given.busy) + [2] * given.busy
    sys.exit(sum(not run(seed, busy, given) for seed, busy in enumerate(loops)))


def run(seed, loops, given) -> bool:
    """One run of the suite in an order of its own; whether it was green."""
    command = [*SUITE, "-n", given.cores, "--shuffle", str(seed), *given.tests]
    began = time.monotonic()
    with busy(loops):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    seconds, counts = time.monotonic() - began, counted(done.stdout)
    cells = [seed, f"{loops} busy loops" if loops else "nothing", *counts, f"{seconds:.0f}"]
    print(f"| {' | '.join(map(str, cells))} |", flush=True)
    if done.returncode:
        print(done.stdout[-4000:], file=sys.stderr, flush=True)
    return done.returncode == 0


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
