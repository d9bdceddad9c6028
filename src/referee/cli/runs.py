"""One run after the other: instances, tables of tried values, traces; the solvers that there are."""

import ast
from pathlib import Path

import click

from .. import study
from ..ground.alone import alone
from ..ground.known import unknown
from ..ground.work import work_root
from .shared import FORCE, RUN, SEEDS, place

INSTANCE = click.option(
    "--instance", "instance_path", type=click.Path(exists=True, path_type=Path), help="Instance file to read."
)


@click.command()
@click.argument("paper")
@click.argument("experiment")
@RUN
@SEEDS
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="File to write. Default: results/<run>/instances/<paper>/<experiment>.h5.",
)
@FORCE
def instance(paper, experiment, run_name, seeds, output):
    """Write the instance file of EXPERIMENT, which all solvers read."""
    _build(study.load(paper, run_name, seeds=seeds), experiment, output)


def _build(loaded, experiment, output=None):
    """Make an instance file from the prepared dataset, each at its default place."""
    from ..jobs.method import make_instance

    output = output or place(loaded.run, "instances", loaded.paper, f"{experiment}.h5")
    make_instance(loaded.recipe(experiment), output, _prepared(loaded, experiment))
    click.echo(f"wrote {output}")


@click.command()
@click.argument("paper")
@click.argument("experiment")
@click.argument("method")
@RUN
@SEEDS
@INSTANCE
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="File to write. Default: results/<run>/tuning/<paper>/<experiment>/<method>.json.",
)
@FORCE
def tune(paper, experiment, method, run_name, seeds, instance_path, output):
    """Tune METHOD in EXPERIMENT: search its grid on the tuning seed."""
    from ..jobs.method import tune_method

    loaded = study.load(paper, run_name, seeds=seeds)
    instance_path = instance_path or _instance(loaded, experiment)
    output = output or place(run_name, "tuning", paper, experiment, f"{method}.json")
    click.echo(tune_method(loaded.job(experiment, method), instance_path, output))


@click.command()
@click.argument("paper")
@click.argument("experiment")
@click.argument("method")
@RUN
@SEEDS
@INSTANCE
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="File to write. Default: results/<run>/traces/<paper>/<experiment>/<method>.h5.",
)
@FORCE
def run(paper, experiment, method, run_name, seeds, instance_path, output):
    """Run METHOD in EXPERIMENT on all seeds and write its trace.

    \b
      projfree instance ncgs fig1-left          first: the data that all methods read
      projfree run ncgs fig1-left ncgs-2        then: one method

    To continue a run that was killed, call the same command again.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    from ..jobs.method import run_method

    loaded = study.load(paper, run_name, seeds=seeds)
    job, tuning = loaded.job(experiment, method), None
    if loaded.needs_instance(experiment):
        instance_path = instance_path or _instance(loaded, experiment)
    if loaded.searches(experiment, method):
        tuning = place(loaded.tuned_in, "tuning", paper, experiment, f"{method}.json")
    output = output or place(run_name, "traces", paper, experiment, f"{method}.h5")
    click.echo(run_method(job, instance_path, output, tuning))


@click.command()
@click.argument("paper")
@click.argument("experiments", nargs=-1, required=True)
@RUN
@SEEDS
@click.option("--make", multiple=True, help="Experiment whose instance file to write first; may be repeated.")
def bundle(paper, experiments, run_name, seeds, make):
    """Tune and run all methods of EXPERIMENTS in one process."""
    loaded = study.load(paper, run_name, seeds=seeds)
    with alone(place(run_name, "evidence", paper, f"{experiments[0]}.csv")):
        for experiment in make:
            _build(loaded, experiment)
        for experiment in experiments:
            _run_experiment(loaded, experiment)


def _run_experiment(loaded, experiment):
    """Tune and run all methods of an experiment, and write its tidy table."""
    from ..evidence.tidy import tidy as write
    from ..jobs.method import run_method, tune_method

    run_name, paper = loaded.run, loaded.paper
    instance_path = _instance(loaded, experiment) if loaded.needs_instance(experiment) else None
    traces = []
    for method in loaded.experiment(experiment).methods:
        job, tuning = loaded.job(experiment, method), None
        if loaded.searches(experiment, method):
            tuning = place(run_name, "tuning", paper, experiment, f"{method}.json")
            click.echo(tune_method(job, instance_path, tuning))
        traces.append(place(run_name, "traces", paper, experiment, f"{method}.h5"))
        click.echo(run_method(job, instance_path, traces[-1], tuning))
    write(traces, place(run_name, "evidence", paper, f"{experiment}.csv"))


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
            click.echo(f"{known}\n    {_first_line(Path(package.__file__).with_name(f'{known}.py'))}")
        return
    if name.replace("-", "_") not in package.available():
        raise ValueError(unknown("solver", name, package.available(), "", "List them with: projfree solvers"))
    cls = package.load(name)
    defaults = ", ".join(f"{k}={v.default!r}" for k, v in cls.__dataclass_fields__.items())
    click.echo(f"{name}\n    {cls.__doc__.strip()}\n    defaults: {defaults}")


def _first_line(path):
    """The first line about a solver, read without importing it."""
    parts = ast.parse(path.read_text(encoding="utf-8")).body
    cls = next(part for part in parts if isinstance(part, ast.ClassDef) and part.name == "Solver")
    return ast.get_docstring(cls).splitlines()[0]


@click.command()
def compile():
    """Compile the kernels into the cache, before any job is timed."""
    from ..jobs.compiled import compile_all

    compile_all()


def _prepared(loaded, experiment):
    dataset = loaded.dataset(experiment)
    return work_root() / "data" / "prepared" / f"{dataset}.h5" if dataset else None


def _instance(loaded, experiment):
    path = place(loaded.run, "instances", loaded.paper, f"{loaded.instance_of(experiment)}.h5")
    if not path.exists():
        raise FileNotFoundError(
            f"{path} is missing; make it with: "
            f"projfree instance {loaded.paper} {loaded.instance_of(experiment)} --run {loaded.run}"
        )
    return path
