# Everything the rules ask of the study: names, paths and digests, no work.
import os
import re
import shlex
import sys
import threading
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from snakemake.cli import get_argument_parser
from snakemake.exceptions import WorkflowError

HERE = Path(workflow.snakefile).resolve()
ROOT = next(
    (path for path in HERE.parents if (path / "src" / "projfree").is_dir()), None
)
if ROOT is None:
    raise WorkflowError(
        f"{HERE}: not in a checkout of projfree; clone it and name its Snakefile by a path"
    )
sys.path.insert(0, str(ROOT / "src"))
# Snakemake's working folder is where results, reports and data go. The study comes from there where that is a
# project, else from here: when this is a module, or called by -s or --directory from another folder. Then
# nothing is written here, compiled kernels neither.
if not (Path("papers").is_dir() and Path("config/datasets.yaml").is_file()):
    os.environ.setdefault("PROJFREE_ROOT", str(ROOT))
    os.environ.setdefault("PROJFREE_CACHE", "~/.cache/projfree")
os.environ.update(PROJFREE_WORK=".")

from referee import study
from projfree.engine.lane import not_quiet
from referee.data import catalog, store
from referee.ground import closure, rooms
from referee.ground.project import project_root
from projfree.ground import hashes, registry
from projfree.ground.names import unknown
from referee.publish import costs, kept
from referee.study import views

# One start of the workflow sees one state of the sources: a thousand jobs share some fifty hashes.
closure.code_sha256 = cache(closure.code_sha256)
closure.import_closure = cache(closure.import_closure)
closure.modified = cache(closure.modified)
registry.names = cache(registry.names)


def told(function, *arguments, **keywords):
    """What a call returns; its error about a configuration or a name without the lines that it came from."""
    try:
        return function(*arguments, **keywords)
    except (ValueError, OSError) as error:
        raise WorkflowError(str(error)) from None


def ours(command):
    """A command of ours in a shell; it finds `projfree`, also where no environment is activated."""
    return f'PATH={BIN}:"$PATH" {command}'


def source_of_config():
    """Where the configuration comes from, for errors about it."""
    given = workflow.overwrite_configfiles
    files = ", ".join(map(str, given)) if given else "config/config.yaml"
    typed = ", or --config" if workflow.config_settings.config else ""
    return f"configuration ({files if IS_MAIN else 'config of the module'}{typed})"


# Whether Snakemake was called with this workflow, not with one of which it is a module.
MAIN = ROOT / "Snakefile", ROOT / "workflow" / "Snakefile"
IS_MAIN = Path(workflow.main_snakefile).resolve() in MAIN
SETTINGS = told(study.validate, study.Config, config, source_of_config())
PAPERS = SETTINGS.papers or study.papers()
SEEDS = f" --seeds {SETTINGS.seeds}" if SETTINGS.seeds else ""
# `projfree` is beside the interpreter of Snakemake.
BIN = (
    shlex.quote(str(Path(sys.executable).parent)).replace("{", "{{").replace("}", "}}")
)
for key in ("mirror", "offline"):
    if getattr(SETTINGS, key):
        os.environ.setdefault(f"PROJFREE_{key.upper()}", str(getattr(SETTINGS, key)))


CHEAP = 600  # seconds


def asked_for():
    """Targets, and on a cluster the one job to do: Snakemake knows both only after it has read the rules."""
    if Path(sys.argv[0]).stem not in ("snakemake", "__main__"):
        return [], []  # called from Python
    typed, _ = get_argument_parser().parse_known_args(sys.argv[1:])
    return list(map(str, typed.targets)), list(typed.target_jobs or [])


TARGETS, JOBS = asked_for()
# Files of figures and tables that are asked for by name. Snakemake tells its targets only once the rules are read.
ASKED = [word for word in TARGETS if re.search(r"[/](figures|tables)/[^/]+$", word)]


