"""What nfwu's theory says holds, and a broken estimator or step is found out."""

import dataclasses
from types import SimpleNamespace

import instances
import numpy as np
import probed
import pytest
from generated import make
from probed import of_rows as column
from referee.papers.nfwu.probes import _nfwu, estimator_costs
from tiny_nfwu import ROBUST

from projfree import solvers
from projfree.engine.oracles import constrained
from projfree.linalg.sampled import SparseOnPattern
from projfree.problems import matrix_completion
from projfree.sets import l2_ball, nuclear_ball
from projfree.solvers.estimators import caspider, casvrg, spider, svrg
from referee.data.errors import DataError
from referee.evidence.orders import log_slope
from referee.jobs.probes import _peak_memory

BALL = l2_ball.Set(8.0)
T2 = {"size": 256, "outliers": 13}
STOCHASTIC = ("sg", "svrg", "spider", "casvrg", "caspider")


def ball_form(**params):
    """Robust recovery of a vector (CIL, all entries observed)."""
    return matrix_completion.Problem(make("ball_form", **params), loss="cil", weight="mean")


def rows(name, problem=None, constraint=BALL, **params):
    """The rows of a probe."""
    return probed.rows("nfwu", name, problem, constraint, **params)


def biased(estimator, factor=1.1):
    """An `update` whose mean is wrong by a factor between two anchors."""
    update = estimator.Estimator.update

    def wrong(self, oracles, state, x, rng):
        anchored = state is None or state.age >= self.epoch
        g, state = update(self, oracles, state, x, rng)
        return (g if anchored else g * factor), state

    return wrong


def test_the_ball_form():
    arrays = make("ball_form", size=200, outliers=13, noise=50.0)
    assert tuple(arrays["shape"]) == (200, 1) and 1 < np.sum(np.abs(arrays["values"]) > 1) <= 13
    plain = make("ball_form", size=200, spread=0.5)["values"]
    assert np.abs(plain).max() <= 0.5 and plain.std() == pytest.approx(0.5 / np.sqrt(3), rel=0.1)
    with pytest.raises(DataError, match="outliers in 0 … size"):
        ball_form(size=3, outliers=4)


RULES = [{"eta": 0.5}, {"step_rule": "open_loop"}, {"step_rule": "length"}]


@pytest.mark.parametrize("name", ("full", *STOCHASTIC))
@pytest.mark.parametrize("values", RULES, ids=str)
def test_every_step_keeps_its_bounds(name, values):
    found = rows("step_bounds", ball_form(**T2), estimator=name, params={"epoch": 8, **values}, steps=40)
    assert column(found, "descent_slack").min() >= -1e-12
    assert np.all(column(found, "descent") <= column(found, "descent_limit_paper"))
    assert column(found, "gap").min() >= 0
    assert np.all(column(found, "move") <= column(found, "eta") * (1 + 1e-12))
    assert np.all(column(found, "gauge") <= column(found, "gauge_limit") * (1 + 1e-12))
    assert max(column(found, "combination_error").max(), column(found, "coefficient_error").max()) <= 1e-12


@pytest.mark.parametrize("iterate", ["array", "observed", "atoms"])
def test_every_step_keeps_its_bounds_on_matrices(iterate):
    arrays = make("low_rank_outliers", shape=30, rank=3, noise=10.0)
    problem, ball = matrix_completion.Problem(arrays, loss="cil", weight="mean"), nuclear_ball.Set(20.0)
    given = {"estimator": "caspider", "params": {"epoch": 5, "iterate": iterate}, "steps": 30, "every": 3}
    found = rows("step_bounds", problem, ball, **given)
    assert len(found) == 10 and column(found, "descent_slack").min() >= -1e-12
    assert np.all(column(found, "gauge") <= 20 * (1 + 1e-12)) and column(found, "gap").min() >= 0
    assert np.all(column(found, "move") <= column(found, "eta"))
    assert column(found, "combination_error").max() <= 1e-12
    np.testing.assert_allclose(column(found, "mass_at_start"), (1 - 5 / 800) ** np.arange(3, 31, 3))


def test_a_step_too_long_is_found(monkeypatch):
    toward = constrained.toward
    monkeypatch.setattr(constrained, "toward", lambda x, v, gamma: toward(x, v, 1.5 * gamma))
    found = rows("step_bounds", ball_form(**T2), estimator="sg", params={"eta": 8.0, "epoch": 8}, steps=10)
    assert np.any(column(found, "move") > column(found, "eta"))
    assert column(found, "combination_error").max() > 1e-3


