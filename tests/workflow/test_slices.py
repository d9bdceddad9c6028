"""Published tables: taken only where that is asked for, checked, named; published in slices that add up."""

import json
import re
import subprocess

import pandas as pd
import pytest
import yaml
from project import Project

from projfree.trace.check import CLOCKS

pytestmark = pytest.mark.slow

PUBLISHED = "reports/reference/ncgs/evidence/next"
TABLES = [f"results/quick/evidence/ncgs/{name}" for name in ("capped", "side", "fig1-left")]
TAKEN = "taken from the published tables of commit"
ASKED = ["published=true"]


def git(project, *arguments):
    who = ["-c", "user.name=t", "-c", "user.email=t@t"]
    done = subprocess.run(
        ["git", *who, *arguments], cwd=project.folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def committed(project, *paths):
    git(project, "add", *paths)
    git(project, "commit", "-qm", "kept")


def small(text):
    """The paper without what fails and what takes long."""
    paper = yaml.safe_load(text)
    for name in ("wrong", "long"):
        del paper["experiments"][name]
    paper["experiments"]["capped"]["methods"] = ["fw", "ncgs-2"]
    return yaml.safe_dump(paper)


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A project at a commit, two panels of which are run, packed and committed; a third was begun."""
    project = Project.create(tmp_path_factory.mktemp("published") / "first")
    project.edit("papers/ncgs/paper.yaml", small)
    (project.folder / ".gitignore").write_text(
        "/results/\n/data/prepared/\n.cache\n.snakemake\n__pycache__\n"
    )
    git(project, "init", "-q")
    committed(project, ".")
    project.commit = git(project, "rev-parse", "HEAD")
    project.snakemake("results/quick/traces/ncgs/fig1-left/fw.h5", *TABLES[:2])
    project.said = project.call("projfree", "publish", "ncgs", "--run", "quick", "--panels").stdout
    committed(project, "reports")
    return project


@pytest.fixture
def clone(first, tmp_path):
    """Another clone of it, which has no results."""
    folder = tmp_path / "clone"
    git(first, "clone", "-q", ".", folder)
    project = Project(folder)
    project.environment["PROJFREE_CACHE"] = first.environment["PROJFREE_CACHE"]
    return project


def counted(path):
    """A results table without what the machine's clock says."""
    found = pd.read_csv(path)
    clocks = [name for name in found if name in CLOCKS or name.startswith("seconds_")]
    return found.drop(columns=[*clocks, "others_on_core"], errors="ignore")


def test_finished_panels_are_packed_as_records_of_a_commit(first):
    assert "2 panels packed" in first.said
    told = json.loads((first.folder / PUBLISHED / "panels.json").read_text())["panels"]
    assert set(told) == {"capped", "side"}
    for record in told.values():
        assert record["commits"] == [first.commit] and len(record["machines"]) == 1
        assert set(record) >= {"jobs", "files", "stand_in"} and "taken" not in record
    assert "0 panels packed" in first.call("projfree", "publish", "ncgs", "--run", "quick", "--panels").stdout


def test_by_default_all_is_computed_and_asked_for_what_is_published_is_taken(clone):
    planned = clone.planned("claims")
    assert {"tables of capped of ncgs (quick)", "fw on capped (quick)"} <= planned
    assert not any("published" in job for job in planned)
    planned = clone.planned("claims", config=ASKED)
    assert "published tables of ncgs (quick)" in planned and "tables of fig1-left of ncgs (quick)" in planned
    assert not any("capped" in job or "side" in job for job in planned)
    counts = [
        clone.call("projfree", "plan", "--run", "quick", *more).stdout for more in ([], ["--published"])
    ]
    assert "11 of 11 runs to make" in counts[0] and "7 of 11 runs to make, 4 taken" in counts[1]


def test_what_is_made_of_taken_tables_says_so_and_goes_on_in_another_clone(first, clone):
    clone.snakemake("ncgs", config=ASKED)
    words = f"{TAKEN} {first.commit[:12]}"
    results, report = clone.folder / "results/quick", clone.folder / "reports/quick/ncgs"
    assert not (results / "evidence/ncgs/capped").exists() and not (results / "traces/ncgs/capped").exists()
    for name in ("index.html", "README.md"):
        assert words in (report / name).read_text(), name
    assert words in clone.call("projfree", "claims", "ncgs").stdout
    entries = json.loads((results / "claims/ncgs.json").read_text())
    assert [entry["taken"] for entry in entries] == [words]
    assert words in (report / "pages/claim-NCGS-C1.html").read_text()
    assert words not in (report / "figures/fig1-left.svg").read_text(), "its panel was computed"
    pd.testing.assert_frame_equal(
        counted(results / "published/ncgs/capped.csv"), counted(first.folder / TABLES[0] / "capped.csv")
    )
    assert clone.planned("ncgs", config=ASKED) == set()


def test_a_stale_published_table_never_wins_over_a_computed_one(clone):
    """Neither where its code has changed, nor by hand."""
    touched = "\ntouched = True\n"
    with clone.edited("src/projfree/solvers/frank_wolfe.py", lambda text: text + touched):
        planned = clone.planned("claims", config=ASKED)
        assert "fw on capped (quick)" in planned
        clone.snakemake(TABLES[0], config=ASKED)
        clone.snakemake("results/quick/published/ncgs", config=ASKED)
        there = clone.folder / "results/quick/published/ncgs"
        assert not (there / "capped.csv").exists() and (there / "side.csv").exists()
        wrong = clone.call(
            "projfree", "evidence", "ncgs", "capped", "--published", "--output", "o", check=False
        )
        assert (
            wrong.returncode and "unknown published panel that fits the run quick: 'capped'" in wrong.stdout
        )
    assert clone.planned(TABLES[0], config=["published=false"]), "what it was made of has changed again"


def test_a_published_table_with_a_byte_changed_is_refused_by_its_record(clone):
    import gzip

    path = clone.folder / PUBLISHED / "capped.csv.gz"
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()).replace(b"fw", b"fx", 1)))
    done = clone.snakemake("results/quick/published/ncgs", config=ASKED, check=False)
    assert done.returncode and "capped.csv.gz: does not match its recorded hash" in done.stdout
    assert not (clone.folder / "results/quick/published/ncgs").exists()