def run_of_path(path):
    """The run that a path names, without its alternative; None of any other target."""
    found = re.match(r"(?:results|reports)/([a-z]+)(?:@[^/]+)?/", path)
    return found and found[1]


def run_of_job(rulename, wildcards):
    """The same of the job that a cluster's node is asked for: by its wildcards, or by the name of its rule."""
    found = re.search(r"__([a-z]+)$", rulename)
    return wildcards.get("run", "").partition("@")[0] or (found and found[1])


# A path names its own run; what is asked for by the name of a rule is of the configured one.
RUN = SETTINGS.run
RUNS = {run_of_path(path) for path in TARGETS} | {run_of_job(*job) for job in JOBS}
RUNS = {run or RUN for run in RUNS or {RUN}}
if (
    not IS_MAIN
):  # what is asked for is the parent's, and may be made of files of the configured run
    RUNS = {RUN} | {run for run in RUNS if any(run in study.runs(p) for p in PAPERS)}


@cache
def papers_of(run):
    """Papers that have a run; the configured run is one that all have."""
    return [p for p in PAPERS if run == RUN or run in study.runs(p)]


def each():
    """(paper, run) for the rules that are made for each paper."""
    return [(paper, run) for run in sorted(RUNS) for paper in papers_of(run)]


def suffix(run):
    """What is added to the names of rules of another run than the configured one."""
    return "" if run == RUN else f"__{run}"


def formats(run):
    """What figures are written as; a page shows the first, and links the others where they are."""
    return ("svg",) if run in ("quick", "taste") else ("svg", "pdf", "png")


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


def is_timed(paper, run):
    """Whether a run has seconds that claims are judged on: those of runs that are repeated."""
    loaded = study_of(paper, run)
    return any(loaded.repetitions(*pair) > 1 for pair in loaded.solves())


def of_run(paper, run):
    """Wildcards of a run, for the rules of a paper that have none."""
    return SimpleNamespace(paper=paper, run=run)


# Of rules that make the same files those of which the first is taken; set once all rules are read.
ORDER = []


def set_order():
    """Set `ORDER` among the rules that are used: a parent workflow may use some only."""
    for names in ORDER:
        used = [getattr(rules, name).rule for name in names]
        here = set(workflow.rules)
        workflow.ruleorder(*(name for name, rule in zip(names, used) if rule in here))


def together_unless_asked(together, single):
    """Of two rules that make a file, take the one that makes all of its kind, unless one is asked for by name.

    What a parent workflow asks for is not known.
    """
    alone = ASKED or not IS_MAIN
    ORDER.append((single, together) if alone else (together, single))


def is_exclusive(wildcards):
    """1 for jobs whose memory bandwidth must not be shared; under an alternative, none whose budget is counts."""
    loaded, experiment = load(wildcards), wildcards.experiment
    if not loaded.experiment(experiment).exclusive:
        return 0
    if "@" not in wildcards.run:
        return 1
    budget = loaded.job(experiment, wildcards.method).budget
    return int(not budget or bool(budget.cpu_seconds or budget.wall_seconds))


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


def section_digest(*modules, keys, found=()):
    """Digest of the parts of a paper's spec that a rule reads, and of the code it runs or finds by name."""

    def digest(wildcards):
        spec = load(wildcards).spec
        parts = {key: spec.get(key) for key in keys}
        code = closure.code_sha256(*modules, *found)
        return hashes.digest([parts, code])

    return digest


figure_digest = section_digest(
    "referee.report.figures", keys=("figures", "experiments", "methods", "unit_costs")
)
table_digest = section_digest(
    "referee.evidence.tables", keys=("tables", "experiments", "unit_costs")
)


def claims_digest(wildcards, keys):
    """Digest of what a paper's claims are judged by: their module, the judge, and its part of the spec."""
    claims = rooms.whole(wildcards.paper, "claims")
    found = sorted(name for name in sys.modules if name.startswith(claims))
    digest = section_digest("referee.judge.products", keys=keys, found=found)
    return digest(wildcards)


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
def alternatives_of(paper, run):
    """Names of the alternatives of a run: thousands of jobs ask for them, and each is a merge of the whole paper."""
    return list(study.alternatives(study_of(paper, run).spec))


