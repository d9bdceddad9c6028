"""The workflow in the hands of others: by paths, from elsewhere, as a module, with options of their own."""

import os
import re

import pytest
from project import FIGURE, PROFILE
from test_workflow import PAIR, SIDE

pytestmark = pytest.mark.slow

PARENT = """
module projfree:
    snakefile: "{project}/workflow/Snakefile"
    config: {{"run": "quick"}}
    {prefix}

use rule {rules}

rule mine:
    default_target: True
    input:
        "{wanted}",
    output:
        "summary.txt",
    shell:
        "cp {{input}} {{output}}"
"""


def planned(done):
    return set(re.findall(r"^ *Job \d+: (.*)$", done.stdout, re.M))


def files_below(folder):
    """All files but those of running Python, compiling, and Snakemake itself."""
    hidden = ("__pycache__", ".cache", ".snakemake")
    return {path for path in folder.rglob("*") if not set(hidden) & set(path.parts)}


@pytest.fixture
def parent(project, tmp_path):
    """A workflow, with a configuration of its own, that has ours as a module; a function that calls it."""
    (tmp_path / "config").mkdir()
    (tmp_path / "config/config.yaml").write_text("samples: samples.tsv\n")

    def call(*arguments, rules="* from projfree as pf_*", wanted=FIGURE, prefix="", check=True):
        text = PARENT.format(project=project.folder, rules=rules, wanted=wanted, prefix=prefix)
        (tmp_path / "Snakefile").write_text(text)
        return project.forked("--cores", "2", *arguments, cwd=tmp_path, check=check)

    call.folder = tmp_path
    return call


def test_a_path_is_of_its_own_run_whatever_is_configured(project):
    project.snakemake(FIGURE, SIDE, PAIR)  # tests of other files edit what the figure is drawn by
    call = (*PROFILE, "--cores", "2", "--dry-run")
    assert "Nothing to be done" in project.forked(*call, "--", FIGURE, SIDE, PAIR).stdout
    assert "Nothing to be done" in project.forked(*call, "--config", "run=full", "--", PAIR).stdout
    full = "results/full/evidence/ncgs/bundled"
    assert "tables of bundled of ncgs (full)" in planned(project.forked(*call, "--", full, PAIR))


def test_without_a_path_the_run_is_the_configured_one(project):
    project.snakemake(FIGURE)
    done = project.forked(*PROFILE, "--cores", "2", "--dry-run", "--", "claims", FIGURE)
    assert "judging the claims of ncgs (full)" in planned(done)
    assert not any("(quick)" in job for job in planned(done))


TYPED = ("--resources mem_mb=9000", "--resources membw=4", "--workflow-profile none --scheduler greedy")


@pytest.mark.parametrize("typed", TYPED)
def test_jobs_that_must_not_share_the_memory_do_not_whatever_is_typed(project, typed):
    profile = () if "none" in typed else PROFILE
    call = (*profile, "--cores", "2", *typed.split(), "--config", "run=quick", "--force", "--", SIDE)
    told = project.forked(*call).stdout
    assert re.search(r'^Provided resources:.*\bmembw=(Resource\("membw", )?1\b', told, re.M), told


def test_as_a_module_it_writes_into_the_parents_folder_and_nowhere_else(project, parent):
    before = files_below(project.folder)
    parent()
    assert files_below(project.folder) == before
    for name in (FIGURE, "results/quick/traces/ncgs/fig1-left/fw.h5", "summary.txt"):
        assert (parent.folder / name).is_file(), name
    parent(wanted="results/quick/evidence/ncgs/pair/bundled-too.csv", check=False)
    assert files_below(project.folder) == before


def test_as_a_module_with_a_prefix_all_outputs_have_it(project, parent):
    parent(wanted=f"theirs/{FIGURE}", prefix='prefix: "theirs"')
    assert (parent.folder / "theirs" / FIGURE).is_file() and (parent.folder / "summary.txt").is_file()
    assert (parent.folder / "theirs/results/quick/traces/ncgs/fig1-left/fw.h5").is_file()
    assert not (parent.folder / "results/quick").exists()


def test_a_parent_may_use_some_rules_only_and_has_errors_of_its_own(parent):
    done = parent("--dry-run", rules="instance, solve, evidence, figure from projfree")
    assert "fig1-left of ncgs (quick)" in planned(done)
    done = parent("--dry-run", wanted="samples.tsv", check=False)
    assert "Missing input files for rule mine" in done.stdout
    assert "unknown target" not in done.stdout


def test_it_is_called_from_another_folder_and_works_in_a_directory_that_is_named(project, tmp_path):
    before, trace = files_below(project.folder), "results/quick/traces/ncgs/capped/fw.h5"
    here, there = (tmp_path / name for name in ("here", "there"))
    here.mkdir()
    call = ("--snakefile", str(project.folder / "workflow/Snakefile"), "--cores", "1")
    project.forked(*call, "--config", "run=quick", "--", trace, cwd=here)
    project.snakemake(trace, options=("--directory", str(there)))
    assert (here / trace).is_file() and (there / trace).is_file()
    assert files_below(project.folder) == before


def test_a_changed_sample_or_a_supplied_file_is_prepared_anew(project):
    """Of nothing else that is here: what is older than the prepared file made it."""
    sample = project.folder / "data/samples/covertype-sample.csv.gz"
    supplied = project.folder / "data/raw/sensorless/Sensorless"
    targets = ["data/prepared/covertype-sample.h5", "data/prepared/sensorless.h5"]
    for name in targets:
        (project.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (project.folder / name).touch()
    assert project.planned(*targets) == set()
    later = (project.folder / targets[0]).stat().st_mtime + 10
    os.utime(sample, (later, later))
    assert project.planned(*targets) == {"preparing covertype-sample"}
    supplied.parent.mkdir(parents=True)
    supplied.touch()
    os.utime(supplied, (later, later))
    assert project.planned(*targets) == {"preparing covertype-sample", "preparing sensorless"}


def test_every_rule_says_what_it_makes(project):
    rules = project.snakemake(options=("--list-rules",)).stdout.splitlines()
    listed = [line for line in rules if re.match(r"\w+( \(|$)", line)]
    assert 15 < len(listed) <= 25
    assert [line for line in listed if "(" not in line] == []
