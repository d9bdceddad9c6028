"""Records of panels: of what is published each file has one, and what must not be published is refused."""

import gzip
import json
import shutil

import numpy as np
import pytest
from checkouts import TRACE, call, change, solve
from places import ROOT

from referee import study
from referee.publish import records

REPORTS = sorted(ROOT.glob("reports/reference/*/evidence"))


@pytest.mark.parametrize("folder", REPORTS, ids=lambda path: path.parent.name)
def test_every_published_table_has_a_record(folder):
    panels = records.index(folder)["panels"]
    files = {name for told in panels.values() for name in told["files"]}
    tables = {path.name.removesuffix(".gz") for path in folder.glob("*.csv.gz")}
    tuning = {path.relative_to(folder).as_posix() for path in folder.glob("tuning/*/*.json")}
    assert tables == {f"{name}.csv" for name in panels} and tables | tuning >= files
    records.check(folder)


@pytest.fixture
def published(tmp_path):
    """A folder of evidence with one panel and its record."""
    content = b"experiment,method\ne,fw\n"
    (tmp_path / "e.csv.gz").write_bytes(gzip.compress(content))
    told = {"files": {"e.csv": records._sha256(content)}}
    told |= {"commits": ["a" * 40], "machines": ["m"], "jobs": {}}
    (tmp_path / "panels.json").write_text(json.dumps({"paper": "p", "run": "full", "panels": {"e": told}}))
    return tmp_path


def test_a_byte_changed_anywhere_is_told(published, long):
    """Of content, whatever the packing: cases with a seed of their own."""
    records.check(published)
    rng, path = np.random.default_rng(0), published / "e.csv.gz"
    content = gzip.decompress(path.read_bytes())
    for _ in range(len(content) if long else 8):
        place, flip = rng.integers(len(content)), rng.integers(1, 256)
        other = bytes([*content[:place], content[place] ^ flip, *content[place + 1 :]])
        path.write_bytes(gzip.compress(other))
        with pytest.raises(records.Unusable, match="e.csv.gz: does not match its recorded hash"):
            records.check(published)
    path.unlink()
    with pytest.raises(records.Unusable, match="is missing"):
        records.check(published)


@pytest.mark.parametrize("text", ["null", "[1]", "{}", '{"paper": 1, "run": "r", "panels": {}}'])
def test_an_index_that_is_none_is_told(published, text):
    (published / "panels.json").write_text(text)
    with pytest.raises(ValueError, match="panels.json"):
        records.check(published)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ({"commits": ["a" * 40 + "+changes"]}, "no commit has"),
        ({"commits": ["unknown"]}, "no commit has"),
        ({"machines": ["a", "b"]}, "several processors"),
        ({}, ""),
    ],
)
def test_a_panel_of_no_commit_or_of_two_machines_is_not_to_be_published(edit, words):
    found = records.faults("e", {"commits": ["a" * 40], "machines": ["a"]} | edit)
    assert bool(found) == bool(words) and all(words in line for line in found)


def test_the_sentence_about_what_was_taken_names_its_commits():
    told = {"commits": ["c" * 40], "taken": True}
    found = {"a": told, "b": {"commits": ["d" * 40]}}
    assert records.taken(found) == f"taken from the published tables of commit {'c' * 12}"
    assert records.taken(found, ["b"]) == records.taken({}) == ""
    assert records.as_published(found) == {"a": {"commits": ["c" * 40]}, "b": {"commits": ["d" * 40]}}


@pytest.mark.usefixtures("other")
def test_a_record_fits_while_the_study_asks_for_its_jobs(made):
    shutil.copytree(made / "results", "results", dirs_exist_ok=True)
    for method in study.load("ncgs", "quick").experiment("fig1-left").run_here:
        solve(method)
    call("evidence", "ncgs", "fig1-left", "--output", "e")
    told = records.index("e")["panels"]["fig1-left"]

    def fits():
        return records.fits(study.load("ncgs", "quick"), "fig1-left", told, ".", ".")

    assert fits() and TRACE.exists()
    assert not records.fits(study.load("ncgs", "quick"), "fig1-left", told | {"data": "0"}, ".", ".")
    assert records.changed(study.load("ncgs", "quick"), {"fig1-left": told}) == []
    change(lambda panel, quick: panel["generator"].update(observe=0.6))
    assert not fits() and records.changed(study.load("ncgs", "quick"), {"fig1-left": told}) == ["fig1-left"]
