"""A short torture of the downloader, and that it finds a downloader which fails."""

import downloads
import pytest
from outcomes import load

from projfree.data import fetch

FEW = 42  # two of each kind


def test_a_few_schedules_of_every_kind(tmp_path):
    outcomes, wrongs = downloads.torture(FEW, 7, tmp_path, apart=False)
    assert wrongs == []
    assert sum(o.cases for o in outcomes) == FEW and {o.cases for o in outcomes} == {2}
    assert all(o.resumed + o.clear_errors == 2 for o in outcomes)  # how many are right, the clock decides


def test_no_case_begins_after_its_time(tmp_path):
    outcomes, wrongs = downloads.torture(FEW, 7, tmp_path, apart=False, minutes=0)
    assert wrongs == [] and sum(o.cases for o in outcomes) == 0


def test_killed_in_the_middle(tmp_path):
    servers = downloads.Servers(tmp_path)
    outcome, wrongs = downloads.killed(servers, tmp_path, 2, 0)
    servers.close()
    assert wrongs == [] and outcome.resumed == 2


def trusting(*_):
    return None


def careless(*_):
    raise RuntimeError("a traceback")


@pytest.mark.parametrize("judge", [trusting, careless])
def test_a_bad_downloader_is_found(tmp_path, monkeypatch, judge):
    monkeypatch.setattr(fetch, "check_hash", judge)
    monkeypatch.setattr(downloads, "ALL", ["wrong bytes"])
    monkeypatch.setattr(downloads, "TIMES", downloads.PATIENT)
    outcomes, wrongs = downloads.torture(8, 7, tmp_path, apart=False)
    assert len(wrongs) == sum(o.wrong for o in outcomes) > 0


def test_outcomes_are_saved(tmp_path, monkeypatch):
    monkeypatch.setattr(
        downloads, "torture", lambda *_, **__: ([downloads.Outcome("a", 1, 0, 0, 1)], ["case 1"])
    )
    assert downloads.main(["--json", str(tmp_path / "o.json")]) == 1
    assert load(tmp_path / "o.json")[1][0].wrong == 1
