"""From one claim or one figure to the command that makes just that again."""

import shlex
import subprocess
import sys
from pathlib import Path

import click

from .. import study
from ..ground.known import unknown
from ..ground.project import project_root
from ..ground.work import work_root
from ..study.grids import drawable
from .evidence import of_base
from .shared import LISTS, RUN, place

SNAKEFILE = "Snakefile"


@click.command()
@click.argument("name", required=False)
@RUN
@click.option("--cores", type=click.IntRange(1), default=2, show_default=True, help="Number of cores.")
@click.option("--dry-run", "-n", is_flag=True, help="Only print the command.")
def reproduce(name, run_name, cores, dry_run):
    """Compute one claim, figure or panel again, and nothing else.

    \b
      projfree reproduce                        list all names
      projfree reproduce NCGS-C1.a              one claim: its runs, then its new verdict
      projfree reproduce ncgs/fig1-left         one figure or panel

    The command that makes it is printed and run.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    if name is None:
        return click.echo("\n".join(_known()))
    loaded, claim = find(name, run_name)
    targets = tables_of(loaded.spec, claim, run_name) if claim else [figure_of(name, run_name)]
    config = [f"run={run_name.partition('@')[0]}", f"papers=[{loaded.spec['paper']}]"]
    where = work_root()
    elsewhere = [] if (where / SNAKEFILE).is_file() else ["--snakefile", str(project_root() / SNAKEFILE)]
    command = ["snakemake", *elsewhere, "--cores", str(cores), "--config", *config, "--", *targets]
    click.echo(shlex.join(command))
    if dry_run:
        return
    # Snakemake stands beside this interpreter, also where no environment is activated.
    own = Path(sys.executable).with_name(command[0])
    subprocess.run([own, *command[1:]], cwd=where, check=True)
    if claim:
        from ..evidence.claims import evaluate
        from ..evidence.words import explain
        from ..study.models.paper import Paper

        own = Paper.of_study(loaded.spec | {"claims": [claim]})
        main = of_base(loaded.paper, run_name)
        click.echo(explain(evaluate(own, place(run_name, "evidence", loaded.paper), main=main)))


def find(name, run_name):
    """The study that has a claim or a figure, and the claim, with the requested part; None of a figure."""
    known = _known()
    if name not in known:
        raise ValueError(unknown("claim or figure", name, known, "", LISTS))
    loaded = study.load(known[name], run_name)
    if name not in (names := _names(loaded.spec)):
        raise ValueError(unknown(f"claim or figure in the run {run_name}", name, names, "", LISTS))
    top, _, letter = name.partition(".")
    return loaded, _only(names[top], letter)


def _known():
    """Every claim, part, figure and panel → its paper."""
    return {each: paper for paper in study.papers() for each in _names(study.load(paper, "full").spec)}


def _names(spec):
    """Claims, their parts, figures and named panels by name; what is drawn has no claim."""
    claims = {f"{spec['prefix']}-{claim['id']}": claim for claim in spec["claims"]}
    parts = {
        f"{name}.{letter}": claim for name, claim in claims.items() for letter in claim.get("parts") or {}
    }
    drawn = dict.fromkeys(f"{spec['paper']}/{stem}" for stem in drawable(spec["figures"]))
    return {**claims, **drawn, **parts}


def _only(claim, letter):
    """The claim with that part alone; whole without a letter."""
    return claim | {"parts": {letter: claim["parts"][letter]}} if letter else claim


def figure_of(name, run_name):
    """The file of a figure."""
    paper, _, stem = name.partition("/")
    return f"reports/{run_name}/{paper}/figures/{stem}.svg"


def tables_of(spec, claim, run_name):
    """The tidy tables that a claim and its parts are judged on; of an alternative its base run's too."""
    told = study.panels_told(claim, spec["experiments"])
    names = [name for name in spec["experiments"] if name in told]
    runs = dict.fromkeys((run_name, run_name.partition("@")[0]))
    return [f"results/{run}/evidence/{spec['paper']}/{name}.csv" for run in runs for name in names]
