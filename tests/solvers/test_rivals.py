"""The rivals of gcg reach one optimum, and each has the buffers, steps and radii that it should."""

from types import SimpleNamespace

import cvxpy as cp
import numpy as np
import pytest
from instances import steps

from projfree import solvers
from projfree.engine.oracles.regularised import Oracles
from projfree.linalg.factored import Factors
from projfree.linalg.low_rank import LowRankPlusSparse
from projfree.linalg.sampled import Pattern, SparseOnPattern
from projfree.penalties import trace_norm
from projfree.penalties.prox import singular_threshold
from projfree.problems import multinomial, ratings_completion
from projfree.solvers import js
from projfree.solvers.inner import corrective


def solve(problem, penalty, name, count, **params):
    """The last state, and F there."""
    oracles = Oracles(problem, penalty, np.random.default_rng(2))
    *_, s = steps(name, oracles, count, np.random.default_rng(1), **params)
    x = s.iterate
    return s, problem.value(problem.image(x.U, x.V)) + penalty.weight * penalty.value(x.U, x.V)


@pytest.fixture(scope="module")
def masked():
    """12 × 9 with 56 entries, and its optimum by CVXPY."""
    problem, weight = next(ratings_completion.Problem.small(np.random.default_rng(0))), 1.0
    W = cp.Variable(problem.shape)
    rows = np.repeat(np.arange(problem.shape[0]), np.diff(problem.pattern.indptr))
    misses = cp.hstack([W[int(i), int(j)] for i, j in zip(rows, problem.pattern.cols, strict=True)])
    loss = cp.sum_squares(misses - problem.target) / 2
    program = cp.Problem(cp.Minimize(loss + weight * cp.normNuc(W)))
    program.solve(solver="SCS", eps=1e-9, max_iters=50_000)
    return problem, trace_norm.Penalty(weight), program.value, np.linalg.norm(W.value, "nuc")


MMBS = {"tol": 1e-8, "accuracy": 1e-5}
RUNS = [
    ("gcg", 60, {"tol": 1e-8, "reduce": {"name": "lbfgs", "rotate": True, "ftol": 1e-15}}),
    *(("dhm", 250, {"tol": 1e-8, "correct": correct}) for correct in ("lbfgs", "active_set")),
    *(("mmbs", 500, {**MMBS, "atoms": atoms}) for atoms in (1, 4)),
    *(("apg_svt", 500, {"tol": 1e-8, "plain": plain}) for plain in (False, True)),
]


@pytest.mark.parametrize("name, count, params", RUNS)
def test_all_reach_the_optimum_of_cvxpy(masked, name, count, params):
    problem, penalty, optimum, _ = masked
    assert solve(problem, penalty, name, count, **params)[1] == pytest.approx(optimum, rel=1e-6)


@pytest.mark.parametrize("rule", ["open_loop", "harmonic", "line_search"])
def test_frank_wolfe_with_the_norm_of_the_optimum(masked, rule):
    problem, penalty, optimum, zeta = masked
    s, _ = solve(problem, penalty, "js", 800, radius=zeta, step_rule=rule)
    assert problem.value(s.x.image) + penalty.weight * zeta == pytest.approx(optimum, rel=5e-3)
    assert penalty.value(s.x.U, s.x.V) <= zeta * (1 + 1e-9)


@pytest.mark.parametrize("optimum", ["block_gcg", "apg_svt"])
def test_the_radius_is_the_norm_of_the_optimum(masked, optimum):
    problem, penalty, _, zeta = masked
    oracles = Oracles(problem, penalty, np.random.default_rng(0))
    prepared = solvers.make("js", {"optimum": optimum}).prepared(oracles)
    assert prepared.radius == pytest.approx(zeta, rel=2e-2)  # of an optimum to 10⁻⁴F
    assert prepared.prepared(oracles) is prepared
    with pytest.raises(ValueError, match="radius"):
        solvers.make("js", {}).start(oracles, None)


def test_the_radius_is_found_once_for_a_problem_and_anew_for_another(masked, monkeypatch):
    problem, penalty, _, _ = masked
    same, other = (next(ratings_completion.Problem.small(np.random.default_rng(k))) for k in (0, 5))
    asked = []
    monkeypatch.setattr(js, "RADII", {})
    monkeypatch.setattr(js.Solver, "norm_of_optimum", lambda self, of: asked.append(of) or len(asked))

    def radius(problem, penalty, **params):
        oracles = Oracles(problem, penalty, np.random.default_rng(0))
        return solvers.make("js", params).prepared(oracles).radius

    assert radius(problem, penalty) == radius(same, penalty) == 1
    assert radius(same, penalty, step_rule="line_search") == 1
    assert radius(other, penalty) == 2 and radius(problem, trace_norm.Penalty(2 * penalty.weight)) == 3
    assert radius(problem, penalty, optimum="apg_svt") == 4
    moved = next(ratings_completion.Problem.small(np.random.default_rng(0)))
    moved.target[-1] += 1e-9
    assert radius(moved, penalty) == 5


