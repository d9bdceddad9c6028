"""`minimize`: plain functions, finite sums and structured problems, by the replication's own driver."""

import os
import signal
import subprocess
import sys

import instances
import numpy as np
import pytest
from feasible import make

import projfree as pf
from projfree.trace.format import read_trace
from referee.evidence.tidy import tidy

AIM = np.array([0.2, 1.0, -0.5])
START = np.array([1.0, 0.0, 0.0])
NEAREST = np.array([0.1, 0.9, 0.0])  # of the simplex to the aim; ½‖x − it‖² ≤ F(x) − F* ≤ gap


def square(x):
    """½‖x − aim‖² and its gradient."""
    return 0.5 * (x - AIM) @ (x - AIM), x - AIM


def test_a_plain_function_and_a_set_are_enough():
    found = pf.minimize(square, pf.sets.Simplex(), x0=START)
    assert np.sum((found.x - NEAREST) ** 2) <= 2 * found.gap + 1e-30
    assert found.success and found.status == "converged" and found.gap <= 1e-6
    assert (
        found.fun == found.value == pytest.approx(square(found.x)[0])
        and found.nit == found.trace.iteration[-1]
    )
    assert found.counts["FO"] >= found.nit and found.counts["LO"] >= found.nit
    assert found.certificate.infeasibility == 0.0 and "minimum" in str(found.certificate)


@pytest.mark.parametrize(
    "name", ["l1_ball", "l2_ball", "linf_ball", "box", "group_ball", "spectral_ball", "product"]
)
def test_what_it_finds_is_the_projection(name):
    feasible, shape = make(name, 1.0)
    aim = 2 * np.random.default_rng(0).standard_normal(shape)
    start = feasible.project(np.zeros(shape))
    found = pf.minimize(lambda x: (0.5 * np.vdot(x - aim, x - aim), x - aim), feasible, x0=start, tol=1e-4)
    assert found.success and found.gap <= 1e-4
    nearest = feasible.project(aim)  # ½‖x − x*‖² ≤ F(x) − F* ≤ gap
    assert np.sum((found.x - nearest) ** 2) <= 2 * found.gap + 1e-20
    assert found.value <= 0.5 * np.sum((nearest - aim) ** 2) + found.gap + 1e-12


@pytest.mark.parametrize(
    "method", ["away-fw", "pairwise-fw", "blended-pairwise-fw", "fully-corrective-fw", "ncgs"]
)
def test_a_method_by_its_name(method):
    found = pf.minimize(square, pf.sets.Simplex(), method, x0=START, constants={"L_full": 1.0}, tol=1e-5)
    assert found.success and found.method == method
    assert np.sum((found.x - NEAREST) ** 2) <= 2 * found.gap + 1e-30


def test_an_intersection_by_the_product_of_two_sets():
    """ℓ1 and ℓ∞ ball meet in the k-sparse polytope; what is missed falls as 1/ρ, as docs/library.md says."""
    aim = np.array([2.0, 1.5, -1.0, 0.5, 0.2])
    both = pf.sets.Product([pf.sets.L1Ball(2.0), pf.sets.LinfBall(1.0)], [5, 5])
    best = pf.sets.KSparse(1.0, 2).project(aim)

    def missed(rho):
        def near(pair):
            x, y = np.split(pair, 2)
            miss, apart = (x + y) / 2 - aim, x - y
            gradient = np.concatenate([miss / 2 + rho * apart, miss / 2 - rho * apart])
            return 0.5 * miss @ miss + rho / 2 * apart @ apart, gradient

        known = {"L_full": 2 * rho}
        found = pf.minimize(near, both, "fully-corrective-fw", x0=np.zeros(10), constants=known)
        assert found.success
        return np.abs(found.x.reshape(2, 5).mean(axis=0) - best).max()

    assert missed(10.0) < 0.04 and missed(100.0) < 0.004


def sum_of_squares(n=40, p=6):
    """A finite sum of least squares with its constants, and the minimum over the ball of radius 1."""
    rng = np.random.default_rng(0)
    A, c = rng.standard_normal((n, p)), rng.standard_normal(n)

    def component(x, indices):
        rows, misses = A[indices], A[indices] @ x - c[indices]
        return 0.5 * np.mean(misses**2), rows.T @ misses / len(indices)

    square = np.sum(A**2, axis=1)
    constants = {
        "L_full": np.linalg.norm(A, 2) ** 2 / n,
        "L_vr": np.linalg.norm((A.T * square) @ A / n, 2) ** 0.5,
        "L_max": square.max(),
    }
    return pf.FiniteSum(component, n, np.zeros(p), constants), A, c


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
    "method, options",
    [
        ("ncgs-vr", {}),
        ("svrg", {}),
        ("estimator-frank-wolfe", {"estimator": "svrg"}),
        ("sncgs", {}),
    ],
)
def test_a_finite_sum_unlocks_the_stochastic_methods(method, options):
    problem, A, c = sum_of_squares()
    found = pf.minimize(problem, pf.sets.L2Ball(1.0), method, options=options, budget=60, tol=1e-9)
    begin = problem.value(np.zeros(6))
    assert found.value < begin - 0.02 and found.counts["IFO"] > 0
    exact = pf.minimize(problem, pf.sets.L2Ball(1.0), tol=1e-8, budget=20_000)
    assert exact.value - 1e-8 <= found.value


