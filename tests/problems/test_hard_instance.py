"""The hard instance: H_T and its bounds, the resisting oracle, the scaled form (nfwu Lemma 7.1, eq. 17)."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from projfree.engine import metrics
from projfree.problems import _zero_chain as zero_chain
from projfree.problems import hard_instance
from projfree.problems.hard_instance import Problem, scaled
from projfree.sets import l2_ball


def instance(chain=10, seed=0, **params):
    return Problem({"seed": seed}, chain=chain, **params)


def points(problem, count, seed=1, length=None):
    """Random points of the ball, of all lengths or of one."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        x = rng.standard_normal(problem.shape)
        yield x * ((problem.radius * rng.uniform() if length is None else length) / np.linalg.norm(x))


def central_differences(f, x, step=1e-5):
    shifts = step * np.eye(x.size).reshape(x.size, *x.shape)
    return np.reshape([(f(x + d) - f(x - d)) / (2 * step) for d in shifts], x.shape)


def gap(problem, x):
    return metrics.make("fw_gap", problem, l2_ball.Set(problem.radius))(x)


def by_the_book(y):
    """H_T written from eq. 15, with Φ by quadrature."""

    def psi(t):
        return 0.0 if t <= 0.5 else math.exp(1 - 1 / (2 * t - 1) ** 2)

    def phi(t):
        return math.sqrt(math.e) * quad(lambda s: math.exp(-(s**2) / 2), -math.inf, t)[0]

    pairs = zip(y[:-1], y[1:], strict=True)
    return -phi(y[0]) + sum(psi(-a) * phi(-b) - psi(a) * phi(b) for a, b in pairs)


@pytest.mark.filterwarnings("error")
def test_extreme_coordinates_neither_warn_nor_overflow():
    y = np.array([0.5, 0.5 + 1e-16, 0.5 + 1e-160, 1e200, -1e200, 0.514, 39.0, 1e-300])
    for function in (zero_chain.chain_value, zero_chain.chain_gradient):
        assert np.isfinite(function(y)).all()
    assert zero_chain.psi(np.array([0.5, -7.0])).tolist() == [0, 0] and zero_chain.psi(1e200) == math.e
    assert np.isnan(zero_chain.chain_value(np.array([np.nan, 1.0])))


@pytest.mark.parametrize("chain, params", [(1, {}), (6, {}), (6, {"scale": 3.0, "smoothness": 2.0})])
def test_the_gradient_is_that_of_the_value(chain, params):
    problem = instance(chain, **params)
    problem.finish()
    for x in points(problem, 3, length=3.0 * problem.scale):
        slopes = central_differences(problem.value, x)
        np.testing.assert_allclose(problem.gradient(x), slopes, atol=1e-5 * np.abs(slopes).max())


def test_the_value_is_the_formula_with_the_columns_of_the_seed():
    problem, same, other = (instance(5, seed, scale=2.0, smoothness=30.0) for seed in (4, 4, 5))
    for each in (problem, same, other):
        each.finish()
    (x,) = points(problem, 1, length=4.0)
    z = x / 2
    expected = 30 * 4 / 152.2 * (z @ z / 10 + by_the_book(problem.overlaps(z)) + 60)
    assert problem.value(x) == pytest.approx(expected, rel=1e-9)
    assert same.value(x) == problem.value(x) != other.value(x)


@pytest.mark.parametrize("chain", [1, 10, 40])
@pytest.mark.parametrize("length", [None, 1.0, 50.0])
def test_answers_to_arbitrary_points_are_those_of_the_finished_function(chain, length):
    problem = instance(chain, dimension=2 * chain + 1)
    asked = list(points(problem, 2 * chain + 3, length=length))
    answers, drawn = [], [0]
    for x in asked:
        answers.append((problem.gradient(x), problem.value(x)))
        drawn.append(problem.drawn)
    assert set(np.diff(drawn[: chain + 1])) <= {0, 1} and drawn[-1] == chain
    assert problem.inconsistency() <= 1e-12
    columns = problem._columns
    np.testing.assert_allclose(columns.T @ columns, np.eye(chain), atol=1e-13)
    for x, (gradient, value) in zip(asked, answers, strict=True):
        np.testing.assert_allclose(problem.gradient(x), gradient, atol=1e-12 * np.linalg.norm(gradient))
        assert problem.value(x) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("chain", [10, 40])
@pytest.mark.parametrize("length", [0.0, 1.0, 100.0, None, "sphere"])
def test_the_gap_is_large_at_any_point_before_t_answers(chain, length):
    """Also where the points were not made from answers."""
    problem = instance(chain, dimension=2 * chain + 1)
    asked = list(points(problem, chain, length=problem.radius if length == "sphere" else length))
    for x in asked:
        problem.gradient(x)
    problem.finish()
    assert min(gap(problem, x) for x in asked) >= hard_instance.BOUND * problem.radius


