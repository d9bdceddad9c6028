"""What holds for every feasible set and every loss; rows of the catalog and the experiments that use them."""

import dataclasses
import inspect

import numpy as np
import pytest
from feasible import LOOSE, SIZED, make, vertex

from projfree import losses, sets
from projfree.door.function import Function
from projfree.engine import metrics
from projfree.ground.root import checkout
from referee import study
from referee.data import catalog, generators
from referee.study import files

over_sets = pytest.mark.parametrize("name", sets.available())
over_projections = pytest.mark.parametrize(
    "name", [name for name in sets.available() if hasattr(sets.load(name), "project")]
)
over_sized = pytest.mark.parametrize("name", SIZED)
CONFIG = checkout() / "papers"


@over_sets
def test_diameter_and_norm_bound_hold_and_most_are_attained(name):
    rng = np.random.default_rng(2)
    feasible, shape = make(name)
    vertices = [
        vertex(feasible, sign * G, rng) for G in rng.standard_normal((10, *shape)) for sign in (1, -1)
    ]
    distances = [np.linalg.norm(a - b) for a in vertices for b in vertices]
    norms = [np.linalg.norm(v) for v in vertices]
    assert max(distances) <= feasible.diameter * (1 + 1e-9)
    assert max(norms) <= feasible.norm_bound * (1 + 1e-9)
    if name not in LOOSE:
        assert max(distances) == pytest.approx(feasible.diameter)
        assert max(norms) == pytest.approx(feasible.norm_bound)
    for v in vertices:
        assert feasible.contains(v) and feasible.gauge(v) == pytest.approx(feasible.bound)


@over_sets
def test_sets_are_documented_frozen_and_refuse_what_cannot_be(name):
    cls = sets.load(name)
    assert inspect.getmodule(cls).__doc__ and cls.__doc__ and cls.__dataclass_params__.frozen
    for method in ("lmo", "support", "contains", "gauge"):
        assert getattr(cls, method).__doc__, method


@over_sized
def test_sizes_are_finite_and_not_negative(name):
    for value in (-1.0, np.inf, np.nan):
        with pytest.raises(ValueError, match=name):
            sets.load(name)(value)


@over_projections
def test_projections_are_documented_and_refuse_other_methods(name):
    feasible, shape = make(name)
    assert type(feasible).project.__doc__
    with pytest.raises(ValueError, match="Known are: "):
        feasible.project(np.ones(shape), method="guess")


@over_sized
def test_a_set_of_size_zero_is_its_one_point(name):
    rng = np.random.default_rng(3)
    feasible, shape = make(name, 0.0)
    G = rng.standard_normal(shape)
    assert not vertex(feasible, G, rng).any()
    assert not hasattr(feasible, "project") or not feasible.project(G).any()
    assert (
        feasible.diameter == 0
        and feasible.contains(np.zeros(shape))
        and not feasible.contains(np.ones(shape))
    )


@pytest.mark.parametrize("name", losses.available())
def test_losses_are_documented_with_their_bounds(name):
    loss = losses.make(name)
    assert type(loss).__doc__ and not type(loss).__doc__.startswith(f"{type(loss).__name__}(")
    assert loss.sup_curvature > 0 and loss.inf_curvature <= loss.sup_curvature and loss.sup_slope > 0
    assert type(loss).__dataclass_params__.frozen
    parameters = [entry.name for entry in dataclasses.fields(loss)]
    with pytest.raises(ValueError, match="Known are: " + (", ".join(parameters) or "none")):
        losses.make(name, widht=1.0)


def experiments():
    """Experiments of all papers as written, those of the runs included."""
    for paper in study.papers(checkout()):
        spec = files.read_paper(CONFIG / paper)
        for part in (spec, *spec.get("runs", {}).values()):
            for name, values in (part.get("experiments") or {}).items():
                yield paper, name, values or {}


def test_every_dataset_of_an_experiment_is_a_row_that_can_be_read():
    rows = catalog.load()
    wanted = {values["dataset"]: paper for paper, _, values in experiments() if values.get("dataset")}
    assert wanted
    for name, paper in wanted.items():
        row = rows[name]
        assert row.reader or row.stand_in, name
        assert paper in row.used_by, f"{name} does not say that {paper} uses it"


def test_every_generator_of_an_experiment_exists():
    parts = ((paper, values.get("generator") or {}) for paper, _, values in experiments())
    named = {(paper, part["name"]) for paper, part in parts if "name" in part}
    assert named and all(generators.find(name, paper) for paper, name in named)


@pytest.mark.parametrize("name", [n for n, row in catalog.load().items() if row.stand_in])
def test_a_stand_in_is_declared_and_made_by_a_generator(name):
    stand_in = catalog.load()[name].stand_in
    assert stand_in.generator in generators.names(), stand_in


@over_sets
@pytest.mark.parametrize("metric", ["fw_gap", "infeasibility"])
def test_metrics_work_on_every_set(name, metric):
    feasible, shape = make(name)
    point = np.full(shape, 1.0 / shape[0])
    problem = Function(lambda x: (0.5 * np.vdot(x, x), x.copy()), point)
    assert np.isfinite(metrics.make(metric, problem, feasible)(point))
