"""Two runs beside each other: what differs is told, and what must not differ ends in an error."""

import json

import made_paper
import pandas as pd
import pytest
from click.testing import CliRunner
from places import ROOT

from referee.cli.looking import compare
from referee.publish.two_runs import Side, contrast

TABLE = "results/{}/evidence/ncgs/unit/fig1-left.csv"


@pytest.fixture
def runs(made, tmp_path):
    """Two results folders that are alike."""
    for name in ("first", "second"):
        claims = tmp_path / "results" / name / "claims"
        claims.mkdir(parents=True)
        made_paper.judge(claims, made_paper.claims())
        (claims / "verdicts.csv").rename(claims / "ncgs.csv")
        made_paper.tidy(tmp_path / TABLE.format(name).rpartition("/")[0], "fig1-left", ["ncgs-2", "fw"])
    return tmp_path


def change(path, edit):
    frame = pd.read_csv(path)
    edit(frame)
    frame.to_csv(path, index=False)


def compared(runs, *papers):
    return contrast(*(Side.of(name, runs) for name in ("first", "second")), papers)


def test_runs_that_are_alike_differ_in_nothing(runs):
    records = len(pd.read_csv(runs / TABLE.format("first")))
    told = f"fig1-left: counts are equal at {records} records, metrics are equal, 1 times the seconds"
    assert compared(runs) == (f"ncgs: 0 of 7 verdicts differ\n  {told}", 0)


def test_one_panel_is_compared_though_one_side_was_not_judged(runs):
    (runs / "results/second/claims/ncgs.csv").unlink()
    told, unequal = compared(runs)
    assert told.startswith("ncgs: no verdict on both sides\n  fig1-left: counts are equal") and not unequal


def test_a_verdict_that_changed_is_told_and_who_lacks_a_claim(runs):
    def edit(frame):
        frame.loc[(frame["claim"] == "NCGS-C1.a") & (frame["column"] == "fair"), "verdict"] = "fails"

    path = runs / "results/second/claims/ncgs.csv"
    change(path, edit)
    path.write_text("".join(line for line in path.open() if not line.startswith("NCGS-T1")))
    first, *lines = compared(runs)[0].splitlines()
    assert first == "ncgs: 1 of 6 verdicts differ"
    assert lines[:2] == ["  NCGS-C1.a fair: holds → fails", "  only in the first: NCGS-T1"]


def test_one_count_at_one_step_is_found(runs):
    def edit(frame):
        row = frame.index[(frame["method"] == "fw") & (frame["seed"] == 2)][3]
        frame.loc[row, "LO"] += 1
        frame["cpu_seconds"] *= 3
        frame.loc[row, "objective"] *= 1.25

    change(runs / TABLE.format("second"), edit)
    told, unequal = compared(runs)
    assert unequal == 1 and "counts differ at 1 records (fw seed 2 iteration " in told and "LO" in told
    assert "metrics within 0.2 (objective), 3 times the seconds" in told


def test_a_step_that_was_cut_is_two_records_and_those_of_one_side_are_counted(runs):
    frame = pd.read_csv(runs / TABLE.format("first"))
    cut = frame.iloc[[-1]].assign(IFO=frame["IFO"].iloc[-1] + 7)
    longer = pd.concat([frame, cut])
    for name in ("first", "second"):
        longer.to_csv(runs / TABLE.format(name), index=False)
    assert f"counts are equal at {len(frame) + 1} records, metrics" in compared(runs)[0]
    longer[:-4].to_csv(runs / TABLE.format("second"), index=False)
    assert f"counts are equal at {len(frame) - 3} records, 4 records on one side only" in compared(runs)[0]


def test_commits_and_machines_that_differ_are_told(runs):
    for name, commit in (("first", "abc"), ("second", "def")):
        about = {"panels": {"fig1-left": {"commits": [commit], "machines": ["one"]}}}
        path = (runs / TABLE.format(name)).with_name("panels.json")
        path.write_text(json.dumps(about | {"paper": "ncgs", "run": name}))
    assert "\n  commits: abc  |  def\n" in compared(runs)[0] and "machines" not in compared(runs)[0]


def test_a_table_without_verdicts_is_refused_by_name(runs):
    path = runs / "results/first/claims/ncgs.csv"
    path.write_text("claim,other\nC1,2\n")
    with pytest.raises(ValueError, match="ncgs.csv lacks the columns call, column, part, verdict"):
        compared(runs)


def test_a_published_report_is_compared_with_itself():
    side = Side.of(ROOT / "reports/reference", ROOT)
    told, unequal = contrast(side, side, ["ipg"])
    assert told.startswith("ipg: 0 of ") and "records, metrics are equal" in told and not unequal


@pytest.fixture
def said(runs, monkeypatch):
    """The command on the two runs: exit code and what it says."""
    for part in ("config", "papers"):
        (runs / part).symlink_to(ROOT / part)
    monkeypatch.setenv("PROJFREE_ROOT", str(runs))

    def call(*words):
        done = CliRunner().invoke(compare, ["first", "second", *words], catch_exceptions=False)
        return done.exit_code, done.output

    return call


def test_the_command_fails_where_counts_differ(runs, said):
    assert said("ncgs")[0] == 0
    change(runs / TABLE.format("second"), lambda frame: frame.__setitem__("IFO", frame["IFO"] + 1))
    code, words = said()
    assert code == 1 and "IFO 0 against 1" in words


def test_unknown_names_and_folders_are_told(runs, said):
    with pytest.raises(ValueError, match="unknown paper 'ncsg'. Did you mean 'ncgs'"):
        said("ncsg")
    with pytest.raises(FileNotFoundError, match="folder .nowhere.. Runs here: first, second"):
        Side.of("nowhere", runs)
