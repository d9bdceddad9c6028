"""What is particular to each method: descent, identities, scaling, parameters."""

import copy

import instances
import numpy as np
import pytest

from projfree import solvers
from projfree.engine.oracles.constrained import Oracles
from projfree.linalg.atoms import toward
from projfree.sets import nuclear_ball
from projfree.solvers import frank_wolfe, ncgs

MAKE = {"completion": instances.completion, "tasks": instances.tasks}
both = pytest.mark.parametrize("problem", [make() for make in MAKE.values()], ids=list(MAKE))


@both
@pytest.mark.parametrize("rule", ["gap", "short", "line_search"])
def test_frank_wolfe_goes_down(problem, rule):
    values = [problem.value(s.x) for _, s in instances.walk(problem, "frank_wolfe", 150, step_rule=rule)]
    assert np.all(np.diff(values) <= 1e-12) and values[-1] < 0.9 * values[0]


@both
def test_line_search_is_at_least_as_good_as_the_short_step_from_the_same_point(problem):
    rules = [frank_wolfe.Solver(step_rule=rule) for rule in ("short", "line_search")]
    for oracles, s in instances.walk(problem, "frank_wolfe", 30, step_rule="short"):
        v, gap = frank_wolfe.towards_minimiser(oracles, oracles.gradient(s.x), s.x, s.atom)
        point, values = copy.deepcopy(s), []
        point.gap = gap
        for solver in rules:
            gamma = solver.step_length(oracles, copy.copy(point), v)
            assert 0 <= gamma <= 1
            values.append(problem.value(toward(copy.deepcopy(point.x), v, gamma)))
        assert values[1] <= values[0] + 1e-7 * abs(values[0])


@both
def test_the_short_step_keeps_the_square_of_its_iterate(problem):
    for _, s in instances.walk(problem, "frank_wolfe", 80, step_rule="short"):
        assert s.square == pytest.approx(np.sum(instances.dense(s.x) ** 2), rel=1e-9, abs=1e-15)


def test_frank_wolfe_by_hand():
    """Three steps of each rule against a dense SVD."""
    problem, R = instances.completion(), 2.0
    L = problem.constants["L_full"]
    lengths = {
        "gap": lambda gap, d, k: min(gap / (L * (2 * R) ** 2), 1),
        "short": lambda gap, d, k: min(gap / (L * np.sum(d**2)), 1),
        "open_loop": lambda gap, d, k: 2 / (k + 2),
    }
    for rule, length in lengths.items():
        x = np.zeros(problem.shape)
        walked = instances.walk(problem, "frank_wolfe", 3, step_rule=rule, lmo_tol=1e-10)
        for k, (_, s) in enumerate(walked):
            np.testing.assert_allclose(s.x.toarray(), x, atol=1e-8)
            G = problem.gradient(x)
            U, _, Vt = np.linalg.svd(G)
            d = -R * np.outer(U[:, 0], Vt[0]) - x
            x = x + length(-np.vdot(G, d), d, k) * d


@both
@pytest.mark.parametrize("option", ["I", "II", "I-momentum", "II-exact"])
def test_one_step_of_ncgs_by_hand(problem, option):
    """The third step of Algorithm 2 with exact projections: condg comes within √(γη) of each."""
    ball, L = nuclear_ball.Set(2.0), problem.constants["L_full"]
    walked = list(instances.walk(problem, "ncgs", 2, option=option, max_lo=2))
    s = copy.deepcopy(walked[-1][1])
    k, alpha, beta = 3, 2 / 4, 1 / (2 * L)
    lam = {"I": beta, "I-momentum": (1 + alpha / 4) * beta}.get(option, k * beta / 2)
    md = (1 - alpha) * s.theta_ag + alpha * s.theta
    G = problem.gradient(md)
    theta = ball.project(s.theta - lam * G)
    ag = ball.project(md - beta * G) if option.startswith("II") else md - beta * (s.theta - theta) / lam
    solver = ncgs.Solver(option=option, rule="theorem", eta=0.01)
    after = solver.step(Oracles(problem, ball, np.random.default_rng(0)), s, None)
    np.testing.assert_allclose(after.theta_md, md, atol=1e-14)
    for made, expected, gamma in ((after.theta, theta, lam), (after.theta_ag, ag, max(lam, beta))):
        assert np.sum((made - expected) ** 2) <= gamma * 0.01 * (1 + 1e-9)
    assert after.k == 3


SCALED = [("frank_wolfe", {"step_rule": rule}) for rule in ("gap", "short")]
SCALED += [("ncgs", {"option": option}) for option in ("I", "II")] + [("ncgs_vr", {}), ("svrg", {})]


def iterates(weight, name, params):
    problem = instances.completion(weight=weight)
    walked = instances.walk(problem, name, 14, lmo_tol=1e-8, **params)  # rounding grows tenfold in two steps
    return np.array([instances.dense(s.iterate) for _, s in walked])


@pytest.mark.parametrize("name, params", SCALED)
def test_mean_and_sum_give_the_same_iterates(name, params):
    np.testing.assert_allclose(iterates("sum", name, params), iterates("mean", name, params), atol=1e-8)


def test_the_theorem_rule_depends_on_the_scale():
    params = {"option": "II", "rule": "theorem", "eta": 0.05}
    assert np.max(np.abs(iterates("sum", "ncgs", params) - iterates("mean", "ncgs", params))) > 1e-3


def test_step_of_the_theory():
    """γ = √(2ΔF/(3TLD²)), at most 1; √(2ΔF/(LD²T)) for SFW."""
    problem, R = instances.completion(), 2.0
    value, L = problem.value(problem.start()), problem.constants["L_full"]
    for estimator, factor in (("svrg", 3), ("sampled_svrg", 3), ("saga", 3), ("sg", 1)):
        params = {"name": "estimator_frank_wolfe", "steps": 0, "estimator": estimator}
        _, s = next(instances.walk(problem, **params, horizon=1000))
        assert s.gamma == pytest.approx(np.sqrt(2 * value / (factor * 1000 * L * (2 * R) ** 2)))
        _, s = next(instances.walk(problem, **params, horizon=1, radius=1e-3))
        assert s.gamma == 1.0


def test_the_open_loop_forgets_its_start_and_takes_2_over_k_plus_2():
    made = instances.walk(instances.completion(), "estimator_frank_wolfe", 2, open_loop=True)
    _, first, second = (s.x.copy() for _, s in made)
    assert np.linalg.norm(first, "nuc") == pytest.approx(2.0), "γ_0 = 1: the atom itself"
    assert np.linalg.matrix_rank(second) == 2


@pytest.mark.parametrize(
    "name, params, told",
    [
        ("nfwu", {"estimator": "saga"}, "goes with estimator_frank_wolfe"),
        ("nfwu", {"step_rule": "short"}, "short step needs exact gradients, not the estimator 'spider'"),
        ("ncgs", {"rule": "theorem", "eta": 0.0}, "eta > 0"),
        ("nmapg", {"step_factor": 1.0}, "set long_step"),
    ],
)
def test_parameters_that_do_not_go_together_are_refused(name, params, told):
    with pytest.raises(ValueError, match=told):
        solvers.make(name, params)
