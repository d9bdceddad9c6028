"""What holds for the parameters of all that is found by name: their annotations can be checked."""

import dataclasses
import inspect

import pytest
from places import PAPERS

from projfree import losses, penalties, problems, sets, solvers
from projfree.ground import parameters, registry
from projfree.solvers import estimators, reduce
from referee.data import generators
from referee.ground import rooms

PROBES = {f"{paper}/{name}": (paper, name) for paper in PAPERS for name in rooms.modules(paper, "probes")}
#: Name → what makes it, and how many of its arguments are no parameters.
CLASSES = {
    **{f"sets/{name}": (sets.load(name), 0) for name in sets.available()},
    **{f"penalties/{name}": (penalties.load(name), 0) for name in penalties.available()},
    **{f"problems/{name}": (problems.load(name), 1) for name in problems.available()},
    **{f"solvers/{name}": (solvers.load(name), 0) for name in solvers.available()},
    **{f"losses/{name}": (type(losses.make(name)), 0) for name in losses.available()},
}
MAKERS = CLASSES | {
    **{f"penalties/{name}, made": (penalties.load(name).for_problem, 1) for name in penalties.available()},
    **{f"reduce/{name}": (registry.load(reduce, name).Policy, 0) for name in reduce.available()},
    **{f"generators/{name}": (generators.find(name), 1) for name in generators.names()},
    **{f"estimators/{name}": (estimators.load(name).Estimator, 0) for name in estimators.available()},
    **{name: (rooms.load(paper, "probes", probe).measure, 4) for name, (paper, probe) in PROBES.items()},
}


def entries(maker, first):
    """The parameters, without the constants of a problem and the source of a generator, given beside them."""
    found = list(inspect.signature(maker).parameters.values())[first:]
    beside = ("constants", "source")
    return [entry for entry in found if entry.kind != entry.VAR_KEYWORD and entry.name not in beside]


def defaults(maker, entry):
    """The default, in a list; of a dataclass what its factory makes."""
    field = getattr(maker, "__dataclass_fields__", {}).get(entry.name)
    if field and field.default_factory is not dataclasses.MISSING:
        return [field.default_factory()]
    return [] if entry.default is entry.empty else [entry.default]


@pytest.mark.parametrize("name", MAKERS)
def test_every_parameter_has_an_annotation_that_is_checked_and_that_its_default_meets(name):
    maker, first = MAKERS[name]
    kinds = parameters.annotations(maker)
    for entry in entries(maker, first):
        assert entry.name in kinds, f"{name}: {entry.name} has no annotation"
        assert parameters.words(kinds[entry.name])
        assert all(parameters.fits(value, kinds[entry.name]) for value in defaults(maker, entry)), entry


@pytest.mark.parametrize("name", CLASSES)
def test_direct_construction_is_guarded(name):
    cls, _ = CLASSES[name]
    guarded = hasattr(cls.__init__, "__wrapped__")
    assert guarded or not entries(*CLASSES[name])
