"""A long run cut to a shorter budget is the run that would have been made with it."""

import pandas as pd
from frames import run, spec, write

from referee.evidence.claims import evaluate
from referee.evidence.cuts import amounts, cut
from referee.evidence.panel import Evidence

LONG = {"seeds": 2, "budget": {"cpu_seconds": 8}}
SHORT = {"seeds": 1, "budget": {"cpu_seconds": 3.5}}


def table(end_status="budget"):
    values = {"a": [9.0, 8, 7, 6, 5, 4, 0.1, 0.1, 0.1], "b": [9.0, 5, 4, 3, 2, 2, 2, 2, 2]}
    runs = [run(m, {"m": v}, seed=s, end_status=end_status) for s in (0, 1) for m, v in values.items()]
    return pd.concat(runs, ignore_index=True)


def test_a_run_ends_with_its_first_record_beyond_the_budget():
    kept = cut(table("converged"), SHORT)
    assert set(kept["seed"]) == {0} and set(kept["end_status"]) == {"budget"}
    assert kept.groupby("method")["cpu_seconds"].max().to_dict() == {"a": 4, "b": 4}
    own = cut(table(), SHORT | {"method_budgets": {"b": {"iterations": 2, "stop": {"m": 1}}}})
    assert own.groupby("method")["iteration"].max().to_dict() == {"a": 4, "b": 2}


def test_of_what_was_run_so_everything_stays():
    pd.testing.assert_frame_equal(
        cut(table("converged"), LONG), table("converged").sort_values(["seed", "method"])
    )
    probes = table().assign(repetition=0)
    assert len(cut(probes, {"seeds": 2, "budget": None, "method_budgets": {"a": None}})) == len(probes)


def test_repetitions_are_cut_too():
    thrice = pd.concat([table().assign(repetition=number) for number in range(3)])
    assert set(cut(thrice, LONG | {"repetitions": 2})["repetition"]) == {0, 1}
    assert amounts({"e": {"repetitions": 3, "n": 1}}, {"e": {"repetitions": 1}}) == {
        "e": {"repetitions": 1, "n": 1}
    }


def test_seeds_and_budgets_alone_are_taken_of_others():
    mine = {"e": {**LONG, "n": 3, "method_seeds": {"a": 1}}, "f": {"seeds": 4}}
    assert amounts(mine, {"e": {**SHORT, "n": 5}}) == {"e": {"n": 3, **SHORT}, "f": {"seeds": 4}}


def test_a_verdict_that_comes_late_is_not_the_one_of_a_short_run(tmp_path):
    """`a` wins only after 5 s: an alternative that ran for 3.5 s turns nothing where it loses too."""
    test = {"all": ["e"], "less": {"a": "a", "than": "b"}, "end": {"metric": "m", "lowest": 0}}
    claims = [{"id": "C1", "tests": [test | {"over": "iteration"}]}]
    write(tmp_path, "e", *(part for _, part in table().groupby(["method", "seed"])))
    (whole,) = evaluate(spec(claims, e=LONG), tmp_path)
    (part,) = evaluate(spec(claims, e=SHORT), tmp_path, short=True)
    assert (whole["verdict"], part["verdict"]) == ("holds", "fails")
    assert (whole["seeds"], part["seeds"]) == ([0, 1], [0])
    assert Evidence(spec(claims, e=SHORT), tmp_path, short=True).panel("e").frame["m"].min() == 2
