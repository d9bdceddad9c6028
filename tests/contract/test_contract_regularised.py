"""What holds for every solver, penalty and problem of regularised objectives ℓ + λκ."""

import cases
import instances
import numpy as np
import pytest
from test_contract_resume import Killed

from projfree import penalties, solvers
from projfree.engine import metrics as known_metrics
from projfree.engine.budget import Budget
from projfree.engine.driver import Setting
from projfree.engine.schedule import Schedule
from projfree.families import regularised
from projfree.trace.counts import COUNTS

PROBLEMS = instances.small_problems(families=(regularised.FAMILY,))
VARIANTS = {
    "gcg": [
        {"reduce": {"name": "null"}},
        {"reduce": {"name": "null"}, "line_search": "open_loop"},
        {"reduce": {"name": "lbfgs", "iterations": 3}, "line_search": "open_loop"},
        {"reduce": {"name": "lbfgs", "rotate": True}},
        {"reduce": {"name": "scaled_lbfgs"}},
        {"reduce": {"name": "sphere"}, "seeds": {"columns": 3}},
    ],
    "block_gcg": [{"atoms": 2, "iterations": 3}],
    "bcd": [{"columns": 2, "starts": 2, "step_size": "constant"}],
    "dhm": [{"correct": "line_search"}],
    "js": [{"radius": 1.5, "step_rule": rule} for rule in ("harmonic", "line_search")],
    "mmbs": [{"accuracy": 0.1}],
    "apg_svt": [{"plain": True}],
}
REQUIRED = {"js": {"radius": 1.5}}  # what has no default
SOLVERS = [(name, REQUIRED.get(name, {})) for name in instances.solvers_of(regularised.FAMILY)]
SOLVERS += [(name, params) for name, table in VARIANTS.items() for params in table]


def fits(name, params, problem) -> bool:
    """Whether these parameters make sense for the loss and the penalty of a problem."""
    reduce, penalty = params.get("reduce", {}), problem.small_constraint
    return (
        solvers.suits(name, problem)
        and (params.get("correct") != "line_search" or problem.quadratic)
        and (hasattr(penalty, "rotate") or not (reduce.get("rotate") or reduce.get("name") == "scaled_lbfgs"))
        and (hasattr(penalty, "on_spheres") or reduce.get("name") != "sphere")
    )


CASES = [(n, params, key) for n, params in SOLVERS for key, p in PROBLEMS.items() if fits(n, params, p)]
over_cases = pytest.mark.parametrize("name, params, problem", CASES, ids=cases.label)
over_problems = pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)
METRICS = ("objective", "surrogate", "rank", "polar_ratio", "dual_gap")


def setting(problem, iterations=12, metrics=METRICS, **values):
    made = {m: known_metrics.make(m, problem, problem.small_constraint) for m in (*metrics, *problem.metrics)}
    return Setting(Budget({"iterations": iterations}), Schedule(every=1), metrics=made, **values)


def run(problem, name, params, seed=0, penalty=None, chosen=None):
    penalty, chosen = penalty or problem.small_constraint, chosen or setting(problem)
    return instances.run(problem, name, params=params, ball=penalty, seed=seed, setting=chosen)


def test_every_penalty_of_the_family_is_tried():
    tried = {type(problem.small_constraint) for problem in PROBLEMS.values()}
    known = {penalties.load(name) for name in penalties.available()}
    assert tried == {cls for cls in known if cls.family == regularised.FAMILY}


@over_cases
def test_same_seed_same_trace_and_the_problem_is_left_alone(name, params, problem):
    key, problem = problem, PROBLEMS[problem]
    before = cases.arrays_of(problem)
    first = run(problem, name, params, seed=3)
    again = instances.small_problems(families=(regularised.FAMILY,))[key]
    cases.same_but_clocks(first, run(again, name, params, seed=3))
    for entry, array in cases.arrays_of(problem).items():
        np.testing.assert_array_equal(array, before[entry], err_msg=entry)
    values = np.array(first.metrics["objective"])
    assert values[-1] < values[0]
    # The surrogate is never below F, and no value below the certified bound.
    assert np.all(first.metrics["surrogate"] - values >= -1e-6 * abs(values))
    assert np.all(np.array(first.metrics["dual_gap"]) >= -1e-6 * abs(values))
    assert all(np.diff(counts).min() >= 0 for counts in first.oracles.values())


