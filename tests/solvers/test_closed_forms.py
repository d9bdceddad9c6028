"""Cases whose answer is known: one task, one entry, a huge ball, radius 0."""

import instances
import numpy as np
import pytest

from projfree.engine.oracles.constrained import Oracles
from projfree.sets import l2_ball, nuclear_ball

#: Methods that come within 1e-6 in so many steps (the step min{gap/C, 1} is sublinear even here).
RULES = (("short", 3000), ("line_search", 400), ("open_loop", 2000))
CONVERGE = [("frank_wolfe", {"step_rule": rule}, steps) for rule, steps in RULES]
CONVERGE += [("ncgs", {"option": option, "max_lo": 20}, 3000) for option in ("I", "I-momentum", "II")]
CONVERGE += [("ncgs", {"option": "II-exact"}, 3000), ("ncgs_vr", {"max_lo": 20}, 3000), ("svrg", {}, 3000)]
CONVERGE += [("estimator_frank_wolfe", {"open_loop": True}, 2000)]


def projected_gradient(problem, ball, steps=20000):
    """θ ← P(θ − ∇F/L) from zero until it stands still."""
    x, L = problem.start(), problem.constants["L_full"]
    for _ in range(steps):
        following = ball.project(x - problem.gradient(x) / L)
        if np.linalg.norm(following - x) < 1e-14:
            break
        x = following
    return x


@pytest.fixture(scope="module")
def one_task():
    """One task in a small ball, and where projected gradient on the l2 ball ends."""
    problem = instances.tasks(sizes=(60,), d=6)
    return problem, projected_gradient(problem, l2_ball.Set(0.3))


@pytest.mark.parametrize("name, params, steps", CONVERGE)
def test_one_task_all_agree_with_projected_gradient(one_task, name, params, steps):
    problem, expected = one_task
    assert np.linalg.norm(expected) == pytest.approx(0.3), "the minimum is on the sphere"
    _, state = instances.last(instances.walk(problem, name, steps, radius=0.3, **params))
    assert np.linalg.norm(instances.dense(state.iterate) - expected) <= 1e-6


@pytest.mark.parametrize(
    "name, params, at",
    [
        ("ncgs", {"option": "I", "rule": "theorem", "eta": 1e-7}, "theta_ag"),
        ("svrg", {"epoch": 1, "step_factor": 1.5}, "theta"),
    ],
)
def test_in_a_huge_ball_with_all_data_at_hand_steps_are_those_of_gradient_descent(name, params, at):
    problem = instances.completion((6, 5), share=0.8)
    _, state = instances.last(instances.walk(problem, name, 8, radius=1e3, **params))
    x = problem.start()
    for _ in range(8):
        x = x - problem.gradient(x) / (2 * problem.constants["L_full"])
    np.testing.assert_allclose(getattr(state, at), x, atol=1e-8)


FULL_GRADIENT = ["frank_wolfe", "ncgs", "ncgs_vr", "estimator_frank_wolfe", "svrg"]


@pytest.mark.parametrize("name", instances.solvers_of())
@pytest.mark.parametrize("problem", [instances.completion, instances.tasks], ids=["completion", "tasks"])
def test_radius_0_leaves_every_method_at_0(problem, name):
    with np.errstate(all="raise", under="ignore"):
        given = {"ball": nuclear_ball.Set(0.0), "metrics": ["fw_gap"]}
        trace = instances.run(problem(), name, {"iterations": 5}, **given)
    assert not any(np.any(part) for key, part in trace.final.items() if key in ("x", "w"))
    assert trace.metrics["fw_gap"] == [0.0] * len(trace.iteration)
    assert trace.end_status in ("converged", "iterations")
    if name in FULL_GRADIENT:
        assert trace.oracles["FO"][-1] == 1 and trace.end_status == "converged"


@pytest.mark.parametrize("name", FULL_GRADIENT)
@pytest.mark.parametrize("shape", [(12, 10), (70, 60)])
def test_a_zero_gradient_at_the_start_ends_a_run_at_once(name, shape):
    problem = instances.completion(shape, values=0.0)
    trace = instances.run(problem, name, {"iterations": 50})
    counts = {key: values[-1] for key, values in trace.oracles.items()}
    assert trace.end_status == "converged" and trace.iteration[-1] <= 1
    assert counts["FO"] == 1 and counts["LO"] <= 1
    assert trace.metrics["objective"][-1] == 0.0


#: Methods without a full gradient cannot know that it vanishes: they may go on, but not away for good.
SAMPLED = [(name, {}) for name in sorted(set(instances.solvers_of()) - set(FULL_GRADIENT))]
SAMPLED += [("estimator_frank_wolfe", {"estimator": name}) for name in ("sg", "sampled_svrg", "saga")]
SAMPLED += [("nfwu", {"estimator": name, "epoch": 3}) for name in ("sg", "spider", "casvrg", "caspider")]


@pytest.mark.parametrize("name, params", SAMPLED)
def test_a_zero_gradient_does_no_harm_to_sampled_methods(name, params):
    trace = instances.run(instances.completion(values=0.0), name, {"iterations": 50}, params=params)
    assert np.isfinite(trace.metrics["objective"]).all() and max(trace.metrics["infeasibility"]) == 0


def test_tied_singular_values():
    """σ₁ = σ₂: any answer of the oracle attains −Rσ₁, and every method goes down."""
    problem = instances.completion((4, 4), share=1.1, loss="sq")
    problem.observed[:] = np.diag([1.0, 1.0, -1.0, 1.0]).ravel()
    for name in FULL_GRADIENT:
        params = {"step_rule": "short"} if name == "frank_wolfe" else {}
        trace = instances.run(problem, name, {"iterations": 60}, params=params)
        assert min(trace.metrics["objective"]) < trace.metrics["objective"][0]
    o = Oracles(problem, nuclear_ball.Set(2.0), np.random.default_rng(0))
    gradient = problem.gradient(problem.start())
    assert o.lmo(gradient).inner(gradient) == pytest.approx(-2.0)
