"""What the commands share: their options, and where files stand."""

from pathlib import Path

import click

from ..ground.names import require
from ..ground.root import project_root
from ..ground.sealed import atomic_write

RUN = click.option(
    "--run", "run_name", default="quick", show_default=True, help="quick, full, or <run>@<alternative>."
)
SEEDS = click.option("--seeds", type=click.IntRange(1), help="At most so many seeds.")


def place(run_name, *parts) -> Path:
    """A path under the run's results."""
    return project_root() / "results" / run_name / Path(*parts)


def by_stem(files, known, kind, where) -> dict:
    """Files by what they show, which their names say; an unknown name is an error that lists the known."""
    found = {}
    for file in files:
        found.setdefault(file.stem, []).append(file)
    require(found, known, kind, where)
    return found


def renew_times() -> None:
    """Make the README's table of times again, from the costs that are kept with the published reports."""
    from ..results.times import renewed

    readme = project_root() / "README.md"
    atomic_write(readme, renewed(readme.read_text(), project_root() / "reports" / "reference"))
