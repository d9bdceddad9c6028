"""What holds for every solver of saddle-point and of strongly convex problems."""

import cases
import numpy as np
import pytest


@pytest.mark.parametrize("name, params, problem", cases.SADDLES, ids=cases.label)
def test_iterates_are_feasible(name, params, problem):
    problem = cases.PROBLEMS[problem]
    seen, chosen = [], cases.setting(problem)
    chosen.metrics["seen"] = lambda point: seen.append(point) or 0.0
    trace = cases.run(problem, name, params, chosen=chosen)
    for point in seen:
        x = point if isinstance(point, np.ndarray) else point.x
        assert problem.small_constraint.contains(x, slack=1e-9)
        if not isinstance(point, np.ndarray):
            assert problem.dual_set.contains(point.y, slack=1e-12 * 60)
    assert trace.oracles["IFO"][-1] >= problem.n * trace.oracles["FO"][-1]
    assert sum(trace.timers["lmo"]) > 0 or sum(trace.timers["project"]) > 0


@pytest.mark.parametrize("name", ["mpcgs", "mpscgs", "spfw"])
def test_projection_free_methods_never_project(name):
    trace = cases.run(cases.PROBLEMS["robust_multiclass-0"], name, {})
    assert trace.oracles["PO"][-1] == 0 and trace.oracles["LO"][-1] > 0


SAMPLED = {"mpscgs": {"floor": 3}, "svre": {"batch": 5}, "scgs": {}}
SAMPLED |= {"storc": {"batch_factor": 0.01}, "istorc": {"batch_factor": 0.01, "snapshot_size": 5}}


@pytest.mark.parametrize("name, params", SAMPLED.items())
def test_another_seed_draws_other_batches(name, params):
    problem = next(cases.PROBLEMS[key] for one, _, key in cases.SADDLES if one == name)
    runs = [cases.run(problem, name, params, chosen=cases.setting(problem, 300), seed=s) for s in (0, 1)]
    ends = [trace.final for trace in runs]
    assert any(not np.array_equal(ends[0][key], ends[1][key]) for key in ends[0])
