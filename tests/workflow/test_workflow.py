"""Snakemake itself, run on a copy of the project with a tiny paper (project.py)."""

import csv
import re
import shutil
import sys
import time
from itertools import product
from pathlib import Path

import h5py
import pytest
import yaml
from places import BIN, PAPERS, ROOT
from project import FIGURE, PROFILE, Project

pytestmark = pytest.mark.slow

SIDE = "results/quick/evidence/ncgs/side.csv"
BUNDLED = "results/quick/evidence/ncgs/bundled.csv"
LONG = "results/quick/traces/ncgs/long/fw.h5"
LAST = {"tidy table of fig1-left (quick)", "fig1-left of ncgs (quick)"}


def touched(text):
    """A change of a source that changes nothing but its hash."""
    return text + "\ntouched = True\n"


def without(*experiments):
    """A change of a paper's file that leaves out some experiments."""

    def change(text):
        paper = yaml.safe_load(text)
        kept = {name: value for name, value in paper["experiments"].items() if name not in experiments}
        return yaml.safe_dump(paper | {"experiments": kept})

    return change


def solves(*pairs):
    return {f"{method} on {experiment} (quick)" for method, experiment in pairs}


def test_jobs_run_the_code_of_their_own_project(project):
    found = project.call("python", "-c", "import projfree; print(projfree.__file__)").stdout
    assert Path(found.strip()).is_relative_to(project.folder)


def test_one_figure_runs_the_jobs_of_its_own_experiment_only(project):
    done = set(re.findall(r"^Job \d+: (.*)$", project.first, re.M))
    assert done == LAST | {
        "instance of ncgs fig1-left (quick)",
        "tuning ncgs-vr-tuned on fig1-left (quick)",
        *solves(*((m, "fig1-left") for m in ("fw", "ncgs-2", "ncgs-vr", "ncgs-vr-tuned"))),
    }
    folder = project.folder / "reports/quick/ncgs/figures"
    assert [path.name for path in folder.iterdir()] == ["fig1-left.svg"]


def test_every_job_left_its_log_and_benchmark(project):
    results = project.folder / "results/quick"
    for trace in results.glob("traces/ncgs/fig1-left/*.h5"):
        assert "wrote" in (results / f"logs/solve/ncgs/fig1-left/{trace.stem}.log").read_text()
        assert (results / f"benchmarks/solve/ncgs/fig1-left/{trace.stem}.tsv").stat().st_size > 0


def test_a_second_call_has_nothing_to_do(project):
    def times():
        made = [project.folder / FIGURE, *(project.folder / "results").rglob("*.*")]
        return {path: path.stat().st_mtime_ns for path in made}

    before = times()
    said = project.snakemake(FIGURE, options=("--printshellcmds",)).stdout
    assert times() == before, said


def test_an_edit_of_one_solver_reruns_that_solver_only(project):
    project.snakemake(SIDE)
    assert project.planned(FIGURE, SIDE) == set()
    with project.edited("src/projfree/solvers/ncgs_vr.py", touched):
        assert project.planned(FIGURE, SIDE) == LAST | {
            "tuning ncgs-vr-tuned on fig1-left (quick)",
            *solves(("ncgs-vr", "fig1-left"), ("ncgs-vr-tuned", "fig1-left"), ("vr", "side")),
            "tidy table of side (quick)",
        }
    with project.edited(
        "src/projfree/solvers/ncgs_vr.py", lambda text: f"{text}\n# A comment reruns nothing.\n"
    ):
        assert project.planned(FIGURE, SIDE) == set()
    assert project.planned(FIGURE, SIDE) == set()


def test_an_edit_of_a_module_that_solvers_import_reruns_those(project):
    with project.edited("src/projfree/solvers/estimators/svrg.py", touched):
        assert project.planned(FIGURE) == LAST | {
            "tuning ncgs-vr-tuned on fig1-left (quick)",
            *solves(("ncgs-vr", "fig1-left"), ("ncgs-vr-tuned", "fig1-left")),
        }
    with project.edited("src/projfree/solvers/estimator_frank_wolfe.py", touched):
        assert project.planned(FIGURE) == set()


