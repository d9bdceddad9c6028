"""Evidence beside a published report: what a study was run as, and its tables, packed to the same bytes."""

import gzip
from copy import deepcopy

import pytest
from click.testing import CliRunner
from frames import paper, run, spec, write

from projfree.common import owned
from referee.cli import runs
from referee.common import ours
from referee.evidence.published import keep, read_readings, restate, spec_of, write_readings

A = {"solver": "ncgs"}
SPEC = paper(spec(e={"define": {"a": A}})).plain()


@pytest.fixture
def report(tmp_path):
    tables, tuning, report = tmp_path / "tables", tmp_path / "tuning", tmp_path / "reports/toy"
    write(tables, "e", *(run(name, {"m": [8.0, 4, 2]}) for name in "ab"))
    (tuning / "e").mkdir(parents=True)
    (tuning / "e/a.json").write_text('{"experiment": "e", "method": "a", "untuned": ""}')
    keep(SPEC, [tables], [tuning / "e/a.json"], report / "evidence")
    return report


def test_a_published_study_is_said_in_the_words_of_today_over_the_runs_that_it_is_of(report):
    named = spec(e={"define": {"a": A | {"label": "NCGS"}, "b": A}}, later={})
    today = paper(named).plain() | {"clock": "model", "summary": "anew"}
    today["experiments"]["e"] |= {"title": "renamed", "seeds": 7}
    restate(report, today)
    found = spec_of(report)
    expected = deepcopy(SPEC["experiments"]["e"])
    expected["define"]["a"]["label"] = "NCGS"
    assert found["experiments"]["e"] == expected and "later" in found["experiments"]
    assert found["summary"] == "anew" and found.get("clock") == SPEC.get("clock")
    assert found["figures"] == SPEC["figures"]


@pytest.mark.parametrize("change", [restate, lambda report, spec: keep(spec, "t", "t", report / "evidence")])
def test_a_study_that_could_not_be_read_again_leaves_the_published_one(report, change):
    before = (report / "evidence/study.json.gz").read_bytes()
    with pytest.raises(ValueError, match="title"):
        change(report, {**SPEC, "title": 3})
    assert (report / "evidence/study.json.gz").read_bytes() == before and gzip.decompress(before)


def test_same_evidence_same_bytes_and_nothing_stays_of_what_was_there(report, tmp_path, monkeypatch):
    monkeypatch.setattr(ours, "MARKS", dict.fromkeys(ours.MARKS, owned.ANY))
    before = {path: path.read_bytes() for path in (report / "evidence").rglob("*.*")}
    (report / "evidence/stale.csv.gz").write_text("old")
    keep(SPEC, [tmp_path / "tables"], [tmp_path / "tuning/e/a.json"], report / "evidence")
    assert {path: path.read_bytes() for path in (report / "evidence").rglob("*.*")} == before
    assert {path.name for path in before} == {"study.json.gz", "e.csv.gz", "a.json"}


def test_readings_come_back_as_they_were_written_and_none_of_another_judge(tmp_path):
    reading = {"claim": "T-C1", "reading": "η = 1", "choice": "U1", "base": "holds", "verdict": "fails"}
    write_readings([reading], {"T-C1": "holds"}, tmp_path / "a.csv")
    assert read_readings(tmp_path / "a.csv") == [reading | {"full_verdict": "holds"}]
    (tmp_path / "b.csv").write_text(
        "deviation,alternative,claim,verdict,main_verdict\nU1,a,T-C1,fails,holds\n"
    )
    assert read_readings(tmp_path / "b.csv") == read_readings(tmp_path / "none.csv") == []


def test_a_run_that_fails_leaves_the_folder_of_the_last_one(tmp_path, monkeypatch):
    (tmp_path / "unit").mkdir()
    (tmp_path / "unit" / "panels.json").write_text('{"panels": {}}')
    monkeypatch.setattr(runs, "_made", lambda *_: ({}, ["fig1-left/fw: wrong"]))
    command = ["ncgs", "fig1-left", "--output", str(tmp_path / "unit")]
    failed = CliRunner().invoke(runs.evidence, command)
    assert "fig1-left/fw: wrong" in str(failed.exception)
    assert [path.name for path in (tmp_path / "unit").iterdir()] == ["panels.json"]
