"""What holds for every solver on every problem, and that each says of which family it is."""

import dataclasses
import inspect

import cases
import instances
import numpy as np
import pytest

from projfree import families, penalties, problems, solvers
from projfree.common import registry
from projfree.engine import metrics, oracles
from projfree.engine.oracles import base
from projfree.sets import nuclear_ball

over_cases = pytest.mark.parametrize("name, params, problem", cases.CASES, ids=cases.label)
over_solvers = pytest.mark.parametrize("name", solvers.available())


@over_cases
def test_every_iterate_is_feasible_and_the_metric_is_exact(name, params, problem):
    problem, ball = cases.PROBLEMS[problem], nuclear_ball.Set(instances.RADIUS)
    setting = instances.setting(problem, {"iterations": 40})
    setting.metrics["excess"] = lambda x: np.linalg.norm(instances.dense(x), "nuc") - ball.radius
    trace = instances.run(problem, name, params=params, setting=setting)
    # A gap of exactly zero ends a run; on which step depends on the last bits of this processor.
    assert trace.iteration[-1] == 40 or trace.end_status == "converged"
    assert trace.metrics["objective"][0] == pytest.approx(problem.value(np.zeros(problem.shape)), rel=1e-14)
    excess = np.array(trace.metrics["excess"])
    assert excess.size >= trace.iteration[-1] + 1 > 1
    expected = np.maximum(excess, 0.0)
    np.testing.assert_allclose(trace.metrics["infeasibility"], expected, atol=1e-12 * ball.radius)
    # Even of option I, which does not project its last step: θ^ag is a convex combination of the θ_k.
    assert max(excess) <= 1e-9 * ball.radius


#: Methods that draw batches, the estimators of those that have several, and sizes small enough to differ.
DRAWING = [(name, {}) for name in ("ncgs_vr", "nfwu", "sncgs", "svrg", "scgs")]
DRAWING += [("nfwu", {"estimator": name}) for name in ("sg", "svrg", "spider", "casvrg", "caspider")]
DRAWING += [("estimator_frank_wolfe", {"estimator": name}) for name in ("sg", "svrg", "sampled_svrg", "saga")]
DRAWING += [("mpscgs", {"floor": 3}), ("svre", {"batch": 5}), ("storc", {"batch_factor": 0.01})]
DRAWING += [("istorc", {"batch_factor": 0.01, "snapshot_size": 5})]


@pytest.mark.parametrize("name, params", DRAWING)
def test_another_seed_draws_other_batches(name, params):
    saddles = {one: cases.PROBLEMS[key] for one, _, key in reversed(cases.SADDLES)}
    problem, steps = (saddles[name], 300) if name in saddles else (instances.completion(), 15)
    runs = [cases.run(problem, name, params, chosen=cases.setting(problem, steps), seed=s) for s in (0, 1)]
    ends = [trace.final for trace in runs]
    assert any(not np.array_equal(ends[0][key], ends[1][key]) for key in ends[0])


@over_solvers
def test_unknown_parameters_list_the_known(name):
    known = [entry.name for entry in dataclasses.fields(solvers.load(name))]
    with pytest.raises(ValueError, match="unknown parameter 'stepsize'") as error:
        solvers.make(name, {"stepsize": 1})
    assert all(parameter in str(error.value) for parameter in known)


def test_unknown_solvers_list_the_known():
    with pytest.raises(ValueError, match="ncgs_vr") as error:
        solvers.make("ncgs_rv", {})
    assert all(name in str(error.value) for name in solvers.available())


@over_solvers
def test_solver_is_a_documented_frozen_dataclass_with_state_beside_it(name):
    cls = solvers.load(name)
    module = inspect.getmodule(cls)
    assert module.__doc__ and cls.__doc__ and module.State.__doc__
    assert cls.__dataclass_params__.frozen and dataclasses.is_dataclass(module.State)
    words = " ".join(parent.__doc__ or "" for parent in cls.__mro__ if parent.__module__ != "builtins")
    missing = [entry.name for entry in dataclasses.fields(cls) if entry.name not in words]
    assert not missing, f"not explained: {missing}"
    assert cls.start.__doc__ and cls.step.__doc__


@pytest.mark.parametrize("name", instances.solvers_of())
def test_fresh_states_share_no_memory(name):
    problem = cases.PROBLEMS["matrix_completion-0"]
    _, state = next(instances.walk(problem, name, 0))
    _, other = instances.last(instances.walk(problem, name, 3))
    assert not np.any(instances.dense(state.iterate)), "another run wrote into this one's start"
    assert np.any(instances.dense(other.iterate))


@pytest.mark.parametrize("name, params, problem", cases.SADDLES, ids=cases.label)
def test_iterates_are_feasible(name, params, problem):
    problem = cases.PROBLEMS[problem]
    seen, chosen = [], cases.setting(problem)
    chosen.metrics["seen"] = lambda point: seen.append(point) or 0.0
    trace = cases.run(problem, name, params, chosen=chosen)
    for point in seen:
        assert problem.small_constraint.contains(getattr(point, "x", point), slack=1e-9)
        assert not hasattr(point, "y") or problem.dual_set.contains(point.y, slack=1e-12 * 60)
    assert seen and trace.oracles["IFO"][-1] >= problem.n * trace.oracles["FO"][-1]
    assert sum(trace.timers["lmo"]) > 0 or sum(trace.timers["project"]) > 0


@pytest.mark.parametrize("name", ["mpcgs", "mpscgs", "spfw"])
def test_projection_free_methods_never_project(name):
    trace = cases.run(cases.PROBLEMS["robust_multiclass-0"], name, {})
    assert trace.oracles["PO"][-1] == 0 and trace.oracles["LO"][-1] > 0


FAMILIES = {name: registry.load(families, name).FAMILY for name in registry.names(families)}


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_is_called_as_its_file_and_is_served(name):
    family = FAMILIES[name]
    assert family.name == name and family.constraint in ("set", "penalty")
    assert issubclass(oracles.of(family), base.Oracles)
    assert callable(registry.load(metrics, family.metrics).known)


def test_every_solver_names_its_families_and_every_family_has_a_problem():
    served = {name: set(solvers.load(name).families) for name in solvers.available()}
    assert [name for name, families in served.items() if not families] == []
    used = {problems.load(name).family for name in problems.available()}
    assert used == set().union(*served.values()) == set(FAMILIES.values())
    assert {penalties.load(name).family for name in penalties.available()} <= used