@cache
def first_run(paper, run, experiment, method):
    """Of a run under an alternative, the first run that has a job equal in all but its run's name, base run first."""
    base, _, alternative = run.partition("@")
    if not alternative:
        return run
    known = alternatives_of(paper, base)
    before = known[: known.index(alternative)] if alternative in known else known
    earlier = [base, *(f"{base}@{name}" for name in before)]
    wanted = shared_digest(paper, run, experiment, method)
    same = (r for r in earlier if shared_digest(paper, r, experiment, method) == wanted)
    return next(same, run) if wanted else run


@cache
def shared_digest(paper, run, experiment, method):
    """Digest of a job and its instance without the run's name; None for one that the run does not have to share."""
    loaded, panel = study_of(paper, run), f"{paper}/{experiment}"
    if run.partition("@")[0] in RUNS and experiment in kept_panels(paper, run):
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
def kept_panels(paper, run):
    """Records of the panels of a run that are kept in git as they are asked for; one that has a trace is made here."""
    begun = kept.begun(f"results/{run}", paper)
    found = kept.kept(study_of(paper, run), project_root(), begun, work=".")
    return {experiment: record for experiment, (_, record) in found.items()}


def kept_under_alternatives(paper, run):
    """Records of kept panels by run, of the alternatives of a run that have any."""
    store = kept.stores(project_root(), paper)[0]
    runs = [
        kept.index(path.parent)["run"] for path in sorted(store.glob("*/panels.json"))
    ]
    runs = [other for other in runs if other.partition("@")[0] == run]
    known = alternatives_of(paper, run) if runs else ()
    found = {
        other: kept_panels(paper, other)
        for other in runs
        if other.partition("@")[2] in known
    }
    return {each: panels for each, panels in found.items() if panels}


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
    bundles = load(w).bundles().values() if w.run in RUNS else []
    return tables + [f for e in bundles for f in bundle_outputs("traces", w, e, "h5")]


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
    figures = views.drawable(load(wildcards).spec["figures"])
    figure = study.lookup(figures, wildcards.figure, "figure", wildcards.paper)
    experiments = {
        panel["experiment"] for panel in views.panels_of(figure, wildcards.figure)
    }
    return evidence_of(wildcards, sorted(experiments))


def drawn_tables(wildcards):
    """Tidy tables of all experiments that a figure of the paper shows."""
    return evidence_of(wildcards, load(wildcards).drawn())


def page_figures(wildcards, formats=("svg",)):
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


def alternative_tables(wildcards):
    """Tables that a paper is judged on under each alternative of its deviation register."""
    paper, run = wildcards.paper, wildcards.run
    names = alternatives_of(paper, run)
    return [f for name in names for f in judged(of_run(paper, f"{run}@{name}"))]


def bundles():
    """(wildcards of a paper and run, name, experiments) of all bundles: runs so cheap that many are one job."""
    return [
        (of_run(paper, run), name, experiments)
        for paper, run in each()
        for name, experiments in study_of(paper, run).bundles().items()
    ]


def bundle_sources(wildcards, experiments, own):
    """Experiments whose instances a bundle runs on; `own`: those that nothing outside of it needs, else the rest."""
    loaded = load(wildcards)
    users = {}
    for e in loaded.experiments:
        users.setdefault(loaded.instance_of(e), set()).add(e)
    needed = {loaded.instance_of(e) for e in experiments if loaded.needs_instance(e)}
    return sorted(e for e in needed if own == (users[e] <= set(experiments)))


def instance_paths(wildcards, experiments):
    """Instance files of experiments."""
    folder = "results/{run}/instances/{paper}".format(**vars(wildcards))
    return [f"{folder}/{e}.h5" for e in experiments]


