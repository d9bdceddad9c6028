# Everything the rules ask of the study: names, paths and digests, no work.
import os
import re
import shlex
import sys
from functools import cache
from pathlib import Path
from types import SimpleNamespace

HERE = Path(workflow.snakefile).resolve()
ROOT = next(path for path in HERE.parents if (path / "src" / "projfree").is_dir())
sys.path.insert(0, str(ROOT / "src"))

from referee import study
from projfree.engine.lane import not_quiet
from referee.evidence import statistics
from referee.ground import closure
from projfree.ground import hashes, registry, threads
from projfree.ground.names import unknown
from referee.publish import costs, kept
from referee.study import grids

# One start of the workflow sees one state of the sources: a thousand jobs share some fifty hashes.
closure.code_sha256 = cache(closure.code_sha256)
closure.import_closure = cache(closure.import_closure)
closure.modified = cache(closure.modified)
registry.names = cache(registry.names)

SETTINGS = study.validate(study.Config, config, "config/config.yaml")
RUN = SETTINGS.run
PAPERS = SETTINGS.papers or study.papers()
SEEDS = f" --seeds {SETTINGS.seeds}" if SETTINGS.seeds else ""
# Jobs find `projfree` beside the interpreter of Snakemake, also where no environment is activated.
BIN = Path(sys.executable).parent
shell.prefix(f'set -euo pipefail; export PATH={shlex.quote(str(BIN))}:"$PATH"; ')
threads.one_each()
for key in ("mirror", "offline"):
    if getattr(SETTINGS, key):
        os.environ.setdefault(f"PROJFREE_{key.upper()}", str(getattr(SETTINGS, key)))


CHEAP = 600  # seconds
# What figures are written as; a page shows the first, and links the others where they are.
FORMATS = ("svg",) if RUN in ("quick", "taste") else ("svg", "pdf", "png")
# Files of figures and tables that are asked for by name. Snakemake tells its targets only once the rules are read.
ASKED = [word for word in sys.argv if re.search(r"[/](figures|tables)/[^/]+$", word)]


wildcard_constraints:
    run=r"[a-z]+(@[\w.-]+)?",
    paper="[a-z]+",
    experiment=r"[\w.-]+",
    method=r"[\w.-]+",
    figure=r"[\w-]+",
    format="svg|pdf|png",
    # Those of the alternatives are no tables of a paper's files.
    table=r"(?!alternatives\b)[\w-]+",
    dataset=r"[\w.-]+",
    target=r"[^/]+",


@cache
def study_of(paper, run):
    """A paper under a run; read once per start of the workflow."""
    return study.load(paper, run, seeds=SETTINGS.seeds)


def load(wildcards):
    """The study of a job's paper and run."""
    return study_of(wildcards.paper, wildcards.run)


def instance_path(wildcards):
    """The instance an experiment runs on; runs under an alternative use their base run's where nothing differs."""
    loaded = load(wildcards)
    if not loaded.needs_instance(wildcards.experiment):
        return []
    source, run = loaded.instance_of(wildcards.experiment), wildcards.run
    base = run.partition("@")[0]
    if base != run:
        there = study_of(wildcards.paper, base).recipe(source)
        run = base if loaded.recipe(source).alike(there) else run
    return f"results/{run}/instances/{wildcards.paper}/{source}.h5"


def tuning_path(wildcards):
    """The table of tried values of a tuned method; under an alternative its base run's."""
    loaded, w = load(wildcards), wildcards
    tuned = loaded.searches(w.experiment, w.method)
    path = f"results/{loaded.tuned_in}/tuning/{w.paper}/{w.experiment}/{w.method}.json"
    return path if tuned else []


@cache
def digest_of(paper, run, experiment, method):
    """Digest of a job, which holds the hash of the code it imports."""
    return hashes.digest(study_of(paper, run).job(experiment, method).plain())


def job_digest(wildcards):
    """Digest of the job of these wildcards."""
    w = wildcards
    return digest_of(w.paper, w.run, w.experiment, w.method)


