"""Snakemake on a copy of the project with a tiny paper (project.py): what runs, and what runs again."""

import io
import re
import shutil
import signal
import sys
from pathlib import Path

import h5py
import pytest
import yaml
from places import BIN, PAPERS, ROOT
from project import FIGURE, PROFILE, Project

pytestmark = pytest.mark.slow

UNIT = "results/quick/evidence/ncgs/{}".format
SIDE, PAIR = UNIT("side"), UNIT("pair")
NCGS_VR = "src/projfree/solvers/ncgs_vr.py"
PAPER = "papers/ncgs/paper.yaml"
LONG = "results/quick/traces/ncgs/long/fw.h5"
CLAIMS = "results/quick/claims/ncgs.json"
VR = ("ncgs-vr", "fig1-left"), ("ncgs-vr-tuned", "fig1-left")
LAST = {"tables of fig1-left of ncgs (quick)", "fig1-left of ncgs (quick)"}


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


def store(project, experiment="*", method="*"):
    """Finished traces by method, with the moment at which each was written."""
    paths = project.folder.glob(f"results/store/ncgs/{experiment}/{method}-{'[0-9a-f]' * 16}.h5")
    found = {}
    for path in sorted(paths):
        with h5py.File(io.BytesIO(path.read_bytes())) as handle:  # a dying job may hold its lock
            if "created" in handle.attrs:
                found[path.name] = handle.attrs["created"]
    return found


def forget(project, experiment):
    """Remove what is finished, and what is not."""
    for path in project.folder.glob(f"results/store/ncgs/{experiment}"):
        shutil.rmtree(path)


def test_jobs_run_the_code_of_their_own_project(project):
    found = project.call("python", "-c", "import projfree; print(projfree.__file__)").stdout
    assert Path(found.strip()).is_relative_to(project.folder)


def test_one_figure_runs_the_jobs_of_its_own_experiment_only(project):
    done = set(re.findall(r"^Job \d+: (.*)$", project.first, re.M))
    assert done == LAST | {
        "instance of ncgs fig1-left (quick)",
        *solves(*((m, "fig1-left") for m in ("fw", "ncgs-2", "ncgs-vr", "ncgs-vr-tuned"))),
    }
    assert [path.name for path in (project.folder / FIGURE).parent.iterdir()] == ["fig1-left.svg"]


def test_every_job_left_its_log_and_benchmark(project):
    results = project.folder / "results/quick"
    for trace in results.glob("traces/ncgs/fig1-left/*.h5"):
        assert "wrote" in (results / f"logs/solve/ncgs/fig1-left/{trace.stem}.log").read_text()
        assert (results / f"benchmarks/solve/ncgs/fig1-left/{trace.stem}.tsv").stat().st_size > 0


def test_a_second_call_has_nothing_to_do(project):
    def times():
        made = (project.folder / "results").rglob("*.*")
        return {path: path.stat().st_mtime_ns for path in made}

    before = times()
    said = project.snakemake(FIGURE, options=("--printshellcmds",)).stdout
    assert times() == before, said


def test_an_edit_of_one_solver_reruns_that_solver_only_and_taken_back_none(project):
    project.snakemake(FIGURE, SIDE, PAIR)
    assert project.planned(FIGURE, SIDE, PAIR) == set()
    before = store(project)
    with project.edited(NCGS_VR, touched):
        assert project.planned(FIGURE, SIDE) == LAST | {
            *solves(*VR, ("vr", "side")),
            "tables of side of ncgs (quick)",
        }
        project.snakemake(FIGURE, PAIR)
        new = {re.sub("-[0-9a-f]{16}.h5", "", name) for name in store(project).keys() - before.keys()}
        assert new == {"ncgs-vr", "ncgs-vr-tuned"}, "of a bundle too"
    known = store(project)
    project.snakemake(FIGURE, PAIR)
    assert store(project) == known, "all was there"
    with project.edited(NCGS_VR, lambda text: f"{text}\n# A comment reruns nothing.\n"):
        assert project.planned(FIGURE, SIDE) == set()


def test_an_edit_of_a_module_that_solvers_import_reruns_those(project):
    project.snakemake(FIGURE)
    with project.edited("src/projfree/solvers/estimators/svrg.py", touched):
        assert project.planned(FIGURE) == LAST | solves(*VR)
    with project.edited("src/projfree/solvers/estimator_frank_wolfe.py", touched):
        assert project.planned(FIGURE) == set()


