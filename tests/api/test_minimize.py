"""`minimize`: plain functions, finite sums and structured problems, by the replication's own driver."""

import os
import pickle
import re
import signal
import subprocess
import sys
import warnings
from time import process_time
from types import SimpleNamespace

import instances
import numba
import numpy as np
import pytest
from places import ROOT
from scipy import sparse

import projfree as pf
from projfree.api import methods
from projfree.api.function import CONSTANTS
from projfree.penalties.prox import pava
from projfree.trace.format import read_trace
from referee.evidence.tidy import tidy

AIM = np.array([0.2, 1.0, -0.5])
START = np.array([1.0, 0.0, 0.0])
NEAREST = np.array([0.1, 0.9, 0.0])  # of the simplex to the aim; ½‖x − it‖² ≤ F(x) − F* ≤ gap


def square(x):
    return 0.5 * (x - AIM) @ (x - AIM), x - AIM


def test_a_plain_function_and_a_set_are_enough():
    found = pf.minimize(square, pf.sets.Simplex(), x0=START)
    assert np.sum((found.x - NEAREST) ** 2) <= 2 * found.gap + 1e-30
    assert found.success and found.status == "converged" and found.gap <= 1e-6
    assert found.fun == found.value == pytest.approx(square(found.x)[0])
    assert found.nit == found.trace.iteration[-1] <= min(found.counts["FO"], found.counts["LO"])
    assert found.certificate.infeasibility == 0.0 and "minimum" in str(found.certificate)


def test_compiling_is_in_no_seconds_of_a_run():
    @numba.njit
    def slow_to_compile(x):
        return np.linalg.norm(np.sort(np.dot(x.reshape(-1, 1), x.reshape(1, -1)).ravel())) + x.sum()

    def late(x):
        if np.any(x != START):  # not where the first record is, outside of the clock
            slow_to_compile(x)
        return square(x)

    began = process_time()
    found = pf.minimize(late, pf.sets.Simplex(), x0=START, tol=0.0, budget={"iterations": 3})
    spent, cpu, wall = process_time() - began, found.trace.cpu_seconds, found.trace.wall_seconds
    assert max(cpu) < spent / 10 and max(wall) < spent / 5 and cpu == sorted(cpu)
    assert sum(values[-1] for values in found.trace.timers.values()) <= cpu[-1]


def test_an_intersection_by_the_product_of_two_sets():
    """ℓ1 and ℓ∞ ball meet in the k-sparse polytope; what is missed falls as 1/ρ, as docs/library.md says."""
    aim = np.array([2.0, 1.5, -1.0, 0.5, 0.2])
    both = pf.sets.Product([pf.sets.L1Ball(2.0), pf.sets.LinfBall(1.0)], [5, 5])
    best = pf.sets.KSparse(1.0, 2).project(aim)
    for rho in (10.0, 100.0):

        def near(pair, rho=rho):
            x, y = np.split(pair, 2)
            miss, apart = (x + y) / 2 - aim, x - y
            gradient = np.concatenate([miss / 2 + rho * apart, miss / 2 - rho * apart])
            return 0.5 * miss @ miss + rho / 2 * apart @ apart, gradient

        given = {"x0": np.zeros(10), "constants": {"L_full": 2 * rho}}
        found = pf.minimize(near, both, "fully-corrective-fw", **given)
        assert found.success
        assert np.abs(found.x.reshape(2, 5).mean(axis=0) - best).max() < 0.4 / rho


def sum_of_squares(n=40, p=6):
    rng = np.random.default_rng(0)
    A, c = rng.standard_normal((n, p)), rng.standard_normal(n)

    def component(x, indices):
        rows, misses = A[indices], A[indices] @ x - c[indices]
        return 0.5 * np.mean(misses**2), rows.T @ misses / len(indices)

    square = np.sum(A**2, axis=1)
    L_vr = np.linalg.norm((A.T * square) @ A / n, 2) ** 0.5
    constants = {"L_full": np.linalg.norm(A, 2) ** 2 / n, "L_vr": L_vr, "L_max": square.max()}
    return pf.FiniteSum(component, n, np.zeros(p), constants)


