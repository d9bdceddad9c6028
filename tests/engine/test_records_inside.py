"""Records inside of a long step: points on its way, which change nothing but that they are there."""

from itertools import pairwise

import numpy as np
import pytest

from projfree import penalties, solvers
from projfree.engine import metrics
from projfree.engine.budget import Budget
from projfree.engine.driver import Setting, drive
from projfree.engine.schedule import Schedule
from projfree.problems import multi_view, multinomial, ratings_completion
from projfree.solvers import gcg

TRACE_NORM, VIEWS = {"name": "trace_norm"}, {"name": "multi_view"}
#: Problem, its penalty, the policy of Reduce.
CASES = {
    "completion": (ratings_completion, {**TRACE_NORM, "weight": 0.3}, {"name": "lbfgs"}),
    "rotated": (ratings_completion, {**TRACE_NORM, "weight": 0.3}, {"name": "lbfgs", "rotate": True}),
    "classes": (multinomial, {**TRACE_NORM, "weight": 0.01}, {"name": "lbfgs", "gtol": 1e-8}),
    "views": (multi_view, {**VIEWS, "weight": 0.3}, {"name": "sphere"}),
}
PLAIN, INSIDE = Schedule(every=1), Schedule(every=1, inside=1.25)


def made(case, records=INSIDE, budget=None, extra=None, **values):
    module, penalty, policy = CASES[case]
    problem = next(iter(module.Problem.small(np.random.default_rng(0))))
    penalty = penalties.make(penalty, problem)
    measured = {name: metrics.make(name, problem, penalty) for name in ("objective", "surrogate", "outer")}
    budget = Budget.parse(budget or {"iterations": 6})
    setting = Setting(budget, records, measured | (extra or {}), **values)
    solver = solvers.make("gcg", {"reduce": policy})
    return drive(problem, penalty, solver, np.random.SeedSequence(0), 0, setting)


def ended(trace):
    """Which records are the last of their iteration: those of the ends of steps."""
    return np.array([a != b for a, b in pairwise([*trace.iteration, None])])


def counted(trace, which=slice(None)):
    columns = {"iteration": trace.iteration, **trace.metrics, **trace.oracles}
    return {name: np.array(values)[which].tolist() for name, values in columns.items()}


@pytest.mark.parametrize("case", CASES)
def test_they_change_no_other_record(case):
    plain, inside = made(case, PLAIN), made(case)
    assert len(inside.iteration) > 2 * len(plain.iteration)
    assert counted(inside, ended(inside)) == counted(plain)
    assert all(np.array_equal(inside.final[name], plain.final[name]) for name in plain.final)


@pytest.mark.parametrize("case", CASES)
def test_they_are_on_the_way(case):
    trace = made(case)
    spent, steps = np.array(trace.oracles["FO"]), np.array(trace.iteration)
    assert np.all(np.diff(trace.cpu_seconds) > 0) and np.all(np.diff(trace.wall_seconds) > 0)
    assert np.all(np.sum(list(trace.timers.values()), axis=0) <= trace.cpu_seconds)
    assert np.all(np.diff(steps) >= 0)
    assert trace.metrics["outer"] == trace.iteration, "a step is that of the atom that it began with"
    assert np.all(np.diff(spent)[~ended(trace)[1:]] >= 1), "an inner iteration evaluates a gradient at least"
    assert np.all(np.diff(trace.metrics["surrogate"])[1:] <= 1e-9), "L-BFGS does not rise"
    assert np.all(np.array(trace.metrics["objective"]) <= np.array(trace.metrics["surrogate"]) + 1e-9)


def test_a_step_is_looked_into_where_its_end_is_recorded():
    trace, finer = (made("completion", Schedule(every=3, inside=ratio)) for ratio in (1.25, 1.01))
    assert set(trace.iteration) == {0, 3, 6} and trace.iteration.count(3) > 2
    assert trace.iteration.count(6) > 1 and len(finer.iteration) > len(trace.iteration)


def test_their_metrics_wait_for_the_end_of_the_step(monkeypatch):
    """Computed in between they would be in no clock either, but in the caches of the step that goes on."""
    inside, step = [], gcg.Solver.step

    def watched(*args):
        inside.append(True)
        found = step(*args)
        inside.clear()
        return found

    monkeypatch.setattr(gcg.Solver, "step", watched)
    trace = made("completion", extra={"within": lambda _: bool(inside)})
    assert len(trace.iteration) > 20 and not any(trace.metrics["within"])


def test_a_budget_may_end_between_them():
    whole = made("completion")
    spent = whole.oracles["FO"]
    third = [k for k, step in enumerate(whole.iteration) if step == 3]
    limit = int(spent[third[3]] / 1.1)
    cut = made("completion", budget={"FO": limit})
    assert cut.end_status == "budget" and "inside step 3" in cut.message
    assert cut.iteration[-2:] == [3, 3] and cut.metrics["objective"][-1] == cut.metrics["objective"][-2]
    assert counted(cut, slice(0, -1)) == counted(whole, slice(0, len(cut.iteration) - 1))


def test_a_killed_run_has_each_of_them_once(tmp_path):
    def killed(iteration):
        if iteration == 4:
            raise KeyboardInterrupt

    path = {"checkpoint": tmp_path / "c.h5", "checkpoint_seconds": 0.0}
    with pytest.raises(KeyboardInterrupt):
        made("classes", on_step=killed, **path)
    assert counted(made("classes", **path)) == counted(made("classes"))


def test_a_ratio_that_never_goes_on_is_refused():
    with pytest.raises(ValueError, match=r"records\.inside must be above 1, got 1"):
        Schedule(inside=1)
