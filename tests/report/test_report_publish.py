import json

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


def test_nothing_is_published_without_a_page(tmp_path):
    with pytest.raises(FileNotFoundError, match="make replicate"):
        publish(tmp_path / "none", tmp_path / "reference", tmp_path / "README.md", "x")


def test_a_readme_without_markers_is_an_error():
    with pytest.raises(ValueError, match="verdicts:x"):
        between("no markers", "x", "table")
