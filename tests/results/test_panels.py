"""Panels without their traces: kept by one checkout, taken by another that asks for the same jobs."""

import json
import shutil
from pathlib import Path

import pytest
from checkouts import TRACE, call, change, merged, results, solve

from referee import study
from referee.ground import revision
from referee.publish import panels

PLACE = Path("reports/panels/quick/ncgs")
TABLE = Path("results/quick/evidence/ncgs/fig1-left.csv")
TUNING = Path("results/quick/tuning/ncgs/fig1-left/ncgs-2-tuned.json")
METHODS = ["fw", "ncgs-2-tuned"]


def alone(panel, quick):
    """The quick run with one panel of two methods, which is no bundle."""
    quick.pop("bundles", None)
    panel["methods"] = METHODS


@pytest.fixture
def finished(other, monkeypatch):
    """A checkout whose panel is finished, at a commit."""
    at(monkeypatch, "c" * 40)
    change(alone)
    make()


def at(monkeypatch, commit):
    monkeypatch.setattr(revision, "git_commit", lambda root=None: commit)


def make():
    call("tune", "ncgs", "fig1-left", METHODS[1])
    for method in METHODS:
        solve(method)
    call("tidy", TABLE, *(TRACE.with_name(f"{method}.h5") for method in METHODS))


@pytest.fixture
def kept(finished, tmp_path):
    """What was kept of a panel of which nothing is left here."""
    assert "reports/panels/quick/ncgs: 1 of " in results("panels", "--paper", "ncgs")
    for folder in ("traces", "tuning", "evidence"):
        shutil.rmtree(Path("results/quick") / folder)
    return shutil.move(PLACE, tmp_path / "kept")


def founded(*folders):
    return panels.founded(study.load("ncgs", "quick"), Path("results/quick"), folders)


def test_a_kept_panel_is_taken_and_then_the_same(finished, kept):
    assert "1 taken, 0 same, 0 conflicts, 0 refused" in merged(kept)
    assert json.loads(TUNING.read_text())["method"] == METHODS[1]
    assert TABLE.read_text().startswith("experiment,method,seed,") and not TRACE.exists()
    assert "0 taken, 1 same, 0 conflicts, 0 refused" in merged(kept)


def test_a_panel_that_differs_here_is_a_conflict(kept):
    merged(kept)
    TABLE.write_text(TABLE.read_text().replace("fw,0,0,", "fw,0,9,", 1))
    TUNING.unlink()
    assert f"conflict  {TABLE}" in merged(kept, code=1) and not TUNING.exists()


@pytest.mark.parametrize(
    "edit, reason",
    [
        (lambda panel, quick: panel.update(budget={"cpu_seconds": None, "iterations": 9}), "jobs.fw: "),
        (lambda panel, quick: panel["generator"].update(observe=0.6), "here"),
        (lambda panel, quick: panel.update(methods=["ncgs-2-tuned"]), "jobs.fw: None here"),
        (lambda panel, quick: quick.update(bundles={"one": ["fig1-left"]}), "no panel of this study"),
    ],
)
def test_a_panel_of_another_study_is_refused(kept, edit, reason):
    change(edit)
    said = merged(kept)
    assert reason in said and "0 taken, 0 same, 0 conflicts, 1 refused" in said and not TABLE.exists()


@pytest.mark.parametrize("record", [1, {}, {"jobs": 3}, {"jobs": {"fw": "0"}, "instance": [], "data": None}])
def test_a_record_that_is_none_is_refused(kept, record):
    index = json.loads((kept / panels.PANELS).read_text())
    (kept / panels.PANELS).write_text(json.dumps(index | {"panels": {"fig1-left": record}}))
    assert "1 refused" in merged(kept) and not TABLE.exists()


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"paper": 1, "panels": {}}', '{"paper": "p", "panels": 1}']
)
def test_an_index_that_is_none_is_an_error(kept, text):
    (kept / panels.PANELS).write_text(text)
    assert str(kept / panels.PANELS) in merged(kept, code=1)


@pytest.mark.parametrize("file", ["fig1-left.csv.gz", "tuning/fig1-left/ncgs-2-tuned.json"])
def test_a_panel_whose_file_is_gone_is_refused(kept, file):
    (kept / file).unlink()
    assert "1 refused" in merged(kept) and not TABLE.exists()


@pytest.mark.parametrize("commit", ["c" * 40 + "+changes", revision.UNKNOWN])
def test_a_panel_of_uncommitted_sources_is_not_kept(finished, monkeypatch, commit):
    at(monkeypatch, commit)
    solve()
    call("tidy", TABLE, *(TRACE.with_name(f"{method}.h5") for method in METHODS))
    assert ": 0 of " in results("panels", "--paper", "ncgs")


def test_a_panel_that_is_not_finished_is_not_kept(finished):
    solve()  # later than the table
    assert ": 0 of " in results("panels", "--paper", "ncgs")
    TRACE.unlink()
    assert ": 0 of " in results("panels", "--paper", "ncgs")


def test_a_panel_stays_beside_those_that_are_kept_later(finished):
    results("panels", "--paper", "ncgs")
    index = json.loads((PLACE / panels.PANELS).read_text())
    index["panels"]["fig2"] = {"jobs": {}}
    (PLACE / panels.PANELS).write_text(json.dumps(index))
    results("panels", "--paper", "ncgs")
    assert json.loads((PLACE / panels.PANELS).read_text()) == index


def test_a_table_without_traces_needs_one_who_vouches_for_it(kept):
    merged(kept)
    records, bare = founded(kept)
    assert records["fig1-left"]["commits"] == ["c" * 40] and "fig1-left" not in bare
    assert "fig1-left" in founded(kept.parent / "nowhere")[1]
    TABLE.write_text(TABLE.read_text() + "\n")
    assert "fig1-left" in founded(kept)[1]


def test_traces_vouch_for_themselves(finished):
    records, _ = founded()
    (record,) = [records[name] for name in records if name == "fig1-left"]
    assert record["commits"] == ["c" * 40] and set(record["jobs"]) == set(METHODS)
    assert panels.origins(records) == f"1 of commit {'c' * 12}"


def test_data_is_told_as_of_instances(finished):
    loaded = study.load("ncgs", "quick")
    records, _ = founded()
    assert panels.data_hashes(loaded, records) == {"fig1-left": "generated"}
    records["fig1-left"] |= {"stand_in": True}
    assert panels.data_hashes(loaded, records) == {"fig1-left": "generated (stand-in)"}