def test_steps_of_unknown_weight_are_refused():
    for values in ({"step_rule": "short"}, {"vertex": True}):
        with pytest.raises(ValueError, match="known weight from zero"):
            rows("step_bounds", ball_form(**T2), estimator="full", params=values)


@pytest.mark.parametrize("name", ("full", *STOCHASTIC))
def test_theorem_3_1(name):
    epsilons = [0.008] if name == "sg" else [0.004, 0.002]
    found = rows("accuracies", ball_form(**T2), estimator=name, epsilons=epsilons)
    assert np.all(column(found, "mean_gap") <= column(found, "gap_limit"))
    assert np.all(2 * column(found, "gap_limit") == column(found, "gap_limit_paper"))
    assert np.all(column(found, "sq_error") <= column(found, "sq_error_inner"))
    assert np.all(column(found, "sq_error_inner") <= column(found, "sq_error_limit"))
    assert name == "sg" or np.all(column(found, "start_gap_ratio") > 3), "not empty"
    assert [row.counts["LO"] for row in found] == column(found, "steps").tolist()
    np.testing.assert_allclose(column(found, "eps_gap") * 16, column(found, "mean_gap"))


@pytest.mark.parametrize("name, order", [("svrg", 2), ("spider", 2), ("casvrg", 1.6), ("caspider", 1.5)])
def test_measured_orders_of_table_1(name, order):
    found = rows("accuracies", ball_form(**T2), estimator=name, epsilons=[0.008, 0.004, 0.002])
    ifo = np.array([row.counts["IFO"] for row in found], dtype=float)
    assert log_slope(column(found, "inverse_eps"), ifo, None) == pytest.approx(order, abs=0.2)


def test_kappa_as_printed_asks_for_less():
    def one(kappa):
        given = {"estimator": "casvrg", "epsilons": [0.008], "kappa": kappa}
        return rows("accuracies", ball_form(**T2), **given)[0].metrics

    plain, printed, L = one("corrected"), one("printed"), ball_form(**T2).constants["L_vr"]
    np.testing.assert_allclose(printed["epoch"] / plain["epoch"], L**-0.4, rtol=0.1)
    np.testing.assert_allclose(printed["batch"] / plain["batch"], L**0.4, rtol=0.1)
    with pytest.raises(ValueError, match="unknown kappa 'other'. Known are: corrected, printed"):
        one("other")


def test_a_biased_estimate_breaks_the_error_bound(monkeypatch):
    monkeypatch.setattr(casvrg.Estimator, "update", biased(casvrg, 3.0))
    (row,) = rows("accuracies", ball_form(**T2), estimator="casvrg", epsilons=[0.004])
    assert row.metrics["sq_error_inner"] > row.metrics["sq_error_limit"]


@pytest.mark.parametrize("name", STOCHASTIC)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_bias_and_variance_over_all_batches(name, dtype):
    """What a Hessian loses to single precision adds no bias."""
    problem = ball_form(size=12, outliers=2)
    problem.observed = problem.observed.astype(dtype)
    assert problem.component_curvatures(problem.start()).dtype == dtype
    found = rows("exact_moments", problem, estimator=name, params={"eta": 0.5})
    assert len(found) == 14 and set(column(found, "batches")) == {144}
    assert column(found, "bias_error").max() <= 1e-14
    assert column(found, "sq_error").min() > 0
    assert column(found, "sq_error_deviation").max() <= (1e-12 if dtype == np.float64 else 1e-6)
    assert (column(found, "bias").max() > 1e-4) == (name in _nfwu.RECURSIVE)


@pytest.mark.parametrize("estimator", [svrg, spider, casvrg, caspider])
def test_a_bias_is_found(estimator, monkeypatch):
    monkeypatch.setattr(estimator.Estimator, "update", biased(estimator))
    name = estimator.__name__.rpartition(".")[2]
    found = rows("exact_moments", ball_form(size=12), estimator=name, params={"eta": 0.5})
    assert column(found, "bias_error").max() > 1e-6


def test_a_hessian_of_the_wrong_place_is_found(monkeypatch):
    right = matrix_completion.Problem.component_curvatures
    wrong = lambda self, x: right(self, x + 0.1)  # noqa: E731
    monkeypatch.setattr(matrix_completion.Problem, "component_curvatures", wrong)
    found = rows("exact_moments", ball_form(size=12), estimator="casvrg", params={"eta": 0.5})
    assert column(found, "bias_error").max() <= 1e-14, "any Hessian leaves the mean as it is"
    assert column(found, "sq_error_deviation").max() > 1e-3