def test_a_finite_sum_may_answer_in_one_buffer():
    rows, buffer = np.eye(3), np.empty(3)

    def component(x, indices):
        buffer[:] = rows[indices].mean(axis=0)
        return float(buffer @ x), buffer

    summed, x = pf.FiniteSum(component, 3, np.zeros(3)), np.ones(3)
    full, first = summed.gradient(x), summed.component_gradient(x, [0])
    second = summed.component_gradient(x, [1])
    np.testing.assert_array_equal(summed.gradient(x), full)  # as it was kept for whoever asks next
    np.testing.assert_array_equal([first, second], rows[:2])


@pytest.mark.parametrize(
    "method, estimator",
    [("ncgs-vr", None), ("svrg", None), ("estimator-frank-wolfe", "svrg"), ("nfwu", "svrg"), ("sncgs", None)],
)
def test_a_finite_sum_unlocks_the_stochastic_methods(method, estimator):
    problem, ball = sum_of_squares(), pf.sets.L2Ball(1.0)
    options = {"estimator": estimator} if estimator else {}
    found = pf.minimize(problem, ball, method, options=options, budget=60, tol=1e-9)
    assert found.value < problem.value(np.zeros(6)) - 0.02 and found.counts["IFO"] > 0
    assert pf.minimize(problem, ball, tol=1e-8, budget=20_000).value - 1e-8 <= found.value


def test_penalties_are_made_for_the_function():
    given = {"x0": np.zeros(3), "tol": 1e-8, "constants": {"L_full": 1.0}}
    found = pf.minimize(square, pf.penalties.Oscar(lambda1=0.1), **given)
    assert found.success and found.x.shape == (3,) and found.method == "nmapg"


def test_structured_problems_run_as_in_the_workflow():
    """The same solver, seeds and oracles: a trace equal to the driver's, but for clocks."""
    problem, ball = instances.completion(), pf.sets.NuclearBall(2.0)
    found = pf.minimize(problem, ball, "ncgs-vr", budget=20, tol=0.0, rng=5)
    same = instances.run(problem, "ncgs_vr", {"iterations": 20}, ball=ball, seed=5)
    recorded = [same.metrics["objective"][i] for i in found.trace.iteration]
    assert found.trace.metrics["objective"] == recorded
    assert found.status == "iterations" and found.nit == 20


def test_equal_calls_give_equal_results_and_rng_another():
    problem = sum_of_squares()
    rngs = (None, 0, np.random.default_rng(1), 1)
    runs = [pf.minimize(problem, pf.sets.L2Ball(1.0), "ncgs-vr", budget=15, rng=rng) for rng in rngs]
    assert runs[0].value == runs[1].value != runs[3].value and runs[2].nit == 15


def test_a_callback_may_end_the_run():
    def watch(progress):
        if progress.nit >= 3:
            raise StopIteration

    found = pf.minimize(square, pf.sets.L2Ball(1.0), x0=START, callback=watch, tol=0.0)
    assert found.status == "interrupted" and found.nit == 3
    assert found.message == "the callback asked for the end"


def test_every_loop_is_bounded_and_budgets_are_of_counts_too():
    given = {"x0": START, "tol": 0.0, "options": {"step_rule": "open_loop"}}
    found = pf.minimize(square, pf.sets.L2Ball(1.0), "frank-wolfe", **given)
    assert found.status == "iterations" and found.nit == 1000
    found = pf.minimize(square, pf.sets.L2Ball(1.0), x0=START, tol=0.0, budget={"LO": 7})
    assert found.status == "budget" and found.counts["LO"] == 7


