"""Every name that a part of a paper uses must be defined by another part, or be a module's."""

from functools import cache

from projfree.common import registry
from projfree.common.names import unknown

from ..common import rooms
from . import register
from .models.paper import Paper
from .validation import Place, StudyError, lookup
from .views import panels_of

PACKAGES = {
    "solver": "projfree.solvers",
    "problem": "projfree.problems",
    "set": "projfree.sets",
    "penalty": "projfree.penalties",
}


def check_names(paper: Paper, source) -> None:
    """Raise `StudyError` for the first name that nothing defines."""
    probes = rooms.modules(paper.paper, "probes")
    for name, method in paper.methods.items():
        _check_method(method, probes, source, "methods", name)
    for name, experiment in paper.experiments.items():
        _check_experiment(paper, name, experiment, probes, source)
    for stem, figure in paper.figures.items():
        _check_figure(paper, stem, figure.plain(), source)
    where = Place(source, ("alternatives",), "alternatives")
    for name in paper.alternatives.experiments or []:
        lookup(paper.experiments, name, "experiment", where)
    for name in paper.alternatives.methods or []:
        lookup(paper.methods, name, "method", where)
    register.known(paper.plain(), panels=False)  # refuses two of one name, and one to go without that is none


def _check_experiment(paper, name, experiment, probes, source):
    known, keys = {**paper.methods, **experiment.define}, ("experiments", name)
    for method in experiment.methods:
        lookup(known, method, "method", Place(source, keys, f"experiment {name}"))
    for key in ("method_seeds", "method_budgets"):
        for method in getattr(experiment, key):
            lookup(known, method, "method", Place(source, keys, f"experiment {name}: {key}"))
    if experiment.instance_of:
        where = Place(source, keys, f"experiment {name}: instance_of")
        lookup(paper.experiments, experiment.instance_of, "experiment", where)
    for own, method in experiment.define.items():
        _check_method(method, probes, source, "experiments", name, "define", own)
    _check_modules(experiment, ("problem", "set", "penalty"), source, "experiments", name)
    generator = getattr(experiment.generator, "name", None)
    known = rooms.modules(paper.paper, "generators")
    _check_module("generator", generator, known, source, ("experiments", name))


def _check_figure(paper, stem, figure, source):
    where = Place(source, ("figures", stem), f"figure {stem}")
    for panel in panels_of(figure, stem):
        if "experiment" not in panel:
            raise StudyError(f"{where}: panel {panel['name']} has no 'experiment'")
        experiment = lookup(paper.experiments, panel["experiment"], "experiment", where)
        for method in panel.get("methods", []):
            lookup({**paper.methods, **experiment.define}, method, "method", where)
    entries = {deviation.id: deviation for deviation in paper.deviations}
    for deviation in figure.get("deviations", []):
        lookup(entries, deviation, "deviation", where)


def _check_method(method, probes, source, *place):
    """The solver or the probe that a method names is there."""
    _check_modules(method, ("solver",), source, *place)
    _check_module("probe", method.probe, probes, source, place)


def _check_modules(part, kinds, source, *place):
    """The modules that an experiment or a method names are there."""
    for kind in kinds:
        named = getattr(part, kind)
        _check_module(kind, getattr(named, "name", named), _modules(kind), source, place)


def _check_module(kind, name, known, source, place):
    if name is not None and name.replace("-", "_") not in known:
        raise StudyError(unknown(kind, name, known, Place(source, place, ".".join(place))))


@cache
def _modules(kind):
    return registry.names(PACKAGES[kind])
