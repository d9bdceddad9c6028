"""A run that ends in its middle: what was finished is kept in git, and another clone makes the rest only."""

import shutil
import subprocess

import pandas as pd
import pytest
from project import Project

from projfree.trace.check import CLOCKS

pytestmark = pytest.mark.slow

TABLES = [f"results/quick/evidence/ncgs/{name}.csv" for name in ("capped", "side", "fig1-left")]
EVIDENCE = "reports/reference/ncgs/evidence/next"


def git(project, *arguments):
    who = ["-c", "user.name=t", "-c", "user.email=t@t"]
    subprocess.run(["git", *who, *arguments], cwd=project.folder, check=True, capture_output=True)


def committed(project, *paths):
    git(project, "add", *paths)
    git(project, "commit", "-qm", "kept")


@pytest.fixture
def first(tmp_path):
    """A project at a commit."""
    project = Project.create(tmp_path / "first", own_sources=False)
    git(project, "init", "-q")
    committed(project, ".")
    return project


def clone(project, name):
    folder = project.folder.with_name(name)
    git(project, "clone", "-q", ".", folder)
    return Project(folder, own_sources=False)


def counted(project, table):
    """A tidy table without what the machine's clock says."""
    found = pd.read_csv(project.folder / table)
    clocks = [name for name in found if name in CLOCKS or name.startswith("seconds_")]
    return found.drop(columns=[*clocks, "others_on_core"], errors="ignore")


def test_a_killed_run_goes_on_in_another_clone_and_ends_as_one_that_was_not(first):
    first.killed_when(TABLES[0], *TABLES)
    said = first.call("projfree", "publish", "ncgs", "--run", "quick", "--keep").stdout
    assert EVIDENCE in said and (first.folder / EVIDENCE / "capped.csv.gz").exists()
    whole = clone(first, "whole")
    committed(first, "reports")
    second = clone(first, "second")

    kept = {path.name.partition(".")[0] for path in (second.folder / EVIDENCE).glob("*.csv.gz")}
    planned = second.planned(*TABLES)
    assert f"{len(kept)} panels of ncgs, as kept (quick)" in planned
    assert not any("capped" in job for job in planned)
    assert not (second.folder / "results/quick/evidence").exists()

    second.snakemake(*TABLES)
    whole.snakemake(*TABLES)
    assert second.planned(*TABLES) == set()
    assert not (second.folder / "results/quick/traces/ncgs/capped").exists()
    for table in TABLES:
        pd.testing.assert_frame_equal(counted(second, table), counted(whole, table))

    shutil.rmtree(second.folder / "reports")
    assert "tidy table of capped (quick)" in second.planned(*TABLES)
