"""Two runs beside each other: what differs is told, and what must not differ ends in an error."""

import json

import made_paper
import pandas as pd
import pytest
from click.testing import CliRunner
from places import ROOT

from projfree.ground import provenance
from projfree.trace.format import write_trace
from referee.cli.looking import compare
from referee.publish.two_runs import Side, contrast, contrast_text


@pytest.fixture
def runs(made, tmp_path):
    """Two results folders that are alike."""
    for name in ("first", "second"):
        folder = tmp_path / "results" / name
        (folder / "claims").mkdir(parents=True)
        (folder / "claims" / "ncgs.json").write_text(json.dumps(made_paper.claims()))
        made_paper.tidy(folder / "evidence" / "ncgs" / "unit", "fig1-left", ["ncgs-2", "fw"])
    return tmp_path


def side(runs, name):
    return Side.of(name, runs)


def change(runs, name, edit):
    path = runs / "results" / name / "evidence" / "ncgs" / "unit" / "fig1-left.csv"
    frame = pd.read_csv(path)
    edit(frame)
    frame.to_csv(path, index=False)


def trace(runs, name, commit="abc"):
    """Write a trace without a record, that says what it was made from."""
    about = dict.fromkeys(("paper", "experiment", "method", "run", "solver", "instance_sha256"), "x")
    path = runs / "results" / name / "traces" / "ncgs" / "fig1-left" / "fw.h5"
    path.parent.mkdir(parents=True)
    attrs = about | {"git_commit": commit, "environment": provenance.environment()}
    write_trace(path, attrs, [])


def compared(runs, *arguments):
    return contrast(side(runs, "first"), side(runs, "second"), *arguments)["ncgs"]


def test_runs_that_are_alike_differ_in_nothing(runs):
    found = compared(runs)
    (panel,) = found["panels"]
    records = len(pd.read_csv(runs / "results/first/evidence/ncgs/unit/fig1-left.csv"))
    assert (found["verdicts"], found["made"], panel["where"], panel["seconds"]) == ([], {}, "", 1)
    assert panel["words"] == f"counts equal at {records} records" and panel["metrics"]["difference"] == 0


def test_one_panel_is_compared_though_one_side_was_not_judged(runs, said):
    (runs / "results/second/claims/ncgs.json").unlink()
    found = compared(runs)
    assert [panel["experiment"] for panel in found["panels"]] == ["fig1-left"]
    assert found["claims"] == 0 and found["alone"] == [[], []]
    code, words = said()
    assert code == 0 and words.startswith("ncgs: no claim was judged on both sides\n  fig1-left: counts eq")
    change(runs, "second", lambda frame: frame.__setitem__("IFO", frame["IFO"] + 1))
    assert said()[0] == 1


def test_a_verdict_that_changed_is_told(runs):
    entries = made_paper.claims()
    entries[1]["verdict_strong"] = "fails"
    (runs / "results/second/claims/ncgs.json").write_text(json.dumps(entries[:-1]))
    found = compared(runs)
    assert found["verdicts"] == [
        {
            "claim": "NCGS-C1.a",
            "kind": "verdict_strong",
            "first": "holds in part",
            "second": "fails",
        }
    ]
    assert found["alone"] == [["NCGS-T2"], []]
    assert "NCGS-C1.a verdict_strong: holds in part → fails" in contrast_text({"ncgs": found})


def test_one_count_at_one_step_is_found(runs):
    def edit(frame):
        row = frame.index[(frame["method"] == "fw") & (frame["seed"] == 2)][3]
        frame.loc[row, "LO"] += 1
        frame["cpu_seconds"] *= 3
        frame.loc[row, "objective"] *= 1.25

    change(runs, "second", edit)
    (panel,) = compared(runs)["panels"]
    assert panel["unequal"] == 1 and panel["seconds"] == pytest.approx(3)
    assert panel["where"].startswith("fw seed 2 iteration ") and "LO" in panel["where"]
    assert panel["metrics"] == {"name": "objective", "difference": pytest.approx(0.2)}


def test_a_step_that_was_cut_is_two_records(runs):
    path = runs / "results/first/evidence/ncgs/unit/fig1-left.csv"
    frame = pd.read_csv(path)
    cut = frame.iloc[[-1]].assign(IFO=frame["IFO"].iloc[-1] + 7)
    for name in ("first", "second"):
        both = pd.concat([frame, cut])
        both.to_csv(path.parents[4] / name / "evidence/ncgs/unit/fig1-left.csv", index=False)
    (panel,) = compared(runs)["panels"]
    assert (panel["unequal"], panel["words"]) == (0, f"counts equal at {len(frame) + 1} records")


def test_records_of_one_side_only_are_counted(runs):
    path = runs / "results/second/evidence/ncgs/unit/fig1-left.csv"
    frame = pd.read_csv(path)
    frame[:-3].to_csv(path, index=False)
    (panel,) = compared(runs)["panels"]
    assert panel["words"] == f"counts equal at {len(frame) - 3} records, 3 records on one side only"


def test_origins_that_differ_are_told(runs):
    trace(runs, "first")
    trace(runs, "second", commit="def")
    assert compared(runs)["made"] == {"commit": [["abc"], ["def"]]}


@pytest.fixture
def said(runs, monkeypatch):
    """The command on the two runs: exit code and what it says."""
    for part in ("config", "papers"):
        (runs / part).symlink_to(ROOT / part)
    monkeypatch.setenv("PROJFREE_ROOT", str(runs))

    def call(*words):
        done = CliRunner().invoke(compare, ["first", "second", *map(str, words)])
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.exit_code, done.output

    return call


def test_the_command_fails_where_counts_differ(runs, said):
    assert said("ncgs")[0] == 0
    change(runs, "second", lambda frame: frame.__setitem__("IFO", frame["IFO"] + 1))
    code, words = said()
    assert code == 1 and "IFO 0 against 1" in words


def test_unknown_names_and_folders_are_told(runs, said):
    with pytest.raises(ValueError, match="unknown paper 'ncsg'. Did you mean 'ncgs'"):
        said("ncsg")
    with pytest.raises(FileNotFoundError, match="neither a run nor a folder .nowhere...*: first, second"):
        Side.of("nowhere", runs)
