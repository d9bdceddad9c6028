"""Which modules a job runs: what its hash of the code is made of."""

from functools import cache

from ..ground import provenance, registry, rooms
from .models.job import Job

#: Packages whose modules solvers load by a name that their own defaults may hold.
LOADED_BY_NAME = ("solvers.reduce",)
#: Solvers whose parameter `estimator` names a module.
BY_ESTIMATOR = ("projfree.solvers.nfwu", "projfree.solvers.estimator_frank_wolfe")


def code_of(job: Job) -> str:
    """Hash of the code that a job runs."""
    return provenance.code_sha256(*modules_of(job))


def code_of_instance(generator: str, problem: str) -> str:
    """Hash of the code that makes an instance."""
    return provenance.code_sha256(
        "projfree.jobs.build",
        f"projfree.data.generators.{_module(generator)}",
        f"projfree.problems.{_module(problem)}",
    )


def modules_of(job: Job) -> list[str]:
    """Modules that a job runs; what they import comes with them."""
    modules = [_measured_by(job), "projfree.jobs.probe" if job.probe else "projfree.jobs.job"]
    modules += ["projfree.jobs.tuning"] if job.search else []
    for part, package in ((job.problem, "problems"), (job.set, "sets"), (job.penalty, "penalties")):
        modules += [f"projfree.{package}.{_module(part.name)}"] if part else []
    if job.probe:
        modules += [f"projfree.solvers.{name}" for name in _named(job.probe.params, "solver")]
    estimators = _named(job.chosen.params, "estimator")
    if not estimators and set(BY_ESTIMATOR) & set(modules):  # their default is one of them
        estimators = registry.names("projfree.solvers.estimators")
    modules += [f"projfree.solvers.estimators.{name}" for name in estimators]
    modules += _served(modules)
    return modules + [m for package in LOADED_BY_NAME for m in _of_package(package, tuple(modules))]


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


def _served(modules):
    """Oracles and metrics of the families that the modules name: the engine loads them by name."""
    folder = provenance.PACKAGE / "families"
    named = {path.stem for path in provenance.import_closure(*modules) if path.parent == folder}
    families = [registry.load("projfree.families", name).FAMILY for name in sorted(named - {"__init__"})]
    return [f"projfree.engine.{kind}.{getattr(f, kind)}" for f in families for kind in ("oracles", "metrics")]


def _listed(value):
    return value if isinstance(value, list) else []


@cache
def _of_package(package, modules: tuple):
    """All modules of a package that the modules load from by name: parameters need not name the default."""
    door = provenance.PACKAGE.joinpath(*package.split("."), "__init__.py")
    if door not in provenance.import_closure(*modules):
        return []
    return [f"projfree.{package}.{name}" for name in registry.names(f"projfree.{package}")]
