"""What holds for every feasible set and every loss; rows of the catalog and the experiments that use them."""

import dataclasses

import numpy as np
import pytest
from feasible import LOOSE, SIZED, make, vertex

from projfree import losses, sets
from projfree.api.function import Function
from projfree.engine import metrics
from referee import study
from referee.data import catalog, generators

over_sets = pytest.mark.parametrize("name", sets.available())
over_projections = pytest.mark.parametrize(
    "name", [name for name in sets.available() if hasattr(sets.load(name), "project")]
)
over_sized = pytest.mark.parametrize("name", SIZED)


@over_projections
def test_projections_refuse_other_methods(name):
    feasible, shape = make(name)
    with pytest.raises(ValueError, match="Known are: "):
        feasible.project(np.ones(shape), method="guess")


def test_every_dataset_of_a_paper_is_a_row_that_can_be_read_and_says_so():
    rows = catalog.load()
    wanted = {name: paper for paper in study.papers() for name in study.load(paper, "full").datasets()}
    assert wanted
    for name, paper in wanted.items():
        assert rows[name].reader or rows[name].stand_in, name
        assert paper in rows[name].used_by, f"{name} does not say that {paper} uses it"
    stand_ins = [row for row in rows.values() if row.stand_in]
    assert stand_ins
    assert all(callable(generators.find(row.stand_in.generator, row.paper)) for row in stand_ins)


@over_sets
def test_diameter_and_norm_bound_hold_and_most_are_attained(name):
    rng = np.random.default_rng(2)
    feasible, shape = make(name)
    vertices = [vertex(feasible, s * G, rng) for G in rng.standard_normal((10, *shape)) for s in (1, -1)]
    distance = max(np.linalg.norm(a - b) for a in vertices for b in vertices)
    norm = max(np.linalg.norm(v) for v in vertices)
    for most, bound in ((distance, feasible.diameter), (norm, feasible.norm_bound)):
        assert most <= bound * (1 + 1e-9)
        assert name in LOOSE or most == pytest.approx(bound)
    for v in vertices:
        assert feasible.contains(v) and feasible.gauge(v) == pytest.approx(feasible.bound)


@over_sized
def test_sizes_are_finite_and_not_negative_and_of_size_zero_is_one_point(name):
    for value in (-1.0, np.inf, np.nan):
        with pytest.raises(ValueError, match=name):
            sets.load(name)(value)
    rng = np.random.default_rng(3)
    feasible, shape = make(name, 0.0)
    G = rng.standard_normal(shape)
    assert not vertex(feasible, G, rng).any() and feasible.diameter == 0
    assert not hasattr(feasible, "project") or not feasible.project(G).any()
    assert feasible.contains(np.zeros(shape)) and not feasible.contains(np.ones(shape))


@pytest.mark.parametrize("name", losses.available())
def test_losses_are_documented_with_their_bounds(name):
    loss = losses.make(name)
    assert type(loss).__doc__ and not type(loss).__doc__.startswith(f"{type(loss).__name__}(")
    assert loss.sup_curvature > 0 and loss.inf_curvature <= loss.sup_curvature and loss.sup_slope > 0
    assert type(loss).__dataclass_params__.frozen
    parameters = [entry.name for entry in dataclasses.fields(loss)]
    with pytest.raises(ValueError, match="Known are: " + (", ".join(parameters) or "none")):
        losses.make(name, widht=1.0)


@over_sets
def test_metrics_work_on_every_set(name):
    feasible, shape = make(name)
    point = np.full(shape, 1.0 / shape[0])
    problem = Function(lambda x: (0.5 * np.vdot(x, x), x.copy()), point)
    for metric in ("fw_gap", "infeasibility"):
        assert np.isfinite(metrics.make(metric, problem, feasible)(point)), metric
