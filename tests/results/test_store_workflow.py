"""Snakemake with a store: a second checkout runs no solver; pulled and merged traces count as done."""

import sys
from pathlib import Path

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))
from project import Project  # noqa: E402

pytestmark = pytest.mark.slow

EXPERIMENTS = ("fig1-left", "side", "bundled", "bundled-too")
EVIDENCE = [f"results/quick/evidence/ncgs/{name}.csv" for name in EXPERIMENTS]
CLAIMS = "results/quick/claims/ncgs.json"
SOLVERS = ("tuning ", "2 experiments of ", "fw on ", "ncgs-2 on ", "ncgs-vr", "vr on ", "batch on ")


def without_slow_experiments(text):
    paper = yaml.safe_load(text)
    for name in ("long", "wrong", "capped"):
        del paper["experiments"][name]
    return yaml.safe_dump(paper)


def create(folder):
    """A checkout with the tiny paper."""
    made = Project.create(folder)
    made.edit("config/papers/ncgs/paper.yaml", without_slow_experiments)
    return made


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A checkout that made everything, with a store."""
    made = create(tmp_path_factory.mktemp("first"))
    made.environment["PROJFREE_STORE"] = str(made.folder / "store")
    made.snakemake(CLAIMS)
    return made


@pytest.fixture
def another(tmp_path):
    """A second checkout, which shares nothing with the first."""
    return create(tmp_path / "another")


def logs(project, rule):
    return {path: path.read_text() for path in (project.folder / f"results/quick/logs/{rule}").rglob("*.log")}


def solving(planned):
    return {job for job in planned if job.startswith(SOLVERS)}


def test_a_second_checkout_with_the_store_runs_no_solver(first, another):
    another.environment["PROJFREE_STORE"] = first.environment["PROJFREE_STORE"]
    another.snakemake(CLAIMS)
    made = {**logs(another, "solve"), **logs(another, "tune"), **logs(another, "bundle")}
    assert len(made) == 8
    for path, text in made.items():
        assert "from the store" in text and " seed " not in text, path
        assert "wrote results/quick/traces" not in text, path
    for name in (*EVIDENCE, CLAIMS):
        assert (first.folder / name).read_bytes() == (another.folder / name).read_bytes()
    assert another.planned(CLAIMS) == set()


def test_what_is_pulled_by_hand_counts_as_done(first, another):
    """Where no thread is asked for, commands have one for each library, as the workflow's."""
    for name in [name for name in another.environment if name.endswith("_NUM_THREADS")]:
        del another.environment[name]
    for experiment in ("fig1-left", "bundled"):
        another.call("projfree", "instance", "ncgs", experiment)
    said = another.call("projfree", "results", "pull", first.environment["PROJFREE_STORE"]).stdout
    assert "9 from" in said and "0 not there, 0 instances missing" in said
    assert solving(first.planned(CLAIMS)) == set()
    planned = another.planned(CLAIMS)
    assert planned and solving(planned) == set(), planned
    another.snakemake(CLAIMS)
    for name in (*EVIDENCE, CLAIMS):
        assert (first.folder / name).read_bytes() == (another.folder / name).read_bytes()


def test_what_is_merged_counts_as_done(first, another):
    said = another.call("projfree", "results", "merge", str(first.folder / "results/quick")).stdout
    assert "11 taken, 0 same, 0 conflicts, 0 refused" in said
    assert solving(another.planned(*EVIDENCE)) == set()
