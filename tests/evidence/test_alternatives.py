import pandas as pd
import pytest
from frames import paper

from referee.evidence.alternatives import Under, collect, read_alternatives, with_alternatives

STUDY = paper({"prefix": "X", "claims": [{"id": f"C{k}", "not_judged": "here"} for k in (1, 2, 3)]})


def entry(name, verdict, **panels):
    found = [{"panel": panel, "verdict": words} for panel, words in (panels or {"fig1": verdict}).items()]
    return {"id": name, "verdict": verdict, "measured": {"ratio": 0.5}, "panels": found}


def test_rows_beside_the_main_verdict_and_none_for_what_could_not_be_judged(tmp_path):
    output = tmp_path / "out" / "table.csv"
    main = [entry("X-C1", "holds"), entry("X-C2", "fails")]
    other = [entry("X-C1", "fails"), entry("X-C2", "not_testable")]
    collect([Under("U1", "b", ["fig1", "fig2"], STUDY, main, other)], output)
    (row,) = pd.read_csv(output).to_dict("records")
    assert (row["deviation"], row["alternative"], row["claim"]) == ("U1", "b", "X-C1")
    assert (row["verdict"], row["main_verdict"], row["panels"]) == ("fails", "holds", "fig1, fig2")
    assert (row["turns"], row["otherwise"]) == ("yes", "X-C1 fig1: holds → fails")


@pytest.mark.parametrize(
    ("fig1", "fig2", "verdict", "turns", "otherwise"),
    [
        ("not_testable", "fails", "fails", "", ""),  # what holds in the main run is open here
        ("fails", "not_testable", "fails", "yes", "X-C1 fig1: holds → fails"),
        ("holds", "fails", "holds_in_part", "no", ""),
        ("fails", "holds", "holds_in_part", "no", "X-C1 fig1: holds → fails; X-C1 fig2: fails → holds"),
    ],
)
def test_what_another_choice_leaves_open_is_not_turned_by_it(tmp_path, fig1, fig2, verdict, turns, otherwise):
    main = [entry("X-C1", "holds_in_part", fig1="holds", fig2="fails")]
    other = [entry("X-C1", verdict, fig1=fig1, fig2=fig2)]
    collect([Under("U1", "b", [], STUDY, main, other)], tmp_path / "t.csv")
    row = pd.read_csv(tmp_path / "t.csv", dtype=str, keep_default_na=False).iloc[0]
    assert (row["turns"], row["otherwise"]) == (turns, otherwise)
    judged = pd.read_csv(tmp_path / "t-claims.csv")["judged"].tolist()
    assert judged == ([1] if turns else [])


def test_a_table_without_turns_is_read_by_its_verdicts(tmp_path):
    path, head = tmp_path / "t.csv", "deviation,alternative,claim,verdict,main_verdict"
    path.write_text(f"{head}\nU1,a,C1,fails,holds\nU1,a,C2,fails,fails\nU1,a,C3,fails,not_testable\n")
    assert read_alternatives(path)["turns"].tolist() == ["yes", "no", ""]


def test_what_is_made_of_parts_turns_with_their_panels(tmp_path):
    """C2 follows from C1, whose part b is extra: its panel decides nothing."""
    parts = {"a": {"not_judged": "here"}, "b": {"not_judged": "here", "extra": True}}
    claims = [{"id": "C1", "parts": parts}, {"id": "C2", "follows": {"from": ["C1"]}}]
    study = paper({"prefix": "X", "claims": claims})

    def entries(verdict, a, b):
        made = [entry(name, verdict) | {"panels": []} for name in ("X-C1", "X-C2")]
        return [*made, entry("X-C1.a", verdict, fig1=a), entry("X-C1.b", b, fig1=b)]

    failed = entries("fails", "fails", "fails")
    found = Under("U1", "b", [], study, entries("holds", "holds", "holds"), failed)
    opened = found._replace(main=entries("holds", "not_testable", "holds"))
    told = []
    for one in (found, opened):
        collect([one], tmp_path / "t.csv")
        told.append(pd.read_csv(tmp_path / "t.csv", keep_default_na=False).set_index("claim"))
    assert told[0]["turns"].tolist() == ["yes"] * 4 and told[1]["turns"].tolist() == ["", "", "", "yes"]
    assert told[0].loc["X-C2", "otherwise"] == "X-C1.a fig1: holds → fails"


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


def test_alternatives_are_views_of_a_verdict_on_their_panels(tmp_path):
    """U1 leaves C1 as it is on its panels, U2 turns it; what the main run cannot tell there turns nothing."""
    found = [
        Under(f"U{k}", "0.10", ["fig1"], STUDY, [entry("X-C1", was)], [entry("X-C1", now)])
        for k, (was, now) in enumerate([("fails", "fails"), ("holds", "fails"), ("not_testable", "holds")], 1)
    ]
    collect(found, tmp_path / "table.csv")
    own = {"grade": "ungraded", "stays": 1.0, "views": 2, "flips": []}
    entries = [entry("X-C1", "holds") | {"fragility": own}, entry("X-C2", "holds") | {"fragility": own}]
    first, second = with_alternatives(entries, tmp_path / "table.csv")
    assert first["fragility"] == {"grade": "ungraded", "stays": 0.75, "views": 4, "flips": ["U2 0.10"]}
    assert second == entries[1] and with_alternatives(entries, tmp_path / "none.csv") == entries
    known = own | {"views": 3}
    (graded,) = with_alternatives([entries[0] | {"fragility": known}], tmp_path / "table.csv")
    assert graded["fragility"] == {"grade": "leaning", "stays": 0.8, "views": 5, "flips": ["U2 0.10"]}
