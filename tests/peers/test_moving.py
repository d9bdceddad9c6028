"""docs/moving.md: what it names is there, and does the same."""

import importlib
import re

import copt
import numpy as np
import pytest
from places import ROOT

import projfree as pf
from projfree import solvers

TEXT = (ROOT / "docs/moving.md").read_text()
TABLES = "\n".join(line for line in TEXT.splitlines() if line.startswith("|"))


def test_all_names_of_copt_are_its_own_and_none_is_left_out():
    named = set(re.findall(r"`copt\.([\w.]+)`", TABLES))
    for name in named:
        module, _, part = f"copt.{name}".rpartition(".")
        assert hasattr(importlib.import_module(module), part), name
    assert {name for name in dir(copt) if name.startswith("minimize_")} <= named
    balls = {n for n in vars(copt.constraint) if n.endswith(("Ball", "Constraint", "ball", "simplex"))}
    assert balls == {name.partition(".")[2] for name in named if name.startswith("constraint.")}


def test_all_names_of_ours_exist():
    for package, name in set(re.findall(r"`pf\.(sets|penalties)\.(\w+)", TEXT)):
        assert getattr(getattr(pf, package), name)
    methods = set(re.findall(r"`([a-z]+(?:-[a-z]+)+|nfwu|svrg|nmapg)`", TABLES))
    assert methods >= {"adaptive-fw", "pairwise-fw", "svrg"}
    assert methods <= {name.replace("_", "-") for name in solvers.available()}


@pytest.mark.parametrize("seed", range(20))
def test_the_projections_are_those_of_copt(seed):
    rng = np.random.default_rng(seed)
    x, size = 3 * rng.standard_normal(7), rng.uniform(0.5, 3)
    pairs = {
        "L1Ball": pf.sets.L1Ball(size),
        "L2Ball": pf.sets.L2Ball(size),
        "LinfBall": pf.sets.LinfBall(size),
        "SimplexConstraint": pf.sets.Simplex(size),
    }
    for name, ours in pairs.items():
        theirs = getattr(copt.constraint, name)(size)
        np.testing.assert_allclose(ours.project(x), theirs.prox(x.copy(), 1.0), atol=1e-9, err_msg=name)
    X = x[:6].reshape(2, 3)
    trace = copt.constraint.TraceBall(size, (2, 3)).prox(X.ravel().copy(), 1.0).reshape(2, 3)
    np.testing.assert_allclose(pf.sets.NuclearBall(size).project(X), trace, atol=1e-9)
