"""Verdicts under alternatives and readings: what turns, what is told of it, and the matrix of both."""

import pandas as pd
import pytest
from frames import paper

from referee.evidence.alternatives import (
    Under,
    collect,
    comparable,
    read_alternatives,
    turned,
    with_readings,
    write_matrix,
)

STUDY = paper({"prefix": "X", "claims": [{"id": f"C{k}", "not_judged": "here"} for k in (1, 2, 3)]})


def entry(name, verdict, **panels):
    found = [{"panel": panel, "verdict": words} for panel, words in (panels or {"fig1": verdict}).items()]
    return {"id": name, "verdict": verdict, "measured": {"ratio": 0.5}, "panels": found}


def test_rows_beside_the_main_verdict_and_of_what_stays_open(tmp_path):
    output = tmp_path / "out" / "table.csv"
    main = [entry("X-C1", "holds"), entry("X-C2", "fails"), entry("X-C3", "not_testable")]
    other = [entry("X-C1", "fails"), entry("X-C2", "not_testable"), entry("X-C3", "holds")]
    collect([Under("U1", "b", ["fig1", "fig2"], STUDY, main, other)], output)
    table = pd.read_csv(output, keep_default_na=False)
    row = table.iloc[0]
    assert (row["deviation"], row["alternative"], row["claim"]) == ("U1", "b", "X-C1")
    assert (row["verdict"], row["main_verdict"], row["panels"]) == ("fails", "holds", "fig1, fig2")
    assert (row["turns"], row["otherwise"]) == ("yes", "X-C1 fig1: holds → fails")
    assert table["claim"].tolist() == ["X-C1", "X-C2", "X-C3"] and table["turns"].tolist() == ["yes", "", ""]
    assert comparable(read_alternatives(output))["claim"].tolist() == ["X-C1"]


def test_the_verdict_at_full_size_is_told_beside_that_of_the_reduced_run(tmp_path):
    main, other, full = ([entry("X-C1", verdict)] for verdict in ("not_testable", "fails", "holds"))
    collect([Under("U1", "b", ["fig1"], STUDY, main, other, full)], tmp_path / "t.csv")
    columns = ["verdict", "main_verdict", "full_verdict"]
    assert read_alternatives(tmp_path / "t.csv")[columns].values.tolist() == [
        ["fails", "not_testable", "holds"]
    ]
    path = tmp_path / "old.csv"
    path.write_text("deviation,alternative,claim,verdict,main_verdict\nU1,a,C1,fails,holds\n")
    assert read_alternatives(path)["full_verdict"].tolist() == [""]


TURNS = [
    ("holds", "fails", True),
    ("fails", "holds", True),
    ("holds", "holds", False),
    ("holds", "holds_in_part", False),
    ("holds_in_part", "fails", False),
]


@pytest.mark.parametrize(("main", "other", "turns"), TURNS)
def test_a_verdict_turns_between_holds_and_fails(tmp_path, main, other, turns):
    assert turned(main, other) is turns
    collect([Under("U1", "b", [], STUDY, [entry("X-C1", main)], [entry("X-C1", other)])], tmp_path / "t.csv")
    assert read_alternatives(tmp_path / "t.csv")["turns"].tolist() == ["yes" if turns else "no"]


def test_a_table_without_turns_is_read_by_its_verdicts(tmp_path):
    path, head = tmp_path / "t.csv", "deviation,alternative,claim,verdict,main_verdict"
    path.write_text(f"{head}\nU1,a,C1,fails,holds\nU1,a,C2,fails,fails\nU1,a,C3,fails,not_testable\n")
    assert read_alternatives(path)["turns"].tolist() == ["yes", "no", ""]


def test_what_is_made_of_parts_names_their_panels(tmp_path):
    """C2 follows from C1, whose part b is extra: its panel decides nothing."""
    parts = {"a": {"not_judged": "here"}, "b": {"not_judged": "here", "extra": True}}
    claims = [{"id": "C1", "parts": parts}, {"id": "C2", "follows": {"from": ["C1"]}}]
    study = paper({"prefix": "X", "claims": claims})

    def entries(verdict, a, b):
        made = [entry(name, verdict) | {"panels": []} for name in ("X-C1", "X-C2")]
        return [*made, entry("X-C1.a", verdict, fig1=a), entry("X-C1.b", b, fig1=b)]

    failed = entries("fails", "fails", "fails")
    main = entries("holds", "holds", "holds")
    collect([Under("U1", "b", [], study, main, failed)], tmp_path / "t.csv")
    told = pd.read_csv(tmp_path / "t.csv", keep_default_na=False).set_index("claim")
    assert told["turns"].tolist() == ["yes"] * 4
    assert told.loc["X-C2", "otherwise"] == "X-C1.a fig1: holds → fails"