def test_an_edit_of_the_drawing_never_solves(project):
    for name in ("report/figures.py", "report/style.py"):
        with project.edited(f"src/referee/{name}", touched):
            assert project.planned(FIGURE) == {"fig1-left of ncgs (quick)"}


def test_an_edit_of_a_caption_or_claim_never_solves(project):
    path = "papers/ncgs/paper.yaml"
    with project.edited(path, lambda text: text.replace("chosen: c", "chosen: other")):
        assert project.planned(FIGURE) == set()
    with project.edited(path, lambda text: text.replace("old title", "new title")):
        assert project.planned(FIGURE) == {"fig1-left of ncgs (quick)"}


def test_parameters_of_one_method_rerun_that_method_only(project):
    with project.edited(
        "papers/ncgs/paper.yaml", lambda text: text.replace("step_rule: gap", "step_rule: short")
    ):
        assert project.planned(FIGURE) == LAST | solves(("fw", "fig1-left"))


def test_an_alternative_runs_on_the_instance_of_its_base_run(project):
    trace = "results/quick@U8-short-step/traces/ncgs/fig1-left/fw.h5"
    done = project.snakemake(trace).stdout
    assert re.findall(r"^Job \d+: (.*)$", done, re.M) == ["fw on fig1-left (quick@U8-short-step)"]
    with h5py.File(project.folder / trace) as handle:
        assert handle.attrs["params"] == '{"step_rule": "short"}'


def test_an_instance_of_an_alternative_goes_with_its_last_job(project):
    run = "results/quick@U8-rank-3"
    trace = f"{run}/traces/ncgs/fig1-left/fw.h5"
    done = project.snakemake(trace).stdout
    name = "fig1-left (quick@U8-rank-3)"
    assert re.findall(r"^Job \d+: (.*)$", done, re.M) == [f"instance of ncgs {name}", f"fw on {name}"]
    assert not (project.folder / f"{run}/instances/ncgs/fig1-left.h5").exists()
    assert (project.folder / "results/quick/instances/ncgs/fig1-left.h5").exists()
    assert project.planned(trace) == set()


def wider(text):
    """The paper with an alternative that leaves a method as it was, of whole length, and one more like it."""
    paper = yaml.safe_load(text) | {"alternatives": {"shares": {"fig1-left": 1}}}
    short, *_ = choices = paper["deviations"][0]["alternatives"]
    short["methods"] = ["fw", "ncgs-2", "ncgs-vr-tuned"]
    choices.append({**short, "name": "short again"})
    return yaml.safe_dump(paper)


def test_an_alternative_takes_equal_jobs_from_the_first_run_that_has_them(project):
    table = "results/quick@U8-short-{}/evidence/ncgs/fig1-left.csv"
    run, trace = "(quick@U8-short-step)", "results/quick{}/traces/ncgs/fig1-left/{}.h5"
    own = {f"fw on fig1-left {run}"}  # and what is tuned keeps the value of the base run
    shutil.rmtree(project.folder / "results/quick@U8-short-step", ignore_errors=True)
    with project.edited("papers/ncgs/paper.yaml", wider):
        for name in ("step", "again"):
            tidy = f"tidy table of fig1-left (quick@U8-short-{name})"
            assert project.planned(table.format(name)) == own | {tidy}
        project.snakemake(table.format("again"))
        with (project.folder / table.format("again")).open() as rows:
            assert {row["method"]: row["trace"] for row in csv.DictReader(rows)} == {
                "fw": trace.format("@U8-short-step", "fw"),
                "ncgs-2": trace.format("", "ncgs-2"),
                "ncgs-vr-tuned": trace.format("", "ncgs-vr-tuned"),
            }


def modelled(text):
    """The same with seconds that are made of counts, and half of the budget."""
    paper = yaml.safe_load(wider(text)) | {"alternatives": {}}
    paper["runs"]["quick"]["clock"] = "model"
    return yaml.safe_dump(paper)


