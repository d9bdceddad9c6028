"""Functions of JAX and PyTorch as docs/minimize-runs.md gives them, and a model of Pyomo, where installed."""

import re

import numpy as np
import pytest
from places import ROOT

import projfree as pf

TEXT = (ROOT / "docs/minimize-runs.md").read_text()


@pytest.mark.parametrize("library", ["JAX", "PyTorch"])
@pytest.mark.parametrize("type_", [np.float32, np.float64])
def test_the_forms_of_the_documents_reach_their_certificate(library, type_):
    lib, rng = pytest.importorskip({"JAX": "jax", "PyTorch": "torch"}[library]), np.random.default_rng(0)
    (block,) = re.findall(r"^```text\n(.*?)^```", TEXT, re.M | re.S)
    (form,) = re.findall(rf"^# {library}: .*?\n(.*?)(?=^# |\Z)", block, re.M | re.S)
    A, b = rng.standard_normal((60, 30)) / 8, rng.standard_normal(60)
    known = {"pf": pf, "np": np, library.lower(): lib, "jax": lib, "torch": lib}
    known |= {"A": A.astype(type_), "b": b.astype(type_)}
    if library == "JAX":
        lib.config.update("jax_enable_x64", type_ is np.float64)
        known["jnp"] = lib.numpy
    else:
        known |= {name: lib.from_numpy(known[name]) for name in "Ab"}
    form = form.replace("np.float32", f"np.{type_.__name__}")
    exec(form.replace("\npf.minimize", "\nfound = pf.minimize"), known)
    found, plain = known["found"], lambda x: (0.5 * np.sum((A @ x - b) ** 2), A.T @ (A @ x - b))
    exact = pf.minimize(plain, pf.sets.Simplex(), x0=np.full(30, 1 / 30), tol=1e-10)
    assert found.success and found.x.dtype == type_
    assert found.value - exact.value <= found.gap + 1e-5 and found.nit <= exact.nit + 5


def test_a_model_of_pyomo_is_a_set():
    """The nearest point to (1, 1, 1) in {x ≥ 0 : x + 2y + 3z ≤ 3, x = y} by its conditions of optimality."""
    environ = pytest.importorskip("pyomo.environ")
    pytest.importorskip("highspy")
    model = environ.ConcreteModel()
    model.x = environ.Var(range(3), bounds=(0, 5))
    model.cap = environ.Constraint(expr=model.x[0] + 2 * model.x[1] + 3 * model.x[2] <= 3)
    model.same = environ.Constraint(expr=model.x[0] == model.x[1])
    model.cost = environ.Objective(expr=model.x[2])
    feasible = pf.sets.FromModel(model)
    aim = np.ones(3)
    found = pf.minimize(lambda x: (0.5 * (x - aim) @ (x - aim), x - aim), feasible, x0=np.zeros(3), tol=1e-10)
    point = dict(zip(feasible.names, found.x, strict=True))
    assert found.success and [name[0] + name[2] for name in sorted(point)] == ["x0", "x1", "x2"]
    # with t = x = y and 3t + 3z = 3: (t − 1)² + (z − 1)²/2 is least at t = 2/3
    np.testing.assert_allclose([point[name] for name in sorted(point)], [2 / 3, 2 / 3, 1 / 3], atol=1e-5)
