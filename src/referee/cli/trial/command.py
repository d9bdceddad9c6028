"""Your own method, from one file, next to the methods of a paper."""

from pathlib import Path

import click
import yaml

from projfree.common.names import unknown

from ... import study
from ...common import bounded
from ..runs import prepared, store
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
    on the seeds of the paper's methods, whose traces are reused if they exist, for the CPU seconds of the
    paper's own method. The result is a page with curves, a table of places and the claims.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
    from ...jobs import compiled
    from . import method as mine
    from .baseline import claims as judge_claims
    from .baseline import write_page

    if new:
        mine.write_template(path)
        click.echo(f"wrote {path}; try it: projfree try {path} --on ncgs:fig1-right")
        return
    if not targets:
        raise ValueError("name an experiment or a figure of a paper, for example: --on ncgs:fig1-right")
    method = mine.read(path)
    places = _places(targets, run_name)
    for loaded, experiment in places:  # of one name they would be one in tables and curves
        if method.name in {*loaded.methods, *loaded.experiment(experiment).methods}:
            raise ValueError(
                f"{path}: {loaded.paper} already has a method {method.name!r}; give your file another name"
            )
    compiled.ensure()
    params = {name: yaml.safe_load(text) for name, _, text in (entry.partition("=") for entry in given)}
    values = {
        name: list(map(yaml.safe_load, texts.split(",")))
        for name, _, texts in (entry.partition("=") for entry in grid)
    }
    panels = [_panel(method, loaded, name, params, values, hero) for loaded, name in places]
    claims = []  # verdicts with the tried method in the own's place
    for loaded in {loaded.paper: loaded for loaded, _ in places}.values():
        names = [panel["experiment"] for panel in panels if panel["paper"] == loaded.paper]
        own, tables = hero or _own(loaded, names[0]), place(run_name, "try", method.name, loaded.paper)
        judged = judge_claims(loaded.paper, tables, names, own, method.name, run_name)
        claims.append({"paper": loaded.paper, "hero": own, "claims": judged})
    output = place(run_name, "try", method.name, "index.html")
    write_page(output, method.name, Path(path).read_text(encoding="utf-8"), run_name, panels, claims)
    for group in claims:
        won = ", ".join(claim["id"] for claim in group["claims"] if claim["mine"] == "holds")
        click.echo(
            f"claims of {group['paper']} that hold with it in place of {group['hero']}: {won or 'none'}"
        )
    click.echo(f"wrote {output}")


def _places(targets, run_name):
    """(study, experiment) of all that is named; an unknown name is an error that lists the known."""
    places = []
    for target in targets.split(","):
        paper, _, name = target.strip().partition(":")
        loaded = study.load(paper, run_name)
        if name in loaded.experiments:
            names = [name]
        elif name in loaded.figures:
            names = sorted(study.shown_in({name: loaded.spec["figures"][name]}))
        else:
            known = [*loaded.experiments, *loaded.figures]
            if not name:
                raise ValueError(f"--on {target}: name an experiment or figure too: --on {paper}:{known[0]}")
            lists = f"papers/{paper}/experiments.yaml and figures.yaml"
            raise ValueError(unknown("experiment or figure", name, known, paper, lists))
        places += [(loaded, name) for name in names if _rivals(loaded, name)]
    return places


def _rivals(loaded, experiment, roles=("paper", "strong", "extra", None)):
    """Solvers of the experiment with one of the roles; probes are no rivals."""
    methods = {name: loaded.method(experiment, name) for name in loaded.experiment(experiment).methods}
    return [name for name, m in methods.items() if m.solver and m.role in roles]


def _panel(method, loaded, experiment, params, grid, hero):
    """Run what is not there, then mine, and say who stands where."""
    from projfree.trace.format import read_trace

    from ...evidence.tidy import first_runs, read_tidy, tidy
    from ...jobs.store import link, work_of
    from . import method as mine
    from .baseline import LEFT, ranking

    instance = _instance(loaded, loaded.instance_of(experiment))
    rivals = _rivals(loaded, experiment)
    traces = {}
    for rival in rivals:  # the finished trace of this job, else one that is made now
        other = loaded.job(experiment, rival)
        trace, _ = store().trace(other, instance)
        traces[rival] = place(loaded.run, "try", "traces", loaded.paper, experiment, f"{rival}.h5")
        link(trace, traces[rival], work_of(other)[0])
    _, runs = read_trace(traces[hero if hero in rivals else _own(loaded, experiment)])
    seconds = max(run.cpu_seconds[-1] for run in runs)
    job, tried = mine.in_place(loaded.job(experiment, rivals[0]), method, seconds), []
    if grid:
        source = loaded.instance_of(experiment)
        recipe = loaded.recipe(source).model_copy(update={"seeds": [study.TUNING_SEED]})
        alone = store().instance(recipe, prepared(loaded, source))
        params, tried = mine.search(method, params, grid, job, alone)
    here = place(loaded.run, "try", method.name, loaded.paper)
    mine.run_mine(method, params, job, instance, here / "traces" / f"{experiment}.h5")
    tidy([*traces.values(), here / "traces" / f"{experiment}.h5"], here / f"{experiment}.csv")
    frame, criterion = first_runs(bounded.table(here / f"{experiment}.csv", read_tidy)), job.metrics[0]
    rows = ranking(frame, criterion, method.name)
    own = next(row for row in rows if row.method == method.name)
    click.echo(
        f"{loaded.paper}:{experiment}  place {own.place} of {len(rows)}: {criterion} {own.end:.4g} after "
        f"{own.seconds:.3g} CPU s{f' but it {LEFT}' if LEFT in own.status else ''}; "
        f"best {rows[0].method} {rows[0].end:.4g}"
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


def _instance(loaded, source):
    """The instance file of the run where it is what the study asks for, else one of the store."""
    from . import method as mine

    here, recipe = place(loaded.run, "instances", loaded.paper, f"{source}.h5"), loaded.recipe(source)
    if mine.usable(here, recipe):
        return here
    data = prepared(loaded, source)
    if data and not data.exists():
        raise FileNotFoundError(f"{data} is missing; make it with: projfree data prepare {data.stem}")
    return store().instance(recipe, data)


def _own(loaded, experiment):
    """The paper's own method there: the first that bears its name, else the first of its role."""
    rivals = _rivals(loaded, experiment)
    named = [name for name in rivals if name.startswith(loaded.paper)]
    return (named or _rivals(loaded, experiment, ("paper",)) or rivals)[0]
