"""What holds for every solver, penalty and problem of regularised objectives ℓ + λκ."""

import cases
import instances
import numpy as np
import pytest
from instances import dense

from projfree import penalties, solvers
from projfree.families import regularised

PROBLEMS = cases.OF[regularised.FAMILY]
over_cases = pytest.mark.parametrize("name, params, problem", cases.PENALISED, ids=cases.label)
over_problems = pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)


def test_every_penalty_of_the_family_is_tried():
    tried = {type(problem.small_constraint) for problem in PROBLEMS.values()}
    known = {penalties.load(name) for name in penalties.available()}
    assert tried == {cls for cls in known if cls.family == regularised.FAMILY}


@over_cases
def test_images_are_those_of_the_factors(name, params, problem):
    problem = PROBLEMS[problem]
    chosen = cases.setting(problem)
    chosen.metrics["miss"] = lambda x: float(np.max(np.abs(problem.image(x.U, x.V) - x.image), initial=0.0))
    trace = cases.run(problem, name, params, chosen=chosen)
    scale = np.max(np.abs(problem.image(*map(np.ones, ((s, 1) for s in problem.shape)))))
    assert max(trace.metrics["miss"]) <= 1e-5 * max(scale, 1.0)
    values = np.array(trace.metrics["objective"])
    assert values[-1] < values[0]
    # The surrogate is never below F, and no value below the certified bound.
    assert np.all(trace.metrics["surrogate"] - values >= -1e-6 * abs(values))
    assert np.all(np.array(trace.metrics["dual_gap"]) >= -1e-6 * abs(values))


@over_problems
def test_slopes_gradients_and_curvature_by_differences(problem):
    if problem.image(*zeros(problem)).dtype == np.float32:
        pytest.skip("differences need double precision; the kernels of both are compared elsewhere")
    rng = np.random.default_rng(0)
    U, V, dU, dV = (rng.standard_normal((side, 2)) for side in problem.shape * 2)
    image, change = problem.image(U, V), problem.image(dU, dV)
    h = 1e-6
    slope = (problem.value(image + h * change) - problem.value(image - h * change)) / (2 * h)
    slopes = problem.slopes(image)
    assert np.vdot(slopes, change) == pytest.approx(slope, rel=1e-6, abs=1e-8)
    bent = (problem.slopes(image + h * change) - problem.slopes(image - h * change)) / (2 * h)
    np.testing.assert_allclose(problem.curvature(image, change), bent, rtol=1e-5, atol=1e-7)
    loss, left, right = problem.factor_gradients(U, V)
    assert loss == pytest.approx(problem.value(image), rel=1e-12)

    def along(t):
        return problem.factor_gradients(U + t * dU, V + t * dV)[0]

    assert np.vdot(left, dU) + np.vdot(right, dV) == pytest.approx((along(h) - along(-h)) / (2 * h), rel=1e-5)


def zeros(problem):
    return tuple(np.zeros((side, 0)) for side in problem.shape)


@over_problems
def test_products_and_factor_gradients_are_those_of_the_gradient(problem):
    rng = np.random.default_rng(1)
    for width in (0, 1, 3, 19):
        U, V = (rng.standard_normal((side, width)) for side in problem.shape)
        slopes = problem.slopes(problem.image(U, V))
        G = dense(problem.gradient(slopes))
        tol = 1e-4 if slopes.dtype == np.float32 else 1e-10
        for left, right in (problem.products(slopes, U, V), problem.factor_gradients(U, V)[1:]):
            np.testing.assert_allclose(left, G @ V, atol=tol * (1 + np.abs(G @ V).max(initial=0)))
            np.testing.assert_allclose(right, G.T @ U, atol=tol * (1 + np.abs(G.T @ U).max(initial=0)))


@over_problems
def test_the_polar_is_attained_and_bounds_all_atoms(problem):
    rng, penalty = np.random.default_rng(2), problem.small_constraint
    G = rng.standard_normal(problem.shape)
    result = penalty.polar(G, rng=rng, tol=1e-8)
    assert float(result.u @ G @ result.v) == pytest.approx(result.value, rel=1e-10)
    assert result.value <= result.bound * (1 + 1e-12)
    assert penalty.sizes(result.u[:, None], result.v[:, None])[0] == pytest.approx(1.0)
    assert np.linalg.norm(result.v) == pytest.approx(1.0)
    for _ in range(200):
        u, v = rng.standard_normal(problem.shape[0]), rng.standard_normal(problem.shape[1])
        size = penalty.sizes(u[:, None], v[:, None])[0]
        assert abs(u @ G @ v) / size <= result.bound * (1 + 1e-9)


@over_problems
def test_the_penalty_of_factors(problem):
    rng, penalty = np.random.default_rng(3), problem.small_constraint
    U, V, dU, dV = (rng.standard_normal((side, 3)) for side in problem.shape * 2)
    rho, left, right = penalty.factor_penalty(U, V)
    h = 1e-6
    slope = (penalty.bound(U + h * dU, V + h * dV) - penalty.bound(U - h * dU, V - h * dV)) / (2 * h)
    assert np.vdot(left, dU) + np.vdot(right, dV) == pytest.approx(slope, rel=1e-5)
    assert penalty.value(U, V) <= penalty.sizes(U, V).sum() * (1 + 1e-12) <= rho * (1 + 2e-12)
    same_u, same_v = penalty.balance(U, V)
    np.testing.assert_allclose(same_u @ same_v.T, U @ V.T, atol=1e-12)
    assert penalty.bound(same_u, same_v) == pytest.approx(penalty.sizes(U, V).sum())


@over_problems
@pytest.mark.parametrize("name", instances.solvers_of(regularised.FAMILY))
def test_a_weight_above_the_polar_of_the_start_leaves_zero(name, problem):
    """F7: λ ≥ κ°(−∇ℓ(0)) ⇒ W* = 0."""
    if not getattr(solvers.load(name), "penalised", True) or not solvers.suits(name, problem):
        pytest.skip("a constrained method knows no λ, or the method needs what this penalty has not")
    gradient = problem.gradient(problem.slopes(problem.image(*zeros(problem))))
    level = problem.small_constraint.polar(gradient, rng=np.random.default_rng(0), tol=1e-9).bound
    trace = cases.run(problem, name, {}, ball=weighted(problem, 1.01 * level))
    assert trace.end_status == "converged" and trace.metrics["rank"][-1] == 0


def weighted(problem, weight):
    return type(problem.small_constraint)(**{**vars(problem.small_constraint), "weight": weight})


@pytest.mark.parametrize("weight", [-1.0, np.inf, np.nan])
@over_problems
def test_weights_that_cannot_be_are_refused(problem, weight):
    with pytest.raises(ValueError, match="weight"):
        weighted(problem, weight)