def test_logistic_solvers_agree():
    for problem in multinomial.Problem.small(np.random.default_rng(1)):
        penalty = problem.small_constraint
        s, reference = solve(problem, penalty, "apg_svt", 3000, tol=1e-9)
        slopes = problem.slopes(s.x.image)
        polar = penalty.polar(problem.gradient(slopes), tol=1e-10).bound
        assert problem.dual_bound(slopes, None, polar, penalty.weight) == pytest.approx(reference, rel=1e-7)
        settled = {"accuracy": 1e-5, "tol": 1e-8}
        runs = [("gcg", 200, {"tol": 1e-8}), ("dhm", 80, {}), ("mmbs", 300, settled)]
        for name, count, params in [*runs, ("mmbs", 300, {**settled, "atoms": 3})]:
            result = solve(problem, penalty, name, count, **params)[1]
            assert result == pytest.approx(reference, rel=1e-5), name


def test_a_block_raises_the_rank_in_fewer_updates(masked):
    """Every step of both descends, and the block's first has all pairs above λ, at most as many as asked."""
    problem, penalty, optimum, _ = masked
    updates = {}
    for atoms in (1, 4):
        s, F = solve(problem, penalty, "mmbs", 200, atoms=atoms, tol=1e-6)
        assert pytest.approx(optimum, rel=1e-4) == F
        updates[atoms] = s.t
    first, _ = solve(problem, penalty, "mmbs", 1, atoms=4)
    assert first.point.rank == 4 and 0 < first.value < problem.value(0 * first.image)
    assert updates[4] < updates[1]


def test_coordinate_steps_descend_and_stay_nonnegative():
    rng = np.random.default_rng(0)
    A, x = rng.standard_normal((30, 6)), rng.standard_normal(30)
    oracles = SimpleNamespace(constraint=trace_norm.Penalty(0.5))
    atoms = SimpleNamespace(weights=np.abs(rng.standard_normal(6)), count=6)
    gram, values = corrective.Gram(A.T @ A, A.T @ x), []

    def value(sigma):
        return float(np.sum((A @ sigma - x) ** 2)) / 2 + 0.5 * sigma.sum()

    for _ in range(200):
        values.append(value(atoms.weights))
        atoms.weights = gram.coordinate_pass(oracles, atoms)
        assert atoms.weights.min() >= 0
    assert np.all(np.diff(values) <= 1e-12) and values[1] < values[0]
    options = {"maxiter": 500, "gtol": 1e-10, "ftol": 0.0}
    assert values[-1] == pytest.approx(value(gram.minimise(oracles, atoms, options)), rel=1e-10)


@pytest.mark.parametrize("correct", ["line_search", "active_set"])
def test_exact_weights_of_dhm_want_the_square_loss(correct):
    problem = next(multinomial.Problem.small(np.random.default_rng(1)))
    with pytest.raises(ValueError, match="square loss"):
        solve(problem, problem.small_constraint, "dhm", 1, correct=correct)


def test_active_sets_minimise_over_weights_that_are_not_negative():
    """By the conditions of the minimum; also with columns that are zero or equal."""
    for seed in range(50):
        rng = np.random.default_rng(seed)
        A, x, weight = rng.standard_normal((30, 8)), rng.standard_normal(30), 0.3
        A[:, 2], A[:, 3] = 0.0, A[:, 4]
        sigma, G = np.abs(rng.standard_normal(8)), A.T @ A
        sigma[2] = 0.0
        sigma = corrective.nonnegative_minimiser(G, A.T @ x - weight, sigma, 500, 1e-12)
        slopes = G @ sigma - A.T @ x + weight  # ≥ 0, and 0 where σ > 0
        assert sigma.min() >= 0 and slopes.min() >= -1e-9
        assert slopes @ sigma == pytest.approx(0, abs=1e-9)