def test_control_c_gives_what_is_there():
    """The function itself sends the signal, in its fifth call: nothing waits on a clock."""
    calls = []

    def interrupted(x):
        calls.append(1)
        if len(calls) == 5:
            os.kill(os.getpid(), signal.SIGINT)
        return square(x)

    found = pf.minimize(interrupted, pf.sets.L2Ball(1.0), x0=START, tol=0.0, budget=10_000)
    assert found.status == "interrupted" and 0 < found.nit < 100 and np.isfinite(found.gap)
    assert found.trace.metrics["objective"][-1] == pytest.approx(found.value)
    with pytest.raises(KeyboardInterrupt):  # afterwards the signal does what it did before
        os.kill(os.getpid(), signal.SIGINT)


def test_the_second_control_c_does_not_wait_for_the_step():
    def stuck(x):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        return square(x)

    with pytest.raises(KeyboardInterrupt):
        pf.minimize(stuck, pf.sets.L2Ball(1.0), x0=START)


def test_a_trace_is_written_as_the_workflow_writes_its_own(tmp_path):
    found = pf.minimize(square, pf.sets.Simplex(), x0=START)
    found.write(tmp_path / "mine.h5")
    attrs, (trace,) = read_trace(tmp_path / "mine.h5")
    assert trace.metrics == found.trace.metrics and attrs["method"] == found.method
    np.testing.assert_array_equal(trace.final["x"], found.x)
    tidy([tmp_path / "mine.h5"], tmp_path / "table.csv")
    assert "fw_gap" in (tmp_path / "table.csv").read_text().splitlines()[0]


def test_a_result_draws_itself():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    found = pf.minimize(square, pf.sets.L2Ball(1.0), x0=START)
    (line,) = found.plot("LO").lines
    assert line.get_ydata().tolist() == found.trace.metrics["fw_gap"]
    with pytest.raises(ValueError, match="has no 'fw_gpa'; it has iteration"):
        found.plot(y="fw_gpa")


def test_a_bar_on_request(capfd):
    pf.minimize(square, pf.sets.L2Ball(1.0), x0=START, progress=True)
    assert "seed 0" in capfd.readouterr().err
    pf.minimize(square, pf.sets.L2Ball(1.0), x0=START)
    assert capfd.readouterr().err == ""


F, NORM = sum_of_squares(), pf.penalties.TraceNorm(weight=0.5)
CASVRG, KNOWN = {"method": "nfwu", "options": {"estimator": "casvrg"}}, {"constants": {"L_full": 1.0}}
MATRIX = {"x0": np.zeros((4, 3)), "fun": lambda x: (0.5 * np.vdot(x - 1, x - 1), x - 1), **KNOWN}
VECTOR = {**MATRIX, "x0": np.zeros(4)}


