"""What the switches of ncgs's register change in a run, and what they leave as it is."""

from itertools import pairwise
from types import SimpleNamespace

import instances
import numpy as np
import pytest
from generated import make
from places import ROOT
from referee.papers.ncgs.probes import rates

from projfree import sets
from projfree.engine.oracles.constrained import Oracles
from projfree.problems.multi_task import Problem
from projfree.sets import nuclear_ball
from projfree.solvers.inner.random_output import redrawn
from referee import study

METHODS = ["ncgs", "ncgs_vr", "frank_wolfe", "estimator_frank_wolfe", "svrg"]
VARIANCE_REDUCED = ["ncgs_vr", "estimator_frank_wolfe", "svrg"]


class Walk:
    """A method at 1, 2, 3, … times a matrix, its three iterates apart."""

    def start(self, oracles, rng):
        return self.at(oracles, 1)

    def step(self, oracles, s, rng):
        return self.at(oracles, s.k + 1)

    def at(self, oracles, k):
        x = np.full(oracles.problem.shape, 0.01 * k)
        return SimpleNamespace(k=k, theta=x, theta_ag=-x, theta_md=2 * x, iterate=-x)


def test_u2_the_gradient_mapping_is_taken_at_theta_before_the_step():
    problem, ball = instances.completion(), nuclear_ball.Set(2.0)
    oracles = Oracles(problem, ball, np.random.default_rng(0))
    found = [rates._run(Walk(), oracles, None, 2, at, 0.25)[0] for at in ("theta", "theta_md", "iterate")]

    def sq_mapping(size):
        x = np.full(problem.shape, size)
        return np.sum(rates.gradient_mapping(x, problem.gradient(x), 0.25, ball) ** 2)

    sizes = [(0.01, 0.02), (0.04, 0.06), (-0.01, -0.02)]
    for criteria, points in zip(found, sizes, strict=True):
        assert [c[0] for c in criteria] == pytest.approx([sq_mapping(size) for size in points])


def test_u4_another_iterate_is_returned_of_the_same_run():
    problem = instances.completion()
    pairs = [instances.last(instances.walk(problem, "ncgs", 9, output=o)) for o in ("theta_ag", "theta_md")]
    (_, plain), (_, other) = pairs
    np.testing.assert_array_equal(plain.theta_md, other.theta_md)
    np.testing.assert_array_equal(other.iterate, plain.theta_md)
    assert not np.array_equal(other.iterate, plain.iterate)


@pytest.mark.parametrize("name", VARIANCE_REDUCED)
def test_u4_the_random_output_is_an_iterate_of_the_run(name):
    walked = instances.walk(instances.tasks(), name, 12, random_output=True)
    steps, seen = [], []
    next(walked)
    for _, s in walked:
        steps.append((s.x if name == "estimator_frank_wolfe" else s.theta).copy())
        seen.append(next(t for t, x in enumerate(steps) if np.array_equal(x, s.iterate)))
    assert 0 < len(set(seen)) < 12, "each step but the first may leave the output as it is"


def test_u4_every_step_is_the_output_equally_often():
    rng, counts = np.random.default_rng(0), np.zeros(5)
    for _ in range(4000):
        kept = None
        for t in range(1, 6):
            kept = redrawn(kept, np.array([t]), rng, t)
        counts[kept[0] - 1] += 1
    assert np.sum((counts - 800) ** 2 / 800) < 25  # 4 degrees of freedom, P < 1e-4


@pytest.mark.parametrize("make", [instances.completion, instances.tasks])
def test_u13_all_methods_of_a_seed_start_from_the_same_random_atom(make):
    problem = make(random_start=0.5)
    starts = [next(instances.walk(problem, name, 0))[1] for name in METHODS]
    points = [instances.dense(s.iterate) for s in starts]
    assert np.linalg.matrix_rank(points[0], tol=1e-9) == 1
    assert np.linalg.norm(points[0], "nuc") == pytest.approx(instances.RADIUS / 2)
    for x in points[1:]:
        np.testing.assert_allclose(x, points[0], atol=1e-15)
    other = next(instances.walk(problem, "ncgs", 0, seed=5))[1].iterate
    assert not np.allclose(other, points[0])
    assert not instances.dense(next(instances.walk(make(), "ncgs", 0))[1].iterate).any()


@pytest.mark.parametrize("name", METHODS)
def test_u13_methods_descend_from_a_random_atom(name):
    problem = instances.completion(random_start=1)
    values = instances.run(problem, name, {"iterations": 30}).metrics["objective"]
    assert values[-1] < values[0]


