import pandas as pd

from projfree.evidence.alternatives import collect


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
