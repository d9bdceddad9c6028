"""What the switches of ipg's register change in a run; and that concentrations are not at hand."""

import math
import os
from pathlib import Path

import numpy as np
import pytest
from generated import make
from instances import COMPOSITE, lasso, steps
from scipy import sparse

from projfree.engine.oracles.composite import Oracles
from projfree.penalties import trace_lasso
from referee.data import batches
from referee.data.errors import FormatError


def ended(make, name, passes=40, **params):
    """The problem, the oracles and the state after some passes."""
    problem, penalty = make()
    oracles, values = Oracles(problem, penalty, np.random.default_rng(1)), []
    for state in steps(name, oracles, passes, prox={"method": penalty.reference}, **params):
        values.append(state.f)
    return problem, oracles, state, values


@pytest.mark.parametrize("make", COMPOSITE.values(), ids=COMPOSITE)
@pytest.mark.parametrize("name", ["pg", "apg", "nmapg"])
def test_u1_backtracking_finds_a_step_and_descends(make, name):
    problem, oracles, state, values = ended(make, name, backtracking=True, step_factor=0.99)
    L = problem.constants["L_full"]
    halvings = math.log2(1024 * 0.99 / L / state.gamma)
    assert halvings == round(halvings) and 0 <= halvings <= 11, "a step of half the theory's is enough"
    assert values[-1] < values[0]
    plain = ended(make, name, step_factor=0.99)
    assert plain[2].gamma == pytest.approx(0.99 / L)
    assert oracles.counts["PO"] >= plain[1].counts["PO"] or name == "nmapg"


@pytest.mark.parametrize("make", COMPOSITE.values(), ids=COMPOSITE)
def test_u1_the_step_that_is_kept_has_the_model_above_the_function(make):
    problem, _, state, _ = ended(make, "pg", 7, backtracking=True)
    y, x = state.anchor, state.x
    g, slopes = problem.value(y), y.slopes
    above = g + slopes @ (x.image - y.image) + x.sq_distance(y) / (2 * state.gamma)
    assert problem.value(x) <= above + 1e-10 * abs(g)


def test_u9_null_pairs_make_another_subgradient_of_the_same_point():
    rng = np.random.default_rng(0)
    R, x = np.triu(rng.standard_normal((8, 8))), rng.standard_normal(8)
    x[[1, 4, 5]] = 0
    zero, null = (trace_lasso.Penalty(R, 0.7, null_pairs=pairs) for pairs in (False, True))
    (s, value), (t, same) = zero.support(x), null.support(x)
    assert value == same and np.linalg.norm(s - t) > 1e-3
    np.testing.assert_allclose(s[x != 0], t[x != 0], atol=1e-10)  # h is smooth along what is not zero
    for subgradient in (s, t):
        for _ in range(200):
            z = x + rng.standard_normal(8) * 10 ** rng.uniform(-3, 1)
            assert zero.value(z) >= value + subgradient @ (z - x) - 1e-10


def test_u9_either_subgradient_certifies_the_same_proximal_point():
    problem, _ = lasso()
    made = [trace_lasso.Penalty.for_problem(problem, 0.05, null_pairs=pairs) for pairs in (False, True)]
    p, rng = np.random.default_rng(3).standard_normal(12), np.random.default_rng(0)
    options = {"method": "dual_frank_wolfe", "tol": 1e-6, "max_inner": 5000, "rng": rng}
    found = [penalty.prox(p, 0.1, **options) for penalty in made]
    assert all(each.gap <= 1e-6 for each in found)
    np.testing.assert_allclose(found[0].x, found[1].x, atol=1e-2)


def test_u17_pairs_with_opposite_signs_are_left_out():
    rows, cols, signs = [0, 1, 1, 2, 3], [1, 0, 2, 1, 0], [1, -1, -1, -1, 1]
    source = {"X": sparse.csr_matrix((signs, (rows, cols)), shape=(4, 4)), "attrs": {}}
    found = make("links", source=source, symmetric="agreeing", compress=False)
    entries = list(zip(*(found[key].tolist() for key in ("rows", "cols", "values")), strict=True))
    assert entries == [(0, 3, 1), (1, 2, -1), (2, 1, -1), (3, 0, 1)]


@pytest.mark.skipif("PROJFREE_MIRROR" not in os.environ, reason="reads the batches of the mirror")
def test_u16_no_batch_at_hand_has_concentrations():
    """Data, no switch: the reader refuses the first row of every batch as a regression on concentrations."""
    files = sorted((Path(os.environ["PROJFREE_MIRROR"]) / "gas-drift-ten-batches").glob("batch*.dat.gz"))
    for path in files:
        with pytest.raises(FormatError, match="has no concentration after the class"):
            batches.batches(path, target="concentration")
    assert len(files) == 10
