"""From traces to verdicts and tables."""

import json
from pathlib import Path

import click

from projfree.ground.outside import read_json
from projfree.ground.sealed import atomic_write

from .. import study
from ..ground.project import project_root
from ..study.models.fact import COMBINATIONS
from .shared import FROM, RUN, by_stem, place, published, the_one


@click.command()
@click.argument("output", type=click.Path(path_type=Path))
@click.argument("traces", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def tidy(output, traces):
    """Turn the TRACES of one experiment into the tidy table OUTPUT."""
    from ..evidence.tidy import tidy as write

    write(list(traces), output)


@click.command()
@click.argument("paper")
@RUN
def calibrate(paper, run_name):
    """Measure what a call of each oracle costs each method, from the timers of a finished run of PAPER.

    Model seconds, counts × unit cost, are made of it on every machine: what this writes,
    papers/<paper>/unit_costs/<run>.json, is to be committed. Do it where nothing else is at work.
    """
    from ..publish.calibration import calibrated
    from ..study import unit_costs

    found = unit_costs.UnitCosts(**calibrated(study.load(paper, run_name), place(run_name)))
    unit_costs.write(path := unit_costs.place(paper, run_name), found)
    error = f"{found.error['median']:.1%} in the median, {found.error['worst']:.1%} at worst"
    click.echo(f"wrote {path}; off the measured seconds at the ends by {error}")


@click.command()
@click.argument("papers", nargs=-1)
@RUN
@FROM
def judge(papers, run_name, reports):
    """Compute the verdict on every claim of a paper from the tidy tables: results/<run>/claims/<paper>.json.

    With --from nothing is written: the verdicts of all published papers, or of PAPERS, are made again from
    their published evidence, and each that is another is told (exit code 1).
    """
    if reports:
        return _judge_again(reports, papers)
    from ..evidence.claims import evaluate

    paper = the_one(papers)
    loaded, tables = study.load(paper, run_name), place(run_name, "evidence", paper)
    claims = evaluate(loaded.model, tables, _tried(loaded, tables), _main(paper, run_name))
    atomic_write(place(run_name, "claims", f"{paper}.json"), json.dumps(claims, indent=1, ensure_ascii=False))


def _tried(loaded, tables):
    """Tables of tried values of a run, each beside its trace: of shared jobs both are another run's."""
    import pandas as pd  # slow to import

    for name, values in loaded.experiments.items():
        tuned = [method for method in values.methods if loaded.searches(name, method)]
        if tuned and (table := tables / f"{name}.csv").exists():
            found = pd.read_csv(table, usecols=["method", "trace"]).drop_duplicates()
            for trace in found["trace"][found["method"].isin(tuned)]:
                yield project_root() / trace.replace("/traces/", "/tuning/").replace(".h5", ".json")


def _main(paper, run_name):
    """The evidence of the run that a run is an alternative to, if it is one."""
    from ..evidence.panel import Evidence

    base, alternative, _ = run_name.partition("@")
    return Evidence(study.load(paper, base).model, place(base, "evidence", paper)) if alternative else None


def _judge_again(reports, papers):
    from ..evidence.published import differences

    found = {paper: differences(reports / paper) for paper in published(reports, papers)}
    for paper, lines in found.items():
        click.echo("\n".join([f"{paper}: {len(lines) or 'no'} differences", *lines]))
    if any(found.values()):
        raise SystemExit(1)


@click.command()
@click.argument("paper", required=False)
@RUN
@click.option("--controls", is_flag=True, help="Instead: the controls, and which claims are vacuous.")
def claims(paper, run_name, controls):
    """Show the verdicts of PAPER (or of all papers) in the terminal."""
    from ..evidence.words import explain, explain_controls

    for name in [paper] if paper else study.papers():
        study.load(name, run_name)  # an unknown paper is told first
        path = place(run_name, "claims", f"{name}.json")
        if not path.exists():
            raise FileNotFoundError(
                f"{path} is missing; make it with: snakemake claims --cores 2 --config run={run_name}"
            )
        entries = read_json(path)
        click.echo(explain_controls(entries) if controls else explain(entries))


@click.command()
@click.argument("paper")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@RUN
def table(paper, files, run_name):
    """Write FILES of PAPER, each the table whose name it has, as .csv or .tex."""
    from ..evidence.tables import build_table, write_table

    loaded = study.load(paper, run_name)
    for name, outputs in by_stem(files, loaded.tables, "table", paper).items():
        write_table(build_table(loaded.model, name, place(run_name, "evidence", paper)), outputs)


@click.command("under-alternatives")
@click.argument("paper")
@RUN
def under_alternatives(paper, run_name):
    """Collect the verdicts under every alternative of the deviation register into one table.

    Beside each stands the main run's on the same panels, with no more seeds and repetitions and no longer
    budgets: what another choice turns is then not what fewer runs leave open.
    """
    from ..evidence.alternatives import Under, collect
    from ..evidence.claims import evaluate
    from ..evidence.cuts import amounts
    from ..evidence.panel import Evidence

    loaded = study.load(paper, run_name)
    evidence, found = place(run_name, "evidence", paper), []
    whole = Evidence(loaded.model, evidence)  # tells how well seconds repeat, as for the alternatives
    for name, choice in study.alternatives(loaded.spec).items():
        under = study.load(paper, f"{run_name}@{name}")
        experiments = amounts(loaded.experiments, under.experiments)
        same = loaded.model.model_copy(update={"claims": under.claims, "experiments": experiments})
        main = evaluate(same, evidence, main=whole, short=True)
        other = read_json(place(f"{run_name}@{name}", "claims", f"{paper}.json"))
        found.append(Under(choice["deviation"], choice["name"], choice["experiments"], same, main, other))
    collect(found, _tables(paper, run_name) / "alternatives.csv")


def _tables(paper, run_name):
    """The tables of a report."""
    return project_root() / "reports" / run_name / paper / "tables"


@click.command()
@click.argument("paper")
@RUN
@click.option("--propose", is_flag=True, help="Instead: pairs of alternatives that promise most together.")
def inverse(paper, run_name, propose):
    """Search the choices that PAPER leaves open for those that fit best what it states and draws."""
    from ..evidence.inverse_tables import write_inverse

    search = _search(paper, run_name)
    if propose:
        pairs = search.promising(COMBINATIONS)
        click.echo("\n".join(f"- [{', '.join(pair)}]" for pair in pairs) or "no pair promises anything")
    else:
        write_inverse(search, _tables(paper, run_name) / "inverse.csv")


def _search(paper, run_name):
    """The inverse search on the tidy tables of a run and of its alternatives."""
    from ..evidence.inverse import Inverse, Source

    loaded, tables = study.load(paper, run_name), place(run_name, "evidence", paper)
    _check_facts(paper)
    runs = [(Source("", loaded.model, tables), Source("", loaded.model, tables))]
    for name in study.alternative_runs(loaded.spec):
        other = study.load(paper, f"{run_name}@{name}").model
        source = Source(name, other, place(f"{run_name}@{name}", "evidence", paper))
        runs.append((source, Source("", other, tables)))
    return Inverse(loaded.model, runs)


def _check_facts(paper):
    """Raise `ValueError`, with file and line, for a fact of the paper that says what nobody knows."""
    from ..evidence.inverse import check_facts, check_readings

    model = study.load(paper, "full").model
    check_readings(model)
    for name in model.facts:
        try:
            check_facts(model, name)
        except ValueError as error:
            raise ValueError(f"{study.place_of(paper, 'facts', name)}: fact {name}: {error}") from error
