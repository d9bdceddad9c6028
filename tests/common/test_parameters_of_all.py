"""What holds for the parameters of all that is found by name: their annotations can be checked."""

import dataclasses
import inspect
import math

import pytest
from places import PAPERS

from projfree import losses, penalties, problems, sets, solvers
from projfree.common import parameters, registry
from projfree.solvers import estimators, reduce
from referee.common import rooms
from referee.data import generators

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
    **{
        f"generators/{name}": (generators.find(name, paper), 1)
        for paper in PAPERS
        for name in rooms.modules(paper, "generators")
    },
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


#: Maker → its parameters, each with values that must be refused: `checked` and `make` do so by name.
REFUSED = {
    "solvers/nfwu": {"step_rule": ["lenght"], "epochs": [0], "eta": [0.0, math.nan], "epsilon": [-1e-3]}
    | {"factor": [0], "batch": [0, -3], "epoch": [0], "iterate": ["dense"], "batch_factor": [-1]},
    "solvers/nmapg": {"step_factor": [0.0], "error_scale": [-1.0], "gradient_error": [-1.0], "eta": [2.0]}
    | {"reference": ["best"], "delta_units": ["l"], "delta": [-1.0]},
    **{
        f"solvers/{name}": {"rule": ["theorm"], "eta": [math.nan], "max_lo": [0], "horizon": [0]}
        for name in ("ncgs", "sncgs", "ncgs_vr")
    },
    "solvers/svrg": {"projection": ["lanczos"], "batch": [0]},
    "solvers/frank_wolfe": {"step_rule": ["armijo"]},
    "solvers/estimator_frank_wolfe": {"gamma": [1.5], "estimator": ["spider"]},
    "solvers/momentum_frank_wolfe": {"momentum": [-0.1, 1.0]},
    "solvers/cgs": {"delta0": ["none"]},
    "solvers/mpcgs": {"y_rule": ["no"], "constant": ["L"]},
    "solvers/mpscgs": {"schedule": ["linear"]},
    "solvers/spfw": {"step_rule": ["line_search"]},
    "solvers/svre": {"rate": [0.0]},
    "solvers/dhm": {"correct": ["x"]},
    "solvers/js": {"step_rule": ["x"], "optimum": ["x"]},
    "solvers/bcd": {"start_from": ["zero"], "codes": ["one"], "step_size": ["long"]},
    "estimators/sg": {"batch": [0]},
    "estimators/svrg": {"batch": [0], "epoch": [-1]},
    **{f"estimators/{name}": {"batch": [0], "epoch": [0]} for name in ("spider", "casvrg", "caspider")},
    "problems/matrix_completion": {"weight": ["average"]},
    "problems/robust_multiclass": {"lam": [0]},
    "problems/hard_instance": {"chain": [0]},
}


@pytest.mark.parametrize("name", REFUSED)
def test_values_that_cannot_be_are_ruled_out_by_the_annotation(name):
    kinds = parameters.annotations(MAKERS[name][0])
    for parameter, values in REFUSED[name].items():
        assert not any(parameters.fits(value, kinds[parameter]) for value in values), parameter
