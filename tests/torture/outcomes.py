"""What one condition of the torture came to, and how it is kept."""

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path


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
    """

    condition: str
    cases: int = 0
    resumed: int = 0
    clear_errors: int = 0
    wrong: int = 0
    seconds: float = 0.0
    note: str = ""


def save(path, outcomes) -> None:
    """Write outcomes as a JSON list."""
    Path(path).write_text(json.dumps([dataclasses.asdict(o) for o in outcomes], indent=1) + "\n")


def load(path) -> list[Outcome]:
    """Read what `save` wrote."""
    return [Outcome(**entry) for entry in json.loads(Path(path).read_text())]