def test_panels_of_sources_that_no_commit_has_are_not_packed(clone):
    clone.edit("papers/ncgs/paper.yaml", lambda text: text.replace("title: two seeds", "title: of two seeds"))
    clone.edit("src/projfree/solvers/frank_wolfe.py", lambda text: text + "\ntouched = True\n")
    clone.snakemake(TABLES[0])
    told = clone.call("projfree", "publish", "ncgs", "--run", "quick", "--panels").stdout
    assert "0 panels packed" in told


def test_a_panel_of_two_machines_is_not_packed(first):
    def changed(text, machines):
        told = json.loads(text)
        told["panels"]["capped"]["machines"] = machines
        return json.dumps(told)

    words, name = ("projfree", "publish", "ncgs", "--run", "quick", "--panels"), f"{TABLES[0]}/panels.json"
    with first.edited(name, lambda text: changed(text, ["one", "another"])):
        assert "0 panels packed" in first.call(*words).stdout
    with first.edited(name, lambda text: changed(text, ["one"])):
        assert "1 panels packed" in first.call(*words).stdout
    git(first, "checkout", "--", "reports")


def finished(clone):
    """Run all of the paper, with what is published; the command that publishes it."""
    marks = ("papers", "verdicts", "times")
    (clone.folder / "README.md").write_text("\n".join(f"<!-- {m} -->\n<!-- /{m} -->" for m in marks))
    committed(clone, ".")
    clone.snakemake("ncgs", config=ASKED)
    return ("projfree", "publish", "ncgs", "--run", "quick")


def test_a_whole_run_is_published_from_slices_and_is_judged_again(first, clone):
    """Two panels are another sitting's, the others are computed here; what is packed is then published."""
    words = finished(clone)
    refused = clone.call(*words, check=False)
    assert refused.returncode and "without the verdicts under the alternatives" in refused.stdout
    clone.call(*words, "--before-alternatives")
    evidence = clone.folder / "reports/reference/ncgs/evidence"
    told = json.loads((evidence / "panels.json").read_text())["panels"]
    assert set(told) >= {"capped", "side", "fig1-left", "bundled", "bundled-too"}
    assert not any("taken" in record for record in told.values()) and not (evidence / "next").exists()
    assert told["capped"]["commits"] == [first.commit] != told["fig1-left"]["commits"]
    assert "ncgs: no differences" in clone.call("projfree", "judge", "--from", "reports/reference").stdout
    made = clone.call("projfree", "page", "--from", "reports/reference").stdout
    assert f"of commit {first.commit[:12]}" in made and "changed since" not in made
    page = evidence.parent / "index.html"
    assert "changed since this run" not in page.read_text()
    with clone.edited("src/projfree/solvers/ncgs.py", lambda text: text + "\ntouched = True\n"):
        made = clone.call("projfree", "page", "--from", "reports/reference").stdout
        assert "the code or the settings of" in made and "changed since this run" in page.read_text()
        planned = clone.call("projfree", "plan", "--run", "quick", "--published").stdout
        assert re.search(r"taken from published tables \(\d published panels are of other code", planned)


def shorter(text):
    paper = yaml.safe_load(text)
    paper["experiments"]["fig1-left"]["budget"] = {"iterations": 7}
    return yaml.safe_dump(paper)


def test_a_panel_that_is_run_anew_takes_the_place_of_the_published_one(first, clone):
    words = finished(clone)
    clone.call(*words, "--before-alternatives")
    clone.edit("papers/ncgs/paper.yaml", shorter)
    committed(clone, ".")
    clone.snakemake(TABLES[2])
    assert "1 panels packed" in clone.call(*words, "--panels").stdout
    report = clone.folder / "reports/reference/ncgs"
    before = {path: path.read_bytes() for path in report.glob("figures/*.svg")}
    committed(clone, ".")
    clone.call(*words, "--again")
    panels = json.loads((report / "evidence/panels.json").read_text())["panels"]
    assert panels["fig1-left"]["commits"] == [git(clone, "rev-parse", "HEAD^")]
    assert panels["capped"]["commits"] == [first.commit]
    assert pd.read_csv(report / "evidence/fig1-left.csv.gz")["iteration"].max() == 7
    assert not list(report.glob("evidence/next/*"))
    assert all(path.read_bytes() != drawing for path, drawing in before.items()), "drawn anew"
    assert "ncgs: no differences" in clone.call("projfree", "judge", "--from", "reports/reference").stdout
    made = clone.call("projfree", "page", "--from", "reports/reference").stdout
    assert "changed since" not in made
