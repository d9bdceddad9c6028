"""Examples in docstrings are run, and type checkers see the names that there are."""

import ast
import doctest
from importlib import import_module

import pytest
from places import ROOT

import projfree as pf

SOURCES = ROOT / "src/projfree"
WITH_EXAMPLES = sorted(
    ".".join(path.relative_to(SOURCES.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in SOURCES.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_give_what_they_say(name):
    found = doctest.testmod(import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted and not found.failed


def test_every_door_that_is_a_function_has_an_example():
    doors = [
        getattr(pf, name) for name in ("minimize", "certificate", "check_gradient", "methods", "FiniteSum")
    ]
    assert [door.__name__ for door in doors if ">>> " not in door.__doc__] == []


def test_type_checkers_see_the_names_that_there_are():
    tree = ast.parse((SOURCES / "__init__.pyi").read_text(encoding="utf-8"))
    imported = {each.name for node in tree.body if isinstance(node, ast.ImportFrom) for each in node.names}
    assert imported == set(pf.__all__) and (SOURCES / "py.typed").exists()
    assert all(hasattr(pf, name) for name in imported - {"estimators"})
