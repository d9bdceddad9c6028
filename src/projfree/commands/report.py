"""From verdicts to figures and pages, and to what is published."""

from pathlib import Path

import click

from .. import study
from ..ground import provenance
from ..ground.root import project_root
from ..ground.sealed import atomic_write
from .shared import RUN, by_stem, place, renew_times


@click.command()
@click.argument("paper")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@RUN
def figure(paper, files, run_name):
    """Draw FILES of PAPER, each the figure whose name it has, as .svg, .pdf or .png."""
    from ..report.figures import draw
    from ..study.grids import drawable

    spec = study.load(paper, run_name).spec
    about = {"run": run_name, "commit": provenance.git_commit()}
    for name, outputs in by_stem(files, drawable(spec["figures"]), "figure", paper).items():
        draw(spec, name, place(run_name, "evidence", paper), outputs, about)


@click.command()
@click.argument("paper")
@RUN
@click.option("--output", type=click.Path(path_type=Path), help="Default: reports/<run>/<paper>/index.html.")
def page(paper, run_name, output):
    """Write the page of PAPER from its claims, figures and tables."""
    from ..report.page import write_page

    spec = study.load(paper, run_name).spec
    output = output or project_root() / "reports" / run_name / paper / "index.html"
    judged = place(run_name, "claims", f"{paper}.json")
    atomic_write(output.parent / "claims.json", judged.read_text())
    others = output.parent / "tables" / "alternatives.csv"
    write_page(
        spec,
        output.parent / "claims.json",
        output.parent / "figures",
        output.parent / "tables",
        output,
        about_run(paper, run_name),
        tuning=sorted(place(run_name, "tuning", paper).glob("*/*.json")),
        alternatives=others if others.exists() else None,
        tidy_dir=place(run_name, "evidence", paper),
    )


@click.command()
@RUN
@click.option("--output", type=click.Path(path_type=Path), help="Default: reports/<run>/index.html.")
def index(run_name, output):
    """Write the page over all papers of a run."""
    from ..report.index import write_index

    output = output or project_root() / "reports" / run_name / "index.html"
    write_index(
        output.parent, output, [p for p in study.papers() if (output.parent / p / "index.html").exists()]
    )


@click.command()
@click.argument("paper")
@click.option("--run", "run_name", default="full", show_default=True, help="Which run to publish.")
def publish(paper, run_name):
    """Make a run's report of PAPER the reference, with its costs and evidence; renew index and README.

    Refused are changes that no commit has, parts made by different sources, a register without the verdicts
    under its alternatives, and seconds that were measured once.
    """
    from ..evidence.published import keep
    from ..report.publish import publish as copy
    from ..results import costs
    from ..results.publishable import refusals

    reports = project_root() / "reports"
    loaded = study.load(paper, run_name)
    runnable = study.alternatives(loaded.spec)
    if found := refusals(project_root(), run_name, paper, runnable):
        raise ValueError("\n".join([f"{paper} ({run_name}) is not to be published:", *found]))
    evidence = reports / run_name / paper / "evidence"
    keep(loaded.spec, place(run_name, "evidence", paper), place(run_name, "tuning", paper), evidence)
    copy(reports / run_name / paper, reports / "reference" / paper, project_root() / "README.md", paper)
    costs.save(loaded, place(run_name), reports / "reference" / paper / "costs.json")
    renew_times()
    index.callback("reference", None)


def about_run(paper, run_name) -> dict:
    """Provenance of a page: commands, commit, environment, data, how long it took."""
    from ..results.record import authors, data_hashes, durations, sharing

    return {
        "run": run_name,
        "commit": provenance.git_commit(),
        "command": f"snakemake --cores 2 --config run={run_name} -- {paper}",
        "environment": provenance.environment(),
        "data": data_hashes(place(run_name, "instances", paper)),
        "durations": durations(place(run_name) / "benchmarks", paper),
        "timing": sharing(place(run_name, "traces", paper)),
        "authors": authors(place(run_name, "traces", paper)),
    }
