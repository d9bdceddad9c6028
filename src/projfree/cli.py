"""`projfree …`: the commands the workflow calls and people can call too."""

import json
import sys
from importlib import import_module
from pathlib import Path

import click

from . import study
from .ground import provenance
from .ground.names import unknown
from .ground.sealed import atomic_write

RUN = click.option(
    "--run", "run_name", default="quick", show_default=True, help="quick, full, or <run>@<alternative>."
)
SEEDS = click.option("--seeds", type=click.IntRange(1), help="At most so many seeds.")
ROOT = Path(".")
LAZY = {
    "complete": ".complete.command",
    "data": ".data.commands",
    "results": ".results.commands",
    "trace": ".results.trace_commands",
}


class Group(click.Group):
    """Turns the errors that users can mend into one clear line; loads `LAZY` commands only when asked for."""

    def list_commands(self, ctx):
        """All commands."""
        return sorted([*super().list_commands(ctx), *LAZY])

    def get_command(self, ctx, name):
        """A command by name."""
        if name not in LAZY:
            return super().get_command(ctx, name)
        return getattr(import_module(LAZY[name], __package__), name)

    def invoke(self, ctx):
        """Run a command."""
        try:
            return super().invoke(ctx)
        except click.exceptions.NoSuchCommand as error:
            group = error.ctx.command
            told = unknown(
                "command", error.command_name, group.list_commands(error.ctx), error.ctx.command_path
            )
            raise click.UsageError(told, error.ctx) from None
        except (ValueError, OSError, ArithmeticError) as error:
            if ctx.params.get("debug"):
                raise
            raise click.ClickException(str(error)) from error


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show tracebacks of errors that otherwise are one line.")
def main(debug):
    """Replication of five papers on projection-free and proximal optimisation.

    The workflow (`snakemake --cores 2`) calls these commands; each also works by hand, from the project's
    folder:

    \b
      projfree solvers                                   what solvers there are, with their parameters
      projfree run ncgs fig1-left ncgs-2                 one run of the quick size, to a trace
      projfree trace show results/quick/traces/…h5       what a trace holds
      projfree complete my-ratings.csv                   fit your own ratings, beside the replication
      projfree claims ncgs --run full                    the verdicts in the terminal
    """  # noqa: D301 - click's mark for a block that is not to be wrapped


@main.command()
@click.argument("paper")
@click.argument("experiment")
@RUN
@SEEDS
@click.option("--prepared", type=click.Path(exists=True), help="Prepared dataset the experiment draws from.")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="Default: results/<run>/instances/<paper>/<experiment>.h5.",
)
def instance(paper, experiment, run_name, seeds, prepared, output):
    """Make the instance file of EXPERIMENT: what all its solvers see."""
    _build(study.load(paper, run_name, ROOT, seeds), experiment, output, prepared)


def _build(loaded, experiment, output=None, prepared=None):
    """Make an instance file from the prepared dataset, each at its default place."""
    from .jobs.build import build_instance

    output = output or place(loaded.run, "instances", loaded.paper, f"{experiment}.h5")
    build_instance(loaded.recipe(experiment), output, prepared or _prepared(loaded, experiment))
    click.echo(f"wrote {output}")


@main.command()
@click.argument("paper")
@click.argument("experiment")
@click.argument("method")
@RUN
@SEEDS
@click.option(
    "--instance", "instance_path", type=click.Path(exists=True, path_type=Path), help="Instance file."
)
@click.option("--output", type=click.Path(path_type=Path), help="Where the table of tried values goes.")
def tune(paper, experiment, method, run_name, seeds, instance_path, output):
    """Search METHOD's grid on the tuning seed and keep what was tried."""
    from .results.reuse import tune_method

    loaded = study.load(paper, run_name, ROOT, seeds)
    instance_path = instance_path or _instance(loaded, experiment)
    output = output or place(run_name, "tuning", paper, experiment, f"{method}.json")
    click.echo(tune_method(loaded.job(experiment, method), instance_path, output))


@main.command()
@click.argument("paper")
@click.argument("experiment")
@click.argument("method")
@RUN
@SEEDS
@click.option(
    "--instance", "instance_path", type=click.Path(exists=True, path_type=Path), help="Instance file."
)
@click.option(
    "--tuning", type=click.Path(exists=True, path_type=Path), help="Table of tried values, for tuned methods."
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="Default: results/<run>/traces/<paper>/<experiment>/<method>.h5.",
)
def run(paper, experiment, method, run_name, seeds, instance_path, tuning, output):
    """Run METHOD in EXPERIMENT on all its seeds and write the trace.

    A run that was killed goes on where it was: call the same command again. With PROJFREE_STORE, a folder
    that checkouts share, a trace that is there is copied instead: docs/sharing-results.md.
    """
    from .results.reuse import run_method

    loaded = study.load(paper, run_name, ROOT, seeds)
    job = loaded.job(experiment, method)
    if loaded.needs_instance(experiment):
        instance_path = instance_path or _instance(loaded, experiment)
    if loaded.searches(experiment, method):
        tuning = tuning or place(run_name, "tuning", paper, experiment, f"{method}.json")
    output = output or place(run_name, "traces", paper, experiment, f"{method}.h5")
    click.echo(run_method(job, instance_path, output, tuning))