def test_what_turns_is_told_of_each_choice_and_of_each_claim(tmp_path):
    main = [entry("X-C1", "holds"), entry("X-C2", "fails"), entry("X-C3", "not_testable")]
    choices = {"b": ("fails", "fails", "holds"), "c": ("holds", "fails", "fails")}
    found = [
        Under("U1", name, ["fig1"], STUDY, main, [entry(f"X-C{k}", v) for k, v in enumerate(verdicts, 1)])
        for name, verdicts in choices.items()
    ]
    collect(found, tmp_path / "alternatives.csv")
    told = pd.read_csv(tmp_path / "alternatives-choices.csv").fillna("").set_index("alternative")
    assert told.loc["b", ["judged", "turned", "flips"]].tolist() == [2, 1, "X-C1: holds → fails"]
    assert told.loc["c", ["judged", "turned", "flips"]].tolist() == [2, 0, ""]
    claims = pd.read_csv(tmp_path / "alternatives-claims.csv").fillna("").set_index("claim")
    assert claims.loc["X-C1", ["judged", "turned", "flips"]].tolist() == [2, 1, "U1 b: holds → fails"]
    assert "X-C3" not in claims.index  # a verdict that the main run has not turns from nothing


def read_with(tmp_path, main, rows, **readings):
    """An entry with readings of the same runs, and rows (register, alternative, verdict, on its panels)."""
    columns = ["deviation", "alternative", "claim", "verdict", "main_verdict"]
    told = [(u, name, "X-C1", verdict, base) for u, name, verdict, base in rows]
    pd.DataFrame(told, columns=columns).to_csv(tmp_path / "t.csv", index=False)
    (found,) = with_readings([entry("X-C1", main) | {"verdict_readings": readings}], tmp_path / "t.csv")
    return found


def test_readings_are_those_of_the_runs_and_those_of_the_register(tmp_path):
    found = read_with(tmp_path, "holds", [("U1", "0.10", "holds", "fails")], area="fails")
    keys = ("reading", "choice", "verdict", "base", "turns")
    assert found["readings"] == [
        dict(zip(keys, ("area", "", "fails", "holds", True), strict=True)),
        dict(zip(keys, ("0.10", "U1", "holds", "fails", True), strict=True)),
    ]
    told = "the same in 0 of 2 variants; turned by “area”, “0.10” (U1)"
    assert found["depends"] and found["robustness"] == told
    (alone,) = with_readings([entry("X-C1", "holds") | {"verdict_readings": {}}], tmp_path / "none.csv")
    assert (alone["readings"], alone["robustness"], alone["depends"]) == ([], "", False)


@pytest.mark.parametrize(
    ("main", "verdicts", "depends", "told"),
    [
        ("holds", ["holds"] * 4, False, "the same in 4 of 4 variants"),
        ("holds", ["holds"] * 5, False, "the same in every one of 5 variants"),
        ("holds", ["holds", "holds_in_part"], False, "the same in 1 of 2 variants"),
        ("holds", ["holds", "not_testable"], False, "the same in 1 of 2 variants; 1 undecided"),
        ("fails", ["fails", "holds"], True, "the same in 1 of 2 variants; turned by “r1” (U1)"),
        ("not_testable", ["fails", "not_testable"], False, "the same in 1 of 2 variants"),
    ],
)
def test_in_every_is_said_of_five_and_what_turns_is_named(tmp_path, main, verdicts, depends, told):
    rows = [("U1", f"r{k}", verdict, main) for k, verdict in enumerate(verdicts)]
    found = read_with(tmp_path, main, rows)
    assert (found["depends"], found["robustness"]) == (depends, told)


def test_the_matrix_has_a_row_a_claim_and_reading(tmp_path):
    found = read_with(tmp_path, "not_testable", [("U1", "0.10", "holds", "fails")], area="fails")
    write_matrix([found], tmp_path / "tables/readings.csv")
    assert (tmp_path / "tables/readings.csv").read_text().splitlines() == [
        "claim,choice,reading,verdict,verdict_without,full_verdict,turns",
        "X-C1,,area,fails,not_testable,not_testable,no",  # an open verdict stays, and turns nowhere
        "X-C1,U1,0.10,holds,fails,not_testable,yes",
    ]
