"""Instances, runs and the tables made of them; the solvers that there are."""

import ast
import traceback
from pathlib import Path

import click

from projfree.common import owned
from projfree.common.atomic_io import atomic_copy, atomic_write
from projfree.common.names import unknown

from .. import study
from ..common import ours
from ..common.alone import alone
from ..common.project import project_root
from ..common.work import work_root
from .shared import BASE, FORCE, OUTPUT, PATH, PUBLISHED, RUN, SEEDS, Command, place

PREPARED = click.option(
    "--prepared", "datasets", type=PATH, multiple=True, help="Prepared dataset. Default: below data/prepared."
)


def store():
    """The store of finished results in the folder of the run's results."""
    from ..jobs.store import FOLDER, Store

    return Store(work_root() / "results" / FOLDER)


def prepared(loaded, experiment, given=()) -> Path | None:
    """The prepared dataset of an experiment, of those that are given or in its usual place."""
    dataset = loaded.dataset(experiment)
    usual = work_root() / "data" / "prepared" / f"{dataset}.h5"
    return next((path for path in given if path.stem == dataset), usual) if dataset else None


@click.command(cls=Command)
@click.argument("paper")
@click.argument("experiment")
@RUN
@SEEDS
@PREPARED
@OUTPUT
@FORCE
def instance(paper, experiment, run_name, seeds, datasets, output):
    """Write the instance file of EXPERIMENT, which all methods read."""
    from ..jobs.store import make_instance

    loaded = study.load(paper, run_name, seeds=seeds)
    output = output or place(run_name, "instances", paper, f"{experiment}.h5")
    make_instance(loaded.recipe(experiment), output, prepared(loaded, experiment, datasets))
    click.echo(f"wrote {output}")