@main.command()
@click.argument("paper")
@click.argument("experiments", nargs=-1, required=True)
@RUN
@SEEDS
@click.option("--make", multiple=True, help="Experiment whose instance file is made first; may be repeated.")
def bundle(paper, experiments, run_name, seeds, make):
    """Tune and run all methods of EXPERIMENTS in one process, to tidy tables: for many cheap runs."""
    loaded = study.load(paper, run_name, ROOT, seeds)
    for experiment in make:
        _build(loaded, experiment)
    for experiment in experiments:
        _run_experiment(loaded, experiment)


def _run_experiment(loaded, experiment):
    """Tune and run all methods of an experiment, and write its tidy table."""
    from .evidence.tidy import tidy as write
    from .results.reuse import run_method, tune_method

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


@main.command(name="solvers")
@click.argument("name", required=False)
def list_solvers(name):
    """List the solvers, or explain the one called NAME with its parameters."""
    from . import solvers

    for known in [name] if name else solvers.available():
        cls = solvers.load(known)
        text = cls.__doc__.strip()
        click.echo(f"{known}\n    {text if name else text.splitlines()[0]}")
        if name:
            click.echo(
                "    defaults: "
                + ", ".join(f"{k}={v.default!r}" for k, v in cls.__dataclass_fields__.items())
            )


@main.command()
def compile():
    """Compile the kernels into the project's cache, so that no job pays for it."""
    from .engine import warmup

    warmup.compile_kernels()


