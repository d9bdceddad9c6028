"""Certificates of the inexact proxes: true, met; that they are subgradient methods: ipg's tests."""

from functools import partial

import made
import numpy as np
import pytest

from projfree.penalties.prox import dual_frank_wolfe, perturbed

KINDS = {"sorted_l1": made.sorted_l1, "trace": made.trace}
over_kinds = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)


@pytest.mark.parametrize("rule", dual_frank_wolfe.RULES)
def test_certificates_of_the_sorted_l1_norm_are_true(rule, long):
    rng = np.random.default_rng(0)
    for _ in range(3334 if long else 834):  # three rules: 10,000 instances every night
        penalty, p, gamma = made.sorted_l1(rng)
        steps = int(rng.integers(0, 12))
        found = penalty.prox(p, gamma, method="dual_frank_wolfe", max_inner=steps, rule=rule)
        best = made.phi(penalty, penalty.prox(p, gamma).x, p, gamma)
        missed = made.phi(penalty, found.x, p, gamma) - best
        assert -1e-12 * (1 + best) <= missed <= found.gap + 1e-12 * (1 + best)
        assert found.passes <= steps + 1
        assert penalty.excess(found.warm) <= 1e-9 * (1 + penalty.weights.sum())


@pytest.mark.parametrize(
    ("method", "steps", "trials"),
    [("dual_frank_wolfe", 4, 5000), ("dual_fista", 7, 5000), ("newton", 5, 1000)],
)
def test_certificates_of_the_trace_lasso_are_true(method, steps, trials, long):
    rng = np.random.default_rng(1)
    for _ in range(trials if long else trials // 4):
        penalty, x, gamma = made.trace(rng)
        p = x + gamma * penalty.support(x)[0]  # so that x is the proximal point, whatever made it
        found = penalty.prox(p, gamma, method=method, max_inner=steps)
        best = made.phi(penalty, x, p, gamma)
        missed = made.phi(penalty, found.x, p, gamma) - best
        assert -1e-10 * (1 + best) <= missed <= found.gap + 1e-10 * (1 + best)


@over_kinds
@pytest.mark.parametrize("target", [1e-3, 1e-6])
def test_a_stated_gap_is_met(make, target):
    rng = np.random.default_rng(2)
    for _ in range(10):
        penalty, p, gamma = make(rng, 5)
        found = penalty.prox(p, gamma, method="dual_frank_wolfe", tol=target, max_inner=10**5)
        assert found.gap <= max(target, 1e-14 * (1 + found.value))


@over_kinds
def test_no_steps_give_an_honest_gap_and_a_warm_start_helps(make):
    rng = np.random.default_rng(4)
    penalty, p, gamma = make(rng, 6)
    while np.count_nonzero(p) < 4:
        penalty, p, gamma = make(rng, 6)
    run = partial(penalty.prox, p, gamma, method="dual_frank_wolfe")
    none, good = run(max_inner=0), run(tol=1e-9, max_inner=10**5)
    np.testing.assert_allclose(none.x, p - gamma * penalty.support(p)[0])
    again = run(max_inner=0, warm=good.warm)
    assert again.gap <= 1e-8 and none.gap >= again.gap
    assert run(max_inner=0, warm=good.warm, start="cold").gap == none.gap


@over_kinds
def test_best_iterate_never_has_a_larger_objective(make):
    rng = np.random.default_rng(5)
    for _ in range(20):
        penalty, p, gamma = make(rng, 6)
        run = partial(penalty.prox, p, gamma, method="dual_frank_wolfe", rule="best")
        values = [made.phi(penalty, run(max_inner=t).x, p, gamma) for t in range(8)]
        assert np.all(np.diff(values) <= 1e-12 * (1 + abs(values[0])))


@over_kinds
def test_planted_errors_are_what_was_asked_for(make):
    rng = np.random.default_rng(6)
    for target in 10.0 ** np.arange(-8, 1):
        penalty, p, gamma = make(rng, 6)
        options = {"tol": 1e-13} if penalty.reference == "dual_fista" else {}  # to rounding
        best = made.phi(penalty, penalty.prox(p, gamma, **options).x, p, gamma)
        found = penalty.prox(p, gamma, method="perturbed", tol=target, rng=rng)
        value = made.phi(penalty, found.x, p, gamma)
        assert value - best == pytest.approx(target, rel=2e-3, abs=1e-11 * (1 + value))


def test_a_planted_error_may_depend_on_the_point():
    rng = np.random.default_rng(7)
    for _ in range(20):
        penalty, p, gamma = made.sorted_l1(rng)
        best = penalty.prox(p, gamma)
        origin, alpha = rng.standard_normal(p.size), 0.2 / gamma

        def target(x, origin=origin, alpha=alpha):
            return alpha * np.sum((x - origin) ** 2)

        found = perturbed.along(best, p, gamma, penalty.value, target, rng)
        missed = made.phi(penalty, found.x, p, gamma) - made.phi(penalty, best.x, p, gamma)
        assert missed == pytest.approx(target(found.x), rel=1e-6)


def test_unknown_rules_and_methods_list_the_known():
    penalty, p, gamma = made.trace(np.random.default_rng(8))
    with pytest.raises(ValueError, match="unknown rule 'fast'.*Known are: best, line_search, schedule"):
        penalty.prox(p, gamma, method="dual_frank_wolfe", rule="fast")
    with pytest.raises(ValueError, match="unknown prox 'fista'. Did you mean 'dual_fista'"):
        penalty.prox(p, gamma, method="fista")
