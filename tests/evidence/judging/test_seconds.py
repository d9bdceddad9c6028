"""What seconds can say: repetitions, other costs of the oracles, seconds made of counts."""

import math

import numpy as np
import pandas as pd
import pytest
from frames import run, spec, write
from hypothesis import given
from hypothesis import strategies as st
from made_curves import evidence

from projfree.evidence.claims import evaluate
from projfree.evidence.judging import cost_model
from projfree.evidence.judging.grammar import sentences
from projfree.evidence.judging.judge import judge
from projfree.evidence.judging.ranges import Range
from projfree.evidence.judging.repeatability import UNKNOWN, spread
from projfree.evidence.panel import Evidence, Panel
from projfree.evidence.statistics.base import Reading

TEST = {
    "all": ["e"],
    "less": {"a": "a", "than": "b", "factor": 2},
    "time_to": {"metric": "m", "lowest": 0},
    "over": "cpu_seconds",
}


def runs(rate, slower=1.0, repetition=0, seed=0, **columns):
    x = np.linspace(0, 30, 300)
    b = run("b", {"m": np.exp(-x)}, seconds=x * slower, seed=seed, **columns)
    a = run("a", {"m": np.exp(-rate * x)}, seconds=x, seed=seed, **columns)
    return [frame.assign(repetition=repetition) for frame in (a, b)]


def verdict(frames, test=TEST, **changed):
    (sentence,) = sentences(test | changed, "toy")
    return judge(evidence(e=frames), sentence)


def test_seconds_without_repetitions_say_nothing():
    found = verdict(runs(4.0))
    assert found.verdict == "not_testable" and found.counts["reasons"] == {UNKNOWN: 1}
    assert verdict(runs(4.0), over="iteration").verdict == "holds"


@pytest.mark.parametrize(("noise", "expected"), [(1.05, "holds"), (3.0, "not_testable")])
def test_a_verdict_too_close_for_the_machine_is_open(noise, expected):
    frames = [f for k, slow in enumerate([1.0, noise, 1.0]) for f in runs(4.0, slow, k)]
    found = verdict(frames)
    assert found.verdict == expected
    assert math.exp(found.spreads["e"]) == pytest.approx(noise, rel=0.02)


def test_repetitions_are_not_judged_as_seeds():
    frames = [*runs(4.0, repetition=0), *runs(4.0, repetition=0, seed=1), *runs(4, 1, 1), *runs(4, 1, 2)]
    assert verdict(frames).counts["true"] == 2


def test_the_spread_is_that_of_the_worst_run():
    readings = [Reading(["x"], {"a": [Range(1, 1)], "b": [Range(v, v)]}) for v in (1.0, 2.0, 1.5)]
    assert spread(readings) == pytest.approx(math.log(2))


def timed(**timers):
    x = np.linspace(0, 30, 200)
    return pd.DataFrame({"cpu_seconds": x} | {f"seconds_{k}": share * x for k, share in timers.items()})


def test_other_costs_reweight_the_exclusive_timers_and_leave_the_rest():
    frame = timed(lmo=0.5, project=0.25)
    again = cost_model.reweighted(frame, {"lmo": 10, "project": 0})
    assert np.allclose(again["cpu_seconds"], frame["cpu_seconds"] * (5 + 0 + 0.25))
    assert cost_model.reweighted(frame, {"lmo": 1, "gone": 7})["cpu_seconds"].equals(frame["cpu_seconds"])
    assert cost_model.oracles(frame) == ["lmo", "project"]


def test_an_oracle_costs_what_it_took_in_every_phase():
    frame = timed(lmo=0.25, lmo_in_reduce=0.5, reduce=0.125)
    assert cost_model.oracles(frame) == ["lmo", "reduce"]
    again = cost_model.reweighted(frame, {"lmo": 3})
    assert np.allclose(again["cpu_seconds"], frame["cpu_seconds"] * (3 * 0.75 + 0.25))