IDENTITIES = ("epoch_of_one", "epoch_of_two", "square_loss", "no_curvature", "whole_batch")


def largest_differences(**params):
    found = rows("estimator_identities", ball_form(size=64, outliers=4), params={"eta": 0.5}, **params)
    return {name: column(found, name).max() for name in (*IDENTITIES, "spread")}


def test_identities_of_the_estimators():
    largest = largest_differences()
    assert largest.pop("spread") > 0.1
    assert max(largest.values()) <= 1e-13


def test_each_identity_can_fail(monkeypatch):
    """Recursion from the wrong point: SPIDER's differences are no longer SVRG's, nor sum to the gradient."""
    update = spider.Estimator.update

    def stale(self, oracles, state, x, rng):
        point = None if state is None else state.point
        g, state = update(self, oracles, state, x, rng)
        if state.age > 1 and type(self) is spider.Estimator:
            state.point = point
        return g, state

    monkeypatch.setattr(spider.Estimator, "update", stale)
    largest = largest_differences()
    assert largest["whole_batch"] > 1e-3 and largest["no_curvature"] > 1e-3
    assert largest["epoch_of_two"] <= 1e-13, "an epoch of two has one difference only"


def test_errors_are_of_first_and_of_second_order():
    found = rows("error_orders", ball_form(size=64))
    for name in _nfwu.VARIANCE_REDUCED:
        slope = log_slope(column(found, "h"), column(found, f"norm_{name}"), None)
        assert slope == pytest.approx(2 if name in _nfwu.CURVATURE_AIDED else 1, abs=0.1)
        assert 0.5 < column(found, f"excess_{name}").max() <= 1 + 1e-9


def test_without_the_correction_the_order_falls(monkeypatch):
    none = lambda self, c, d, indices: np.zeros(len(indices))  # noqa: E731
    monkeypatch.setattr(constrained.Oracles, "curvature_terms", none)
    found = rows("error_orders", ball_form(size=64))
    assert log_slope(column(found, "h"), column(found, "norm_casvrg"), None) < 1.1
    assert column(found, "excess_casvrg").max() > 10


def test_parameters_of_the_theory():
    """At n = 4000, ε = 1e-4, σ = 1."""
    (row,) = rows("theory_parameters", ball_form(size=50), epsilons=[1e-4], components=4000)
    stated = {"kappa": 0.008729, "epoch_casvrg": 35.0, "batch_casvrg": 114.3, "epoch_caspider": 85.1}
    stated |= {"batch_caspider": 47.0, "ifo_caspider": 94.0, "ifo_sg": 0.36788e8, "ifo_spider": 126.5}
    for name, value in stated.items():
        assert row.metrics[name] == pytest.approx(value, rel=2e-3), name
    for name in _nfwu.CURVATURE_AIDED:
        for kind in ("tight", "crossing", "balance"):
            assert row.metrics[f"{kind}_{name}"] == pytest.approx(1, rel=1e-9), (kind, name)


def test_one_component_suffices_with_curvature():
    found = rows("single_component", ball_form(size=64, spread=1.5))
    assert found[0].metrics["eps"] == pytest.approx(1.1056e-5, rel=1e-4)
    assert (found[0].metrics["epoch_casvrg"], found[0].metrics["epoch_caspider"]) == (90, 406)
    for name in _nfwu.CURVATURE_AIDED:
        assert np.all(column(found, f"rms_{name}") <= column(found, "eps"))
    assert np.all(column(found, "rms_svrg") > column(found, "eps"))
    with pytest.raises(ValueError, match="does not suffice for casvrg"):
        rows("single_component", ball_form(size=64, spread=1.5), share=100)


PARTS = {"problem": ROBUST, "set": {"name": "nuclear_ball", "radius": 100.0}}
JOB = instances.job(**PARTS)


def test_costs_side_by_side():
    params = {"sizes": [60], "epoch": 3, "epochs": 2, "repetitions": 2, "observe": 0.3}
    found = rows("estimator_costs", None, nuclear_ball.Set(100.0), job=JOB, **params)
    assert column(found, "late").tolist() == [0, 0, 1, 1] and set(column(found, "components")) == {1080}
    for name in found[0].metrics:
        assert not name.startswith("seconds_") or column(found, name).min() > 0, name
    for name in _nfwu.CURVATURE_AIDED:
        memory = column(found, f"memory_array_{name}")
        assert 0.9 < memory.min() <= memory.max() < 1.3


