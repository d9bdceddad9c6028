"""docs/adding-a-solver.md, followed literally in a copy of the project."""

import re
import sys

import h5py
import pytest
from followed import blocks, copied, run, snakemake, write

pytestmark = pytest.mark.slow

DOCUMENT = "adding-a-solver.md"
PROJFREE = (sys.executable, "-m", "referee.cli")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project to which the document has been applied."""
    folder = copied(tmp_path_factory.mktemp("project"), "tests", "conftest.py")
    write(folder, blocks(DOCUMENT, "python"))
    for name, line in blocks(DOCUMENT, "yaml").items():  # the method into the list of its experiment
        experiment, method = re.match(r"  (\S+):\n    methods: \[(\w+),", line).groups()
        place = rf"(\n  {experiment}:\n(?:    .*\n)*?    methods: \[)"
        text, changes = re.subn(place, rf"\g<1>{method}, ", (folder / name).read_text(), count=1)
        assert changes == 1
        (folder / name).write_text(text)
    return folder


def test_the_document_has_one_source_one_test_and_one_line_an_experiment():
    assert sorted(blocks(DOCUMENT, "python")) == [
        "src/projfree/solvers/projected_gradient.py",
        "tests/solvers/test_projected_gradient.py",
    ]
    assert [body.count("methods:") for body in blocks(DOCUMENT, "yaml").values()] == [1, 1]


def test_its_code_is_in_the_house_style(project):
    run(project, "ruff", "check", *blocks(DOCUMENT, "python"))
    run(project, "ruff", "format", "--check", *blocks(DOCUMENT, "python"))


def test_its_test_file_passes(project):
    said = run(project, sys.executable, "-m", "pytest", "tests/solvers/test_projected_gradient.py")
    assert "3 passed" in said


def test_it_keeps_the_contract(project):
    tests = ("tests/contract", "tests/common/test_parameters_of_all.py")
    said = run(project, sys.executable, "-m", "pytest", *tests, "-k", "projected_gradient")
    assert int(re.search(r"(\d+) passed", said)[1]) > 15


def first_and_last(path, metric):
    """A metric at the start and at the end of the first seed."""
    with h5py.File(path) as trace:
        return trace[f"seed-0/metrics/{metric}"][[0, -1]]


def test_the_workflow_runs_it(project):
    path = "results/taste/traces/ncgs/fig1-left/projected_gradient.h5"
    snakemake(project, "--cores", "1", "--config", "run=taste", "papers=[ncgs]", "--", path)
    first, last = first_and_last(project / path, "objective")
    assert last < 0.9 * first


def test_one_run_on_the_simplex(project):
    run(project, *PROJFREE, "instance", "mpcgs", "simplex")
    run(project, *PROJFREE, "solve", "mpcgs", "simplex", "projected_gradient")
    path = project / "results/quick/traces/mpcgs/simplex/projected_gradient.h5"
    first, last = first_and_last(path, "fw_gap")
    assert last < 0.01 * first