def is_timed(paper):
    """Whether the run has seconds that claims are judged on: those of runs that are repeated."""
    loaded = study_of(paper, RUN)
    return any(loaded.repetitions(*pair) > 1 for pair in loaded.solves())


def of_run(paper):
    """Wildcards of this run, for the rules of a paper that have none."""
    return SimpleNamespace(paper=paper, run=RUN)


def together_unless_asked(together, single):
    """Of two rules that make a file, take the one that makes all of its kind, unless one is asked for by name."""
    workflow.ruleorder(*((single, together) if ASKED else (together, single)))


def is_exclusive(wildcards):
    """1 for experiments whose memory bandwidth must not be shared."""
    return int(load(wildcards).experiment(wildcards.experiment).exclusive)


def memory_mb(wildcards, attempt=1):
    """Memory a job may use, from the size of its instance; more on a retry."""
    return attempt * load(wildcards).experiment(wildcards.experiment).memory_mb


def runtime_minutes(wildcards, attempt=1):
    """Minutes a job may take: twice what its budget says, more on a retry; a killed run goes on where it was."""
    seconds, _ = costs.bound(load(wildcards), wildcards.experiment, wildcards.method)
    return attempt * (10 + round(2 * seconds / 60))


def cheap_group(wildcards):
    """On a cluster, the runs of an experiment are one job, side by side, where together they take minutes."""
    loaded, experiment = load(wildcards), wildcards.experiment
    methods = loaded.experiment(experiment).run_here
    seconds = sum(costs.bound(loaded, experiment, m)[0] for m in methods)
    alone = seconds >= CHEAP or is_exclusive(wildcards)
    return None if alone else f"{wildcards.paper}_{experiment}"


def judged_with(paper):
    """Modules that judging finds by name."""
    return statistics.MODULES


def section_digest(*modules, keys, found=lambda paper: []):
    """Digest of the parts of a paper's spec that a rule reads, and of the code it runs or finds by name."""

    def digest(wildcards):
        spec = load(wildcards).spec
        parts = {key: spec.get(key) for key in keys}
        code = closure.code_sha256(*modules, *found(wildcards.paper))
        return hashes.digest([parts, code])

    return digest


figure_digest = section_digest(
    "referee.report.figures", keys=("figures", "experiments", "methods", "unit_costs")
)
table_digest = section_digest(
    "referee.evidence.tables", keys=("tables", "experiments", "unit_costs")
)


def dataset_digest(wildcards):
    """Digest of a dataset's row of the catalog, and of the code that prepares it."""
    modules = ("referee.data.prepare", *study.generator_modules())
    row = study.dataset_row(wildcards.dataset)
    return hashes.digest([row, closure.code_sha256(*modules)])


def prepared_path(wildcards):
    """The prepared dataset that the instances of an experiment draw from."""
    name = load(wildcards).dataset(wildcards.experiment)
    return f"data/prepared/{name}.h5" if name else []


def traces(wildcards):
    """Traces of all methods of an experiment, in the order of the paper's file; each of the first run that has it."""
    paper, experiment = wildcards.paper, wildcards.experiment
    methods = load(wildcards).experiment(experiment).run_here
    runs = {m: first_run(paper, wildcards.run, experiment, m) for m in methods}
    return [f"results/{runs[m]}/traces/{paper}/{experiment}/{m}.h5" for m in methods]


@cache
def first_run(paper, run, experiment, method):
    """Of a run under an alternative, the first run that has a job equal in all but its run's name, base run first."""
    base, _, alternative = run.partition("@")
    if not alternative:
        return run
    known = list(study.alternatives(study_of(paper, base).spec))
    before = known[: known.index(alternative)] if alternative in known else known
    earlier = [base, *(f"{base}@{name}" for name in before)]
    wanted = shared_digest(paper, run, experiment, method)
    same = (r for r in earlier if shared_digest(paper, r, experiment, method) == wanted)
    return next(same, run) if wanted else run