def test_the_factor_at_which_a_verdict_turns():
    """a spends half of its time on an oracle that b does not have: at c it takes (1 + c)/2 of its seconds."""
    frames = []
    for k in range(3):
        a, b = runs(4.0, repetition=k)
        frames += [a.assign(seconds_lmo=0.5 * a["cpu_seconds"]), b.assign(seconds_lmo=0.0)]
    made = evidence(e=frames)
    made._tables["e"] = pd.concat(frames, ignore_index=True)
    (sentence,) = sentences(TEST, "toy")
    factors = cost_model.flip_factors(lambda c: judge(made.priced(c), sentence).verdict, ["lmo"])
    assert 2.5 < factors["lmo"][0] < factors["lmo"][1] < 3.5  # from holds to open to fails
    assert cost_model.flip_factors(lambda c: "holds", ["lmo"]) == {"lmo": []}


@given(st.floats(1e-3, 1e3), st.integers(0, 99))
def test_model_seconds_do_not_know_the_clock(scale, seed):
    rng = np.random.default_rng(seed)
    counts = {"IFO": rng.integers(0, 10**9, 20), "LO": rng.integers(0, 10**6, 20)}
    frame = pd.DataFrame(counts | {"cpu_seconds": 1.0})
    elsewhere = frame.assign(cpu_seconds=scale * rng.random(20))
    units = {"IFO": 3.7e-8, "LO": 0.0123}
    one = cost_model.with_model_seconds(frame, units)["model_seconds"]
    other = cost_model.with_model_seconds(elsewhere, dict(reversed(units.items())))
    assert one.tolist() == other["model_seconds"].tolist()


def test_a_verdict_on_model_seconds_needs_no_repetitions_and_is_the_same_on_every_clock():
    found = []
    for scale in (1.0, 17.3):
        frames = [f.assign(cpu_seconds=f["cpu_seconds"] * scale, IFO=np.arange(len(f))) for f in runs(4.0)]
        made = Evidence({"paper": "toy", "experiments": {"e": {}}}, "nowhere", {"e": {"IFO": 0.25}})
        table = cost_model.with_model_seconds(pd.concat(frames, ignore_index=True), made.unit_costs["e"])
        made._panels["e", False] = Panel("e", table, {}, made)
        (sentence,) = sentences(TEST | {"over": "model_seconds"}, "toy")
        found.append(judge(made, sentence).panels[0].cells)
    assert found[0] == found[1] and found[0][0].verdict is True


def test_unit_costs_of_what_is_not_counted():
    with pytest.raises(ValueError, match="unit costs of SVD, which the table does not count"):
        cost_model.with_model_seconds(pd.DataFrame({"IFO": [1]}), {"SVD": 1.0})


def test_an_entry_on_seconds_says_where_it_turns_and_how_well_they_repeat(tmp_path):
    frames = []
    for k in range(3):
        a, b = runs(4.0, 1 + 0.02 * k, repetition=k)
        frames += [a.assign(seconds_lmo=0.5 * a["cpu_seconds"]), b.assign(seconds_lmo=0.0)]
    write(tmp_path, "e", *frames)
    claim = {"id": "C1", "quote": "q", "where": "w", "statement": "s", "tests": [TEST]}
    (entry,) = evaluate(spec([claim], e={"methods": ["a", "b"]}), tmp_path)
    assert entry["verdict"] == "holds" and entry["repeatability"] == {"e": pytest.approx(1.04, abs=0.01)}
    assert list(entry["flip_factor"]) == ["lmo"] and 2 < entry["flip_factor"]["lmo"][0] < 3.5


@pytest.mark.parametrize(("elsewhere", "expected"), [(1.0, "holds"), (3.0, "not_testable")])
def test_what_runs_on_another_panel_has_to_repeat_there(elsewhere, expected):
    own = [f for k in range(3) for f in runs(1.0, repetition=k)]
    other = [f for k, slow in enumerate([1.0, elsewhere, 1.0]) for f in runs(4.0, slow, k)]
    (sentence,) = sentences(TEST | {"less": {"a": "a@o", "than": "b@o", "factor": 2}}, "toy")
    assert judge(evidence(e=own, o=other), sentence).verdict == expected
    unrepeated = [f.drop(columns="repetition") for f in runs(4.0)]
    assert judge(evidence(e=own, o=unrepeated), sentence).counts["reasons"] == {UNKNOWN: 1}