def test_penalties_are_made_for_the_function():
    found = pf.minimize(
        square, pf.penalties.Oscar(lambda1=0.1), x0=np.zeros(3), constants={"L_full": 1.0}, tol=1e-8
    )
    assert found.success and found.x.shape == (3,) and found.method == "nmapg"
    M = np.random.default_rng(0).standard_normal((6, 5))
    loss = lambda W: (0.5 * np.sum((W - M) ** 2), W - M)  # noqa: E731
    found = pf.minimize(loss, pf.penalties.TraceNorm(weight=1.0), x0=np.zeros(M.shape), tol=1e-6)
    U, s, Vt = np.linalg.svd(M, full_matrices=False)
    best = (U * np.maximum(s - 1, 0)) @ Vt
    assert np.sum((found.x.toarray() - best) ** 2) <= 2 * found.gap + 1e-20
    assert (
        found.value - found.gap
        <= 0.5 * np.sum((best - M) ** 2) + np.maximum(s - 1, 0).sum()
        <= found.value + 1e-9
    )


def test_structured_problems_run_as_in_the_workflow():
    """The same solver, seeds and oracles: a trace equal to the driver's, but for clocks."""
    problem, ball = instances.completion(), pf.sets.NuclearBall(2.0)
    found = pf.minimize(problem, ball, "ncgs-vr", budget=20, tol=0.0, rng=5)
    same = instances.run(problem, "ncgs_vr", {"iterations": 20}, ball=ball, seed=5)
    recorded = [same.metrics["objective"][i] for i in found.trace.iteration]
    assert found.trace.metrics["objective"] == recorded
    assert found.status == "iterations" and found.nit == 20


def test_equal_calls_give_equal_results_and_rng_another():
    problem, _, _ = sum_of_squares()
    first, again, other = (
        pf.minimize(problem, pf.sets.L2Ball(1.0), "ncgs-vr", budget=15, rng=rng).value for rng in (None, 0, 1)
    )
    assert first == again != other
    generated = pf.minimize(problem, pf.sets.L2Ball(1.0), "ncgs-vr", budget=15, rng=np.random.default_rng(1))
    assert generated.nit == 15


def test_a_callback_sees_each_record_and_may_end_the_run():
    seen = []

    def watch(progress):
        seen.append((progress.nit, progress.value))
        if progress.nit >= 3:
            raise StopIteration

    found = pf.minimize(square, pf.sets.L2Ball(1.0), x0=START, callback=watch, tol=0.0)
    assert [nit for nit, _ in seen] == [0, 1, 2, 3] and found.status == "interrupted"
    assert found.nit == 3 and found.message == "the callback asked for the end"


def test_every_loop_is_bounded_and_budgets_are_of_counts_too():
    found = pf.minimize(
        square, pf.sets.L2Ball(1.0), "frank-wolfe", x0=START, tol=0.0, options={"step_rule": "open_loop"}
    )
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


@pytest.mark.parametrize(
    "values, said",
    [
        ({"method": "frank-wolf"}, "unknown name 'frank-wolf'. Did you mean 'frank_wolfe'"),
        ({"method": "gcg"}, "a constrained problem: unknown method 'gcg'.*frank-wolfe"),
        ({"method": "ncgs"}, "needs the constant 'L_full' of the function: give it as"),
        ({"method": "ncgs-vr", "constants": {"L_full": 1.0}}, "needs a finite sum"),
        (
            {"method": "nfwu", "options": {"estimator": "casvrg"}, "constants": {"L_full": 1.0}},
            "one linear argument",
        ),
        ({"options": {"stepsize": 1}}, "unknown parameter 'stepsize'"),
        ({"budget": {"seconds": 1}}, "unknown limit 'seconds'"),
        ({"x0": [3.0, 0.0, 0.0]}, "x0 does not lie in the set"),
        ({"x0": None}, "a plain function needs x0"),
        ({"fun": 3.0}, "fun must be a function or a problem"),
        ({"fun": lambda x: x @ x}, "must give .value, gradient."),
        ({"fun": lambda x: (0.0, x[:2])}, r"gradient of shape \(2,\) for x of \(3,\)"),
        (
            {"constraint": pf.sets.Birkhoff(), "method": "svrg", "x0": np.eye(3)},
            "svrg needs a set with `project`",
        ),
    ],
)
def test_errors_say_what_is_wrong_and_what_is_known(values, said):
    given = {"fun": square, "constraint": pf.sets.L2Ball(1.0), "x0": START, **values}
    with pytest.raises(ValueError, match=said):
        pf.minimize(given.pop("fun"), given.pop("constraint"), **given)


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
    assert pf.sets.NuclearBall(2.0).radius == 2.0 and "NuclearBall" in dir(pf.sets) and "minimize" in dir(pf)
    with pytest.raises(AttributeError, match="Did you mean 'NuclearBall'"):
        pf.sets.NuclearBal  # noqa: B018 - what is not there
    with pytest.raises(AttributeError, match="it has minimize"):
        pf.minimise  # noqa: B018 - what is not there


def test_a_point_is_certified_apart_from_any_run():
    found = pf.certificate(pf.Function(square, START), pf.sets.Simplex(), np.array([0.1, 0.9, 0.0]))
    assert found.value == pytest.approx(0.0, abs=1e-15) and found.name == "fw_gap"
    outside = pf.certificate(pf.Function(square, START), pf.sets.L2Ball(1.0), np.array([2.0, 0.0, 0.0]))
    assert outside.infeasibility == pytest.approx(1.0)
