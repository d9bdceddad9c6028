"""What holds for every solver, of those for which the nuclear-norm ball is not enough."""

import cases
import instances
import numpy as np
import pytest

from projfree import solvers
from projfree.api.function import Function
from projfree.families import constrained
from projfree.sets import nuclear_ball, product, simplex

STEPS = 20
SETS = {
    "simplex": (simplex.Set(), np.eye(8)[0]),
    "product": (product.Set([simplex.Set(), simplex.Set(2.0)], [3, 5]), np.r_[1.0, 0, 0, 2.0, 0, 0, 0, 0]),
}
#: Solver, its parameters, and the linear minimisations of a step, at least and at most.
CASES = [("dicg", {}, (2, 2)), ("lazy", {"method": "dicg"}, (1, 2)), ("block_coordinate_fw", {}, (1, 1))]
over_cases = pytest.mark.parametrize("name, params, costs", CASES, ids=cases.label)
over_sets = pytest.mark.parametrize("kind", SETS)


def problem(kind):
    rng = np.random.default_rng(0)
    A = rng.standard_normal((16, 8)) / 4
    H, aim = A.T @ A + 0.1 * np.eye(8), 0.2 + 0.2 * rng.standard_normal(8)
    L = float(np.linalg.eigvalsh(H)[-1])
    return Function(lambda x: (0.5 * (x - aim) @ H @ (x - aim), H @ (x - aim)), SETS[kind][1], {"L_full": L})


def test_all_that_need_another_set_are_here():
    ours = [name for name in solvers.available() if constrained.FAMILY in solvers.load(name).families]
    others = {name for name in ours if solvers.lacking(solvers.load(name), nuclear_ball.Set)}
    assert others == set(ours) - set(instances.solvers_of()) == {"dicg"}


@over_sets
@over_cases
def test_iterates_are_feasible_counts_add_up_and_a_seed_repeats_also_when_killed(
    name, params, costs, kind, tmp_path
):
    feasible, path = SETS[kind][0], {"checkpoint": tmp_path / "run.checkpoint.h5"}

    def run(change=lambda setting: setting, **values):
        setting = instances.setting(problem(kind), {"iterations": STEPS}, ball=feasible, **values)
        setting.metrics["outside"] = lambda x: not feasible.contains(x)
        return instances.run(problem(kind), name, params=params, ball=feasible, setting=change(setting))

    first = run()
    assert not any(first.metrics["outside"]) and first.iteration[-1] == STEPS
    assert first.oracles["FO"][-1] == STEPS
    least, most = (STEPS * cost for cost in costs)
    assert least <= first.oracles["LO"][-1] <= most and (least == most or first.oracles["LO"][-1] < most)
    cases.same_but_clocks(first, run())
    with pytest.raises(cases.Killed):
        run(lambda setting: cases.killed(setting, 9, 11), **path)
    cases.same_but_clocks(first, run(**path))
