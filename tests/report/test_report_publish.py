import json
import shutil
from pathlib import Path

import pytest

from projfree.report.publish import between, publish, verdict_table

CLAIMS = [
    {"id": "X-C1", "quote": "A | B wins", "statement": "s", "verdict": "holds", "verdict_strong": "fails"},
    {"id": "X-C1.a", "quote": "", "statement": "s", "verdict": "holds_in_part", "verdict_strong": None},
    {"id": "X-T1", "quote": "", "statement": "a bound", "verdict": "not_testable", "verdict_strong": None},
]


def test_a_row_a_top_claim_with_its_parts():
    rows = verdict_table(CLAIMS, "where").splitlines()[2:]
    assert len(rows) == 2
    assert "A ¦ B wins" in rows[0] and "✓ holds" in rows[0] and "✗ fails" in rows[0] and "a ◐" in rows[0]
    assert "a bound" in rows[1] and "○ not testable" in rows[1]


def test_publishing_replaces_the_reference_and_the_table(tmp_path):
    report, reference, readme = tmp_path / "full", tmp_path / "reference", tmp_path / "README.md"
    report.mkdir()
    (report / "index.html").write_text("page")
    (report / "claims.json").write_text(json.dumps(CLAIMS))
    reference.mkdir()
    (reference / "stale.svg").write_text("old")
    readme.write_text("head\n<!-- verdicts:x -->\nold\n<!-- /verdicts -->\ntail\n")
    publish(report, reference, readme, "x")
    assert (reference / "index.html").read_text() == "page" and not (reference / "stale.svg").exists()
    text = readme.read_text()
    assert text.startswith("head\n") and text.endswith("tail\n") and "\nold\n" not in text and "X-C1" in text


def made_report(root):
    report, reference, readme = root / "full", root / "reference", root / "README.md"
    for folder, page in ((report, "new"), (reference, "old")):
        folder.mkdir()
        (folder / "index.html").write_text(page)
        (folder / "claims.json").write_text(json.dumps(CLAIMS))
    readme.write_text("<!-- verdicts:x -->\n<!-- /verdicts -->\n")
    return report, reference, readme


@pytest.mark.parametrize("killed_in", ["copytree", "rename of old", "rename of new"])
def test_a_killed_publication_leaves_the_old_reference_or_the_next_brings_it_back(
    tmp_path, monkeypatch, killed_in
):
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
        assert (reference / "index.html").read_text() == "old"
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(shutil, "copytree", killed)
        publish(report, reference, readme, "x")
    assert (reference / "index.html").read_text() == "old"
    publish(report, reference, readme, "x")
    assert (reference / "index.html").read_text() == "new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["README.md", "full", "reference"]


def test_costs_of_other_runs_stay(tmp_path):
    report, reference, readme = made_report(tmp_path)
    (reference / "costs.json").write_text('{"quick": {}}')
    publish(report, reference, readme, "x")
    assert (reference / "costs.json").read_text() == '{"quick": {}}'


def test_nothing_is_published_without_a_page(tmp_path):
    with pytest.raises(FileNotFoundError, match="make replicate"):
        publish(tmp_path / "none", tmp_path / "reference", tmp_path / "README.md", "x")


def test_a_readme_without_markers_is_an_error():
    with pytest.raises(ValueError, match="verdicts:x"):
        between("no markers", "x", "table")
