"""How runs end, and what the driver records, on solvers made for the purpose."""

from dataclasses import dataclass

import instances
import numpy as np
import pytest

from projfree.engine import metrics
from projfree.engine.driver import DIVERGED, final_arrays
from projfree.engine.seeds import children, seed_sequence
from projfree.engine.warmup import compile_kernels
from projfree.sets import nuclear_ball


@dataclass
class State:
    x: np.ndarray
    converged: bool = False

    @property
    def iterate(self):
        return self.x


@dataclass(frozen=True)
class Away:
    """Multiplies its iterate, which starts at ones; with `until` it then says that it converged."""

    factor: float = 10.0
    until: float = np.inf

    def start(self, oracles, rng):
        return State(oracles.start() + 1.0)

    def step(self, oracles, s, rng):
        s.x = s.x * self.factor
        s.converged = bool(s.x.max() >= self.until)
        return s


@pytest.mark.parametrize("factor, most", [(1e4, 9), (np.nan, 1)])
def test_a_run_whose_objective_explodes_or_is_not_a_number_has_diverged(factor, most):
    problem = instances.completion(loss="sq")
    with np.errstate(over="ignore", invalid="ignore"):
        trace = instances.run(problem, Away(factor), {"iterations": 50}, metrics=["objective"])
    assert trace.end_status == "diverged" and "objective = " in trace.message
    assert not abs(trace.metrics["objective"][-1]) < DIVERGED
    assert trace.iteration[-1] <= most and "at iteration" in trace.message


def test_other_metrics_may_be_large_or_undefined():
    problem = instances.completion()
    setting = instances.setting(problem, {"iterations": 4})
    setting.metrics["nonsense"] = lambda x: np.nan
    trace = instances.run(problem, "ncgs", setting=setting)
    assert trace.end_status == "iterations" and np.isnan(trace.metrics["nonsense"]).all()


def test_a_method_that_says_so_has_converged():
    trace = instances.run(instances.completion(), Away(1.5, until=3.0), {"iterations": 50})
    assert trace.end_status == "converged" and "certificate" in trace.message
    assert trace.iteration[-1] == 3


def test_infeasibility_says_how_far_outside():
    problem = instances.completion(loss="sq")
    trace = instances.run(problem, Away(1.5), {"iterations": 3})
    nuclear = np.sqrt(np.prod(problem.shape)) * 1.5 ** np.arange(4)
    np.testing.assert_allclose(trace.metrics["infeasibility"], nuclear - instances.RADIUS, rtol=1e-10)


def test_metrics_against_their_definitions():
    rng = np.random.default_rng(0)
    problem, ball = instances.completion(), nuclear_ball.Set(1.5)
    x = instances.random_point(problem, 1.5, rng)
    gradient, gamma = problem.gradient(x), 1 / (2 * problem.constants["L_full"])
    g = (x - ball.project(x - gamma * gradient)) / gamma
    expected = {
        "fw_gap": np.vdot(gradient, x) + 1.5 * np.linalg.norm(gradient, 2),
        "sq_gradient_mapping": np.sum(g**2),
        "gradient_norm": np.linalg.norm(gradient),
        "infeasibility": 0.0,
        "rank": 10,
        "objective": problem.value(x),
    }
    for name, value in expected.items():
        assert metrics.make(name, problem, ball)(x) == pytest.approx(value, rel=1e-10), name
    with pytest.raises(ValueError, match="Did you mean 'fw_gap'.*Known are: .*reconstruction_error"):
        metrics.make("fw_gpa", problem, ball)


def test_the_last_iterate_is_kept():
    problem = instances.completion()
    trace = instances.run(problem, "ncgs", {"iterations": 5})
    assert problem.value(trace.final["x"]) == trace.metrics["objective"][-1]
    trace = instances.run(problem, "frank_wolfe", {"iterations": 5})
    U, w, V = (trace.final[name] for name in ("U", "w", "V"))
    assert problem.value((U * w) @ V.T) == pytest.approx(trace.metrics["objective"][-1], rel=1e-12)
    with pytest.raises(TypeError, match="str"):
        final_arrays("x")


def test_seeds_depend_on_paper_experiment_and_number():
    names = [("ncgs", "a", 0), ("ncgs", "a", 1), ("ncgs", "b", 0), ("ipg", "a", 0)]
    drawn = [[seed_sequence(*each).generate_state(4).tolist() for each in names] for _ in range(2)]
    assert drawn[0] == drawn[1] and len({tuple(words) for words in drawn[0]}) == 4
    data, method = children("ncgs", "a", 0)
    assert data.generate_state(2).tolist() != method.generate_state(2).tolist()


def test_the_warm_up_goes_through_every_solver():
    compile_kernels()
