"""What holds for every proximal gradient method on every composite problem, whatever prox it is handed."""

import cases
import instances
import numpy as np
import pytest
from test_contract_resume import Killed

from projfree import penalties
from projfree.engine import metrics as known_metrics
from projfree.engine.budget import Budget
from projfree.engine.driver import Setting
from projfree.engine.schedule import Schedule
from projfree.families import composite
from projfree.trace.counts import COUNTS

PROBLEMS = instances.small_problems(families=(composite.FAMILY,))
SOLVERS = instances.solvers_of(composite.FAMILY)
#: Proxes that each penalty is tried with; None is its reference.
PROXES = {
    "oscar": [None, {"method": "igm_pass"}, {"method": "dual_frank_wolfe"}, {"method": "perturbed"}],
    "trace_lasso": [None, {"method": "dual_frank_wolfe", "max_inner": 3}],
    "rank": [None, {"method": "arpack", "start": "warm"}, {"method": "block_power", "oversample": 2}],
}
OTHERS = {
    "pg": [{"gradient_error": 1e-2}, {"error_share": 0.1, "prox": {"method": "perturbed"}}],
    "nmapg": [{"reference": "average"}, {"delta": 0.1, "delta_units": "L"}],
}


def penalty_name(problem):
    return type(problem.small_constraint).__module__.rpartition(".")[2]


CASES = [
    (solver, {"prox": prox}, name)
    for name, problem in PROBLEMS.items()
    for solver in SOLVERS
    for prox in PROXES[penalty_name(problem)]
]
CASES += [(s, params, "robust_regression-0") for s, table in OTHERS.items() for params in table]
CASES += [("pg", {"gradient_error": 1e-2}, "link_prediction-0")]
over_cases = pytest.mark.parametrize("solver, params, name", CASES, ids=cases.label)


def setting(problem, iterations=20, metrics=("objective", "rise", "inner"), **values):
    made = {m: known_metrics.make(m, problem, problem.small_constraint) for m in metrics}
    return Setting(Budget({"iterations": iterations}), Schedule(every=1), metrics=made, **values)


def run(problem, solver, params, seed=0, ball=None, **values):
    chosen = values.pop("setting", None) or setting(problem, **values)
    return instances.run(
        problem, solver, params=params, ball=ball or problem.small_constraint, seed=seed, setting=chosen
    )


def test_every_penalty_is_tried():
    assert set(penalties.available()) >= set(PROXES) == {penalty_name(p) for p in PROBLEMS.values()}


@over_cases
def test_same_seed_same_trace_and_the_problem_is_left_alone(solver, params, name):
    problem = PROBLEMS[name]
    before = cases.arrays_of(problem)
    first = run(problem, solver, params, seed=3)
    cases.same_but_clocks(
        first, run(instances.small_problems(families=(composite.FAMILY,))[name], solver, params, seed=3)
    )
    after = cases.arrays_of(problem)
    assert len(before) > 1
    for key, array in before.items():
        np.testing.assert_array_equal(array, after[key], err_msg=key)
    start = problem.start()
    expected = problem.value(start) + problem.small_constraint.value(problem.raw(start))
    assert first.metrics["objective"][0] == pytest.approx(expected, rel=1e-14)
    assert first.metrics["objective"][-1] < first.metrics["objective"][0]


@over_cases
def test_resumed_equals_uninterrupted(solver, params, name, tmp_path):
    problem, path = PROBLEMS[name], tmp_path / "run.checkpoint.h5"
    whole = run(problem, solver, params)
    for kill, saved in ((2, 1), (9, 7), (20, 20)):
        chosen = setting(problem, checkpoint=path)
        chosen.checkpoint_seconds = 0.0 if saved == 1 else np.inf

        def on_step(iteration, chosen=chosen, kill=kill, saved=saved):
            if iteration == kill:
                raise Killed
            chosen.checkpoint_seconds = 0.0 if iteration + 1 == saved else np.inf

        chosen.on_step = on_step
        with pytest.raises(Killed):
            run(problem, solver, params, setting=chosen)
        cases.same_but_clocks(whole, run(problem, solver, params, setting=setting(problem, checkpoint=path)))
        path.unlink()