def test_a_dense_hessian_is_found(monkeypatch):
    """A correction that forms the matrix asks for more than n floats."""
    product = matrix_completion.Problem.hessian_product

    def through_the_matrix(self, c, d):
        rows, cols = self.pattern.rows, self.pattern.cols
        return product(self, c, SparseOnPattern(d.pattern, d.toarray()[rows, cols]))

    monkeypatch.setattr(matrix_completion.Problem, "hessian_product", through_the_matrix)
    params = {"sizes": [60], "epoch": 3, "epochs": 2, "repetitions": 1}
    found = rows("estimator_costs", None, nuclear_ball.Set(100.0), job=JOB, **params)
    assert column(found, "memory_array_caspider").min() > 5 > 2 > column(found, "memory_array_svrg").max()


def test_the_largest_request_is_that_of_a_line():
    def work():
        first = np.zeros(10_000)
        second = np.ones(30_000)
        return first.sum() + second.sum()

    assert 240_000 <= estimator_costs.largest_request(work) < 245_000


def test_steps_at_scale_count_and_add_up():
    given = {"estimator": "spider", "shapes": [60, [40, 80]], "observed": 1500, "epoch": 2, "steps": 4}
    found = rows("step_costs", None, nuclear_ball.Set(100.0), job=JOB, params={"eta": 1.0}, **given)
    assert column(found, "size").tolist() == [60] * 4 + [40] * 4 and set(column(found, "observed")) == {1500}
    assert column(found, "anchor").tolist() == [True, False, True, False] * 2
    ratio = column(found, "seconds_step") / column(found, "seconds_pair") / column(found, "lanczos_steps")
    np.testing.assert_allclose(column(found, "seconds_ratio"), ratio)
    np.testing.assert_allclose(column(found, "seconds_aim") * ratio, 3 * column(found, "seconds_step"))
    assert [row.counts["LO"] for row in found] == [1, 2, 3, 4] * 2
    products = 2 * np.cumsum(column(found[:4], "lanczos_steps"))
    assert [row.counts["matvec"] for row in found[:4]] == products.tolist()


def test_an_iteration_costs_what_batch_and_anchors_cost():
    job = SimpleNamespace(problem=SimpleNamespace(plain=lambda: ROBUST))
    options = {"estimator": "spider", "components": [256, 1024], "kappa": 0.01}
    for row in rows("component_orders", ball_form(**T2), job=job, **options):
        n, root = row.iteration, row.iteration**0.5
        assert row.metrics["ifo_per_step"] == pytest.approx(n / root + 2 * 4 * root * (root - 1) / root)


def test_memory_is_measured_apart_from_what_was_there_before():
    n = 400_000
    cells = np.arange(n, dtype=np.int64) * 10
    arrays = {"rows": (cells // 2000).astype(np.int32), "cols": (cells % 2000).astype(np.int32)}
    arrays |= {"values": np.random.default_rng(0).standard_normal(n), "shape": np.array([2000, 2000])}
    method = _nfwu.solver("spider", iterate="atoms", track=False, epoch=4)
    task = {**PARTS, "solver": "nfwu", "params": dataclasses.asdict(method), "steps": 4, "lmo_tol": 1e-2}
    per_entry = _peak_memory.peak_bytes(arrays, task) / n
    assert 36 <= per_entry <= 140, "cols, observed, values, estimate and point alone take 36 bytes"
    with pytest.raises(RuntimeError, match="unknown step_rule"):
        _peak_memory.peak_bytes(arrays, {**task, "params": {"step_rule": "none"}})


@pytest.mark.parametrize("name", _nfwu.VARIANCE_REDUCED)
def test_a_refresh_frees_what_it_replaces(name):
    problem, rng = ball_form(**T2), np.random.default_rng(0)
    estimator = _nfwu.ESTIMATORS[name].Estimator(batch=4, epoch=2)
    oracles, x = _nfwu.Oracles(problem, BALL, None), problem.start()
    _, old = estimator.update(oracles, None, x, rng)
    _, kept = estimator.update(oracles, old, x, rng)
    _, new = estimator.update(oracles, kept, x, rng)
    assert kept is old is not new and set(vars(old).values()) == {None}
    assert not any(value is None for value in vars(new).values())


def test_all_estimators_are_probed():
    of_nfwu = {n for n in solvers.estimators.available() if hasattr(solvers.estimators.load(n), "theory")}
    assert of_nfwu == set(_nfwu.ESTIMATORS)