def test_of_a_run_on_model_seconds_an_alternative_runs_what_it_changes(project):
    """The judge takes the others from the table of the run; there is nothing to tune."""
    run, claims = "(quick@U8-short-step)", "results/quick@U8-short-step/claims/ncgs.json"
    shutil.rmtree(project.folder / "results/quick@U8-short-step", ignore_errors=True)
    table = project.folder / "results/quick/evidence/ncgs/fig1-left.csv"
    aside = table.rename(table.with_suffix(".aside"))
    try:
        with project.edited("papers/ncgs/paper.yaml", modelled):
            own = {f"fw on fig1-left {run}", f"tidy table of fig1-left {run}"}
            base = {"tidy table of fig1-left (quick)"}
            assert project.planned(claims) == own | base | {f"judging the claims of ncgs {run}"}
    finally:
        aside.rename(table)


def test_a_panel_that_was_taken_without_traces_shares_none(project):
    traces = project.folder / "results/quick/traces/ncgs/fig1-left"
    aside = traces.rename(traces.with_name("aside"))
    try:
        with project.edited("papers/ncgs/paper.yaml", wider):
            planned = project.planned("results/quick@U8-short-step/evidence/ncgs/fig1-left.csv")
            assert "ncgs-2 on fig1-left (quick@U8-short-step)" in planned
    finally:
        aside.rename(traces)


def test_snakemake_rests_while_jobs_run_and_ends_with_the_last(project):
    """Its limit of jobs in a span of time leaves a timer at every look, each of which makes it look again."""
    limit = yaml.safe_load((ROOT / "workflow/profiles/default/config.yaml").read_text())
    assert limit["max-jobs-per-timespan"].endswith("/1m")
    began = time.monotonic()
    project.snakemake(SIDE, options=("--forcerun", "tidy"))
    assert time.monotonic() - began < 55, "it waits for its timers"


def test_a_bundle_is_one_job_from_its_instances_to_its_tidy_tables(project):
    job = "2 experiments of ncgs: pair (quick)"
    project.snakemake(BUNDLED)
    results = project.folder / "results/quick"
    ran = [path.relative_to(results) for path in results.glob("benchmarks/*/ncgs/**/*.tsv")]
    assert [str(path) for path in ran if {"pair", "bundled", "bundled-too"} & {path.stem, *path.parts}] == [
        "benchmarks/bundle/ncgs/pair.tsv"
    ]
    assert (results / "instances/ncgs/bundled.h5").exists()
    assert (results / "tuning/ncgs/bundled/ncgs-vr-tuned.json").exists()
    assert len(list(results.glob("traces/ncgs/bundled*/*.h5"))) == 3
    assert (results / "evidence/ncgs/bundled-too.csv").exists()
    assert project.planned(BUNDLED) == set()
    with project.edited("src/projfree/solvers/ncgs_vr.py", touched):
        assert project.planned(BUNDLED) == {job}


def test_a_bundle_leaves_an_instance_that_others_need_to_its_own_job(project):
    others = ("bundles:\n      pair:\n      - bundled*", "bundles:\n      pair:\n      - bundled-too")
    with project.edited("papers/ncgs/paper.yaml", lambda text: text.replace(*others)):
        planned = project.planned(
            "results/quick/evidence/ncgs/bundled-too.csv", "results/quick/evidence/ncgs/bundled.csv"
        )
    assert {"instance of ncgs bundled (quick)", "1 experiment of ncgs: pair (quick)"} <= planned


def test_a_killed_run_called_again_gives_the_same_traces(project):
    unfinished = "results/quick/traces/ncgs/long/.fw.unfinished/seed-0.h5"
    project.killed_when(unfinished, LONG)
    assert not (project.folder / LONG).exists()
    project.forked("--unlock", *PROFILE, "--config", "run=quick")
    project.snakemake(LONG)
    assert not (project.folder / unfinished).exists()
    project.call("projfree", "run", "ncgs", "long", "fw", "--output", "again.h5")
    assert "the same" in project.call("projfree", "trace", LONG, "again.h5").stdout


def test_a_failing_job_says_why_and_leaves_no_output(project):
    trace = "results/quick/traces/ncgs/wrong/fw-wrong.h5"
    done = project.snakemake(trace, check=False)
    assert done.returncode != 0
    assert "unknown step_rule 'wrong'. Known are: gap, line_search, open_loop, short" in done.stdout
    assert not (project.folder / trace).exists()


