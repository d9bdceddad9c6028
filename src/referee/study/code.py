"""The modules that a job runs, for its hash of the code."""

import ast
from functools import cache

from projfree.common import registry

from ..common import closure, rooms
from .models.experiment import Job, Recipe

#: Parameters of probes that name modules, and the packages in which those are.
NAMED_TO_PROBES = {"solver": "solvers", "penalty_name": "penalties"}
#: Packages whose modules solvers load by a name that their own defaults may hold.
LOADED_BY_NAME = ("solvers.reduce",)
#: Solvers whose parameter `estimator` names a module.
BY_ESTIMATOR = ("projfree.solvers.nfwu", "projfree.solvers.estimator_frank_wolfe")


def code_of(work: Job | Recipe) -> str:
    """Hash of the code that a job runs, or that makes an instance."""
    return closure.code_sha256(*modules_of(work))


def covered(work: Job | Recipe):
    """While it runs: an error for code that it loads and that its hash leaves out."""
    subject = f"{work.method} on" if isinstance(work, Job) else "the instance of"
    return closure.covered(f"{work.paper}: {subject} {work.experiment}", modules_of(work))


def modules_of(work: Job | Recipe) -> list[str]:
    """Modules that a job runs or that make an instance; their imports are found from them."""
    if isinstance(work, Job):
        return _modules_of_job(work)
    plain = work.generator.plain()
    names = [plain["name"], *_named(plain, "generator")]  # a generator may draw from another
    made_by = [rooms.module(work.paper, "generators", name) for name in names]
    return ["referee.jobs.build", *made_by, f"projfree.problems.{_module(work.problem.name)}"]


def _modules_of_job(job: Job) -> list[str]:
    modules = [_measured_by(job), "referee.jobs.probe" if job.probe else "referee.jobs.job"]
    modules += ["referee.jobs.tuning"] if job.search else []
    for part, package in ((job.problem, "problems"), (job.set, "sets"), (job.penalty, "penalties")):
        # A product of sets names its parts below its own name.
        modules += [f"projfree.{package}.{name}" for name in _named(part.plain(), "name")] if part else []
    modules += _named_to_probe(job) if job.probe else []
    estimators = _named(job.chosen.params, "estimator")
    if not estimators and set(BY_ESTIMATOR) & set(modules):  # their default is one of them
        estimators = registry.names("projfree.solvers.estimators")
    modules += [f"projfree.solvers.estimators.{name}" for name in estimators]
    modules += _served(tuple(modules))
    return modules + [m for package in LOADED_BY_NAME for m in _of_package(package, tuple(modules))]


def _named_to_probe(job):
    """Modules that a probe loads by the names that its parameters hold, or their defaults."""
    found = []
    for key, package in NAMED_TO_PROBES.items():
        names = _named({**_defaults(_measured_by(job)), **job.probe.params}, key)
        found += [f"projfree.{package}.{name}" for name in names]
    return found


@cache
def _defaults(module):
    """Defaults of a probe's parameters that are plain values, read without importing it."""
    tree = ast.parse(closure.source_of(module).read_text(encoding="utf-8"))
    measure = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "measure")
    given = zip(measure.args.kwonlyargs, measure.args.kw_defaults, strict=True)
    return {arg.arg: value.value for arg, value in given if isinstance(value, ast.Constant)}


def _measured_by(job):
    """The module of the job's probe or solver."""
    if job.probe:
        return rooms.module(job.paper, "probes", job.probe.name)
    return f"projfree.solvers.{_module(job.solver.name)}"


def _module(name):
    return name.replace("-", "_")


def _named(params, key):
    """Modules that parameters name: strings under keys called `key`, or `key` + "s", at any depth."""
    if isinstance(params, list):
        return [name for value in params for name in _named(value, key)]
    if not isinstance(params, dict):
        return []
    found = [name for name in (params.get(key), *_listed(params.get(f"{key}s"))) if isinstance(name, str)]
    return [_module(name) for name in found] + [m for value in params.values() for m in _named(value, key)]


@cache
def _served(modules: tuple):
    """Oracles and metrics of the families that the modules name: the engine loads them by name."""
    folder = closure.ROOTS["projfree"] / "families"
    named = {path.stem for path in closure.import_closure(*modules) if path.parent == folder}
    families = [registry.load("projfree.families", name).FAMILY for name in sorted(named - {"__init__"})]
    return [f"projfree.engine.{kind}.{getattr(f, kind)}" for f in families for kind in ("oracles", "metrics")]


def _listed(value):
    return value if isinstance(value, list) else []


@cache
def _of_package(package, modules: tuple):
    """All modules of a package that the modules load from by name: parameters need not name the default."""
    door = closure.source_of(f"projfree.{package}")
    if door not in closure.import_closure(*modules):
        return []
    return [f"projfree.{package}.{name}" for name in registry.names(f"projfree.{package}")]
