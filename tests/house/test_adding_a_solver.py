"""docs/adding-a-solver.md, followed literally in a copy of the project."""

import os
import re
import shutil
import subprocess
import sys

import compiled_copy
import h5py
import pytest
from places import BIN, ROOT

TRACE = "results/quick/traces/ncgs/fig1-left/projected_gradient.h5"
PARTS = ("src", "config", "workflow", "Snakefile", "pyproject.toml", "data/samples")


def blocks(kind):
    """File → text of the document's code blocks of one kind."""
    text = (ROOT / "docs/adding-a-solver.md").read_text()
    return dict(re.findall(rf"^```{kind} (\S+)\n(.*?)^```", text, re.M | re.S))


def list_the_method(path, line):
    """Put the first name of the document's line into the list of fig1-left."""
    name = re.search(r"methods: \[(\w+),", line).group(1)
    text, changes = re.subn(
        r"(\n  fig1-left:\n(?:    .*\n)*?    methods: \[)", rf"\g<1>{name}, ", path.read_text(), count=1
    )
    assert changes == 1
    path.write_text(text)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project to which the document has been applied."""
    folder = tmp_path_factory.mktemp("project")
    for part in PARTS:
        source, target = ROOT / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, target)
    for name, body in blocks("python").items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(body)
    compiled_copy.bring(folder)
    for name, line in blocks("yaml").items():
        list_the_method(folder / name, line)
    return folder


def run(folder, *command):
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "PATH": f"{BIN}:{os.environ['PATH']}"}
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


def test_the_document_has_one_source_one_test_and_one_line():
    assert sorted(blocks("python")) == [
        "src/projfree/solvers/projected_gradient.py",
        "tests/solvers/test_projected_gradient.py",
    ]
    assert [len(line.splitlines()) for line in blocks("yaml").values()] == [1]


def test_its_code_is_in_the_house_style(project):
    run(project, "ruff", "check", *blocks("python"))
    run(project, "ruff", "format", "--check", *blocks("python"))


def test_its_test_file_passes(project):
    assert "3 passed" in run(
        project, sys.executable, "-m", "pytest", "tests/solvers/test_projected_gradient.py"
    )


def test_the_solver_is_found(project):
    assert "step_factor" in run(
        project, sys.executable, "-m", "projfree.cli", "solvers", "projected_gradient"
    )


def test_the_workflow_runs_it(project):
    run(project, "snakemake", "--cores", "1", "--config", "run=quick", "--", TRACE)
    with h5py.File(project / TRACE) as trace:
        objective = trace["seed-0/metrics/objective"][:]
    assert objective[-1] < 0.9 * objective[0]