def test_values_and_points_asked_again_draw_nothing():
    problem = instance(10)
    x, y = points(problem, 2, length=100.0)
    problem.value(x)
    assert problem.drawn == 0
    first = problem.gradient(x)
    assert problem.drawn == 1
    np.testing.assert_allclose(problem.gradient(x), first, rtol=1e-14, atol=1e-12)
    for gamma in np.linspace(0, 1, 7):
        problem.line(x, y)(gamma)
    assert problem.drawn == 1 and problem.queries == 10


def test_many_points_that_draw_no_column_end_in_a_finished_function():
    """At points near 0 the gradient needs v_1 only; after d − T of them there is no room for more."""
    problem = instance(10, dimension=25)
    drawn = []
    for x in points(problem, 40, length=0.1):
        gradient = problem.gradient(x)
        gradient += 1.0  # an answer that is overwritten
        drawn.append(problem.drawn)
    assert drawn[0] == 1 and drawn[13] == 1 and drawn[-1] == 10
    assert problem.inconsistency() <= 1e-12


def test_a_column_that_is_not_orthogonal_is_found(monkeypatch):
    problem = instance(5)
    monkeypatch.setattr(problem, "_remember", lambda z: None)
    for x in points(problem, 5, length=300.0):
        problem.gradient(x)
    assert problem.inconsistency() > 1e-6


def test_components_are_the_function():
    problem = instance(4)
    problem.finish()
    x, y = points(problem, 2, length=50.0)
    batch, gradient = np.zeros(3, dtype=int), problem.gradient(x)
    anchor, slopes = problem.anchor(y)
    np.testing.assert_array_equal(anchor, problem.gradient(y))
    assert slopes.shape == (1, *problem.shape) and not np.shares_memory(anchor, slopes)
    np.testing.assert_array_equal(problem.component_gradient(x, batch), gradient)
    difference = problem.component_gradient_difference(x, slopes, batch)
    np.testing.assert_array_equal(difference, gradient - problem.gradient(y))
    weights = problem.component_slopes(x, batch) / 3
    np.testing.assert_allclose(problem.combine(weights, batch), gradient, rtol=1e-14)
    np.testing.assert_allclose(problem.add_components(gradient.copy(), weights, batch), 2 * gradient)
    assert list(Problem.small(np.random.default_rng(0))) == []


def test_the_line_is_the_value_along_the_segment_even_when_x_moves_on():
    problem = instance(4)
    x, v = points(problem, 2, length=50.0)
    line, start = problem.line(x, v), x.copy()
    x[:] = 0
    for gamma in (0.0, 0.3, 1.0):
        assert line(gamma) == pytest.approx(problem.value(start + gamma * (v - start)), rel=1e-14)


def test_constants_and_values():
    problem = instance(10)
    assert problem.constants == {"L_full": 152.2, "L_vr": 152.2, "L_max": 152.2, "l_lower": 151.8}
    assert problem.radius == pytest.approx(230 * math.sqrt(10)) and problem.shape == (40,)
    values = [problem.value(x) for x in points(problem, 200, length=5.0)]
    assert min(values) > 0 and 0 < problem.value(problem.start()) <= 120


@pytest.mark.parametrize("k", range(2, 7))
def test_the_scaled_instance(k):
    """L = ℓ_f, Δ = 7500, ε = 1/k give T = k², μ = 25 ε, D = 11500."""
    params = scaled(1 / k, 7500, 152.2)
    assert (params["chain"], params["scale"]) == (k * k, pytest.approx(25 / k))
    problem = instance(**params)
    assert 2 * problem.radius == pytest.approx(11_500)
    assert problem.constants["L_full"] == 152.2 and problem.value(problem.start()) <= 7500


def test_scaling_multiplies_gaps_as_the_paper_says():
    """V by L μ²/ℓ_f and the smoothness by L/ℓ_f."""
    plain, wide = instance(6, seed=2), instance(6, seed=2, scale=5.0, smoothness=3.0)
    plain.finish(), wide.finish()
    for x in points(plain, 5):
        assert gap(wide, 5 * x) == pytest.approx(3 * 25 / 152.2 * gap(plain, x), rel=1e-12)
    x, step = next(points(plain, 1, length=3.0)), 1e-5
    change = wide.gradient(5 * x + step * plain._columns[:, 0]) - wide.gradient(5 * x)
    assert np.linalg.norm(change) <= 3.0 * step


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: instance(chain=0), "chain must be a whole number ≥ 1, not 0"),
        (lambda: instance(chain=5, dimension=10), "need d ≥ 2T"),
        (lambda: scaled(1.0, 100, 1.0), "below 1"),
    ],
)
def test_what_is_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call()
