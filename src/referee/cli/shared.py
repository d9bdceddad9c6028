"""Common options of the commands, and the paths of their files."""

import shlex
import subprocess
import sys
from pathlib import Path

import click

from projfree.common import owned
from projfree.common.atomic_io import atomic_write
from projfree.common.names import require

from .. import study
from ..common.marks import between
from ..common.project import project_root
from ..common.work import work_root

RUN = click.option(
    "--run",
    "run_name",
    default="quick",
    show_default=True,
    help="Run to work on: quick, full, or one under an alternative, such as quick@U1-theorem.",
)
FROM = click.option(
    "--from",
    "reports",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Use the evidence of published reports, such as reports/reference.",
)
SEEDS = click.option("--seeds", type=click.IntRange(1), help="Use at most so many seeds.")
PATH = click.Path(path_type=Path)
OUTPUT = click.option(
    "--output", type=PATH, help="What to write. Default: its usual place below results or reports."
)
TABLES = click.option(
    "--tables", "folders", type=PATH, multiple=True, help="Folders of evidence. Default: those of the run."
)
BASE = click.option(
    "--base", type=PATH, multiple=True, help="Folders of evidence of the run that this is an alternative to."
)
PUBLISHED = click.option(
    "--published", is_flag=True, help="Take published panels of just these jobs instead of computing them."
)
PAPERS = click.option("--paper", "papers", multiple=True, help="Only this paper; may be repeated.")
#: For commands whose output a person names: what is in its place may be replaced all the same.
FORCE = click.option(
    "--force",
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, given: given and context.with_resource(owned.forced()),
    help="Replace a file there that is not ours, or of something else.",
)
#: What lists all claims and figures, for errors about one of them.
LISTS = "List them with: projfree reproduce"


class Command(click.Command):
    """Takes several values after an option, as Snakemake writes a list: ``--tables a b c``."""

    def parse_args(self, ctx, args):
        """The arguments with the option before each of its values."""
        many = {name for option in self.params if getattr(option, "multiple", False) for name in option.opts}
        words, name = [], None
        for word in args:
            if word.startswith("--"):
                name = word if word in many else None
                words += [] if name else [word]
            else:
                words += [name, word] if name else [word]
        return super().parse_args(ctx, words)


def place(run_name, *parts) -> Path:
    """A path under the run's results."""
    return work_root() / "results" / run_name / Path(*parts)


def evidence_of(loaded) -> list[Path]:
    """Folders with the tables of a run that are here; what was taken from published tables comes last."""
    units = [place(loaded.run, "evidence", loaded.paper, unit) for unit in loaded.units()]
    folders = [path for path in [*units, place(loaded.run, "published", loaded.paper)] if path.is_dir()]
    return folders or [place(loaded.run, "evidence", loaded.paper)]  # which errors then name


def papers_of(run_name, papers=()) -> list[str]:
    """The named papers, or all that have a run; a run that no paper has is an error."""
    runs = {name: study.runs(name) for name in study.papers()}
    base, every = run_name.partition("@")[0], dict.fromkeys(run for own in runs.values() for run in own)
    study.lookup(every, base, "run", "papers")
    return list(papers) or [name for name, own in runs.items() if base in own]


def made_by(run_name, paper="") -> str:
    """The command that makes a run, of one paper or all."""
    if make := {"quick": "make quick", "full": "make replicate"}.get(run_name.partition("@")[0]):
        return f"{make} TARGETS={paper}" if paper else make
    return " ".join(filter(None, ["snakemake", paper, f"--cores 2 --config run={run_name}"]))


def snakemake(run_name, paper, targets, cores=2, published=False, dry_run=False) -> bool:
    """Print the command that makes some files of a paper; run it, or return True for a `dry_run`."""
    config = [f"run={run_name}", f"papers=[{paper}]", *(["published=true"] if published else [])]
    where, snakefile = work_root(), "workflow/Snakefile"
    elsewhere = [] if (where / snakefile).is_file() else ["--snakefile", str(project_root() / snakefile)]
    command = ["snakemake", *elsewhere, "--cores", str(cores), "--config", *config, "--", *targets]
    click.echo(shlex.join(command))
    if not dry_run:
        # Snakemake stands beside this interpreter, also where no environment is activated.
        own = Path(sys.executable).with_name(command[0])
        subprocess.run([own, *command[1:]], cwd=where, check=True)
    return dry_run


def the_one(papers) -> str:
    """The named paper, if no published reports are named."""
    if len(papers) != 1:
        raise click.UsageError("name one paper, such as ncgs, or published reports: --from reports/reference")
    return papers[0]


def published(reports, papers) -> list[str]:
    """The named papers with reports in a folder, or all of them; an unknown paper is an error."""
    known = sorted(path.parent.name for path in reports.glob("[!.]*/claims.json"))
    if not known:
        raise ValueError(f"{reports}: no published reports in it (no <paper>/claims.json)")
    require(papers, known, "paper", str(reports))
    return list(papers) or known


def renew_times() -> None:
    """Make the README's table of times again, from the costs that are kept with the published reports."""
    from ..publish.costs import table

    root = project_root()
    readme = root / "README.md"
    times = table(root / "reports" / "reference")
    atomic_write(readme, between(readme.read_text(encoding="utf-8"), "times", times))
