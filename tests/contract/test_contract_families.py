"""Every problem, penalty and solver says of which kind it is, by the object of that kind."""

import pytest

from projfree import families, penalties, problems, solvers
from projfree.engine import metrics, oracles
from projfree.engine.oracles import base
from projfree.ground import registry

FAMILIES = {name: registry.load(families, name).FAMILY for name in registry.names(families)}


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_is_called_as_its_file_and_is_served(name):
    family = FAMILIES[name]
    assert family.name == name and family.constraint in ("set", "penalty")
    assert issubclass(oracles.of(family), base.Oracles)
    assert callable(registry.load(metrics, family.metrics).known)


@pytest.mark.parametrize("package", [problems, penalties], ids=["problems", "penalties"])
def test_every_class_names_its_family(package):
    named = {name: getattr(package.load(name), "family", None) for name in package.available()}
    assert {name for name, family in named.items() if family not in FAMILIES.values()} == set()


def test_every_solver_names_the_families_it_serves():
    for name in solvers.available():
        served = getattr(solvers.load(name), "families", ())
        assert served and set(served) <= set(FAMILIES.values()), name


def test_every_family_has_a_problem_and_a_solver():
    used = {problems.load(name).family for name in problems.available()}
    served = {family for name in solvers.available() for family in solvers.load(name).families}
    assert used == served == set(FAMILIES.values())
