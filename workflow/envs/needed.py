"""Print the part of requirements.lock that the library and some extras need: ``needed.py workflow``.

The lock says of every package which others asked for it: what is needed follows from names in pyproject.toml.
Runs before anything is installed, with the standard library alone.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def needed(project: dict, lock: str, extras) -> str:
    """The entries of a lock, hashes and all, that a project with some of its extras needs."""
    entries = {name(entry): entry for entry in re.findall(r"^\w[^#\n]*(?:\n +.*)+", lock, re.M)}
    asked = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    asked += [one for extra in extras for one in project["project"]["optional-dependencies"][extra]]
    waiting, found = {name(one) for one in asked}, set()
    while waiting:
        found |= waiting
        waiting = {one for one, entry in entries.items() if askers(entry) & found} - found
    return "\n".join(entries[one] for one in sorted(found)) + "\n"


def name(text: str) -> str:
    """A package's name as indices know it, from the beginning of a requirement."""
    return re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", text)[0]).lower()


def askers(entry: str) -> set[str]:
    """Packages that asked for an entry, as its comment lists them."""
    told = entry.partition("# via")[2]
    return {name(line.strip(" #")) for line in told.splitlines() if line.strip(" #")}


if __name__ == "__main__":
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    print(needed(pyproject, (ROOT / "requirements.lock").read_text(encoding="utf-8"), sys.argv[1:]), end="")
