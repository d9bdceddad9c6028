import pandas as pd

from projfree.evidence.alternatives import collect, with_alternatives


def entry(name, verdict):
    return {"id": name, "verdict": verdict, "measured": {"ratio": 0.5}}


def test_rows_beside_the_main_verdict_and_none_for_what_could_not_be_judged(tmp_path):
    output = tmp_path / "out" / "table.csv"
    main = [entry("X-C1", "holds"), entry("X-C2", "fails")]
    other = [entry("X-C1", "fails"), entry("X-C2", "not_testable")]
    collect([({"deviation": "U1", "name": "b", "experiments": ["fig1", "fig2"]}, main, other)], output)
    (row,) = pd.read_csv(output).to_dict("records")
    assert (row["deviation"], row["alternative"], row["claim"]) == ("U1", "b", "X-C1")
    assert (row["verdict"], row["main_verdict"], row["panels"]) == ("fails", "holds", "fig1, fig2")


def test_what_turns_is_told_of_each_choice_and_of_each_claim(tmp_path):
    main = [entry("X-C1", "holds"), entry("X-C2", "fails"), entry("X-C3", "not_testable")]
    choices = {"b": ("fails", "fails", "holds"), "c": ("holds", "fails", "fails")}
    found = [
        (
            {"deviation": "U1", "name": name, "experiments": ["fig1"]},
            main,
            [entry(f"X-C{k}", verdict) for k, verdict in enumerate(verdicts, 1)],
        )
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
        (
            {"deviation": f"U{k}", "name": "0.10", "experiments": ["fig1"]},
            [entry("X-C1", was)],
            [entry("X-C1", now)],
        )
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