def test_an_edit_of_the_drawing_or_of_a_caption_never_solves(project):
    project.snakemake(FIGURE)
    drawn = {"fig1-left of ncgs (quick)"}
    for name in ("report/figures.py", "report/style.py"):
        with project.edited(f"src/referee/{name}", touched):
            assert project.planned(FIGURE) == drawn
    with project.edited(PAPER, lambda text: text.replace("chosen: c", "chosen: other")):
        assert project.planned(FIGURE) == set()
    with project.edited(PAPER, lambda text: text.replace("old title", "new title")):
        assert project.planned(FIGURE) == drawn


def test_parameters_of_one_method_rerun_that_method_only(project):
    with project.edited(PAPER, lambda text: text.replace("step_rule: gap", "step_rule: short")):
        assert project.planned(FIGURE) == LAST | solves(("fw", "fig1-left"))


def test_an_alternative_runs_on_the_instance_of_its_base_run_where_it_changes_none(project):
    trace = "results/quick@U8-{}/traces/ncgs/fig1-left/fw.h5"
    done = project.snakemake(trace.format("short-step")).stdout
    assert re.findall(r"^Job \d+: (.*)$", done, re.M) == ["fw on fig1-left (quick@U8-short-step)"]
    with h5py.File(project.folder / trace.format("short-step")) as handle:
        assert handle.attrs["params"] == '{"step_rule": "short"}'
    name = "fig1-left (quick@U8-rank-3)"
    assert project.planned(trace.format("rank-3")) == {f"instance of ncgs {name}", f"fw on {name}"}


def wider(text):
    """The paper with an alternative that leaves a method as it was, of whole length, and one more like it."""
    paper = yaml.safe_load(text) | {"alternatives": {"shares": {"fig1-left": 1}}}
    short, *_ = choices = paper["deviations"][0]["alternatives"]
    short["methods"] = ["fw", "ncgs-2", "ncgs-vr-tuned"]
    choices.append({**short, "name": "short again"})
    return yaml.safe_dump(paper)


def test_equal_jobs_of_alternatives_and_of_the_run_are_made_once(project):
    with project.edited(PAPER, wider):
        project.snakemake(UNIT("fig1-left"))
        before = store(project)
        tables = [f"results/quick@U8-short-{name}/evidence/ncgs/fig1-left" for name in ("step", "again")]
        project.snakemake(*tables)
        new = {name.rpartition("-")[0] for name in store(project).keys() - before.keys()}
        assert new <= {"fw"}, "one trace of the method that the alternatives change"
        assert project.planned(UNIT("fig1-left"), *tables) == set(), "what is shared is not new for others"
    project.snakemake(UNIT("fig1-left"))


def test_a_bundle_is_one_job_from_its_instances_to_its_tables(project):
    project.snakemake(PAIR)
    results = project.folder / "results/quick"
    assert (results / "benchmarks/evidence/ncgs/pair.tsv").exists()
    names = {str(path.relative_to(project.folder / PAIR)) for path in (project.folder / PAIR).rglob("*.*")}
    assert {"bundled.csv", "bundled-too.csv", "panels.json", "traces/bundled/fw.h5"} <= names
    assert "tuning/bundled/ncgs-vr-tuned.json" in names and len(store(project, "bundled*")) >= 3
    assert project.planned(PAIR) == set()
    with project.edited(NCGS_VR, touched):
        assert project.planned(PAIR) == {"tables of pair of ncgs (quick)"}


def test_a_killed_run_called_again_gives_the_same_trace(project):
    project.struck_when("/.fw-????????????????.unfinished/seed-0.h5", LONG)
    assert not (project.folder / LONG).exists()
    project.forked("--unlock", *PROFILE, "--config", "run=quick")
    project.snakemake(LONG)
    assert not list(project.folder.glob("results/store/ncgs/long/.*.unfinished"))
    shutil.copy(project.folder / LONG, project.folder / "first.h5")
    forget(project, "long")
    project.call("projfree", "solve", "ncgs", "long", "fw", "--output", "again.h5")
    assert "the same" in project.call("projfree", "trace", "first.h5", "again.h5").stdout


