"""From tables to figures and tables of a report, and to the verdicts under alternatives."""

from pathlib import Path

import click

from .. import study
from ..ground import revision
from ..ground.bounded import read_json
from .shared import RUN, by_stem, place

#: Of tables; other files are figures.
TABLES = (".csv", ".tex")


@click.command()
@click.argument("paper")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@RUN
def draw(paper, files, run_name):
    """Write the figures and tables after which FILES are named.

    A figure of PAPER is .svg, .pdf or .png, a table .csv or .tex. One table is of a run and its
    alternatives: alternatives.csv has the verdicts under each alternative, next to the verdicts of the run on
    the same panels with no more seeds, repetitions and budget, and of the whole run.
    """
    from ..study.grids import drawable

    loaded = study.load(paper, run_name)
    figures = [file for file in files if file.suffix not in TABLES]
    for name, outputs in by_stem(figures, drawable(loaded.spec["figures"]), "figure", paper).items():
        _figure(loaded, name, outputs)
    tables = [file for file in files if file.suffix in TABLES]
    for name, outputs in by_stem(tables, [*loaded.tables, *OVER_RUNS], "table", paper).items():
        OVER_RUNS.get(name, _table)(loaded, name, outputs)


def _figure(loaded, name, outputs):
    from ..report.figures import draw as drawn

    about = {"run": loaded.run, "commit": revision.git_commit()}
    drawn(loaded.spec, name, place(loaded.run, "evidence", loaded.paper), outputs, about)


def _table(loaded, name, outputs):
    from ..evidence.tables import build_table, write_table

    write_table(build_table(loaded.model, name, place(loaded.run, "evidence", loaded.paper)), outputs)


def _alternatives(loaded, _name, outputs):
    """Verdicts under every alternative of the register, next to the run's own on the same panels.

    The run's own are judged with no more seeds and repetitions and no longer budgets: what another choice
    turns is then not what fewer runs leave open. Beside them are its verdicts at full size.
    """
    from ..evidence.alternatives import Under, collect
    from ..evidence.claims import evaluate
    from ..evidence.cuts import amounts
    from ..evidence.panel import Evidence

    paper, run_name = loaded.paper, loaded.run
    evidence, found = place(run_name, "evidence", paper), []
    whole = Evidence(loaded.model, evidence)  # tells how well seconds repeat, as for the alternatives
    full = read_json(place(run_name, "claims", f"{paper}.json"))
    for name, choice in study.alternatives(loaded.spec).items():
        under = study.load(paper, f"{run_name}@{name}")
        experiments = amounts(loaded.experiments, under.experiments)
        asked = {"claims": under.claims, "experiments": experiments, "clock": under.model.clock}
        same = loaded.model.model_copy(update=asked)
        main = evaluate(same, evidence, main=whole, short=True)
        other = read_json(place(f"{run_name}@{name}", "claims", f"{paper}.json"))
        panels = [name for name, values in under.experiments.items() if values.methods]
        found.append(Under(choice["deviation"], choice["name"], panels, same, main, other, full))
    for output in outputs:
        collect(found, output)


#: Tables that are read from several runs.
OVER_RUNS = {"alternatives": _alternatives}
