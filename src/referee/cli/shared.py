"""What the commands share: their options, and where files stand."""

from pathlib import Path

import click

from projfree.ground.names import require
from projfree.ground.sealed import atomic_write

from ..ground.project import project_root
from ..ground.work import work_root

RUN = click.option(
    "--run", "run_name", default="quick", show_default=True, help="quick, full or <run>@<alternative>."
)
FROM = click.option(
    "--from",
    "reports",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Published reports such as reports/reference, whose evidence is used.",
)
SEEDS = click.option("--seeds", type=click.IntRange(1), help="Number of seeds, at most.")
PAPERS = click.option("--paper", "papers", multiple=True, help="Only this paper; may be repeated.")
#: The command that lists all claims and figures, for errors about one of them.
NAMES = "projfree reproduce"


def place(run_name, *parts) -> Path:
    """A path under the run's results."""
    return work_root() / "results" / run_name / Path(*parts)


def the_one(papers) -> str:
    """The paper that is named, where published reports are not."""
    if len(papers) != 1:
        raise click.UsageError("name one paper, or published reports by --from")
    return papers[0]


def published(reports, papers) -> list[str]:
    """Those papers whose reports are in a folder, or all of them; an unknown one is an error."""
    known = sorted(path.parent.name for path in reports.glob("[!.]*/claims.json"))
    require(papers, known, "paper", str(reports))
    return list(papers) or known


def by_stem(files, known, kind, where) -> dict:
    """Files by what they show, which their names say; an unknown name is an error that lists the known."""
    found = {}
    for file in files:
        found.setdefault(file.stem, []).append(file)
    require(found, known, kind, where)
    return found


def renew_times() -> None:
    """Make the README's table of times again, from the costs that are kept with the published reports."""
    from ..publish.times import renewed

    readme = project_root() / "README.md"
    atomic_write(
        readme, renewed(readme.read_text(encoding="utf-8"), project_root() / "reports" / "reference")
    )