@pytest.mark.parametrize("fate", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM, 0], ids=str)
def test_finished_methods_of_a_bundle_outlive_a_signal_and_a_full_disk(project, fate):
    shutil.rmtree(project.folder / PAIR, ignore_errors=True)
    forget(project, "bundled*")
    place = "bundled" if fate else "bundled-too"
    told = project.struck_when(f"/{place}/fw-????????????????.h5", PAIR, fate=fate)
    before = store(project, "bundled*")
    assert before and not (project.folder / PAIR / "panels.json").exists()
    if not fate:
        assert len(before) == 2 and re.search(r"bundled-too/fw-\w+.h5: not written \(No space", told), told
    if fate == signal.SIGKILL:
        project.forked("--unlock", *PROFILE, "--config", "run=quick")
    project.snakemake(PAIR)
    after = store(project, "bundled*")
    assert len(after) == 3 and before.items() <= after.items(), "it was not run again"


def test_a_method_that_fails_leaves_the_others_of_its_bundle(project):
    def failing(text):
        paper = yaml.safe_load(text)
        paper["experiments"]["bundled"]["methods"] = ["fw-wrong", "fw", "ncgs-vr-tuned"]
        return yaml.safe_dump(paper)

    project.snakemake(PAIR)
    forget(project, "bundled*")
    with project.edited(PAPER, failing):
        done = project.snakemake(PAIR, check=False)
    assert done.returncode != 0 and "1 methods failed, the others are finished and kept" in done.stdout
    told = re.search(r"bundled/fw-wrong: .*", done.stdout)
    assert told and "wrong" in told[0], done.stdout
    made = store(project, "bundled*")
    assert len(made) == 3
    project.snakemake(PAIR)
    assert store(project, "bundled*") == made


