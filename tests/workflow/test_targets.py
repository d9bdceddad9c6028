"""How a target is named: the same plan by any name, and for a wrong one an error with the nearest.

What a stranger found wrong (95 cases), and the tests that look at it now.
"""

import os
import re
import shutil

import pytest
from places import ROOT
from project import FIGURE, PROFILE, Project
from test_workflow import SIDE, UNIT

pytestmark = pytest.mark.slow

CASES = {
    "outputs below the prefix of a module": "test_as_a_module_with_a_prefix_all_outputs_have_it",
    "the same below --directory": "test_it_works_in_a_directory_that_is_named",
    "the same called by -s": "test_it_is_called_from_another_folder",
    "a moved clone reruns nothing": "test_a_moved_clone_has_nothing_to_do_under_the_default_triggers",
    "the same plan by ./path, absolute path, name, API": "test_the_same_plan_however_a_target_is_named",
    "--report packs pages with their assets; each file is declared": (
        "test_what_is_written_is_declared_and_the_report_has_pages_with_their_assets"
    ),
    "errors of the configuration name key and file": "test_unknown_names_are_clear_errors_with_the_nearest",
    "-R figure": "test_a_rule_can_be_forced_by_its_name",
    "status and plan know the run taste": "test_status_and_plan_of_a_run_that_one_paper_has",
    "pins of conda are those that runs need": "test_conda_gets_the_pins_of_what_the_runs_need",
    "the folder .test": "test_the_test_case_of_the_catalog_is_planned",
    "the full run of a fresh clone runs everything": "test_a_fresh_clone_plans_every_run_of_every_paper",
    "what is published is taken only where asked for": (
        "test_by_default_all_is_computed_and_asked_for_what_is_published_is_taken"
    ),
    "and says so": "test_what_is_made_of_taken_tables_says_so_and_goes_on_in_another_clone",
    "seconds of two machines in one panel": "test_a_panel_of_two_machines_is_not_packed",
    "a failing method keeps its bundle": "test_a_method_that_fails_leaves_the_others_of_its_bundle",
    "a kill or an interrupt keeps a bundle": "test_finished_methods_of_a_bundle_outlive_a_signal",
    "a full disk keeps a bundle": "test_a_full_disk_keeps_what_is_finished_and_is_named",
}


def test_every_case_has_its_test():
    text = "".join(path.read_text() for path in (ROOT / "tests/workflow").glob("test_*.py"))
    assert [name for name in CASES.values() if f"def {name}(" not in text] == []


NEAR = [
    (["run=quik"], [], "unknown run 'quik'. Did you mean 'quick'?"),
    (["papers=[nope]"], [], "unknown paper 'nope'. Known are: ncgs"),
    (
        ["sedes=1"],
        [],
        "config/config.yaml, or --config: top level: unknown key 'sedes'. Did you mean 'seeds'",
    ),
    (["seeds=0"], [], "config/config.yaml, or --config: seeds: 0 should be greater than or equal to 1"),
    ([], ["ncg"], "unknown target 'ncg'. Did you mean 'ncgs'?"),
    ([], ["clams"], "unknown target 'clams'. Did you mean 'claims'?"),
    ([], ["results/quick/figures/ncgs/nope.svg"], "unknown figure 'nope'. Known are: fig1-left"),
    ([], ["results/quick/figures/ncgs/fig1-lef.svg"], "figure 'fig1-lef'. Did you mean 'fig1-left'?"),
    ([], ["results/quick/figures/ncgs/fig1-left.gif"], "unknown format 'gif'. Known are: pdf, png, svg"),
    ([], ["results/quick/claims/ncg.json"], "unknown paper 'ncg'. Did you mean 'ncgs'?"),
    ([], ["reports/quick/ncg"], "unknown paper 'ncg'. Did you mean 'ncgs'?"),
    ([], ["results/quik/claims/ncgs.json"], "unknown run 'quik'. Did you mean 'quick'?"),
    ([], ["results/quick/traces/ncgs/nope/fw.h5"], "unknown experiment 'nope'"),
    ([], [UNIT("fig1-lef")], "unknown experiment or bundle 'fig1-lef'. Did you mean 'fig1-left'?"),
    ([], [UNIT("bundled")], "unknown experiment or bundle 'bundled'"),
    ([], ["results/quick/traces/ncgs/fig1-left/nope.h5"], "unknown method 'nope'"),
    ([], ["results/quick@U9-no/traces/ncgs/fig1-left/fw.h5"], "unknown alternative 'U9-no'"),
    ([], ["data/prepared/covertyp.h5"], "unknown dataset 'covertyp'"),
    (["run=5"], [], "--config: run: 5 should be a valid string"),
    (["published=maybe"], [], "--config: published: 'maybe' should be a valid boolean"),
    ([], ["NCGS-C1"], "'NCGS-C1' is a claim: projfree reproduce NCGS-C1 --run quick"),
    ([], ["reports/quik/index.html"], "unknown run 'quik'. Did you mean 'quick'?"),
    ([], ["reports/quick/ncgs/index.html"], "is made with its folder: reports/quick/ncgs"),
    ([], ["results/quick/claim/ncgs.json"], "unknown folder 'claim'. Did you mean 'claims'?"),
    ([], ["results/quick/instances/ncg/side.h5"], "unknown paper 'ncg'. Did you mean 'ncgs'?"),
    ([], ["results/quick/instances/ncgs/sid.h5"], "unknown experiment 'sid'. Did you mean 'side'?"),
    ([], ["results/quick/traces/ncgs/fig1-left/ncg-2.h5"], "unknown method 'ncg-2'. Did you mean 'ncgs-2'?"),
    ([], ["results/quick/published/ncg"], "unknown paper 'ncg'. Did you mean 'ncgs'?"),
    ([], ["results/quick/drawn/ncg"], "unknown paper 'ncg'. Did you mean 'ncgs'?"),
    ([], ["results/quick/alternatives/ncg"], "unknown paper 'ncg'. Did you mean 'ncgs'?"),
    ([], ["results/Quick/claims/ncgs.json"], "unknown run 'Quick'. Did you mean 'quick'?"),
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


def test_status_and_plan_of_a_run_that_one_paper_has(tmp_path):
    project = Project.copy(tmp_path / "copy", own_sources=False)
    told = [project.call("projfree", word, "--run", "taste").stdout for word in ("plan", "status")]
    runs = re.search(r"ncgs \(taste\): (\d+) of \1 runs to make", told[0])
    assert runs and told[1].startswith(f"ncgs (taste): 0 of {runs[1]} runs done, {runs[1]} left")
    assert len(told[0].splitlines()) == len(told[1].splitlines()) == 1
    wrong = project.call("projfree", "status", "--run", "tast", check=False)
    assert wrong.returncode and "unknown run 'tast'. Did you mean 'taste'?" in wrong.stdout
