"""The part of the lock that a run needs: whole, and without what only tests and benchmarks use."""

import importlib.util
import tomllib
from importlib.metadata import requires

import pytest
import yaml
from packaging.requirements import Requirement
from places import ROOT

SPEC = importlib.util.spec_from_file_location("needed", ROOT / "workflow/envs/needed.py")
needed = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(needed)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCK = (ROOT / "requirements.lock").read_text()


def names(*extras):
    lines = needed.needed(PROJECT, LOCK, extras).splitlines()
    return {needed.name(line) for line in lines if line[:1].isalnum()}


@pytest.mark.parametrize("extras", [(), ("workflow",), ("workflow", "estimators", "dev")], ids=" ".join)
def test_whatever_is_needed_has_what_it_asks_for(extras):
    found = names(*extras)
    asked = {
        needed.name(wanted.name)
        for package in found
        for wanted in map(Requirement, requires(package) or [])
        if wanted.marker is None or wanted.marker.evaluate({"extra": ""})
    }
    assert asked <= found


def test_what_is_left_out_is_what_runs_do_not_need():
    run, tools = names("workflow"), names("workflow", "estimators", "dev")
    assert {"snakemake", "numba", "setuptools", "pandas"} <= run < tools
    assert not {"pytest", "cvxpy", "selenium", "ruff", "copt"} & run
    assert {"pytest", "cvxpy", "ruff", "copt"} <= tools


def test_all_extras_together_are_the_lock():
    extras = PROJECT["project"]["optional-dependencies"]
    assert needed.needed(PROJECT, LOCK, extras).count("==") == LOCK.count("==")


def test_conda_gets_the_pins_of_what_the_runs_need():
    """Which no conda here can build: the pins are compared."""
    *_, pip = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    lines = needed.needed(PROJECT, LOCK, ["workflow"]).splitlines()
    assert pip["pip"] == [line.split(" ")[0] for line in lines if line[:1].isalnum()]