@main.command()
@click.argument("output", type=click.Path(path_type=Path))
@click.argument("traces", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def tidy(output, traces):
    """Turn the TRACES of one experiment into the tidy table OUTPUT."""
    from .evidence.tidy import tidy as write

    write(list(traces), output)


@main.command()
@click.argument("paper")
@RUN
@click.option("--output", type=click.Path(path_type=Path), help="Default: results/<run>/claims/<paper>.json.")
def judge(paper, run_name, output):
    """Compute the verdict on every claim of PAPER from the tidy tables."""
    from .evidence.claims import evaluate

    spec = study.load(paper, run_name, ROOT).spec
    claims = evaluate(spec, place(run_name, "evidence", paper))
    write_text(
        output or place(run_name, "claims", f"{paper}.json"), json.dumps(claims, indent=1, ensure_ascii=False)
    )


@main.command()
@click.argument("paper", required=False)
@RUN
def claims(paper, run_name):
    """Show the verdicts of PAPER (or of all papers) in the terminal."""
    from .evidence.wording import explain

    for name in [paper] if paper else study.papers(ROOT):
        study.load(name, run_name, ROOT)  # an unknown paper is told first
        path = place(run_name, "claims", f"{name}.json")
        if not path.exists():
            raise FileNotFoundError(
                f"{path} is missing; make it with: snakemake --cores 2 --config run={run_name} claims"
            )
        click.echo(explain(json.loads(path.read_text())))


@main.command()
@click.argument("paper")
@click.argument("table_name", metavar="TABLE")
@click.argument("outputs", nargs=-1, required=True, type=click.Path(path_type=Path))
@RUN
def table(paper, table_name, outputs, run_name):
    """Write TABLE of PAPER to OUTPUTS (.csv, .tex)."""
    from .evidence.tables import build_table, write_table

    loaded = study.load(paper, run_name, ROOT)
    study.lookup(loaded.tables, table_name, "table", paper)
    write_table(build_table(loaded.spec, table_name, place(run_name, "evidence", paper)), list(outputs))


@main.command()
@click.argument("paper")
@click.argument("figure_name", metavar="FIGURE")
@click.argument("outputs", nargs=-1, required=True, type=click.Path(path_type=Path))
@RUN
def figure(paper, figure_name, outputs, run_name):
    """Draw FIGURE of PAPER to OUTPUTS (.svg, .pdf, .png)."""
    from .report.figures import draw
    from .study.grids import drawable

    spec = study.load(paper, run_name, ROOT).spec
    study.lookup(drawable(spec["figures"]), figure_name, "figure", paper)
    about = {"run": run_name, "commit": provenance.git_commit()}
    draw(spec, figure_name, place(run_name, "evidence", paper), list(outputs), about)


@main.command()
@click.argument("paper")
@RUN
@click.option("--output", type=click.Path(path_type=Path), help="Default: reports/<run>/<paper>/index.html.")
def page(paper, run_name, output):
    """Write the page of PAPER from its claims, figures and tables."""
    from .report.page import write_page

    spec = study.load(paper, run_name, ROOT).spec
    output = output or ROOT / "reports" / run_name / paper / "index.html"
    judged = place(run_name, "claims", f"{paper}.json")
    write_text(output.parent / "claims.json", judged.read_text())
    others = place(run_name, "evidence-alternatives", f"{paper}.csv")
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


@main.command()
@RUN
@click.option("--output", type=click.Path(path_type=Path), help="Default: reports/<run>/index.html.")
def index(run_name, output):
    """Write the page over all papers of a run."""
    from .report.index import write_index

    output = output or ROOT / "reports" / run_name / "index.html"
    write_index(
        output.parent, output, [p for p in study.papers(ROOT) if (output.parent / p / "index.html").exists()]
    )


@main.command()
@click.argument("paper")
@click.option("--run", "run_name", default="full", show_default=True, help="Which run to publish.")
def publish(paper, run_name):
    """Make a run's report of PAPER the reference, with its costs; renew the index and the README."""
    from .report.publish import publish as copy
    from .results import costs

    reports = ROOT / "reports"
    copy(reports / run_name / paper, reports / "reference" / paper, ROOT / "README.md", paper)
    costs.save(ROOT / "results" / run_name, paper, reports / "reference" / paper / "costs.json")
    index.callback("reference", None)


@main.command("under-alternatives")
@click.argument("paper")
@RUN
@click.option("--output", required=True, type=click.Path(path_type=Path))
def under_alternatives(paper, run_name, output):
    """Collect the verdicts under every alternative of the deviation register into one table."""
    from .evidence.alternatives import collect
    from .evidence.claims import evaluate

    base = study.load(paper, run_name, ROOT).spec
    found = []
    for name, choice in study.alternatives(base).items():
        claims = study.load(paper, f"{run_name}@{name}", ROOT).spec["claims"]
        main = evaluate({**base, "claims": claims}, place(run_name, "evidence", paper))
        other = json.loads(place(f"{run_name}@{name}", "claims", f"{paper}.json").read_text())
        found.append((choice, main, other))
    collect(found, output)


@main.command()
@RUN
@click.option("--paper", "papers", multiple=True, help="This paper only; may be given several times.")
@click.option("--watch", type=click.IntRange(1), metavar="SECONDS", help="Look again so often, until ^C.")
def status(run_name, papers, watch):
    """How far a run is: traces done, time left, jobs at work with their progress, failures with their log.

    Only the run's files are read, so it works beside a run on this machine, on a cluster, and after one.
    """
    from .results.progress import summary, watched

    loaded = [study.load(name, run_name, ROOT) for name in papers or study.papers(ROOT)]
    if watch:
        watched(loaded, ROOT, watch)
    for one in loaded:
        click.echo(summary(one, ROOT))


@main.command()
@RUN
@click.option(
    "--learn", is_flag=True, help="First keep what the finished run took here, for all later plans."
)
def plan(run_name, learn):
    """Predict jobs, CPU hours, memory and disk of a run before anything runs.

    A run is predicted from what it took where it was published, scaled by how fast this machine is (measured
    for some seconds); where a job was not part of it, budgets give a bound.
    """
    from .results import costs
    from .results.progress import forecast

    for name in study.papers(ROOT):
        if learn:
            costs.save(
                ROOT / "results" / run_name, name, ROOT / "reports" / "reference" / name / "costs.json"
            )
        click.echo(forecast(study.load(name, run_name, ROOT), ROOT))


@main.command()
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 and the names of those that are old.")
def schemas(check):
    """Write the JSON schemas that editors use, from the types of the configuration."""
    from .study.schemas import stale

    old = stale(ROOT)
    for path, text in old.items():
        click.echo(f"{path} is not what the types say" if check else f"wrote {path}")
        if not check:
            write_text(path, text)
    sys.exit(bool(check and old))


def about_run(paper, run_name) -> dict:
    """Provenance of a page: commands, commit, environment, data, how long it took."""
    from .results.progress import data_hashes, durations, sharing

    return {
        "run": run_name,
        "commit": provenance.git_commit(),
        "command": f"snakemake --cores 2 --config run={run_name} -- {paper}",
        "environment": provenance.environment(),
        "data": data_hashes(place(run_name, "instances", paper)),
        "durations": durations(ROOT / "results" / run_name / "benchmarks", paper),
        "timing": sharing(place(run_name, "traces", paper)),
    }


def write_text(path, text) -> None:
    """Write a small file in one rename."""
    atomic_write(path, lambda part: part.write_text(text))


def place(run_name, *parts) -> Path:
    """A path under the run's results."""
    return ROOT / "results" / run_name / Path(*parts)


def _prepared(loaded, experiment):
    dataset = loaded.dataset(experiment)
    return ROOT / "data" / "prepared" / f"{dataset}.h5" if dataset else None


def _instance(loaded, experiment):
    path = place(loaded.run, "instances", loaded.paper, f"{loaded.instance_of(experiment)}.h5")
    if not path.exists():
        raise FileNotFoundError(
            f"{path} is missing; make it with: "
            f"projfree instance {loaded.paper} {loaded.instance_of(experiment)} --run {loaded.run}"
        )
    return path


if __name__ == "__main__":
    sys.exit(main())
