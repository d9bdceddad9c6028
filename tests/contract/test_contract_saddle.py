"""What holds for every solver of saddle-point and of strongly convex problems."""

import cases
import instances
import numpy as np
import pytest
from test_contract_resume import Killed

from projfree import solvers
from projfree.engine import metrics as known_metrics
from projfree.engine.budget import Budget
from projfree.engine.driver import Setting, drive
from projfree.engine.schedule import Schedule
from projfree.families import saddle, strongly_convex

VARIANTS = [("mpcgs", {"y_rule": "theorem"}), ("mpcgs", {"y_rule": "exact"}), ("spfw", {"average": True})]
VARIANTS += [("svre", {"projection": "full", "batch": 7}), ("mpcgs", {"vertex": True, "fast_forward": True})]
FAMILIES = (saddle.FAMILY, strongly_convex.FAMILY)
PROBLEMS = instances.small_problems(families=FAMILIES)
CASES = [
    (name, params, key)
    for name, params in [(n, {}) for n in instances.solvers_of(*FAMILIES)] + VARIANTS
    for key, problem in PROBLEMS.items()
    if solvers.suits(name, problem)
]
over_cases = pytest.mark.parametrize("name, params, problem", CASES, ids=cases.label)


def setting(problem, iterations=12, **values):
    names = ["objective", "infeasibility"] + ["lo_x", "theorem_bound"] * (problem.family == saddle.FAMILY)
    measured = {m: known_metrics.make(m, problem, problem.small_constraint) for m in names}
    return Setting(Budget({"iterations": iterations}), Schedule(every=1), measured, **values)


def run(problem, name, params, chosen=None, seed=3):
    sequence = np.random.SeedSequence(seed)
    chosen = chosen or setting(problem)
    return drive(problem, problem.small_constraint, solvers.make(name, params), sequence, seed, chosen)


@over_cases
def test_iterates_are_feasible_and_counts_never_fall(name, params, problem):
    problem = PROBLEMS[problem]
    before = cases.arrays_of(problem)
    seen, chosen = [], setting(problem)
    chosen.metrics["seen"] = lambda point: seen.append(point) or 0.0
    trace = run(problem, name, params, chosen)
    for point in seen:
        x = point if isinstance(point, np.ndarray) else point.x
        assert problem.small_constraint.contains(x, slack=1e-9)
        if not isinstance(point, np.ndarray):
            assert problem.dual_set.contains(point.y, slack=1e-12 * 60)
    for key, values in trace.oracles.items():
        assert np.all(np.diff(values) >= 0), key
    assert trace.oracles["IFO"][-1] >= problem.n * trace.oracles["FO"][-1]
    assert sum(trace.timers["lmo"]) > 0 or sum(trace.timers["project"]) > 0
    for key, array in cases.arrays_of(problem).items():
        np.testing.assert_array_equal(array, before[key], err_msg=f"{name} wrote into {key}")


@over_cases
def test_same_seed_same_trace(name, params, problem):
    first, second = (
        run(instances.small_problems(families=FAMILIES)[problem], name, params) for _ in range(2)
    )
    cases.same_but_clocks(first, second)


@over_cases
def test_resumed_equals_uninterrupted(name, params, problem, tmp_path):
    problem, path = PROBLEMS[problem], tmp_path / "run.checkpoint.h5"
    whole = run(problem, name, params)
    for kill in (1, 5, 11):
        chosen = setting(problem, checkpoint=path, checkpoint_seconds=0.0)

        def die(iteration, kill=kill):
            if iteration == kill:
                raise Killed

        chosen.on_step = die
        with pytest.raises(Killed):
            run(problem, name, params, chosen)
        rest = run(problem, name, params, setting(problem, checkpoint=path))
        cases.same_but_clocks(whole, rest)
        path.unlink()


@pytest.mark.parametrize("name", ["mpcgs", "mpscgs", "spfw"])
def test_projection_free_methods_never_project(name):
    trace = run(PROBLEMS["robust_multiclass-0"], name, {})
    assert trace.oracles["PO"][-1] == 0 and trace.oracles["LO"][-1] > 0


SAMPLED = {"mpscgs": {"floor": 3}, "svre": {"batch": 5}, "scgs": {}}
SAMPLED |= {"storc": {"batch_factor": 0.01}, "istorc": {"batch_factor": 0.01, "snapshot_size": 5}}


@pytest.mark.parametrize("name, params", SAMPLED.items())
def test_another_seed_draws_other_batches(name, params):
    problem = next(p for p in PROBLEMS.values() if solvers.suits(name, p))
    ends = [run(problem, name, params, setting(problem, 300), seed=s).final for s in (0, 1)]
    assert any(not np.array_equal(ends[0][key], ends[1][key]) for key in ends[0])
