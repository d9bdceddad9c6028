"""Snakemake in a second checkout: merged traces count as done, and the same comes of them."""

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
    made.edit("papers/ncgs/paper.yaml", without_slow_experiments)
    return made


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A checkout that made everything."""
    made = create(tmp_path_factory.mktemp("first"))
    made.snakemake(CLAIMS)
    return made


@pytest.fixture
def another(tmp_path):
    """A second checkout, which shares nothing with the first."""
    return create(tmp_path / "another")


def solving(planned):
    return {job for job in planned if job.startswith(SOLVERS)}


def test_what_is_merged_counts_as_done(first, another):
    said = another.call("projfree", "merge", str(first.folder / "results/quick")).stdout
    assert "11 taken, 0 same, 0 conflicts, 0 refused" in said
    assert solving(another.planned(*EVIDENCE)) == set()
    another.snakemake(CLAIMS)
    for name in (*EVIDENCE, CLAIMS):
        assert (first.folder / name).read_bytes() == (another.folder / name).read_bytes()