@cache
def shared_digest(paper, run, experiment, method):
    """Digest of a job and its instance without the run's name; None for one that the run does not have to share."""
    loaded, panel = study_of(paper, run), f"{paper}/{experiment}"
    if run == RUN and experiment in kept_panels(paper):
        return None  # there are no traces of it
    if method not in getattr(loaded.experiments.get(experiment), "run_here", ()):
        return None
    if Path(f"results/{run}/evidence/{panel}.csv").exists():
        if not any(Path(f"results/{run}/traces/{panel}").glob("*.h5")):
            return None  # taken from elsewhere without traces: it is not run again for the sake of one
    made = loaded.needs_instance(experiment)
    recipe = loaded.recipe(loaded.instance_of(experiment)).plain() if made else {}
    job = loaded.job(experiment, method).plain()
    return hashes.digest([{**job, "run": ""}, {**recipe, "seeds": []}])


@cache
def kept_panels(paper):
    """Records of the panels of this run that are kept in git as they are asked for; one that has a trace is made here."""
    begun = kept.begun(f"results/{RUN}", paper)
    found = kept.kept(study_of(paper, RUN), ".", begun)
    return {experiment: record for experiment, (_, record) in found.items()}


def evidence_of(wildcards, experiments):
    """Tidy tables of experiments."""
    folder = "results/{run}/evidence/{paper}".format(**vars(wildcards))
    return [f"{folder}/{experiment}.csv" for experiment in experiments]


def tidy_tables(wildcards):
    """Tidy tables of all experiments that have methods."""
    experiments = load(wildcards).experiments.items()
    return evidence_of(wildcards, [name for name, e in experiments if e.methods])


def judged(wildcards):
    """All tidy tables; of bundles the traces too, as the same job makes them and one may be missing.

    Seconds under an alternative are judged with the repeatability of the main run's.
    """
    tables, w = tidy_tables(wildcards) + main_tables(wildcards), wildcards
    bundles = load(w).bundles().values() if w.run == RUN else []
    return tables + [
        f for e in bundles for f in bundle_outputs("traces", w.paper, e, "h5")
    ]


def main_tables(wildcards):
    """Of a run under an alternative: the main run's tables of panels that it runs but once, or of some methods only."""
    w, base = wildcards, wildcards.run.partition("@")[0]
    main = study_of(w.paper, base).experiments
    once = [
        name
        for name, e in load(w).experiments.items()
        if e.methods and (e.from_base or e.repetitions < main[name].repetitions)
    ]
    return evidence_of(SimpleNamespace(paper=w.paper, run=base), once)


def table_tables(wildcards):
    """Tidy tables for a table of a paper."""
    study.lookup(load(wildcards).tables, wildcards.table, "table", wildcards.paper)
    return tidy_tables(wildcards)


def figure_tables(wildcards):
    """Tidy tables of the panels of a figure, or of one panel that is drawn by its name."""
    figures = grids.drawable(load(wildcards).spec["figures"])
    figure = study.lookup(figures, wildcards.figure, "figure", wildcards.paper)
    experiments = {
        panel["experiment"] for panel in grids.panels_of(figure, wildcards.figure)
    }
    return evidence_of(wildcards, sorted(experiments))


def drawn_tables(paper):
    """Tidy tables of all experiments that a figure of the paper shows."""
    return evidence_of(of_run(paper), study_of(paper, RUN).drawn())


def page_figures(wildcards, formats=FORMATS[:1]):
    """All figures of a paper."""
    folder = "reports/{run}/{paper}/figures".format(**vars(wildcards))
    figures = load(wildcards).spec["figures"]
    return [f"{folder}/{figure}.{end}" for figure in figures for end in formats]


def page_tables(wildcards, end="csv"):
    """All tables of a paper."""
    folder = "reports/{run}/{paper}/tables".format(**vars(wildcards))
    tables = load(wildcards).spec.get("tables", {})
    return [f"{folder}/{table}.{end}" for table in tables]


