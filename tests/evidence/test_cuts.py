"""A long run cut to a shorter budget is the run that would have been made with it."""

import pandas as pd
from frames import experiment, run

from referee.evidence.tidy import cut
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
