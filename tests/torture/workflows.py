"""`python tests/torture/workflows.py --cases 50 --json OUT.json`: two Snakemakes at once in one folder.

One makes the trace and is not disturbed; the other makes it too, or says that the folder is locked.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "workflow"), str(HERE)]

from mortal import mortal  # noqa: E402
from outcomes import Outcome, save  # noqa: E402 - found by the line above
from project import PROFILE, Project  # noqa: E402

from referee.publish.compare import differences  # noqa: E402

TRACE = "results/quick/traces/ncgs/capped/fw.h5"
#: What Snakemake says of the folder's lock; the last where the other, at its end, removes it as it is taken.
LOCKED = ("LockException", "cannot be locked", ".input.lock'")


def start(project, log):
    """A Snakemake that makes the trace; its words go to a file."""
    command = ["snakemake", *PROFILE, "--cores", "1", "--config", "run=quick", "--", TRACE]
    with open(log, "w") as stream:
        return subprocess.Popen(
            command,
            cwd=project.folder,
            env=project.environment,
            preexec_fn=mortal,
            stdout=stream,
            stderr=stream,
        )


def once(project, reference, pause) -> str:
    """What is wrong after two of them, the second `pause` seconds behind the first; empty if nothing."""
    for name in ("results", ".snakemake"):
        shutil.rmtree(project.folder / name, ignore_errors=True)
    logs = [project.folder / f"{k}.log" for k in (1, 2)]
    first = start(project, logs[0])
    time.sleep(pause)
    second = start(project, logs[1])
    codes = [first.wait(), second.wait()]
    told = [log.read_text() for log in logs]
    if all(codes):
        return f"both failed: {told}"
    unclear = [text for code, text in zip(codes, told, strict=True) if code and not _locked(text)]
    trace = project.folder / TRACE
    left = [path.name for path in trace.parent.iterdir() if path.name.startswith(".")]
    return "; ".join([*unclear, *differences(trace, reference), *left])


def _locked(text):
    return any(words in text for words in LOCKED)


def torture(cases, seed, folder, minutes=float("inf")):
    """Cases until they or the minutes are over; the outcome, and what was wrong."""
    rng, outcome, wrongs = np.random.default_rng(seed), Outcome("two Snakemakes at once in one folder"), []
    project = Project.create(folder, own_sources=False)
    project.snakemake(TRACE)
    reference = shutil.copy(project.folder / TRACE, project.folder / "reference.h5")
    began = time.monotonic()
    while outcome.cases < cases and time.monotonic() - began < 60 * minutes:
        found = once(project, reference, rng.choice([0, rng.uniform(0, 5)]))
        outcome.cases += 1
        outcome.wrong += bool(found)
        wrongs += [found] * bool(found)
    outcome.resumed, outcome.seconds = outcome.cases - outcome.wrong, time.monotonic() - began
    return outcome, wrongs


def main(arguments=None) -> int:
    """Run, print, save; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cases", type=int, default=3, help="long form: 50")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="end then, whatever --cases says")
    parser.add_argument("--json", type=Path, help="where to save the outcomes")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        outcome, wrongs = torture(options.cases, options.seed, Path(folder), options.minutes)
    print(outcome, *wrongs[:20], sep="\n", file=sys.stderr)
    if options.json:
        save(options.json, [outcome])
    return bool(wrongs)


if __name__ == "__main__":
    sys.exit(main())
