"""What one condition of the torture came to, and how it is kept."""

import dataclasses
import json
import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from projfree.ground.provenance import environment
from projfree.ground.sealed import atomic_write
from referee.ground.revision import git_commit


@dataclass
class Outcome:
    """One row of the table in docs/reliability.md.

    Attributes
    ----------
    condition : str, what was done to the program
    cases : int, how often; 0 means that it could not be done here, and `note` says why
    resumed : int, cases that ended with the right result
    clear_errors : int, cases that ended with a clear one-line error instead
    wrong : int, all the others: lost or differing results, tracebacks, crashes, bad files
    seconds : float, wall seconds
    note : str
    went_on : int, starts of jobs that went on from a checkpoint
    """

    condition: str
    cases: int = 0
    resumed: int = 0
    clear_errors: int = 0
    wrong: int = 0
    seconds: float = 0.0
    note: str = ""
    went_on: int = 0

    def __add__(self, other):
        """Both as one; a note on why nothing was done goes once something was."""
        notes = {o.note: None for o in (self, other) if o.note and (o.cases or not self.cases + other.cases)}
        counts = ("cases", "resumed", "clear_errors", "wrong", "seconds", "went_on")
        sums = {name: getattr(self, name) + getattr(other, name) for name in counts}
        return Outcome(self.condition, note="; ".join(notes), **sums)


def save(path, outcomes) -> None:
    """Write outcomes as JSON, and when, of which sources and on which machine they were had."""
    content = {"about": about(), "outcomes": [dataclasses.asdict(o) for o in outcomes]}
    atomic_write(path, json.dumps(content, indent=1) + "\n")


def load(path) -> tuple[str, list[Outcome]]:
    """Read what `save` wrote: what it is about, and the outcomes."""
    content = json.loads(Path(path).read_text())
    return content["about"], [Outcome(**entry) for entry in content["outcomes"]]


def about() -> str:
    """Date, commit, machine."""
    found = environment()
    return (
        f"{datetime.now(UTC):%d %B %Y}, commit {git_commit()[:12]}, {found['cpu']}, {os.cpu_count()} cores, "
        f"{platform.system()}, Python {found['python']}, h5py {found['versions']['h5py']}"
    )