def page_tuning(wildcards):
    """All tables of tried values of a paper."""
    loaded, folder = load(wildcards), "results/{run}/tuning/{paper}".format(**wildcards)
    tuned = [pair for pair in loaded.solves() if loaded.searches(*pair)]
    return [f"{folder}/{experiment}/{method}.json" for experiment, method in tuned]


def page_alternatives(wildcards):
    """The verdicts under alternatives, once `snakemake` has made them."""
    path = Path("reports/{run}/{paper}/tables/alternatives.csv".format(**wildcards))
    return [str(path)] if path.exists() else []


def alternative_claims(wildcards):
    """Claims of a paper under each alternative of its deviation register."""
    names = study.alternatives(load(wildcards).spec)
    path = "results/{run}@{name}/claims/{paper}.json"
    return [path.format(name=name, **wildcards) for name in names]


def bundles():
    """(paper, name, experiments) of this run's bundles: runs so cheap that many are one job."""
    return [
        (paper, name, experiments)
        for paper in PAPERS
        for name, experiments in study_of(paper, RUN).bundles().items()
    ]


def bundle_sources(paper, experiments, own):
    """Experiments whose instances a bundle runs on; `own`: those that nothing outside of it needs, else the rest."""
    loaded = study_of(paper, RUN)
    users = {}
    for e in loaded.experiments:
        users.setdefault(loaded.instance_of(e), set()).add(e)
    needed = {loaded.instance_of(e) for e in experiments if loaded.needs_instance(e)}
    return sorted(e for e in needed if own == (users[e] <= set(experiments)))


def instance_paths(paper, experiments):
    """Instance files of experiments of this run."""
    return [f"results/{RUN}/instances/{paper}/{e}.h5" for e in experiments]


def bundle_datasets(paper, sources):
    """The prepared datasets that a bundle makes its own instances from."""
    names = {study_of(paper, RUN).dataset(e) for e in sources} - {None}
    return [f"data/prepared/{name}.h5" for name in sorted(names)]


def bundle_outputs(kind, paper, experiments, ending):
    """Files of all methods of experiments of this run; tuning tables of those that are tuned."""
    loaded = study_of(paper, RUN)
    return [
        f"results/{RUN}/{kind}/{paper}/{e}/{m}.{ending}"
        for e in experiments
        for m in loaded.experiment(e).methods
        if kind != "tuning" or loaded.searches(e, m)
    ]


def bundle_memory_mb(paper, experiments, attempt=1):
    """Memory of the largest of a bundle's experiments; more on a retry."""
    values = study_of(paper, RUN).experiments
    return attempt * max(values[e].memory_mb for e in experiments)


def bundle_minutes(paper, name, attempt=1):
    """Minutes a bundle may take, as `runtime_minutes` has them for one run."""
    seconds = costs.bundle_bound(study_of(paper, RUN), name)
    return attempt * (10 + round(2 * seconds / 60))


def bundle_digest(paper, experiments):
    """Digest of all jobs of a bundle, and of the code of the tidy tables."""
    values = study_of(paper, RUN).experiments
    jobs = [digest_of(paper, RUN, e, m) for e in experiments for m in values[e].methods]
    return hashes.digest([jobs, closure.code_sha256("referee.evidence.tidy")])


def shown(path, what, caption, paper="{paper}", run="{run}"):
    """An output that `snakemake --report` shows under its paper."""
    labels = {"what": what, "run": run}
    caption = f"../report/{caption}.rst"
    return report(path, caption=caption, category=paper, labels=labels)


def all_shown(paper, caption, paths):
    """Outputs of a rule of this run, each shown under its own name."""
    return [shown(path, Path(path).stem, caption, paper, RUN) for path in paths]


def unknown_target(wildcards):
    """The error about a target that nothing makes, with the nearest that can be asked for."""
    goals = [one.name for one in workflow.rules if not one.has_wildcards()]
    goals = [
        name for name in goals if not re.match("(bundle|figures|tables|kept)_", name)
    ]
    raise ValueError(unknown("target", wildcards.target, goals, "snakemake"))


# An unknown run or paper is an error before anything starts.
for paper in PAPERS:
    study_of(paper, RUN)