class Counted:
    """A problem or penalty that counts by itself what a solver asks of it."""

    def __init__(self, inner, counts, n):
        self._inner, self._counts, self._n = inner, counts, n

    def __getattr__(self, name):
        return getattr(self._inner, name)

    def gradient(self, x):
        self._counts["FO"] += 1
        self._counts["IFO"] += self._n
        return self._inner.gradient(x)

    def prox(self, *args, **keywords):
        found = self._inner.prox(*args, **keywords)
        self._counts["PO"] += 1
        self._counts["matvec"] += found.matvecs
        return found


@over_cases
def test_counts_add_up(solver, params, name):
    problem, counts = PROBLEMS[name], dict.fromkeys(COUNTS, 0)
    chosen = setting(problem, 12)
    penalty = Counted(problem.small_constraint, counts, problem.n)
    trace = run(Counted(problem, counts, problem.n), solver, params, ball=penalty, setting=chosen)
    assert {key: values[-1] for key, values in trace.oracles.items()} == counts
    assert counts["FO"] - bool(params.get("gradient_error")) == counts["PO"] >= 12


@over_cases
def test_images_are_those_of_the_points(solver, params, name):
    """F7: recurrences of residuals and entries against computation from scratch."""
    problem = PROBLEMS[name]
    checked = setting(problem, 40)
    checked.metrics["miss"] = lambda x: np.max(
        np.abs(problem.point(problem.raw(x)).image - x.image), initial=0
    )
    trace = run(problem, solver, params, setting=checked)
    assert max(trace.metrics["miss"]) <= 1e-9


@pytest.mark.parametrize("name", PROBLEMS)
def test_gradients_by_differences_and_the_constant(name):
    problem, rng = PROBLEMS[name], np.random.default_rng(0)
    dense = len(problem.shape) == 1

    def point(x):
        return problem.point(x if dense else (x, np.eye(problem.shape[1])))

    def gradient(x):
        found = problem.gradient(point(x))
        return found if dense else found.toarray()

    for _ in range(20):
        x, d = rng.standard_normal(problem.shape), rng.standard_normal(problem.shape)
        slope = (problem.value(point(x + 1e-6 * d)) - problem.value(point(x - 1e-6 * d))) / 2e-6
        assert np.vdot(gradient(x), d) == pytest.approx(slope, rel=1e-5, abs=1e-6)
        y = x + 10 ** rng.uniform(-3, 0) * d
        steepness = np.linalg.norm(gradient(x) - gradient(y)) / np.linalg.norm(x - y)
        assert steepness <= problem.constants["L_full"] * (1 + 1e-9)


@pytest.mark.parametrize("name", PROBLEMS)
def test_points_combine_as_arrays_do(name):
    problem, rng = PROBLEMS[name], np.random.default_rng(1)

    def point():
        if len(problem.shape) == 1:
            return problem.point(rng.standard_normal(problem.shape))
        return problem.point(tuple(rng.standard_normal((side, 2)) for side in problem.shape))

    def dense(x):
        return x.array if hasattr(x, "array") else x.toarray()

    a, b, c = point(), point(), point()
    mixed = a.combine([0.4, 0.9, -0.3], [a, b, c])
    np.testing.assert_allclose(dense(mixed), 0.4 * dense(a) + 0.9 * dense(b) - 0.3 * dense(c), atol=1e-12)
    np.testing.assert_allclose(mixed.image, problem.point(problem.raw(mixed)).image, atol=1e-12)
    assert a.sq_distance(b) == pytest.approx(np.sum((dense(a) - dense(b)) ** 2))
    np.testing.assert_array_equal(dense(a.combine([1.0, 0.0, 0.0], [a, b, c])), dense(a))
    gradient = problem.gradient(mixed)
    forward = mixed.forward(gradient, 0.3)
    expected = dense(mixed) - 0.3 * (gradient if isinstance(gradient, np.ndarray) else gradient.toarray())
    np.testing.assert_allclose(
        forward if isinstance(forward, np.ndarray) else forward.toarray(), expected, atol=1e-12
    )