def test_u16_exactly_a_share_of_the_observed_entries_is_hit():
    size = {"shape": (60, 50), "rank": 2, "radius": 2, "observe": 0.3, "corrupt": 0.05}
    for hits, exact in (("observed", True), ("all", False)):
        made = [make("completion", seed, **size, hits=hits) for seed in range(4)]
        hit = [np.sum(a["values"] != a["truth"][a["rows"], a["cols"]]) for a in made]
        assert (hit == [round(0.05 * len(a["values"])) for a in made]) == exact


def test_u17_the_mean_of_the_tasks_means():
    arrays, rng = instances.task_arrays((15, 22, 9)), np.random.default_rng(0)
    problem, plain = (instances.tasks((15, 22, 9), weight=w) for w in ("task_mean", "mean"))
    theta, values, gradients = rng.standard_normal(problem.shape), [], []
    for t, (first, last) in enumerate(pairwise(arrays["task_ptr"])):
        rows = {name: arrays[name][first:last] for name in ("features", "labels")}
        alone = Problem({**rows, "task_ptr": np.array([0, last - first])})
        values.append(alone.value(theta[:, t : t + 1]))
        gradients.append(alone.gradient(theta[:, t : t + 1])[:, 0])
    assert problem.value(theta) == pytest.approx(np.mean(values))
    expected, every = np.stack(gradients, axis=1) / 3, np.arange(problem.n)
    full, slopes = problem.anchor(theta)
    for gradient in (problem.gradient(theta), full, problem.component_gradient(theta, every)):
        np.testing.assert_allclose(gradient, expected, atol=1e-13)
    near = theta + 0.1 * rng.standard_normal(theta.shape)
    change = problem.component_gradient_difference(near, slopes, every)
    np.testing.assert_allclose(change, problem.gradient(near) - expected, atol=1e-13)
    assert problem.constants["L_full"] != plain.constants["L_full"]
    for a, d in rng.standard_normal((50, 2, *problem.shape)):
        ratio = np.linalg.norm(problem.gradient(a + 0.1 * d) - problem.gradient(a)) / np.linalg.norm(0.1 * d)
        assert ratio <= problem.constants["L_full"]


def test_u18_a_bias_in_a_box_of_its_own_is_minimised_and_projected_apart():
    rng = np.random.default_rng(0)
    box, ball = _boxed(7, 3), nuclear_ball.Set(2.0)
    G, x = rng.standard_normal((8, 3)), 3 * rng.standard_normal((8, 3))
    v, near = box.lmo(G), box.project(x)
    assert np.vdot(G, v) == pytest.approx(-2 * np.linalg.norm(G[:7], 2) - 2 * np.abs(G[7]).sum())
    np.testing.assert_allclose(near[:7], ball.project(x[:7]), atol=1e-12)
    np.testing.assert_array_equal(near[7], np.clip(x[7], -2, 2))
    assert box.diameter == pytest.approx(np.hypot(4, 4 * np.sqrt(3)))


@pytest.mark.parametrize("name", METHODS)
def test_u18_methods_descend_in_the_ball_and_the_box(name):
    problem = instances.tasks()
    trace = instances.run(problem, name, {"iterations": 40}, ball=_boxed(7, 3))
    assert trace.metrics["objective"][-1] < 0.25
    assert max(trace.metrics["infeasibility"]) <= 1e-9


def _boxed(d, tasks):
    ball = {"name": "nuclear_ball", "radius": 2, "linear": "gram"}
    box = {"name": "box", "lower": -2, "upper": 2, "size": tasks}
    return sets.make({"name": "product", "parts": [ball, box], "shapes": [[d, tasks], tasks]})


def test_u18_boxes_have_the_shapes_of_the_panels():
    """Those of figure 2, whose shapes stand in the config, and of figure 3, of classes and features."""
    run = under("U18-box-of-its-own")
    shapes = {name: run[name]["set"]["shapes"][0] for name in run}
    for name in ("fig2-left", "fig2-middle", "fig2-right"):
        g = run[name]["generator"]
        assert shapes[name] == [g["dimension"], g["families"] * g["tasks"]]
    known = {"fig3-left": (128, 1000), "fig3-middle": (54, 7), "fig3-right": (48, 11)}
    assert {name: shapes[name] for name in known} == {n: [d, 5 * c] for n, (d, c) in known.items()}


def under(name):
    """The experiments of the full run under an alternative."""
    return study.load("ncgs", f"full@{name}", ROOT).spec["experiments"]


def test_u5_batches_are_of_a_tasks_own_size():
    """⌈n^(2/3)⌉ and round(n^(1/3)) of the samples of one task."""
    run = under("U5-each-task-s-own-n")
    size = {"fig2-left": 1000, "fig2-middle": 1500, "fig2-right": 3000, "fig3-left": 216, "fig3-right": 10638}
    for name, n in size.items():
        expected = {"batch": int(np.ceil(round(n ** (2 / 3), 9))), "epoch": round(n ** (1 / 3))}
        assert run[name]["params"] == expected, name
