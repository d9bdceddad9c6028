"""How a target is named: the same plan by any name, and for a wrong one an error with the nearest."""

import os
import re
import shutil

import pytest
from places import ROOT
from project import FIGURE, PROFILE, Project
from test_workflow import SIDE, UNIT

pytestmark = pytest.mark.slow

NEAR = [
    (["run=quik"], [], "unknown run 'quik'. Did you mean 'quick'?"),
    (["sedes=1"], [], "--config: top level: unknown key 'sedes'. Did you mean 'seeds'"),
    (["seeds=0"], [], "config/config.yaml, or --config: seeds: 0 should be greater than or equal to 1"),
    ([], ["ncg"], "unknown target 'ncg'. Did you mean 'ncgs'?"),
    ([], ["results/quick/figures/ncgs/fig1-lef.svg"], "figure 'fig1-lef'. Did you mean 'fig1-left'?"),
    ([], ["results/quick/figures/ncgs/fig1-left.gif"], "unknown format 'gif'. Known are: pdf, png, svg"),
    ([], ["results/quick/claims/ncg.json"], "unknown paper 'ncg'. Did you mean 'ncgs'?"),
    ([], ["reports/quick/ncg"], "unknown paper 'ncg'. Did you mean 'ncgs'?"),
    ([], ["results/quik/claims/ncgs.json"], "unknown run 'quik'. Did you mean 'quick'?"),
    ([], [UNIT("fig1-lef")], "unknown experiment or bundle 'fig1-lef'. Did you mean 'fig1-left'?"),
    ([], [UNIT("bundled")], "unknown experiment or bundle 'bundled'"),
    ([], ["results/quick@U9-no/traces/ncgs/fig1-left/fw.h5"], "unknown alternative 'U9-no'"),
    ([], ["data/prepared/covertyp.h5"], "unknown dataset 'covertyp'"),
    (["run=5"], [], "--config: run: 5 should be a valid string"),
    (["published=maybe"], [], "--config: published: 'maybe' should be a valid boolean"),
    ([], ["NCGS-C1"], "'NCGS-C1' is a claim: projfree reproduce NCGS-C1 --run quick"),
    ([], ["reports/quik/index.html"], "unknown run 'quik'. Did you mean 'quick'?"),
    ([], ["reports/quick/ncgs/index.html"], "is made with its folder: reports/quick/ncgs"),
    ([], ["results/quick/claim/ncgs.json"], "unknown folder 'claim'. Did you mean 'claims'?"),
    ([], ["results/quick/instances/ncgs/sid.h5"], "unknown experiment 'sid'. Did you mean 'side'?"),
    ([], ["results/quick/traces/ncgs/fig1-left/ncg-2.h5"], "unknown method 'ncg-2'. Did you mean 'ncgs-2'?"),
    (["run=quick@U8-rank-3"], [], "run: 'quick@U8-rank-3' should match pattern"),
]


@pytest.mark.parametrize("config, targets, message", NEAR)
def test_unknown_names_are_clear_errors_with_the_nearest(project, config, targets, message):
    done = project.snakemake(*targets, options=("--dry-run",), config=config, check=False)
    assert done.returncode != 0 and message in done.stdout


def test_the_same_plan_however_a_target_is_named(project):
    call = (*PROFILE, "--cores", "2", "--dry-run", "--forceall", "--config", "run=quick", "--")
    page = "reports/quick/ncgs"
    plans = {}
    for target in ("ncgs", page, f"./{page}", f"{page}/", str(project.folder / page)):
        told = project.forked(*call, target).stdout
        plans[target] = set(re.findall(r"^ *Job \d+: (.*)$", told, re.M)) - {""}
    script = f"""
from pathlib import Path
from snakemake.api import ConfigSettings, DAGSettings, ResourceSettings, SnakemakeApi
with SnakemakeApi() as api:
    flow = api.workflow(
        resource_settings=ResourceSettings(cores=2), snakefile=Path("workflow/Snakefile"),
        config_settings=ConfigSettings(config={{"run": "quick"}}))
    flow.dag(DAGSettings(targets={{"{page}"}}, forceall=True)).execute_workflow(executor="dryrun")
"""
    told = project.call("python", "-c", script).stdout
    plans["api"] = set(re.findall(r"^ *Job \d+: (.*)$", told, re.M))
    assert len(plans["ncgs"]) > 10 and all(plan == plans[page] for plan in plans.values()), plans


def test_a_file_by_its_absolute_path_is_made_kept_and_made_once(project):
    """Folders too: nothing of it is removed by the rule that only names it."""
    for target in (FIGURE, SIDE):
        path = str(project.folder / target)
        project.snakemake(target)
        remove = shutil.rmtree if target == SIDE else os.remove
        remove(path)
        project.snakemake(path)
        assert os.path.exists(path)
        assert project.planned(target) == project.planned(path) == set()


def test_a_rule_can_be_forced_by_its_name(project):
    project.snakemake(FIGURE)
    done = project.snakemake(FIGURE, options=("--dry-run", "--forcerun", "figure"))
    assert "fig1-left of ncgs (quick)" in done.stdout
    done = project.snakemake(FIGURE, options=("--dry-run", "--forcerun", "figur"), check=False)
    assert done.returncode and "unknown target 'figur'. Did you mean 'figure'?" in done.stdout


def test_the_test_case_of_the_catalog_is_planned(tmp_path):
    project = Project.copy(tmp_path / "copy", own_sources=False)
    call = ("--cores", "2", "--dry-run", "--directory", ".test", "--configfile", ".test/config/config.yaml")
    shutil.copytree(ROOT / ".test", project.folder / ".test")
    told = project.forked(*call).stdout
    assert "page of ncgs (taste)" in told and "(quick)" not in told