@pytest.mark.parametrize(
    "config, targets, message",
    [
        (["run=quik"], [], "ncgs: unknown run 'quik'. Did you mean 'quick'?"),
        (["papers=[nope]"], [], "unknown paper 'nope'. Known are: ncgs"),
        (
            ["sedes=1"],
            [],
            "configuration (config/config.yaml, or --config): top level: unknown key 'sedes'. Did",
        ),
        (["seeds=0"], [], "seeds: 0 should be greater than or equal to 1"),
        ([], ["ncg"], "snakemake: unknown target 'ncg'. Did you mean 'ncgs'?"),
        ([], ["clams"], "snakemake: unknown target 'clams'. Did you mean 'claims'?"),
        ([], ["reports/quick/ncgs/tables/nope.csv"], "ncgs: unknown table 'nope'. Known are: "),
        ([], ["reports/quick/ncgs/figures/nope.svg"], "unknown figure 'nope'. Known are: fig1-left"),
        ([], ["results/quick/traces/ncgs/nope/fw.h5"], "unknown experiment 'nope'"),
        (
            [],
            ["reports/quick/ncgs/figures/fig1-lef.svg"],
            "figure 'fig1-lef'. Did you mean 'fig1-left'?",
        ),
        ([], ["results/quick/evidence/ncgs/fig1-lef.csv"], "unknown experiment 'fig1-lef'. Did you mean"),
        ([], ["results/quick/traces/ncgs/fig1-left/nope.h5"], "unknown method 'nope'"),
        ([], ["results/quick@U9-no/traces/ncgs/fig1-left/fw.h5"], "unknown alternative 'U9-no'"),
    ],
)
def test_unknown_names_are_clear_errors(project, config, targets, message):
    done = project.snakemake(*targets, options=("--dry-run",), config=config, check=False)
    assert done.returncode != 0
    assert message in done.stdout
    assert "Traceback" not in done.stdout and "validation.py" not in done.stdout


def test_the_report_of_snakemake_shows_the_figure_with_its_caption(project):
    project.snakemake(FIGURE, options=("--report", "report.html"))
    page = (project.folder / "report.html").read_text()
    assert "fig1-left.svg" in page
    assert "The paper's axes large" in page.replace("&#39;", "'")


def test_jobs_run_where_the_path_of_the_environment_has_spaces_and_quotes(project, tmp_path):
    environment = tmp_path / """it's a "place"; $HOME"""
    environment.symlink_to(BIN.parent)
    snakemake = (environment / "bin" / Path(sys.executable).name, "-m", "snakemake", *PROFILE, "--force")
    target = "results/quick/instances/ncgs/capped.h5"
    project.call(*snakemake, "--config", "run=quick", "--", target)


def test_seeds_of_the_configuration_cap_the_seeds_that_run(project):
    trace = "results/quick/traces/ncgs/capped/fw.h5"
    project.snakemake(trace, config=["seeds=1"])
    with h5py.File(project.folder / trace) as handle:
        assert list(handle) == ["seed-0"]


def test_a_timed_run_begins_with_a_word_about_others_at_work_and_repeats_its_first_seed(project):
    trace, told = "results/quick/traces/ncgs/capped/fw.h5", "others are at work"

    def busy(text):
        return text.replace("from projfree.engine.lane import not_quiet", f"not_quiet = lambda: {told!r}")

    def timed(text):
        paper = yaml.safe_load(text)
        paper["experiments"]["capped"]["repetitions"] = 3
        return yaml.safe_dump(paper)

    with project.edited("workflow/rules/common.smk", busy):
        assert told not in project.snakemake(trace, options=("--forcerun", "instance")).stdout
        with project.edited("papers/ncgs/paper.yaml", timed):
            assert told in project.snakemake(trace).stdout
    with h5py.File(project.folder / trace) as handle:
        assert list(handle) == ["seed-0", "seed-0-repetition-1", "seed-0-repetition-2", "seed-1"]