@over_cases
def test_resumed_equals_uninterrupted(name, params, problem, tmp_path):
    problem, path = PROBLEMS[problem], tmp_path / "run.checkpoint.h5"
    whole = run(problem, name, params)
    last = whole.iteration[-1]
    for kill, saved in {(2, 1), (max(last - 2, 2), max(last - 4, 1)), (last, last)}:
        chosen = setting(problem, checkpoint=path)
        chosen.checkpoint_seconds = 0.0 if saved == 1 else np.inf

        def on_step(iteration, chosen=chosen, kill=kill, saved=saved):
            if iteration == kill:
                raise Killed
            chosen.checkpoint_seconds = 0.0 if iteration + 1 == saved else np.inf

        chosen.on_step = on_step
        with pytest.raises(Killed):
            run(problem, name, params, chosen=chosen)
        resumed = run(problem, name, params, chosen=setting(problem, checkpoint=path))
        cases.same_but_clocks(whole, resumed)
        path.unlink()


class Counted:
    """A problem or penalty that counts by itself what a solver asks of it."""

    COSTS = {
        "slopes": lambda n: {"FO": 1, "IFO": n},
        "value_and_slopes": lambda n: {"FO": 1, "IFO": n},
        "factor_gradients": lambda n: {"FO": 1, "IFO": n},
        "factor_curvatures": lambda n: {"FO": 1, "IFO": n},
        "curvature": lambda n: {"SSO": n},
        "polar": lambda n: {"PU": 1},
        "atoms": lambda n: {"PU": 1},
        "prox": lambda n: {"PO": 1},
    }

    def __init__(self, inner, counts, n):
        self._inner, self._counts, self._n = inner, counts, n

    def __getattr__(self, name):
        value = getattr(self._inner, name)
        if name not in self.COSTS:
            return value

        def counted(*args, **keywords):
            for kind, cost in self.COSTS[name](self._n).items():
                self._counts[kind] += cost
            result = value(*args, **keywords)
            self._counts["matvec"] += getattr(result, "matvecs", 0)
            return result

        return counted


@over_cases
def test_counts_add_up(name, params, problem):
    problem, counts = PROBLEMS[problem], dict.fromkeys(COUNTS, 0)
    chosen = setting(problem)
    trace = run(
        Counted(problem, counts, problem.n),
        name,
        params,
        penalty=Counted(problem.small_constraint, counts, problem.n),
        chosen=chosen,
    )
    for kind in ("FO", "IFO", "PU", "PO"):
        assert trace.oracles[kind][-1] == counts[kind], kind
    assert trace.oracles["matvec"][-1] >= counts["matvec"]
    assert counts["FO"] > 0


@over_cases
def test_images_are_those_of_the_factors(name, params, problem):
    problem = PROBLEMS[problem]
    chosen = setting(problem, metrics=())
    chosen.metrics["miss"] = lambda x: float(np.max(np.abs(problem.image(x.U, x.V) - x.image), initial=0.0))
    trace = run(problem, name, params, chosen=chosen)
    scale = np.max(np.abs(problem.image(*map(np.ones, ((s, 1) for s in problem.shape)))))
    assert max(trace.metrics["miss"]) <= 1e-5 * max(scale, 1.0)


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


def dense(G):
    return G if isinstance(G, np.ndarray) else G.toarray()


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
    found = penalty.polar(G, rng=rng, tol=1e-8)
    assert float(found.u @ G @ found.v) == pytest.approx(found.value, rel=1e-10)
    assert found.value <= found.bound * (1 + 1e-12)
    assert penalty.sizes(found.u[:, None], found.v[:, None])[0] == pytest.approx(1.0)
    assert np.linalg.norm(found.v) == pytest.approx(1.0)
    for _ in range(200):
        u, v = rng.standard_normal(problem.shape[0]), rng.standard_normal(problem.shape[1])
        size = penalty.sizes(u[:, None], v[:, None])[0]
        assert abs(u @ G @ v) / size <= found.bound * (1 + 1e-9)


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
    if not getattr(solvers.load(name), "penalised", True):
        pytest.skip("a constrained method knows no λ")
    if not solvers.suits(name, problem):
        pytest.skip("the method needs what this penalty has not")
    slopes = problem.slopes(problem.image(*zeros(problem)))
    level = problem.small_constraint.polar(
        problem.gradient(slopes), rng=np.random.default_rng(0), tol=1e-9
    ).bound
    penalty = type(problem.small_constraint)(**{**vars(problem.small_constraint), "weight": 1.01 * level})
    trace = run(problem, name, {}, penalty=penalty, chosen=setting(problem))
    assert trace.end_status == "converged" and trace.metrics["rank"][-1] == 0


@pytest.mark.parametrize("weight", [-1.0, np.inf, np.nan])
@over_problems
def test_weights_that_cannot_be_are_refused(problem, weight):
    with pytest.raises(ValueError, match="weight"):
        type(problem.small_constraint)(**{**vars(problem.small_constraint), "weight": weight})
