"""What holds for every solver on every problem."""

import dataclasses
import inspect

import cases
import instances
import numpy as np
import pytest

from projfree import solvers
from projfree.sets import nuclear_ball

over_cases = pytest.mark.parametrize("name, params, problem", cases.CASES, ids=cases.label)
over_solvers = pytest.mark.parametrize("name", solvers.available())


@over_cases
def test_every_iterate_is_feasible_and_the_metric_is_exact(name, params, problem):
    problem, ball = cases.PROBLEMS[problem], nuclear_ball.Set(instances.RADIUS)
    excess = []

    def gauge(x):
        excess.append(np.linalg.norm(instances.dense(x), "nuc") - ball.radius)
        return excess[-1]

    setting = instances.setting(problem, {"iterations": 40})
    setting.metrics["excess"] = gauge
    trace = instances.run(problem, name, params=params, setting=setting)
    # A gap of exactly zero ends a run; on which step depends on the last bits of this processor.
    assert trace.iteration[-1] == 40 or trace.end_status == "converged"
    assert trace.metrics["objective"][0] == pytest.approx(problem.value(np.zeros(problem.shape)), rel=1e-14)
    assert len(excess) >= trace.iteration[-1] + 1 > 1
    expected = np.maximum(excess, 0.0)
    np.testing.assert_allclose(trace.metrics["infeasibility"], expected, atol=1e-12 * ball.radius)
    # Even of option I, which does not project its last step: θ^ag is a convex combination of the θ_k.
    assert max(excess) <= 1e-9 * ball.radius


#: Methods that draw batches, and the estimators of those that have several.
DRAWING = [(name, {}) for name in ("ncgs_vr", "nfwu", "sncgs", "svrg")]
DRAWING += [("nfwu", {"estimator": name}) for name in ("sg", "svrg", "spider", "casvrg", "caspider")]
DRAWING += [("estimator_frank_wolfe", {"estimator": name}) for name in ("sg", "svrg", "sampled_svrg", "saga")]


@pytest.mark.parametrize("name, params", DRAWING)
def test_another_seed_draws_other_batches(name, params):
    runs = [
        instances.run(instances.completion(), name, {"iterations": 15}, params=params, seed=seed)
        for seed in (0, 1)
    ]
    assert runs[0].metrics["objective"] != runs[1].metrics["objective"]


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