def test_the_plain_command_takes_the_default_profile(project):
    done = project.call("snakemake", "--cores", "2", "--dry-run", "--config", "run=quick", "--", FIGURE)
    assert "profiles/default" in done.stdout


@pytest.mark.parametrize(
    "options", [[], ["--profile", "workflow/profiles/slurm"], ["--workflow-profile", "slurm"]]
)
def test_dry_run_of_the_real_papers(options):
    done = Project(ROOT).forked(*options, "--dry-run", "--nolock", "--config", "run=full")
    assert "Job stats" in done.stdout or "Nothing to be done" in done.stdout


def test_what_is_made_for_a_whole_paper_is_made_of_that_paper():
    options = ("--dry-run", "--nolock", "--forceall", "--printshellcmds")
    shown = Project(ROOT).forked(*options, "--config", "run=quick").stdout
    found = re.findall(r"projfree draw (\w+) (.*) --run quick", shown)
    folders = [{Path(file).parent for file in files.split()} for _, files in found]
    wanted = [{Path("reports/quick", *part)} for part in product(PAPERS, ("figures", "tables"))]
    assert sorted(map(sorted, folders)) == sorted(map(sorted, wanted))
    assert all(paper in str(*folder) for (paper, _), folder in zip(found, folders, strict=True))


def rules():
    """Text of every rule by name, from all rule files."""
    text = "\n".join(path.read_text() for path in sorted((ROOT / "workflow/rules").glob("*.smk")))
    return dict(re.findall(r"^rule (\w+):\n((?:    .*\n|\n(?=    ))*)", text, re.M))


def test_rules_are_small_and_alike():
    found = rules()
    assert {"instance", "solve", "tidy", "judge", "figure", "page"} <= set(found)
    order = [
        "input",
        "output",
        "log",
        "benchmark",
        "localrule",
        "wildcard_constraints",
        "group",
        "threads",
        "resources",
        "params",
        "message",
        "shell",
    ]
    for name, body in found.items():
        directives = re.findall(r"^    (\w+):(?: True)?$", body, re.M)
        assert body.startswith('    """'), f"{name} does not say what it makes"
        assert len(body.splitlines()) + 1 < 31, name
        assert directives == [word for word in order if word in directives], name
        assert "shell" not in directives or {"log", "benchmark", "message"} <= set(directives), name
    assert len((ROOT / "workflow/Snakefile").read_text().splitlines()) < 80


def test_captions_name_wildcards_that_their_rules_have():
    captions = dict(re.findall(r'shown\("([^"]+)".*"(\w+)"\)', "".join(rules().values())))
    assert len(captions) == 4
    for output, caption in captions.items():
        text = (ROOT / f"workflow/report/{caption}.rst").read_text()
        named = set(re.findall(r"snakemake\.wildcards\.(\w+)", text))
        assert named <= set(re.findall(r"{(\w+)}", output)), caption


def test_an_edit_of_a_word_judges_again(project):
    claims = "results/quick/claims/ncgs.json"
    with project.edited("papers/ncgs/paper.yaml", without("wrong", "long")):
        project.snakemake(claims)
        assert project.planned(claims) == set()
        for source in ("relations/comparisons.py", "statistics/courses.py"):
            with project.edited(f"src/referee/evidence/{source}", touched):
                assert project.planned(claims) == {"judging the claims of ncgs (quick)"}


def test_a_page_has_its_figures_drawn_by_one_job_and_one_asked_for_by_its_own(project):
    with project.edited("papers/ncgs/paper.yaml", without("wrong", "long")):
        project.snakemake(FIGURE)
        assert "figures of ncgs (quick)" not in project.planned("ncgs"), "what is drawn is not drawn again"
        for name in (FIGURE, FIGURE.replace("svg", "png")):
            (project.folder / name).unlink(missing_ok=True)
            assert project.planned(name) == {"fig1-left of ncgs (quick)"}
        assert "figures of ncgs (quick)" in project.planned("ncgs")
        project.snakemake("ncgs")
        assert project.planned("ncgs", FIGURE) == project.planned("ncgs") == project.planned(FIGURE) == set()