@pytest.mark.parametrize(
    "values, said",
    [
        ({"method": "frank-wolf"}, "unknown method 'frank-wolf'. Did you mean 'frank-wolfe'"),
        ({"method": "fw"}, "Did you mean 'frank-wolfe'"),
        ({"method": "BPCG"}, "Did you mean 'blended-pairwise-fw'"),
        ({"method": "lazified_conditional_gradient"}, "Did you mean 'lazy'"),
        ({"method": "away_frank_wolfe"}, "Did you mean 'away-fw'"),
        ({"method": "lazy", "options": {"method": "away-fv"}}, "'lazy': unknown .* Did you mean 'away"),
        ({"method": "gcg"}, "method 'gcg' does not solve constrained problems; these do: .*frank-wolfe"),
        ({"method": "ncgs"}, "needs the constant 'L_full' of the function: give it as"),
        ({"method": "ncgs-vr", **KNOWN}, "needs a finite sum"),
        ({**CASVRG, **KNOWN}, "one linear argument"),
        ({"method": "nfwu", "fun": F, "x0": None}, "a FiniteSum has none: .*nfwu the estimator 'svrg'"),
        ({"options": {"stepsize": 1}}, "unknown parameter 'stepsize'"),
        ({"budget": {"seconds": 1}}, "unknown limit 'seconds'"),
        ({"x0": [3.0, 0.0, 0.0]}, "x0 does not lie in the set"),
        ({"constraint": "simplex"}, "the constraint must be a set or a penalty, .* not 'simplex'"),
        ({"constraint": pf.sets.Simplex}, "the constraint must be a set or a penalty"),
        ({"x0": None}, "a plain function needs x0"),
        ({"x0": START + 0j}, "x0 must be real numbers, not complex128"),
        ({"x0": [np.nan, 0, 0]}, "x0 has entries that are not finite"),
        ({"x0": []}, "x0 must have at least one entry"),
        ({"fun": lambda x: (0.0, x + 0j)}, "the gradient must be real numbers, not complex128"),
        ({"fun": lambda x: (np.complex128(x @ x), x)}, "the value must be real numbers, not complex128"),
        ({"fun": lambda x: (np.nan, np.nan * x)}, "^the gradient has entries that are not finite"),
        ({"fun": lambda x: (0j, x)}, "must give .value, gradient."),
        ({"constants": {"L": 1}}, "constants: unknown constant 'L'. Known are: G, L2_vr, L_full"),
        ({"constants": {"L_full": np.nan}}, "constants: L_full must be a finite number ≥ 0, not nan"),
        ({"constants": {"lower_bound": np.inf}}, "lower_bound must be a finite number, not inf"),
        ({**MATRIX, "constraint": NORM, "constants": {"lower_bound": 9.0}}, "is above the value at 0"),
        ({"fun": instances.completion(), "x0": None, "constants": {"L_full": 1}}, "a problem has its own"),
        ({"budget": np.nan}, "budget: iterations must be a number, not nan"),
        ({"budget": {"cpu_seconds": "5"}}, "budget: cpu_seconds must be a number, not '5'"),
        ({"tol": np.nan}, "tol must be a number ≥ 0, not nan"),
        ({"tol": -1.0}, "tol must be a number ≥ 0, not -1.0"),
        ({"fun": 3.0}, "fun must be a function or a problem"),
        ({"fun": lambda x: x @ x}, "must give .value, gradient."),
        ({"fun": lambda x: (0.0, x[:2])}, r"gradient of shape \(2,\) for x of \(3,\)"),
        ({"constraint": pf.sets.Birkhoff(), "method": "svrg", "x0": np.eye(3)}, "needs a set with `project`"),
        ({**VECTOR, "constraint": pf.penalties.TraceLasso()}, "a matrix of features"),
        ({**MATRIX, "constraint": pf.penalties.MultiView(weight=1.0)}, "two views"),
        ({**VECTOR, "constraint": NORM}, "functions are of matrices"),
        ({**MATRIX, "constraint": pf.penalties.Oscar()}, "functions are of vectors"),
        ({**VECTOR, "constraint": pf.penalties.Rank(bound=2)}, "points must be matrices"),
        ({"x0": 0.5, "constraint": pf.sets.Box(-1.0, 1.0)}, "at least one dimension"),
        ({"x0": 0.5, "constraint": pf.penalties.Oscar(), **KNOWN}, "at least one dimension"),
        ({**MATRIX, "constraint": NORM, "method": "dhm"}, "needs .*, and a plain function has none"),
        ({**MATRIX, "constraint": NORM, "method": "mmbs"}, "needs .*, and a plain function has none"),
    ],
)
def test_errors_say_what_is_wrong_and_what_is_known(values, said):
    given = {"fun": square, "constraint": pf.sets.L2Ball(1.0), "x0": START, **values}
    with pytest.raises(ValueError, match=said):
        pf.minimize(given.pop("fun"), given.pop("constraint"), **given)


@pytest.mark.parametrize("n", [0, 2.5, "3", None])
def test_a_finite_sum_has_a_whole_number_of_components(n):
    with pytest.raises(ValueError, match="n, the number of components, must be a whole number ≥ 1"):
        pf.FiniteSum(lambda x, indices: (0.0, x), n, np.zeros(3))


@pytest.mark.parametrize(
    "feasible", [pf.sets.Birkhoff(), pf.sets.LpBall(1.0, 3.0), pf.sets.Polytope(A=[[1.0]], b=[1.0])]
)
def test_a_set_without_a_projection_says_how_to_get_one(feasible):
    with pytest.raises(AttributeError, match="no projection in closed form.*projfree.minimize"):
        feasible.project(np.eye(3))
    with pytest.raises(AttributeError, match="no attribute 'projekt'"):
        feasible.projekt  # noqa: B018 - what is not there
    assert pickle.loads(pickle.dumps(feasible)).bound == feasible.bound