def low_rank_plus_sparse(rng, m=90, n=70, entries=900, rank=4):
    """An operator whose leading values stand out, and its dense form."""
    flat = rng.choice(m * n, entries, replace=False)
    pattern = Pattern(flat // n, flat % n, (m, n))
    U, V = rng.standard_normal((m, rank)), rng.standard_normal((n, rank))
    return LowRankPlusSparse(U, V, SparseOnPattern(pattern, rng.standard_normal(entries)))


@pytest.mark.parametrize("guess, held", [(5, 0), (5, 4), (2, 0), (1, 1), (12, 9)])
def test_block_thresholding_is_that_by_a_full_decomposition(guess, held):
    """From no column, from those wanted, and from too few, so that columns are added."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        Y = low_rank_plus_sparse(rng)
        U, s, Vt = np.linalg.svd(Y.toarray())
        threshold = (s[3] + s[4]) / 2
        warm = Vt[:held].T + 0.1 * rng.standard_normal((70, held))
        fine = {"accuracy": 1e-13, "most": 60, "rng": rng}
        result = singular_threshold.block(Y, threshold, warm=warm, guess=guess, **fine)
        exact = (U[:, :4] * (s[:4] - threshold)) @ Vt[:4]
        np.testing.assert_allclose(result.x[0] @ result.x[1].T, exact, atol=1e-5 * s[0])
        assert result.value == pytest.approx(np.sum(s[:4] - threshold), rel=1e-9)
        assert result.matvecs > 0


def test_block_thresholding_ends_though_values_come_and_go_at_the_threshold():
    """τ amid the values of noise, which sweeps go on to sort: their part above τ is what must settle."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        Y = low_rank_plus_sparse(rng, 400, 300, 12_000)
        s = np.linalg.svd(Y.toarray())[1]
        rough = {"guess": 40, "accuracy": 1e-2, "most": 30}
        result = singular_threshold.block(Y, s[30], warm=np.zeros((300, 0)), rng=rng, **rough)
        assert result.value == pytest.approx(np.maximum(s - s[30], 0).sum(), rel=0.02)
        assert result.matvecs <= 200


def test_the_partial_decompositions_of_apg_lead_to_one_optimum():
    """On 120 × 80, where neither falls back to a dense matrix."""
    rng = np.random.default_rng(0)
    rows, cols = np.nonzero(rng.random((120, 80)) < 0.3)
    truth = rng.standard_normal((120, 3)) @ rng.standard_normal((3, 80))
    arrays = {"rows": rows, "cols": cols, "values": truth[rows, cols], "shape": np.array(truth.shape)}
    problem, penalty = ratings_completion.Problem(arrays), trace_norm.Penalty(8.0)
    values = [solve(problem, penalty, "apg_svt", 300, partial=way)[1] for way in ("block", "partial")]
    assert values[0] == pytest.approx(values[1], rel=1e-6)


def test_accuracies_in_percent():
    problem = next(multinomial.Problem.small(np.random.default_rng(1)))
    U, V = problem.features.T @ np.eye(4)[problem.labels], np.eye(4)
    W = Factors(U, V, problem.image(U, V))
    assert problem.metrics["accuracy_train"](W) > 80
    assert problem.metrics["accuracy_test"](W) + problem.metrics["error_test"](W) == 100


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"labels": np.full(20, 4)}, "labels must lie in 0 … 3, found 4 … 4"),
        ({"labels": np.zeros(3)}, "do not fit 3 labels"),
        ({"features": np.full((20, 30), np.nan)}, "row 0 of the features is not finite"),
        ({"test_labels": np.full(20, -1)}, "test_labels must lie in"),
    ],
)
def test_bad_instances_are_named(change, message):
    arrays = multinomial.tiny_arrays(np.random.default_rng(0), 20, 30)
    with pytest.raises(ValueError, match=message):
        multinomial.Problem({**arrays, **change})


@pytest.mark.parametrize("side", [0, 1])
def test_diagonals_of_the_hessian_by_differences(side):
    problem = next(multinomial.Problem.small(np.random.default_rng(0)))
    rng, h = np.random.default_rng(1), 1e-4
    factors = [rng.standard_normal((rows, 3)) for rows in problem.shape]
    result = problem.factor_curvatures(*factors)[side]
    for i, r in ((0, 0), (3, 2)):
        moved = []
        for t in (-h, 0.0, h):
            other = [factor.copy() for factor in factors]
            other[side][i, r] += t
            moved.append(problem.value(problem.image(*other)))
        assert result[i, r] == pytest.approx((moved[0] - 2 * moved[1] + moved[2]) / h**2, rel=1e-3)
