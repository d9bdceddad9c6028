"""One side of a comparison: the results of a run, or reports that were published."""

import json
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from projfree.ground.sealed import read_h5

from ..ground.bounded import check_size, read_json

#: What is told of where a side was made.
MADE = ("commit", "cpu", "system", "python", "libraries", "blas")


@dataclass(frozen=True)
class Side:
    """A folder ``results/<run>``, or ``reports/<run>`` with the evidence that was published."""

    folder: Path

    @classmethod
    def of(cls, where: str, root) -> "Side":
        """The side that a run's name, or a folder, stands for.

        Raises
        ------
        FileNotFoundError
            Where neither is there, or holds neither verdicts nor results tables.
        """
        named = Path(root) / "results" / where
        side = cls(named if named.is_dir() else Path(where))
        if not side.folder.is_dir():
            here = ", ".join(sorted(path.name for path in named.parent.glob("*/"))) or "none"
            raise FileNotFoundError(f"there is neither a run nor a folder {where!r}. Runs here: {here}")
        if not side.papers:
            made = "claims/<paper>.json, <paper>/claims.json or evidence/<paper>/<experiment>.csv"
            raise FileNotFoundError(f"{side.folder}: no verdicts or results tables to compare (no {made})")
        return side

    @cached_property
    def judged(self) -> dict[str, Path]:
        """Paper → its claims.json."""
        results = {path.stem: path for path in sorted(self.folder.glob("claims/*.json"))}
        reports = {path.parent.name: path for path in sorted(self.folder.glob("*/claims.json"))}
        return results or reports

    @cached_property
    def papers(self) -> list[str]:
        """Papers with verdicts or results tables: who made one figure has no verdict."""
        places = [*self.folder.glob("evidence/*/*.csv*"), *self.folder.glob("*/evidence/*.csv*")]
        tables = {(set(path.parts[-3:-1]) - {"evidence"}).pop() for path in places}
        return sorted({*self.judged, *tables})

    def claims(self, paper: str) -> dict[str, dict]:
        """Claim or part → its entry; nothing of a paper that was not judged."""
        if paper not in self.judged:
            return {}
        return {entry["id"]: entry for entry in read_json(self.judged[paper])}

    def tables(self, paper: str) -> dict[str, Path]:
        """Experiment → its tidy table."""
        places = self.folder / "evidence" / paper, self.folder / paper / "evidence"
        found = [path for place in places for path in sorted(place.glob("*.csv*"))]
        return {path.name.partition(".csv")[0]: path for path in found}

    def traces(self, paper: str) -> dict[tuple[str, str], dict]:
        """(experiment, method) → the attributes of its trace: none of what was published."""
        found = sorted((self.folder / "traces" / paper).glob("*/*.h5"))
        return {(path.parent.name, path.stem): _attributes(path) for path in found}

    def made(self, paper: str) -> dict[str, list[str]]:
        """Commit, processor and libraries, each with all values that its traces have, the usual one first."""
        told = [_origin(attributes) for attributes in self.traces(paper).values()] or [self._published(paper)]
        return {
            key: [v for v, _ in Counter(t[key] for t in told if t.get(key)).most_common()] for key in MADE
        }

    def _published(self, paper):
        """Provenance of a published report."""
        if paper not in self.judged:
            return {}
        origin, costs = (self.judged[paper].with_name(name) for name in ("about.json", "costs.json"))
        about = read_json(origin) if origin.is_file() else {}
        runs = read_json(costs) if costs.is_file() else {}
        return {"commit": about.get("commit"), "cpu": runs.get(about.get("run"), {}).get("machine")}


def _attributes(path):
    check_size(path)
    with read_h5(path) as handle:
        plain = {name: handle.attrs[name] for name in ("git_commit", "instance_sha256")}
        return plain | {name: json.loads(handle.attrs[name]) for name in ("environment", "spec")}


def _origin(attributes):
    """A trace's origin in words that can be compared."""
    made = attributes["environment"]
    blas = [f"{p['internal_api']} {p['version']} {p['architecture']}" for p in made["blas"]]
    return {
        "commit": str(attributes["git_commit"]),
        **{key: made[key] for key in ("cpu", "system", "python")},
        "libraries": ", ".join(f"{name} {version}" for name, version in made["versions"].items()),
        "blas": ", ".join(sorted(set(blas))),
    }
