"""docs/adding-a-paper.md, followed literally in a copy of the project."""

import json
import re
import sys

import pandas as pd
import pytest
from followed import blocks, copied, run, snakemake, write
from places import ROOT

pytestmark = pytest.mark.slow

DOCUMENT = "adding-a-paper.md"
FILES = blocks(DOCUMENT, "yaml") | blocks(DOCUMENT, "python")
CODE = [name for name in FILES if name.endswith(".py")]
ROOM = "papers/jaggi/"
PAGE = "reports/quick/jaggi"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with the paper."""
    folder = copied(tmp_path_factory.mktemp("project"), "tests", "conftest.py")
    for command in re.findall(r"^```sh\n(.*?)^```", (ROOT / "docs" / DOCUMENT).read_text(), re.M | re.S):
        run(folder, "bash", "-c", command)
    write(folder, FILES)
    return folder


@pytest.fixture(scope="module")
def page(project):
    """The folder of the paper's page."""
    snakemake(project, "--cores", "1", "--config", "run=quick", "--", "jaggi")
    return project / PAGE


def test_a_paper_is_a_folder_and_its_guide_is_short():
    assert FILES and [name for name in FILES if not name.startswith(ROOM)] == []
    assert len((ROOT / "docs" / DOCUMENT).read_text().splitlines()) <= 220


def test_its_code_is_in_the_house_style(project):
    run(project, "ruff", "check", *CODE)
    run(project, "ruff", "format", "--check", *CODE)
    run(project, "lint-imports", "--no-cache", "--no-logo")


def test_its_room_passes_and_what_holds_for_every_paper(project):
    names = ("test_probes_of_papers", "judge/test_products", "common/test_parameters_of_all")
    places = ("papers/jaggi", "tests/house/test_rooms.py", *(f"tests/{name}.py" for name in names))
    said = run(project, sys.executable, "-m", "pytest", "-k", "jaggi", *places)
    assert "passed" in said and "skipped" not in said


def test_the_claims_hold(page):
    verdicts = {entry["id"]: entry for entry in json.loads((page / "claims.json").read_text())}
    assert {name: e["verdict"] for name, e in verdicts.items()} == {"J-T1": "holds", "J-C1": "holds"}
    assert verdicts["J-C1"]["verdict_readings"] == {"with line search": "holds"}


def test_the_pages_have_figure_table_and_register(page):
    text = "".join(part.read_text() for part in sorted(page.rglob("*.html")))
    assert all(word in text for word in ("Primal error", "minimisations to an accuracy", "J-T1", "looser"))
    assert (page / "figures/errors.svg").stat().st_size > 10_000
    table = pd.read_csv(page / "tables/orders.csv")
    assert list(table["algorithm"]) == ["Frank-Wolfe"]
    assert table["within"].all()


def test_the_alternative_can_be_run(project):
    said = snakemake(project, "-n", "-c1", "--config", "run=quick", "papers=[jaggi]", "--", "alternatives")
    assert "quick@U1-looser" in said
