"""What holds for every solver on every problem."""

import dataclasses
import inspect

import cases
import instances
import numpy as np
import pytest

from projfree import solvers
from projfree.sets import nuclear_ball
from projfree.trace.counts import COUNTS

over_cases = pytest.mark.parametrize("name, params, problem", cases.CASES, ids=cases.label)
over_solvers = pytest.mark.parametrize("name", solvers.available())


class Counted:
    """A problem or a set that counts by itself what a solver asks of it; everything else is passed on."""

    COSTS = {
        "gradient": lambda n, args: {"FO": 1, "IFO": n},
        "anchor": lambda n, args: {"FO": 1, "IFO": n},
        "component_gradient": lambda n, args: {"IFO": len(args[1])},
        "component_slopes": lambda n, args: {"IFO": len(args[1])},
        "component_gradient_difference": lambda n, args: {"IFO": 2 * len(args[2])},
        "component_curvatures": lambda n, args: {"SSO": n},
        "arguments": lambda n, args: {"SSO": len(args[1])},  # asked for by Hessian-vector products only
        "lmo": lambda n, args: {"LO": 1},
        "project": lambda n, args: {"PO": 1},
    }

    def __init__(self, inner, counts, n, **costs):
        self._inner, self._counts, self._n, self._costs = inner, counts, n, self.COSTS | costs

    def __getattr__(self, name):
        value = getattr(self._inner, name)
        if name not in self._costs:
            return value

        def counted(*args, **keywords):
            for kind, cost in self._costs[name](self._n, args).items():
                self._counts[kind] += cost
            result = value(*args, **keywords)
            self._counts["matvec"] += getattr(result, "matvecs", 0)
            return result

        return counted


@over_cases
def test_the_start_is_zero_and_the_problem_is_left_alone(name, params, problem):
    problem = cases.PROBLEMS[problem]
    before = cases.arrays_of(problem)
    trace = instances.run(problem, name, params=params)
    assert trace.iteration[0] == 0
    assert trace.metrics["objective"][0] == pytest.approx(problem.value(np.zeros(problem.shape)), rel=1e-14)
    assert not instances.dense(problem.start()).any()
    after = cases.arrays_of(problem)
    assert before.keys() == after.keys() and len(before) > 1
    for key, array in before.items():
        np.testing.assert_array_equal(array, after[key], err_msg=key)


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
    assert len(excess) >= trace.iteration[-1] + 1 > 1
    expected = np.maximum(excess, 0.0)
    np.testing.assert_allclose(trace.metrics["infeasibility"], expected, atol=1e-12 * ball.radius)
    # Even of option I, which does not project its last step: θ^ag is a convex combination of the θ_k.
    assert max(excess) <= 1e-9 * ball.radius


@over_cases
def test_same_seed_same_trace(name, params, problem):
    first, second = (
        instances.run(problem, name, {"iterations": 15}, params=params, seed=3)
        for problem in (cases.PROBLEMS[problem], instances.small_problems()[problem])
    )
    cases.same_but_clocks(first, second)


@pytest.mark.parametrize("name", ["ncgs_vr", "nfwu", "sncgs", "svrg"])
def test_another_seed_draws_other_batches(name):
    other_batches(name, {})


@pytest.mark.parametrize("estimator", ["sg", "svrg", "spider", "casvrg", "caspider"])
def test_another_seed_draws_other_batches_for_every_estimator(estimator):
    other_batches("nfwu", {"estimator": estimator})


@pytest.mark.parametrize("estimator", ["sg", "svrg", "sampled_svrg", "saga"])
def test_another_seed_draws_other_batches_for_every_estimator_of_reddi(estimator):
    other_batches("estimator_frank_wolfe", {"estimator": estimator})


def other_batches(name, params):
    problem = instances.completion()
    first, second = (
        instances.run(problem, name, {"iterations": 15}, params=params, seed=seed) for seed in (0, 1)
    )
    assert first.metrics["objective"] != second.metrics["objective"]


@over_cases
def test_counts_add_up(name, params, problem):
    problem = cases.PROBLEMS[problem]
    counts = dict.fromkeys(COUNTS, 0)
    ball = nuclear_ball.Set(instances.RADIUS)
    setting = instances.setting(problem, {"iterations": 12}, metrics=("objective", "fw_gap", "gradient_norm"))
    # At the anchor the slopes are known where gradients are sparse; the strict count has them all the same.
    anchored = params.get("estimator") in ("svrg", "casvrg") and params.get("iterate") != "array"
    costs = {"component_slopes": lambda n, args: {"IFO": 2 * len(args[1])}} if anchored else {}
    trace = instances.run(
        Counted(problem, counts, problem.n, **costs),
        name,
        params=params,
        ball=Counted(ball, counts, problem.n),
        setting=setting,
    )
    assert {key: values[-1] for key, values in trace.oracles.items()} == counts
    for values in trace.oracles.values():
        assert np.all(np.diff(values) >= 0)


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
