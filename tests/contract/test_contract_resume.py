"""What holds for every run: the same seed gives the same trace, counts are those of the calls, nothing is
written into a problem, and a run that is killed goes on as if it had never been.
"""

import functools

import cases
import h5py
import instances
import numpy as np
import pytest

from projfree.engine import checkpoint
from projfree.engine.driver import Drive
from projfree.families import composite, constrained, regularised
from projfree.sets import nuclear_ball
from projfree.trace.counts import COUNTS

over_all = pytest.mark.parametrize("name, params, key", cases.ALL, ids=cases.label)
#: Family → what a call of a problem, set or penalty costs, by the number of components and the arguments.
COSTS = {
    constrained.FAMILY: {
        "gradient": lambda n, args: {"FO": 1, "IFO": n},
        "anchor": lambda n, args: {"FO": 1, "IFO": n},
        "component_gradient": lambda n, args: {"IFO": len(args[1])},
        "component_slopes": lambda n, args: {"IFO": len(args[1])},
        "component_gradient_difference": lambda n, args: {"IFO": 2 * len(args[2])},
        "component_curvatures": lambda n, args: {"SSO": n},
        "arguments": lambda n, args: {"SSO": len(args[1])},  # asked for by Hessian-vector products only
        "lmo": lambda n, args: {"LO": 1},
        "project": lambda n, args: {"PO": 1},
    },
    composite.FAMILY: {"gradient": lambda n, args: {"FO": 1, "IFO": n}, "prox": lambda n, args: {"PO": 1}},
    regularised.FAMILY: {
        **dict.fromkeys(
            ("slopes", "value_and_slopes", "factor_gradients", "factor_curvatures"),
            lambda n, args: {"FO": 1, "IFO": n},
        ),
        "curvature": lambda n, args: {"SSO": n},
        "polar": lambda n, args: {"PU": 1},
        "atoms": lambda n, args: {"PU": 1},
        "prox": lambda n, args: {"PO": 1},
    },
}


class Counted:
    """A problem, set or penalty that counts by itself what a solver asks of it; all else is passed on."""

    def __init__(self, inner, counts, n, costs):
        self._inner, self._counts, self._n, self._costs = inner, counts, n, costs

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


@functools.cache
def whole(index):
    name, params, key = cases.ALL[index]
    return cases.run(cases.PROBLEMS[key], name, params)


def of(name, params, key):
    return whole(cases.ALL.index((name, params, key)))


def costs_of(problem, params):
    """Those of the family; SVRG knows the slopes at its anchor where gradients are sparse: they count."""
    anchored = params.get("estimator") in ("svrg", "casvrg") and params.get("iterate") != "array"
    twice = {"component_slopes": lambda n, args: {"IFO": 2 * len(args[1])}} if anchored else {}
    return COSTS.get(problem.family, {}) | (twice if problem.family == constrained.FAMILY else {})


@over_all
def test_same_seed_same_trace_counts_add_up_and_the_problem_is_left_alone(name, params, key):
    problem, counts = cases.fresh_problems(1)[key], dict.fromkeys(COUNTS, 0)
    before, costs = cases.arrays_of(problem), costs_of(problem, params)
    wrapped = [Counted(one, counts, problem.n, costs) for one in (problem, cases.constraint(problem))]
    chosen = cases.setting(problem)
    trace = cases.run(wrapped[0], name, params, ball=wrapped[1], chosen=chosen) if costs else None
    trace = trace or cases.run(problem, name, params)
    cases.same_but_clocks(trace, of(name, params, key))
    after = cases.arrays_of(problem)
    assert before.keys() == after.keys() and len(before) > 1
    for entry, array in before.items():
        np.testing.assert_array_equal(array, after[entry], err_msg=f"{name} wrote into {entry}")
    assert all(np.diff(values).min(initial=0) >= 0 for values in trace.oracles.values())
    if costs:
        exact = COUNTS if problem.family != regularised.FAMILY else ("FO", "IFO", "PU", "PO")
        assert {kind: trace.oracles[kind][-1] for kind in exact} == {kind: counts[kind] for kind in exact}
        assert trace.oracles["matvec"][-1] >= counts["matvec"] and counts["FO"] + counts["IFO"] > 0


def kills(last, count):
    """Pairs of a step that kills and the last one that saved, at most three before; over all of a run."""
    steps = np.unique(np.linspace(last, 1, count).astype(int))[::-1]
    return [(kill, max(1, kill - lag % 4)) for lag, kill in enumerate(steps)]


@over_all
def test_resumed_equals_uninterrupted(name, params, key, tmp_path, capsys, long):
    problem, path, expected = cases.PROBLEMS[key], tmp_path / "run.checkpoint.h5", of(name, params, key)
    for kill, saved in kills(expected.iteration[-1], 20 if long else 3):
        dying = cases.killed(cases.setting(problem, checkpoint=path), saved, kill)
        with pytest.raises(cases.Killed):
            cases.run(problem, name, params, chosen=dying)
        resumed = cases.run(problem, name, params, chosen=cases.setting(problem, checkpoint=path))
        assert f"at iteration {saved}\n" in capsys.readouterr().err
        cases.same_but_clocks(expected, resumed)
        assert resumed.message == expected.message
        path.unlink()


def test_killed_after_every_step_clocks_go_on(tmp_path):
    problem, path = cases.PROBLEMS["multi_task-0"], tmp_path / "run.checkpoint.h5"
    spent = 0.0
    for step in range(1, 7):
        setting = cases.killed(instances.setting(problem, {"iterations": 7}, checkpoint=path), 1, step)
        setting.checkpoint_seconds = 0.0
        with pytest.raises(cases.Killed):
            instances.run(problem, "ncgs", setting=setting)
        with h5py.File(path) as handle:
            seconds = handle["trace/cpu_seconds"][-1]
        assert seconds > spent
        spent = seconds
    setting = instances.setting(problem, {"iterations": 7}, checkpoint=path)
    trace = instances.run(problem, "ncgs", setting=setting)
    assert trace.iteration == list(range(8)) and np.all(np.diff(trace.cpu_seconds) > 0)


def test_a_state_that_cannot_be_checkpointed_says_what_it_holds(tmp_path):
    with h5py.File(tmp_path / "state.h5", "w") as handle, pytest.raises(TypeError, match="set in 'state'"):
        checkpoint._encode(handle, "state", {1, 2})


def test_the_drive_does_not_touch_the_seeds_of_another():
    problem, ball = cases.PROBLEMS["matrix_completion-0"], nuclear_ball.Set(instances.RADIUS)
    setting = instances.setting(problem)
    drives = [Drive(problem, ball, None, np.random.SeedSequence(5), 5, setting) for _ in range(2)]
    drawn = [{name: rng.random(4).tolist() for name, rng in drive.rngs.items()} for drive in drives]
    assert drawn[0] == drawn[1] and drawn[0]["method"] != drawn[0]["oracle"]