def bundle_datasets(wildcards, sources):
    """The prepared datasets that a bundle makes its own instances from."""
    names = {load(wildcards).dataset(e) for e in sources} - {None}
    return [f"data/prepared/{name}.h5" for name in sorted(names)]


def bundle_outputs(kind, wildcards, experiments, ending):
    """Files of all methods of experiments; tuning tables of those that are tuned."""
    loaded, w = load(wildcards), wildcards
    return [
        f"results/{w.run}/{kind}/{w.paper}/{e}/{m}.{ending}"
        for e in experiments
        for m in loaded.experiment(e).methods
        if kind != "tuning" or loaded.searches(e, m)
    ]


def bundle_memory_mb(wildcards, experiments, attempt=1):
    """Memory of the largest of a bundle's experiments; more on a retry."""
    values = load(wildcards).experiments
    return attempt * max(values[e].memory_mb for e in experiments)


def bundle_minutes(wildcards, name, attempt=1):
    """Minutes a bundle may take, as `runtime_minutes` has them for one run."""
    seconds = costs.bundle_bound(load(wildcards), name)
    return attempt * (10 + round(2 * seconds / 60))


def bundle_digest(wildcards, experiments):
    """Digest of all jobs of a bundle, and of the code of the tidy tables."""
    values, w = load(wildcards).experiments, wildcards
    jobs = [
        digest_of(w.paper, w.run, e, m) for e in experiments for m in values[e].methods
    ]
    return hashes.digest([jobs, closure.code_sha256("referee.evidence.tidy")])


def shown(path, what, caption, paper="{paper}", run="{run}"):
    """An output that `snakemake --report` shows under its paper."""
    labels = {"what": what, "run": run}
    caption = f"../report/{caption}.rst"
    return report(path, caption=caption, category=paper, labels=labels)


def all_shown(wildcards, caption, paths):
    """Outputs of a rule of one paper and run, each shown under its own name."""
    paper, run = wildcards.paper, wildcards.run
    return [shown(path, Path(path).stem, caption, paper, run) for path in paths]


def raw_files(wildcards):
    """Files of a dataset that are here: samples, and what was downloaded or supplied. They may change."""
    dataset = told(catalog.dataset, wildcards.dataset)
    paths = [store.raw_path(dataset, file, ".") for file in dataset.files]
    return [str(path) for path in paths if path.is_file()]


def check_target(target):
    """An error, with the nearest that can be asked for, about a target that names what does not exist."""
    known = [rule.name for rule in workflow.rules] + ["default"]  # that comes last
    if "/" not in target and target not in known and not Path(target).exists():
        goals = [
            name
            for name in known[:-1]
            if not re.match("(bundle|figures|tables|kept)_", name)
            and not getattr(rules, name).rule.has_wildcards()
        ]
        raise ValueError(unknown("target", target, goals, "snakemake"))
    found = re.match(r"(?:results/([^/]+)/(\w+)|reports/([^/]+))/(.+)", target)
    run, kind, of_report, rest = found.groups() if found else (None, None, None, "")
    paper, *names = re.sub(r"\.[^./]+$", "", rest).split("/")
    if (run or of_report) and paper in study.papers():
        loaded = study_of(paper, run or of_report)
        if of_report and len(names) == 2 and not names[1].startswith("alternatives"):
            figures = views.drawable(loaded.spec["figures"])
            drawn = {"figures": figures, "tables": loaded.tables}.get(names[0])
            if drawn is not None:
                study.lookup(drawn, names[1], names[0].removesuffix("s"), paper)
        if kind in ("traces", "tuning", "evidence", "instances") and names:
            loaded.experiment(names[0])
            [loaded.job(names[0], method) for method in names[1:]]


def end_timers():
    """End timers that would only make Snakemake look for ready jobs, when there are none any more."""
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.cancel()


# An unknown run or paper is an error before anything starts; an unknown target once all rules are read.
for paper, run in each():
    told(study_of, paper, run)
