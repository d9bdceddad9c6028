"""`python tests/torture/long.py FOLDER --document docs/reliability.md`: the long forms, in parts.

Each part leaves a file in the folder and is not run again: stopped, the same command goes on. The document
gets the sums of all parts that are there.
"""

import argparse
import subprocess
import sys
from pathlib import Path

import table
from outcomes import load

HERE = Path(__file__).resolve().parent

FEW = ["--jobs", "10", "--minutes", "inf"]
#: Name → (tool, number of parts, what each is asked for); the seed of a part is its number, and draws jobs.
FORMS = {
    "random": ("kills", 3, ["--only", "SIGKILL at a random", "--kills", "300", *FEW]),
    "operations": ("kills", 3, ["--only", "before or after", "--kills", "300", *FEW]),
    "writers": ("kills", 1, ["--only", "process number", "--kills", "450", *FEW]),
    "faketime": ("kills", 1, ["--only", "faketime", "--kills", "45", *FEW]),
    "memory": ("kills", 1, ["--only", "memory", "--kills", "180", *FEW]),
    "workflows": ("workflows", 10, ["--cases", "5"]),
    "readers": ("readers", 10, ["--cases", "100000"]),
    "downloads": ("downloads", 5, ["--cases", "2000"]),
    "kills": ("kills", 1, ["--kills", "100", *FEW]),
}


def parts(folder) -> dict[Path, list]:
    """File → command, a part of each form in turn, so that a part of the time gives a part of everything."""
    found = {}
    for k in range(max(count for _, count, _ in FORMS.values())):
        for name, (tool, count, asked) in FORMS.items():
            if k < count:
                path = folder / f"{name}-{k}.json"
                found[path] = [HERE / f"{tool}.py", *asked, "--seed", str(k), "--json", path]
    return found


def main(arguments=None) -> int:
    """Run what is missing, write the document; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the parts are kept")
    parser.add_argument("--document", type=Path, help="where the tables go, between their marks")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    wanted = parts(options.folder)
    for path, command in wanted.items():
        if not path.exists():
            subprocess.run([sys.executable, *command])
    if options.document:
        table.main(options.document, *wanted)
    return any(outcome.wrong for path in wanted for outcome in load(path)[1])


if __name__ == "__main__":
    sys.exit(main())
