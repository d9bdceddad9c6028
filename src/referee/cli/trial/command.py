"""Your own method, from one file, next to the methods of a paper."""

from pathlib import Path

import click
import yaml

from ... import study
from ...ground import bounded
from ...ground.known import unknown
from ..runs import _build, _instance, _prepared
from ..shared import RUN, place


@click.command("try")
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--new", is_flag=True, help="Only write a template to PATH.")
@click.option(
    "--on",
    "targets",
    metavar="PAPER:NAME,…",
    help="Experiments or figures to run on, such as ncgs:fig1-right.",
)
@click.option(
    "--set", "given", multiple=True, metavar="P=VALUE", help="Value of a parameter; may be repeated."
)
@click.option(
    "--search",
    "grid",
    multiple=True,
    metavar="P=A,B,…",
    help="Values of a parameter to try on the tuning seed; may be repeated.",
)
@click.option(
    "--in-place-of",
    "hero",
    metavar="METHOD",
    help="Judge the claims about METHOD with yours instead. Default: the paper's own method.",
)
@RUN
def try_(path, new, targets, given, grid, hero, run_name):
    """Run your own method, in file PATH, next to the methods of a paper.

    \b
      projfree try my.py --new                  write a template
      projfree try my.py --on ncgs:fig1-right   run it where the paper's methods ran

    The file has a generator function `method(oracles, rng, …)` or a class `Solver` as in the package. It runs
    on the seeds and budgets of the paper's methods, whose traces are reused if they exist. The result is a
    page with curves, a table of places and the claims.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    from ...jobs import compiled
    from . import method as mine
    from .standing import write_page

    if new:
        mine.write_template(path)
        click.echo(f"wrote {path}; try it: projfree try {path} --on ncgs:fig1-right")
        return
    if not targets:
        raise ValueError("name an experiment or a figure of a paper, for example: --on ncgs:fig1-right")
    method = mine.read(path)
    places = _places(targets, run_name)
    _require_own_name(path, method.name, places)
    compiled.ensure()
    panels = [_panel(method, loaded, name, _values(given), _lists(grid)) for loaded, name in places]
    claims = [_claims(loaded, panels, hero, method.name, run_name) for loaded in _once(places)]
    output = place(run_name, "try", method.name, "index.html")
    write_page(output, method.name, Path(path).read_text(encoding="utf-8"), run_name, panels, claims)
    for group in claims:
        won = [claim["id"] for claim in group["claims"] if claim["mine"] == "holds"]
        click.echo(f"claims of {group['paper']} that hold with it in place of {group['hero']}: {_said(won)}")
    click.echo(f"wrote {output}")


def _require_own_name(path, name, places):
    """A method that bears the name of another would be one with it in tables and curves."""
    for loaded, experiment in places:
        if name in {*loaded.methods, *loaded.experiment(experiment).methods}:
            raise ValueError(
                f"{path}: {loaded.paper} already has a method {name!r}; give your file another name"
            )


def _said(names):
    return ", ".join(names) or "none"


def _places(targets, run_name):
    """(study, experiment) of all that is named; an unknown name is an error that lists the known."""
    found = []
    for target in targets.split(","):
        paper, _, name = target.strip().partition(":")
        loaded = study.load(paper, run_name)
        if name in loaded.experiments:
            names = [name]
        elif name in loaded.figures:
            names = sorted(study.shown_in({name: loaded.spec["figures"][name]}))
        else:
            known = [*loaded.experiments, *loaded.figures]
            lists = f"All are in papers/{paper}/experiments.yaml and figures.yaml"
            raise ValueError(unknown("experiment or figure", name, known, paper, lists))
        found += [(loaded, name) for name in names if _rivals(loaded, name)]
    return found


def _once(places):
    return {loaded.paper: loaded for loaded, _ in places}.values()


def _rivals(loaded, experiment, roles=("paper", "strong", "extra", None)):
    """Solvers of the experiment with one of the roles; probes are no rivals."""
    methods = {name: loaded.method(experiment, name) for name in loaded.experiment(experiment).methods}
    return [name for name, m in methods.items() if m.solver and m.role in roles]


def _panel(method, loaded, experiment, params, grid):
    """Run what is not there, then mine, and say who stands where."""
    from ...evidence.tidy import first_runs, read_tidy
    from . import method as mine
    from .standing import standing

    source = loaded.instance_of(experiment)
    if not mine.usable(place(loaded.run, "instances", loaded.paper, f"{source}.h5"), loaded.recipe(source)):
        prepared = _prepared(loaded, source)
        if prepared and not prepared.exists():
            raise FileNotFoundError(
                f"{prepared} is missing; make it with: projfree data prepare {prepared.stem}"
            )
        _build(loaded, source)
    instance = _instance(loaded, experiment)
    rivals = _rivals(loaded, experiment)
    traces = [_trace_of(loaded, experiment, rival, instance) for rival in rivals]
    job, tried = loaded.job(experiment, rivals[0]), []
    if grid:
        params, tried = mine.search(method, params, grid, job, _tuning_instance(loaded, experiment))
    here = place(loaded.run, "try", method.name, loaded.paper)
    mine.run_mine(method, params, job, instance, here / "traces" / f"{experiment}.h5")
    mine.table([*traces, here / "traces" / f"{experiment}.h5"], here / f"{experiment}.csv")
    frame, criterion = first_runs(bounded.table(here / f"{experiment}.csv", read_tidy)), job.metrics[0]
    rows = standing(frame, criterion, method.name)
    own = next(row for row in rows if row.method == method.name)
    click.echo(
        f"{loaded.paper}:{experiment}  place {own.place} of {len(rows)}: {criterion} {own.end:.4g} after "
        f"{own.iterations:.0f} iterations{_why(own)}; best {rows[0].method} {rows[0].end:.4g}"
    )
    return {
        "paper": loaded.paper,
        "experiment": experiment,
        "title": loaded.experiment(experiment).title,
        "params": params,
        "tried": tried,
        "criterion": criterion,
        "rows": rows,
        "frame": frame,
    }


def _why(row):
    """Said of one that is last whatever its end."""
    from .standing import LEFT

    return f" but it {LEFT}" if LEFT in row.status else ""


def _tuning_instance(loaded, experiment):
    """An instance of the tuning seed alone."""
    from ...jobs.method import make_instance

    source = loaded.instance_of(experiment)
    recipe = loaded.recipe(source).model_copy(update={"seeds": [study.TUNING_SEED]})
    output = place(loaded.run, "try", "instances", loaded.paper, f"{source}.h5")
    make_instance(recipe, output, _prepared(loaded, source))
    return output


def _trace_of(loaded, experiment, name, instance):
    """The trace of another method: the run's own where its code has not changed, else made now."""
    from ...jobs.job import with_tuned
    from ...jobs.method import chosen, finished, run_method, tune_method

    job, tuning = loaded.job(experiment, name), None
    output = place(loaded.run, "traces", loaded.paper, experiment, f"{name}.h5")
    if loaded.searches(experiment, name):
        tuning = place(loaded.run, "tuning", loaded.paper, experiment, f"{name}.json")
        if not tuning.exists():
            tune_method(job, instance, tuning)
    if not finished(output, with_tuned(job, tuning and chosen(tuning))):
        run_method(job, instance, output, tuning)
    return output


def _claims(loaded, panels, hero, mine, run_name):
    """Verdicts on the paper's claims with the tried method in its own's place."""
    from .standing import claims

    names = [panel["experiment"] for panel in panels if panel["paper"] == loaded.paper]
    hero = hero or _own(loaded, names[0])
    tables = place(run_name, "try", mine, loaded.paper)
    judged = claims(loaded.paper, tables, names, hero, mine, run_name)
    return {"paper": loaded.paper, "hero": hero, "claims": judged}


def _own(loaded, experiment):
    """The paper's own method there: the first that bears its name, else the first of its role."""
    rivals = _rivals(loaded, experiment)
    named = [name for name in rivals if name.startswith(loaded.paper)]
    return (named or _rivals(loaded, experiment, ("paper",)) or rivals)[0]


def _values(given):
    """``p=VALUE`` of the command line, values as YAML has them."""
    pairs = [entry.partition("=") for entry in given]
    return {name: yaml.safe_load(text) for name, _, text in pairs}


def _lists(grid):
    """``p=A,B`` of the command line."""
    return {
        name: [yaml.safe_load(v) for v in text.split(",")]
        for name, _, text in (g.partition("=") for g in grid)
    }