def test_methods_are_listed_and_explained():
    names = [method.name for method in pf.methods()]
    assert {"ncgs-vr", "away-fw", "gcg", "mpcgs", "nmapg"} <= set(names) and all(m.says for m in pf.methods())
    problem = instances.completion()
    for_it = [m.name for m in pf.methods(problem, pf.sets.Birkhoff())]
    assert "frank-wolfe" in for_it and "gcg" not in for_it and "svrg" not in for_it
    assert "step_rule" in repr(pf.methods()) and "svrg" in [m.name for m in pf.methods(problem)]


def test_names_are_answered_without_importing_all():
    """An import of the front door pulls nothing in; an unknown name lists what there is."""
    program = (
        "import sys, projfree as pf; assert 'numpy' not in sys.modules; pf.sets.NuclearBall; "
        "assert 'projfree.engine' not in sys.modules and 'projfree.sets.birkhoff' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    wrong = (pf.sets, "NuclearBal", "Did you mean 'NuclearBall'"), (pf, "minimise", "it has minimize")
    for place, name, said in wrong:
        with pytest.raises(AttributeError, match=said):
            getattr(place, name)


@pytest.mark.parametrize("form", [list, np.float32, np.longdouble, sparse.coo_array, tuple])
def test_starts_and_gradients_in_any_form(form):
    found = pf.minimize(lambda x: (square(x)[0], form(x - AIM)), pf.sets.Simplex(), x0=form(START), tol=1e-4)
    assert found.success and np.sum((found.x - NEAREST) ** 2) <= 2 * found.gap + 1e-6
    assert pf.certificate(square, pf.sets.Simplex(), form(NEAREST)).value <= 1e-6


@pytest.mark.parametrize(
    "given, said",
    [
        ({"budget": 3}, "the end of 3 iterations, with fw_gap = .* above 0"),
        ({"budget": {"LO": 3}}, "the end of the budget, with fw_gap = .* above 0"),
        ({"tol": 1e9}, "fw_gap ≤ 1"),
        ({"fun": lambda x: (np.inf, x)}, "objective = inf at iteration 0"),
    ],
)
def test_every_end_has_a_message(given, said):
    given = {"fun": square, "x0": START, "tol": 0.0, **given}
    assert re.match(said, pf.minimize(given.pop("fun"), pf.sets.L2Ball(1.0), **given).message)


def test_a_gradient_of_the_wrong_sign_is_noticed():
    def uphill(x):
        return square(x)[0], AIM - x

    with pytest.warns(RuntimeWarning, match="the objective never fell: does check_gradient say"):
        found = pf.minimize(uphill, pf.sets.L2Ball(1.0), x0=np.zeros(3), budget=20)
    assert found.message.endswith("its gradient is right?")
    assert pf.check_gradient(uphill, START) == pytest.approx(2.0) and pf.check_gradient(square, START) < 1e-6
    half = pf.check_gradient(lambda x: (square(x)[0], (x - AIM) / 2), START)
    assert half == pytest.approx(0.5) and pf.check_gradient(lambda x: (7.0, 0 * x), START) == 0.0


def test_an_optimum_that_is_kept_is_no_wrong_sign():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pf.minimize(square, pf.sets.Simplex(), "frank-wolfe", x0=NEAREST, tol=0.0, budget=5)


def test_large_objectives_have_not_diverged_at_the_start():
    aim = 1e20 * AIM
    near = lambda x: (0.5 * (x - aim) @ (x - aim), x - aim)  # noqa: E731
    found = pf.minimize(near, pf.sets.Simplex(1e20), x0=1e20 * START, tol=1e30)
    assert found.success and found.x / 1e20 == pytest.approx(NEAREST, abs=1e-4)


def test_constants_are_those_that_methods_read():
    """By the sources: a method that asks for another one must have it among those that may be given."""
    sources = "".join(path.read_text() for path in (ROOT / "src/projfree/solvers").rglob("*.py"))
    asked = set(re.findall(r'constants(?:\.get\(|\[)"(\w+)"', sources))
    assert asked <= set(CONSTANTS) <= asked | {"L_max", "L_vr", "L_xy", "lower_bound"}


def test_points_beside_penalties_are_certified_as_arrays():
    best = pf.minimize(square, pf.penalties.Oscar(), x0=START, tol=1e-9, **KNOWN)
    found = pf.certificate(square, pf.penalties.Oscar(), list(best.x), {"L_full": 1.0})
    assert found.name == "sq_gradient_mapping" and found.value <= 1e-18
    with pytest.raises(ValueError, match="needs the constant 'L_full'"):
        pf.certificate(square, pf.penalties.Oscar(), best.x)
    M = np.random.default_rng(0).standard_normal((6, 5))
    U, s, Vt = np.linalg.svd(M, full_matrices=False)
    loss = lambda W: (0.5 * np.sum((W - M) ** 2), W - M)  # noqa: E731
    found = pf.certificate(loss, pf.penalties.TraceNorm(weight=1.0), (U * np.maximum(s - 1, 0)) @ Vt)
    assert found.name == "dual_gap" and 0 <= found.value + 1e-12 <= 1e-3
    worse = pf.certificate(loss, pf.penalties.TraceNorm(weight=1.0), np.zeros((6, 5)))
    assert worse.value >= np.sum(np.maximum(s - 1, 0) ** 2) / 2 - 1e-9  # F(0) − F*


def test_a_penalty_has_its_prox_without_a_problem():
    p, weights = np.array([3.0, -2.0, 0.1]), np.array([2.0, 1.5, 1.0])
    found = pf.penalties.Oscar(lambda1=1.0, lambda2=0.5, units="absolute").prox(p.tolist(), 0.5)
    np.testing.assert_array_equal(found.x, pava.prox(weights, p, 0.5).x)
    Y = np.random.default_rng(0).standard_normal((6, 5))
    low = pf.penalties.Rank(bound=2).prox(sparse.csr_array(Y), 1.0, method="dense").x
    assert np.linalg.matrix_rank(low[0] @ low[1].T) == 2
    with pytest.raises(ValueError, match="oscar needs `constants` of a problem.*units='absolute'"):
        pf.penalties.Oscar().prox(p, 0.5)
    with pytest.raises(ValueError, match="trace_lasso needs `triangular_factor` of a problem: give one"):
        pf.penalties.TraceLasso(units="absolute").prox(p, 0.5)
    data = {"features": np.diag([1.0, 2.0, 3.0]), "targets": p}
    problem = pf.problems.RobustRegression(data, loss="sq")
    lasso = pf.penalties.TraceLasso(units="absolute").prox(p, 0.5, problem=problem).x
    best = np.sign(p) * np.maximum(np.abs(p) - 0.05 * np.arange(1, 4), 0)  # orthogonal columns
    np.testing.assert_allclose(lasso, best, atol=1e-6)


def test_a_penalty_is_made_once_for_each_shape():
    penalty = pf.penalties.Slope([2.0, 1.0])
    first = penalty.prox([3.0, -2.0], 0.5).x
    (made,) = penalty.made.values()
    assert np.array_equal(penalty.prox(np.array([3.0, -2.0]), 0.5).x, first)
    assert list(penalty.made.values()) == [made] and penalty == pf.penalties.Slope([2.0, 1.0])
    with pytest.raises(ValueError, match="must be a vector of 3"):
        penalty.prox([1.0, 2.0, 3.0], 0.5)


def test_what_is_made_says_its_name_and_what_was_given():
    assert repr(pf.sets.NuclearBall(2.0)) == "NuclearBall(radius=2.0)"
    assert repr(pf.sets.Box(0.0, [1.0, 2.0])) == "Box(upper=[1.0, 2.0])"
    assert repr(pf.sets.Product([pf.sets.Simplex()], [3])) == "Product(parts=(Simplex(),), shapes=[3])"
    solver = methods.chosen("ncgs", pf.Function(square, START, {"L_full": 1}), pf.sets.L2Ball(1), {})
    assert repr(solver) == "Ncgs()"
    assert pickle.loads(pickle.dumps(pf.sets.L1Ball(3.0))) == pf.sets.L1Ball(3.0)


def test_completion_shows_what_there_is_and_no_more():
    assert dir(pf) == sorted([*pf.__all__, "__version__"])
    for package, name in ((pf.sets, "L1Ball"), (pf.penalties, "Oscar"), (pf.problems, "MatrixCompletion")):
        assert name in dir(package) and not {"registry", "parameters", "annotations"} & set(dir(package))
        assert all(hasattr(package, each) for each in dir(package))


def test_lazy_takes_a_method_by_its_listed_name():
    assert pf.minimize(square, pf.sets.Simplex(), "lazy", START, options={"method": "away-fw"}).success


def test_a_point_is_certified_apart_from_any_run():
    problem = pf.Function(square, START)
    found = pf.certificate(problem, pf.sets.Simplex(), NEAREST)
    assert pf.certificate(square, pf.sets.Simplex(), list(NEAREST)).value == found.value
    assert found.value == pytest.approx(0.0, abs=1e-14) and found.name == "fw_gap"
    assert pf.certificate(problem, BALL, np.array([2.0, 0.0, 0.0])).infeasibility == pytest.approx(1.0)
    with pytest.raises(ValueError, match=r"x has shape \(2,\), the problem \(3,\)"):
        pf.certificate(problem, pf.sets.Simplex(), [0.5, 0.5])


BALL = pf.sets.L2Ball(1.0)
#: A ball whose linear minimisation misses 1 % of the minimum.
LOOSE = SimpleNamespace(
    **{"bound": 1.0, "diameter": 2.0, "norm_bound": 1.0, "gauge": BALL.gauge, "contains": BALL.contains},
    lmo=lambda G, **given: 0.99 * BALL.lmo(G),
    support=lambda G: 0.99 * BALL.support(G),
)


@pytest.mark.parametrize("method", ["frank-wolfe", "away-fw", "adaptive-fw", "ncgs"])
def test_a_gap_below_zero_is_told_and_never_converged(method):
    slope = np.array([1.0, 2.0, -3.0])
    given = {"x0": -slope / np.linalg.norm(slope), "tol": 1e-3, "budget": 20, **KNOWN}
    found = pf.minimize(lambda x: (float(slope @ x), slope), LOOSE, method, **given)
    assert found.gap < 0 and not found.success and found.status in ("stalled", "iterations")
    assert "below zero" in found.message and "inexact" in found.message


def test_converged_is_a_certificate_of_at_most_the_tolerance():
    """A method may see its own end before the certificate does: then it has stalled, with the reason."""
    given, slope = {"x0": np.eye(3)[1], "tol": 0.0}, np.array([0.3, 0.1, 0.2])
    found = pf.minimize(square, pf.sets.Simplex(), "frank-wolfe", **given)
    assert found.status in ("stalled", "iterations") and found.gap > 0 and not found.success
    found = pf.minimize(lambda x: (float(slope @ x), slope), pf.sets.Simplex(), "away-fw", **given)
    assert found.status == "stalled" and 0 < found.gap < 1e-14 and "certificate vanished" in found.message
    assert found.trace.end_status == "stalled" and found.trace.message == found.message


@pytest.mark.parametrize("method", [None, "frank-wolfe", "adaptive-fw", "away-fw", "blended-cg", "ncgs"])
def test_calls_of_a_plain_function_are_what_is_counted(method):
    calls = []
    given = {"x0": START, "budget": 20, **(KNOWN if method == "ncgs" else {})}
    found = pf.minimize(lambda x: calls.append(x) or square(x), pf.sets.Simplex(), method, **given)
    assert found.counts["FO"] == found.counts["IFO"] == len(calls) > 1