@click.command(cls=Command)
@click.argument("paper")
@click.argument("experiment")
@click.argument("method")
@RUN
@SEEDS
@click.option(
    "--instance", "instance_path", type=click.Path(exists=True, path_type=Path), help="Instance file to read."
)
@click.option("--tuning", type=PATH, help="Table of tried values to take the chosen ones from.")
@BASE
@OUTPUT
@FORCE
def solve(paper, experiment, method, run_name, seeds, instance_path, tuning, base, output):
    """Tune and run METHOD on all seeds of EXPERIMENT and write its trace.

    \b
      projfree instance ncgs fig1-left          first: the data that all methods read
      projfree solve ncgs fig1-left ncgs-2      then: one method

    A finished trace of the same job is taken from results/store. To continue a run that was killed, call the
    same command again.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    from ..jobs.store import link, work_of

    loaded = study.load(paper, run_name, seeds=seeds)
    job = loaded.job(experiment, method)
    if loaded.needs_instance(experiment) and instance_path is None:
        source = loaded.instance_of(experiment)
        instance_path = place(loaded.run, "instances", paper, f"{source}.h5")
        if not instance_path.exists():
            again = f"projfree instance {paper} {source} --run {run_name}"
            raise FileNotFoundError(f"{instance_path} is missing; make it with: {again}")
    if base and loaded.searches(experiment, method):
        tuning = _tuning(base, experiment, method)
    output = output or place(run_name, "traces", paper, experiment, f"{method}.h5")
    works = work_of(job)
    for path, work in zip((output, table := output.with_suffix(".json")), works, strict=True):
        owned.require(path, work)  # before hours of work
    trace, tried = store().trace(job, instance_path, tuning)
    link(tried, table, works[1]) if tried else atomic_write(table, "{}", works[1])
    link(trace, output, works[0])
    click.echo(f"wrote {output}")


def _tuning(folders, experiment, method):
    """The table of tried values of a method in folders of evidence."""
    places = [folder / "tuning" / experiment / f"{method}.json" for folder in folders]
    if not (paths := [path for path in places if path.is_file()]):
        raise FileNotFoundError(
            f"no table of tried values of {experiment}/{method} (none of {', '.join(map(str, places))})"
        )
    return paths[0]


@click.command(cls=Command)
@click.argument("paper")
@click.argument("experiments", nargs=-1, required=True)
@RUN
@SEEDS
@PREPARED
@click.option("--trace", "traces", type=PATH, multiple=True, help="…/<experiment>/<method>.h5, made before.")
@BASE
@PUBLISHED
@OUTPUT
def evidence(paper, experiments, run_name, seeds, datasets, traces, base, published, output):
    """Write the tables of EXPERIMENTS into a folder.

    Methods without a trace are run. A method that fails stops no other: those are kept in results/store.
    """
    from ..publish import records

    loaded = study.load(paper, run_name, seeds=seeds)
    for experiment in experiments:
        loaded.experiment(experiment)  # an unknown one is told first
    units = loaded.units().items()
    unit = next((unit for unit, members in units if experiments[0] in members), experiments[0])
    usual = ("published", paper) if published else ("evidence", paper, unit)
    output = output or place(run_name, *usual)
    with alone(output):  # of one that outlived its Snakemake too
        ours.require(output, records.PARTS)
        if published:
            panels = records.take(loaded, experiments, output, project_root(), work_root())
            return click.echo(f"{len(panels)} panels of {paper} {records.taken(panels)}")
        known, failed, made = {(path.parent.name, path.stem): path for path in traces}, [], {}
        for experiment in experiments:
            made[experiment], wrong = _made(loaded, experiment, known, datasets, base)
            failed += wrong
        if failed:
            kept = "the others are finished and kept; start again when this is mended"
            raise ValueError("\n".join([f"{len(failed)} methods failed, {kept}:", *failed]))
        ours.removed(output, records.PARTS)  # now that nothing can fail which a person has to mend
        panels = {name: _tables(loaded, name, own, output) for name, own in made.items()}
        records.write(output, loaded, panels)
    return click.echo(f"wrote {output}")


def _made(loaded, experiment, known, datasets, base):
    """Method → its finished trace and its table of tried values; in words, which methods failed."""
    from ..jobs import store as finished

    shelf, source, made, failed, instance_path = store(), loaded.instance_of(experiment), {}, [], None
    data = prepared(loaded, source, datasets)
    needs = loaded.needs_instance(experiment)
    about = finished.origin(
        loaded.recipe(source).plain() if needs else {}, finished.data_of(data if needs else None)
    )
    for method in loaded.experiment(experiment).run_here:
        trace = known.get((experiment, method))
        try:
            if trace and finished.is_whole(trace):
                made[method] = trace, trace.with_suffix(".json")
                continue
            if trace:
                finished.forget(trace)
                raise ValueError(f"{trace} was damaged and is removed; start again, and it is made again")
            job, searched = loaded.job(experiment, method), loaded.searches(experiment, method)
            tuning = _tuning(base, experiment, method) if base and searched else None
            pair = shelf.found(job, about, tuning)
            if pair is None:
                if needs and instance_path is None:
                    instance_path = shelf.instance(loaded.recipe(source), data)
                pair = shelf.trace(job, instance_path, tuning)
            made[method] = pair
        except Exception as error:  # whatever one solver raises, the others are made
            traceback.print_exc()
            failed.append(f"{experiment}/{method}: {error}")
    return made, failed


def _tables(loaded, experiment, made, output):
    """Write a panel's results table and its tables of tried values; returns its record."""
    from ..evidence.tidy import tidy
    from ..jobs import store as finished
    from ..publish import records

    files, traces = {f"{experiment}.csv": output / f"{experiment}.csv"}, []
    for method, (trace, _) in made.items():
        if trace.is_relative_to(store().folder):
            finished.link(trace, output / "traces" / experiment / f"{method}.h5", owned.NONE)
            trace = output / "traces" / experiment / f"{method}.h5"
        traces.append(trace)
    tidy(traces, files[f"{experiment}.csv"])
    for method, (_, tried) in made.items():
        if tried and loaded.tunes(experiment, method):
            name = f"tuning/{experiment}/{method}.json"
            files[name] = output / name
            atomic_copy(tried, output / name)
    return records.record(loaded, experiment, traces, files)


@click.command()
@click.argument("name", required=False)
def solvers(name):
    """List the solvers, or show the parameters of solver NAME.

    \b
      projfree solvers                          all solvers, each with a sentence
      projfree solvers frank_wolfe              one, with its parameters and their defaults
    """  # noqa: D301 - as above
    from projfree import solvers as package

    if not name:
        for known in package.available():
            # Read without importing it.
            source = Path(package.__file__).with_name(f"{known}.py").read_text(encoding="utf-8")
            classes = (part for part in ast.parse(source).body if isinstance(part, ast.ClassDef))
            cls = next(part for part in classes if part.name == "Solver")
            click.echo(f"{known}\n    {ast.get_docstring(cls).splitlines()[0]}")
        return
    if name.replace("-", "_") not in package.available():
        raise ValueError(unknown("solver", name, package.available(), "", "List them with: projfree solvers"))
    cls = package.load(name)
    defaults = ", ".join(f"{k}={v.default!r}" for k, v in cls.__dataclass_fields__.items())
    click.echo(f"{name}\n    {cls.__doc__.strip()}\n    defaults: {defaults}")


@click.command()
def compile():
    """Compile the kernels into the cache, before any job is timed."""
    from ..jobs.compiled import compile_all

    compile_all()
