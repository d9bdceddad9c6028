"""What the switches of mpcgs's register change in a run; and why one of them is none."""

import numpy as np
import pytest
from instances import steps
from probed import column
from tiny_mpcgs import TINY

from projfree.engine.oracles.saddle import Oracles
from projfree.problems.robust_multiclass import Problem, tiny_arrays
from projfree.sets import nuclear_ball, simplex
from referee.data import generators


def stepped(**params):
    """The oracles and the state of MPCGS on a small problem after some steps."""
    problem = Problem(tiny_arrays(np.random.default_rng(0)), lam=1.0)
    oracles = Oracles(problem, nuclear_ball.Set(3.0, linear="gram"), np.random.default_rng(1))
    *_, state = steps("mpcgs", oracles, 6, np.random.default_rng(2), y_rule="theorem", **params)
    return oracles, state


def test_u3_a_larger_delta_takes_more_phases_to_the_same_accuracy():
    (by_gap, near), (by_diameter, far) = stepped(), stepped(delta0="diameter")
    assert by_diameter.tally["phases"] > by_gap.tally["phases"]
    np.testing.assert_allclose(far.y, near.y, atol=0.05)
    assert abs(far.y_mean.sum() - 1) < 1e-12 and far.y_mean.min() >= 0


def test_u3_cgs_promises_half_of_its_delta_a_phase(tmp_path):
    given = {"solver": "cgs", "phases": 3}
    by_gap = TINY.measured(tmp_path / "gap", "sliding_phases", given)
    params = {**given, "params": {"delta0": "diameter"}}
    by_diameter = TINY.measured(tmp_path / "diameter", "sliding_phases", params)
    wide, narrow = (np.array(column(traces, "promised")) for traces in (by_diameter, by_gap))
    assert np.all(wide > 1.5 * narrow) and wide[:3] == pytest.approx(wide[0] * np.array([1, 0.5, 0.25]))
    assert np.all(np.array(column(by_diameter, "error")) <= wide)


def test_u4_steps_of_storc_draw_one_sample_or_all(tmp_path):
    """A phase takes the n gradients of its snapshot and two for each sample of a step."""
    n = len(generators.generate("simplex_least_squares", np.random.default_rng(0))["A"])
    phases = {}
    for factor in (1e-9, 5600):
        params = {"solver": "storc", "phases": 2, "params": {"batch_factor": factor}}
        sfo = column(TINY.measured(tmp_path / str(factor), "sliding_phases", params), "sfo")
        phases[factor] = sfo[1] - sfo[0] - n
    assert phases[5600] == n * phases[1e-9]


def test_u10_the_other_scaling_is_a_power_of_n():
    arrays, rng = tiny_arrays(np.random.default_rng(0)), np.random.default_rng(1)
    problem = Problem(arrays, lam=1.0, lam_power=3)
    y = rng.dirichlet(np.ones(problem.n))
    scores = problem.scores(rng.standard_normal(problem.shape))
    expected = y @ problem.payoff(scores) - np.sum((y - 1 / problem.n) ** 2) / (2 * problem.n)
    assert problem.value(scores, y) == pytest.approx(expected, rel=1e-12)


def kullback_leibler(y):
    """The gradient of Σ y_i log(n y_i)."""
    with np.errstate(divide="ignore"):
        return np.log(y.size * y) + 1


def test_u10_the_kullback_leibler_penalty_has_no_smoothness_constant():
    """Nothing to run: L_yy, from which MPCGS and SVRE take their steps, grows like 1/min y."""
    n, ratios = 50, []
    for least in (1e-2, 1e-4, 1e-6, 1e-8):
        a = np.full(n, (1 - least) / (n - 1))
        a[0] = least
        b = np.full(n, (1 - 2 * least) / (n - 1))
        b[0] = 2 * least
        change = np.linalg.norm(kullback_leibler(a) - kullback_leibler(b))
        ratios.append(least * change / np.linalg.norm(a - b))
    assert ratios == pytest.approx([np.log(2)] * 4, rel=0.05), "the quotient is log 2 / min y"


def test_u10_the_first_iterate_of_spfw_has_an_infinite_gradient_of_it():
    problem = Problem(tiny_arrays(np.random.default_rng(0)))
    oracles = Oracles(problem, nuclear_ball.Set(3.0, linear="gram"), np.random.default_rng(1))
    *_, state = steps("spfw", oracles, 1, np.random.default_rng(2))
    y = state.iterate.y
    assert simplex.Set(1.0).contains(y) and np.count_nonzero(y) == 1
    assert not np.isfinite(kullback_leibler(y)).all()
