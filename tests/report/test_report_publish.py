import json
import shutil
from pathlib import Path

import made_readme
import pytest
from made_readme import front

from projfree.common import owned
from referee.common import ours
from referee.common.ours import NotOurs
from referee.report.rebuild import publish


@pytest.fixture(autouse=True)
def known_by_name(monkeypatch):
    """What is made up here is known by its name alone; tests/common/test_ours.py looks at content."""
    monkeypatch.setattr(ours, "MARKS", dict.fromkeys(ours.MARKS, owned.ANY))


def made_report(root):
    report, reference, readme = root / "full", root / "reference" / "x", root / "README.md"
    made_readme.write(report, "new")
    made_readme.write(reference, "old")
    readme.write_text(made_readme.README)
    return report, reference, readme


def test_publishing_replaces_the_reference_and_what_the_readme_says_of_it(tmp_path):
    report, reference, readme = made_report(tmp_path)
    (report / "claims.json").write_text(json.dumps(made_readme.CLAIMS[:1]))
    stale = reference / "figures/stale.svg"
    stale.write_text("old")
    (reference / "costs.json").write_text('{"quick": {}}')
    publish(report, reference, readme, "x")
    assert (reference / "costs.json").read_text() == '{"quick": {}}', "costs of other runs stay"
    assert (reference / "README.md").read_text() == front("new") and not stale.exists()
    assert "We judged 1 claim" in readme.read_text() and "1 holds only as published" in readme.read_text()


def test_published_are_the_sources_of_pages_and_not_the_pages(tmp_path):
    """Pages, and drawings and tables in other formats, are made again from what is published."""
    report, reference, readme = made_report(tmp_path)
    (report / ".timestamp").write_text("the workflow's")
    publish(report, reference, readme, "x")
    files = {path.relative_to(reference).as_posix() for path in reference.rglob("*") if path.is_file()}
    kept = {"README.md", "claims.json", "verdicts.csv", "evidence/study.json.gz"}
    assert files == kept | {"figures/a.svg", "tables/a.csv"}


@pytest.mark.parametrize("judged", [False, True])
def test_what_was_kept_goes_with_its_publication_panels_of_alternatives_if_judged(tmp_path, judged):
    report, reference, readme = made_report(tmp_path)
    kept = reference / "evidence/next"
    for name in ("panels.json", "fig1.csv.gz", "tuning/fig1/fw.json", "U1/fig1.csv.gz"):
        (kept / name).parent.mkdir(parents=True, exist_ok=True)
        (kept / name).write_text("")
    if judged:
        (report / "tables/alternatives.csv").write_text("")
    publish(report, reference, readme, "x")
    left = {path.relative_to(kept).as_posix() for path in kept.rglob("*") if path.is_file()}
    assert left == (set() if judged else {"U1/fig1.csv.gz"}) and kept.exists() != judged


def test_publishing_over_a_file_of_others_is_refused(tmp_path):
    report, reference, readme = made_report(tmp_path)
    (reference / "notes.md").write_text("mine")
    with pytest.raises(NotOurs, match="notes.md, which projfree did not make"):
        publish(report, reference, readme, "x")
    assert (reference / "notes.md").read_text() == "mine"
    assert (reference / "README.md").read_text() == front("old")


@pytest.mark.parametrize("killed_in", ["copytree", "rename of old", "rename of new"])
def test_a_killed_publication_leaves_the_old_one_or_the_next_brings_it_back(tmp_path, monkeypatch, killed_in):
    report, reference, readme = made_report(tmp_path)
    rename, number = Path.rename, iter(("old", "new"))

    def killed(*_, **__):
        raise KeyboardInterrupt

    def renamed(path, target):
        return killed() if killed_in == f"rename of {next(number)}" else rename(path, target)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Path, "rename", renamed)
        patch.setattr(shutil, "copytree", killed if killed_in == "copytree" else shutil.copytree)
        publish(report, reference, readme, "x")
    if killed_in != "rename of new":
        assert (reference / "README.md").read_text() == front("old")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(shutil, "copytree", killed)
        publish(report, reference, readme, "x")
    assert (reference / "README.md").read_text() == front("old")
    publish(report, reference, readme, "x")
    assert (reference / "README.md").read_text() == front("new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["README.md", "full", "reference"]
    assert [path.name for path in reference.parent.iterdir()] == ["x"]


def test_nothing_is_published_without_a_page(tmp_path):
    with pytest.raises(FileNotFoundError, match="make replicate"):
        publish(tmp_path / "none", tmp_path / "reference", tmp_path / "README.md", "x")
