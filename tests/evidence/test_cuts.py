"""A long run cut to a shorter budget is the run that would have been made with it."""

import pandas as pd
import pytest
from frames import experiment, paper, run, spec, write

from referee.evidence.claims import evaluate
from referee.evidence.panel import Evidence, Missing
from referee.evidence.tidy import amounts, cut
from referee.study.models.experiment import Experiment

LONG = {"seeds": 2, "budget": {"cpu_seconds": 8}}
SHORT = {"seeds": 1, "budget": {"cpu_seconds": 3.5}}


def made(entry):
    """An experiment with this entry."""
    return Experiment(**experiment("e", entry))


def table(end_status="budget"):
    values = {"a": [9.0, 8, 7, 6, 5, 4, 0.1, 0.1, 0.1], "b": [9.0, 5, 4, 3, 2, 2, 2, 2, 2]}
    runs = [run(m, {"m": v}, seed=s, end_status=end_status) for s in (0, 1) for m, v in values.items()]
    return pd.concat(runs, ignore_index=True)


def test_a_run_ends_with_its_first_record_beyond_the_budget():
    kept = cut(table("converged"), made(SHORT))
    assert set(kept["seed"]) == {0} and set(kept["end_status"]) == {"budget"}
    assert kept.groupby("method")["cpu_seconds"].max().to_dict() == {"a": 4, "b": 4}
    own = cut(table(), made(SHORT | {"method_budgets": {"b": {"iterations": 2, "stop": {"m": 1}}}}))
    assert own.groupby("method")["iteration"].max().to_dict() == {"a": 4, "b": 2}


def test_of_what_was_run_so_everything_stays():
    pd.testing.assert_frame_equal(
        cut(table("converged"), made(LONG)), table("converged").sort_values(["seed", "method"])
    )
    probes = table().assign(repetition=0)
    assert len(cut(probes, made({"seeds": 2, "budget": None, "method_budgets": {"a": None}}))) == len(probes)


def test_repetitions_are_cut_too():
    thrice = pd.concat([table().assign(repetition=number) for number in range(3)])
    assert set(cut(thrice, made(LONG | {"repetitions": 2}))["repetition"]) == {0, 1}


def test_seeds_and_budgets_alone_are_taken_of_others():
    mine = {"e": made({**LONG, "memory_mb": 3, "repetitions": 3}), "f": made({"seeds": 4})}
    found = amounts(mine, {"e": made({**SHORT, "memory_mb": 5, "method_seeds": {"a": 1}})})
    assert found["f"] == mine["f"] and (found["e"].memory_mb, found["e"].repetitions) == (3, 1)
    assert (found["e"].seeds_of("a"), found["e"].budget_of("a").cpu_seconds) == ([0], 3.5)


def test_a_verdict_that_comes_late_is_not_the_one_of_a_short_run(tmp_path):
    """`a` wins only after 5 s: an alternative that ran for 3.5 s turns nothing where it loses too."""
    test = {"all": ["e"], "less": {"a": "a", "than": "b"}, "value": {"metric": "m", "lowest": 0}}
    claims = [{"id": "C1", "tests": [test | {"over": "iteration"}]}]
    write(tmp_path, "e", *(part for _, part in table().groupby(["method", "seed"])))
    (whole,) = evaluate(paper(spec(claims, e=LONG)), tmp_path)
    (part,) = evaluate(paper(spec(claims, e=SHORT)), tmp_path, short=True)
    assert (whole["verdict"], part["verdict"]) == ("holds", "fails")
    assert (whole["seeds"], part["seeds"]) == ([0, 1], [0])
    assert Evidence(paper(spec(claims, e=SHORT)), tmp_path, short=True).panel("e").frame["m"].min() == 2


def test_methods_of_the_base_run_are_cut_to_the_budget_of_the_alternative(tmp_path):
    """Of `b` the first run of the base is taken, as far as its budget in counts; the base's `a` is not."""
    base, other = tmp_path / "base", tmp_path / "other"
    write(base, "e", *(table().assign(repetition=number) for number in range(2)))
    write(other, "e", run("a", {"m": [9.0, 1, 0.5]}))
    entry = {"methods": ["a", "b"], "from_base": ["b"], "method_budgets": {"b": {"iterations": 3}}}
    main = Evidence(paper(spec([], e=LONG)), base)
    frame = Evidence(paper(spec([], e=entry)), other, main=main).panel("e").frame
    assert frame.groupby("method")["m"].apply(list).to_dict() == {"a": [9, 1, 0.5], "b": [9, 5, 4, 3]}
    with pytest.raises(Missing, match=r"e of the base run \(b\)"):
        Evidence(paper(spec([], e=entry)), other).panel("e")