@pytest.mark.parametrize("damage", ["cut", "deleted"])
def test_a_damaged_or_deleted_trace_is_noticed_and_made_again(project, damage):
    trace = project.folder / "results/quick/traces/ncgs/capped/fw.h5"
    project.snakemake(UNIT("capped"))
    for path in (trace, *project.folder.glob("results/store/ncgs/capped/fw-*.h5")):
        content = path.read_bytes()
        path.unlink()
        if damage == "cut":
            path.write_bytes(content[: len(content) // 2])
    shutil.rmtree(project.folder / UNIT("capped"))
    first = project.snakemake(UNIT("capped"), check=False)
    assert damage == "deleted" or "was damaged and is removed" in first.stdout
    project.snakemake(UNIT("capped"))
    assert len(store(project, "capped")) == 1 and project.planned(UNIT("capped")) == set()


def test_a_failing_job_says_why_and_leaves_no_output(project):
    trace = "results/quick/traces/ncgs/wrong/fw-wrong.h5"
    done = project.snakemake(trace, check=False)
    assert done.returncode != 0
    assert "unknown step_rule 'wrong'. Known are: gap, line_search, open_loop, short" in done.stdout
    assert not (project.folder / trace).exists()


def test_one_broken_solver_stops_no_other_job(project):
    with project.edited(NCGS_VR, lambda text: f"{text}\nraise RuntimeError('broken')\n"):
        target = "results/quick/traces/ncgs/capped/fw.h5"
        done = project.snakemake(target, options=("--force",))
    assert "1 of 1 steps (100%) done" in done.stdout


def test_a_moved_clone_has_nothing_to_do_under_the_default_triggers(project, tmp_path):
    project.snakemake(FIGURE, PAIR)
    moved = Project(tmp_path / "moved")
    shutil.copytree(project.folder, moved.folder, symlinks=True)
    call = ("--workflow-profile", "none", "--cores", "1", "--dry-run", "--config", "run=quick", "--")
    assert "Nothing to be done" in moved.forked(*call, FIGURE, PAIR).stdout


def test_what_is_written_is_declared_and_the_report_has_pages_with_their_assets(project):
    """Of a paper to its page: no file is there that no rule names, but in the store."""
    shutil.rmtree(project.folder / "results/quick")  # what other tests made
    with project.edited(PAPER, without("wrong", "long")):
        project.snakemake("all", "ncgs")
        told = project.snakemake("all", options=("--summary",)).stdout
        places = [line.split("\t")[0] for line in told.splitlines() if re.match(r"(results|reports)/", line)]
        known = [project.folder / place for place in places]
        for top in ("results/quick", "reports/quick"):
            for path in (p for p in (project.folder / top).rglob("*") if p.is_file()):
                named = {path, *path.parents} & {*known}
                (part,) = path.relative_to(project.folder).parts[2:3]
                by_the_way = part in ("logs", "benchmarks", "figures")
                assert named or by_the_way or "evidence/ncgs/capped" in str(path), path
        report = project.folder / "report.zip"
        project.snakemake("ncgs", options=("--report", str(report)))
        shutil.unpack_archive(report, project.folder / "unpacked")
        names = [path.name for path in (project.folder / "unpacked").rglob("*")]
        assert {"style.css", "explorer.js", "index.html"} <= {*names}
        assert project.planned("all", "ncgs") == set()
        folder = project.folder / "reports/quick/ncgs"
        page = (folder / "index.html").read_text()
        for link in re.findall(r'(?:href|src)="([^":#]+)"', page):
            assert (folder / link).exists() or link.startswith("../"), link


def test_an_edit_of_a_word_judges_again(project):
    with project.edited(PAPER, without("wrong", "long")):
        project.snakemake(CLAIMS)
        assert project.planned(CLAIMS) == set()
        for source in ("src/referee/judge/measures.py", "papers/ncgs/claims.py"):
            with project.edited(source, touched):
                assert project.planned(CLAIMS) == {"judging the claims of ncgs (quick)"}


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
        return text.replace(
            "from projfree.engine.cpu_pinning import not_quiet", f"not_quiet = lambda: {told!r}"
        )

    def timed(text):
        paper = yaml.safe_load(text)
        paper["experiments"]["capped"]["repetitions"] = 3
        return yaml.safe_dump(paper)

    with project.edited("workflow/Snakefile", busy):
        assert told not in project.snakemake(trace, options=("--forcerun", "instance")).stdout
        with project.edited(PAPER, timed):
            assert told in project.snakemake(trace).stdout
    with h5py.File(project.folder / trace) as handle:
        assert list(handle) == ["seed-0", "seed-0-repetition-1", "seed-0-repetition-2", "seed-1"]


def test_the_plain_command_takes_the_default_profile(project):
    done = project.call("snakemake", "--cores", "2", "--dry-run", "--config", "run=quick", "--", FIGURE)
    assert "profiles/default" in done.stdout


@pytest.mark.parametrize("options", [[], ["--workflow-profile", "workflow/profiles/slurm"]])
def test_a_fresh_clone_plans_every_run_of_every_paper(options, tmp_path):
    project = Project.copy(tmp_path / "fresh", own_sources=False)
    shutil.copytree(ROOT / "reports/reference", project.folder / "reports/reference")
    told = project.forked(*options, "--dry-run", "--config", "run=full").stdout
    planned = project.call("projfree", "plan", "--run", "full").stdout
    alone = sum(map(int, re.findall(r"^solve +(\d+)", told, re.M)[:1]))
    runs = [tuple(map(int, pair)) for pair in re.findall(r"(\d+) of (\d+) runs to make", planned)]
    assert len(runs) == len(PAPERS) and all(left == every for left, every in runs)
    assert 400 < alone <= sum(every for _, every in runs), "bundles have the others"
    assert "published" not in re.findall(r"^(\w+) +\d+", told, re.M)


def test_rules_are_few_in_one_file_and_say_what_they_make():
    text = (ROOT / "workflow/Snakefile").read_text()
    rules = dict(re.findall(r"^ *rule(?: (\w+))?:\n((?:    .*\n|\n(?=    ))*)", text, re.M))
    assert sum("\n    output:" in body for body in rules.values()) <= 18, "the others only gather"
    assert len(rules) <= 25 and len(text.splitlines()) <= 450
    assert [path.name for path in ROOT.glob("workflow/**/*.smk")] == []
    assert not re.search(r"sys\.argv|ruleorder|setattr|Timer", text)
    for name, body in rules.items():
        assert body.lstrip().startswith('"""'), f"{name} does not say what it makes"
        words = re.findall(r"^    (\w+):$", body, re.M)
        assert "shell" not in words or {"log", "message"} <= set(words), name
        assert str(ROOT) not in body
