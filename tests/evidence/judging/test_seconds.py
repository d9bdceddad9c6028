"""What seconds can say: repetitions, other costs of the oracles, seconds made of counts."""

import math

import numpy as np
import pandas as pd
import pytest
from frames import paper, run, sentences, spec, write
from hypothesis import given
from hypothesis import strategies as st
from made_curves import evidence

from projfree.trace.counts import COUNTS
from referee.evidence.aggregates import _where_there_is
from referee.evidence.claims import evaluate
from referee.evidence.judging import cost_model
from referee.evidence.judging.judge import judge
from referee.evidence.judging.ranges import Range
from referee.evidence.judging.repeatability import UNKNOWN, spread
from referee.evidence.statistics.base import Reading

TEST = {
    "all": ["e"],
    "less": {"a": "a", "than": "b", "factor": 2},
    "time": {"metric": "m", "lowest": 0},
    "over": "cpu_seconds",
}


def runs(rate, slower=1.0, repetition=0, seed=0, **columns):
    x = np.linspace(0, 30, 300)
    b = run("b", {"m": np.exp(-x)}, seconds=x * slower, seed=seed, **columns)
    a = run("a", {"m": np.exp(-rate * x)}, seconds=x, seed=seed, **columns)
    return [frame.assign(repetition=repetition) for frame in (a, b)]


def verdict(frames, test=TEST, **changed):
    (sentence,) = sentences(test | changed)
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


@pytest.mark.parametrize(("noise", "expected"), [(1.05, "holds"), (3.0, "not_testable")])
def test_where_an_alternative_repeats_nothing_the_main_run_tells_how_well_seconds_repeat(noise, expected):
    alternative = evidence(e=runs(4.0))
    alternative.main = evidence(e=[f for k, slow in enumerate([1.0, noise, 1.0]) for f in runs(1.0, slow, k)])
    (sentence,) = sentences(TEST)
    for made in (alternative, alternative.priced({"lmo": 2.0})):
        found = judge(made, sentence)
        assert found.verdict == expected
        assert math.exp(found.spreads["e"]) == pytest.approx(noise, rel=0.02)


def test_a_main_run_without_the_panel_tells_nothing():
    alternative = evidence(e=runs(4.0))
    alternative.main = evidence(f=runs(1.0))
    (sentence,) = sentences(TEST)
    assert judge(alternative, sentence).counts["reasons"] == {UNKNOWN: 1}


def test_repetitions_are_not_judged_as_seeds():
    frames = [*runs(4.0, repetition=0), *runs(4.0, repetition=0, seed=1), *runs(4, 1, 1), *runs(4, 1, 2)]
    assert verdict(frames).counts["true"] == 2


def test_the_spread_is_that_of_the_worst_run():
    readings = [Reading(["x"], {"a": [Range(1, 1)], "b": [Range(v, v)]}) for v in (1.0, 2.0, 1.5)]
    assert spread(readings) == pytest.approx(math.log(2))


def timed(**timers):
    x = np.linspace(0, 30, 200)
    return pd.DataFrame({"cpu_seconds": x} | {f"seconds_{k}": share * x for k, share in timers.items()})


def seconds(frame, factors):
    """CPU seconds of a run with these timers where oracles cost so many times as much."""
    made = evidence(e=[run("a", {"m": np.ones(len(frame))}).assign(**frame)])
    panel = made.priced(factors).panel("e")
    return panel.along(panel.records(["a"], 0, ["m"]), "cpu_seconds")


def test_other_costs_reweight_the_exclusive_timers_and_leave_the_rest():
    frame = timed(lmo=0.5, project=0.25)
    assert np.allclose(seconds(frame, {"lmo": 10, "project": 0}), frame["cpu_seconds"] * (5 + 0 + 0.25))
    assert np.array_equal(seconds(frame, {"lmo": 1, "gone": 7}), frame["cpu_seconds"])
    assert cost_model.oracles(frame) == ["lmo", "project"]


def test_an_oracle_costs_what_it_took_in_every_phase():
    frame = timed(lmo=0.25, lmo_in_reduce=0.5, reduce=0.125)
    assert cost_model.oracles(frame) == ["lmo", "reduce"]
    assert np.allclose(seconds(frame, {"lmo": 3}), frame["cpu_seconds"] * (3 * 0.75 + 0.25))


def test_the_factor_at_which_a_verdict_turns():
    """a spends half of its time on an oracle that b does not have: at c it takes (1 + c)/2 of its seconds."""
    frames = []
    for k in range(3):
        a, b = runs(4.0, repetition=k)
        frames += [a.assign(seconds_lmo=0.5 * a["cpu_seconds"]), b.assign(seconds_lmo=0.0)]
    made = evidence(e=frames)
    (sentence,) = sentences(TEST)
    factors = cost_model.flip_factors(lambda c: judge(made.priced(c), sentence).verdict, ["lmo"])
    assert 2.5 < factors["lmo"][0] <= factors["lmo"][-1] < 3.5  # the common level decides all but the turn
    assert cost_model.flip_factors(lambda c: "holds", ["lmo"]) == {"lmo": []}


UNITS = {
    "a": {"gradient": {"IFO": 3.7e-8, "iteration": 1e-6, "LO": 0.00017}, "lmo": {"LO": 0.0123}},
    "b": {"rest": {"LO": 0.1}},
}


def test_what_was_read_is_shared_by_all_machines():
    """Flip factors judge a claim dozens of times: no record is read again, no other panel is made."""
    made = evidence(e=[f for k in range(3) for f in runs(4.0, repetition=k, seconds_lmo=1.0)])
    (sentence,) = sentences(TEST)
    assert judge(made, sentence).verdict == "holds"
    base = made.panel("e")
    known = dict(base._records)
    assert judge(made.priced({"lmo": 2.0}), sentence).verdict == "holds"
    assert base._records == known
    assert made.priced({"lmo": 2.0}).panel("e")._records is base._records


@given(st.floats(1e-3, 1e3), st.integers(0, 99))
def test_model_seconds_do_not_know_the_clock(scale, seed):
    rng = np.random.default_rng(seed)
    counts = {"IFO": rng.integers(0, 10**9, 20), "LO": rng.integers(0, 10**6, 20), "iteration": np.arange(20)}
    frame = pd.DataFrame(counts | {"cpu_seconds": 1.0, "method": ["a", "b"] * 10})
    elsewhere = frame.assign(cpu_seconds=scale * rng.random(20), seconds_lmo=rng.random(20))
    other_order = {
        m: {o: dict(reversed(c.items())) for o, c in reversed(u.items())} for m, u in UNITS.items()
    }
    one = cost_model.with_model_seconds(frame, UNITS)["model_seconds"]
    other = cost_model.with_model_seconds(elsewhere, other_order)["model_seconds"]
    assert one.tolist() == other.tolist()
    assert one[1] == pytest.approx(0.1 * frame["LO"][1])


def test_a_method_without_unit_costs_has_no_model_seconds():
    frame = pd.DataFrame({"method": ["a", "c"], "IFO": 1, "LO": 1, "iteration": 1})
    assert cost_model.with_model_seconds(frame, UNITS)["model_seconds"].isna().tolist() == [False, True]


def made_of_counts(seed, start=0.0):
    """A run whose timers are known costs times its counts."""
    rng = np.random.default_rng(seed)
    steps = {"iteration": np.ones(60, int), "LO": rng.integers(1, 4, 60), "matvec": rng.integers(5, 50, 60)}
    counts = {name: np.cumsum(values) for name, values in steps.items()}
    timers = {"seconds_lmo": 2e-4 * counts["matvec"], "seconds_lmo_in_reduce": 1e-3 * counts["LO"]}
    frame = pd.DataFrame(dict.fromkeys(COUNTS, 0) | counts | timers | {"method": "a"})
    return frame.assign(cpu_seconds=sum(timers.values()) + 5e-4 * counts["iteration"] + start)


@given(st.integers(0, 99))
def test_unit_costs_are_found_in_the_timers(seed):
    frame = made_of_counts(seed)
    costs = cost_model.fitted(frame)
    assert costs["lmo"] == pytest.approx({"LO": 1e-3, "matvec": 2e-4}, rel=1e-3)
    assert costs["rest"] == pytest.approx({"iteration": 5e-4}, rel=1e-3)
    again = cost_model.with_model_seconds(frame, {"a": costs})
    assert np.allclose(again["model_seconds"], frame["cpu_seconds"], rtol=1e-3)


def test_a_run_that_took_no_time_has_no_unit_costs():
    assert cost_model.fitted(made_of_counts(0).assign(cpu_seconds=0.0)) == {}


def entry_on(folder, frames, *tests, **more):
    write(folder, "e", *frames)
    claim = {"id": "C1", "quote": "q", "where": "w", "statement": "s", "tests": list(tests)}
    (entry,) = evaluate(paper(spec([claim], e={"methods": ["a", "b", "c"]}) | more), folder)
    return entry


def counted(scale, rng):
    """Runs of which a does 4 times as many iterations for its accuracy, on a clock of no use."""
    frames = [f.assign(iteration=f["iteration"] * rate) for f, rate in zip(runs(1.0), (4, 16), strict=True)]
    clocks = ("cpu_seconds", "wall_seconds", "seconds_lmo")
    return [f.assign(**{c: scale * np.cumsum(rng.random(len(f))) for c in clocks}) for f in frames]


def test_where_the_clock_is_the_model_claims_over_seconds_are_judged_on_counts(tmp_path):
    """The same trace with all its clocks at random has the same entry, to the bit."""
    units = {
        "unit_costs": {"e": {m: {"lmo": {"iteration": 0.01}, "rest": {}} for m in "ab"}},
        "clock": "model",
    }
    found = []
    for seed, scale in enumerate((1.0, 17.3, 0.002)):
        frames = counted(scale, np.random.default_rng(seed))
        assert entry_on(tmp_path / "measured", frames, TEST)["verdict"] == "not_testable"
        found.append(entry_on(tmp_path / f"{seed}", frames, TEST, **units))
    assert found[0] == found[1] == found[2] and found[0]["verdict"] == "holds"
    assert "model seconds" in found[0]["sentence"] and found[0]["flip_factor"] == {"lmo": []}


def test_a_model_verdict_says_at_what_cost_of_an_oracle_it_turns(tmp_path):
    """b does 4 times the iterations of a, whose oracle may therefore cost twice as much for a factor of 2."""
    units = {"e": {"a": {"lmo": {"iteration": 0.01}}, "b": {"gradient": {"iteration": 0.01}}}}
    frames = counted(1.0, np.random.default_rng(0))
    flips = entry_on(tmp_path, frames, TEST, unit_costs=units, clock="model")["flip_factor"]
    assert max(flips["lmo"]) == pytest.approx(2, rel=0.1)
    assert any(factor == pytest.approx(0.5, rel=0.1) for factor in flips["gradient"])


def test_a_claim_has_the_flip_factors_of_all_its_parts_and_their_worst_repetition():
    ends = {"tightness": {}, "flip_factor": {"lmo": [0.5, 3.0]}, "repeatability": {"e": 1.2}}
    other = {"flip_factor": {"lmo": [2.0], "prox": []}, "repeatability": {"e": 1.1}, "occupation": {"e": 0.1}}
    assert _where_there_is([ends, other]) == {
        "tightness": {},
        "flip_factor": {"lmo": [0.5, 2.0, 3.0], "prox": []},
        "repeatability": {"e": 1.2},
        "occupation": {"e": 0.1},
    }


def test_what_was_not_calibrated_is_not_testable_and_says_so(tmp_path):
    frames = counted(1.0, np.random.default_rng(0))
    entry = entry_on(tmp_path, frames, TEST, clock="model")
    assert entry["verdict"] == "not_testable" and "model_seconds in e" in entry["note"]


def test_unit_costs_of_what_is_not_counted():
    with pytest.raises(ValueError, match="unit costs of SVD, which the table does not count"):
        cost_model.with_model_seconds(pd.DataFrame({"IFO": [1]}), {"a": {"lmo": {"SVD": 1.0}}})


def test_an_entry_on_seconds_says_where_it_turns_and_how_well_they_repeat(tmp_path):
    frames = []
    for k in range(3):
        a, b = runs(4.0, 1 + 0.02 * k, repetition=k)
        frames += [a.assign(seconds_lmo=0.5 * a["cpu_seconds"]), b.assign(seconds_lmo=0.0)]
    entry = entry_on(tmp_path, frames, TEST)
    assert entry["verdict"] == "holds" and entry["repeatability"] == {"e": pytest.approx(1.04, abs=0.01)}
    assert list(entry["flip_factor"]) == ["lmo"] and 2 < entry["flip_factor"]["lmo"][0] < 3.5


def test_of_several_comparisons_on_a_panel_the_worst_repeatability_is_told(tmp_path):
    frames = []
    for k in range(3):
        a, b = runs(4.0, 1 + 0.1 * k, repetition=k)
        frames += [a, b, runs(4.0, repetition=k)[1].assign(method="c")]
    steady = TEST | {"less": {"a": "a", "than": "c", "factor": 2}}
    for tests in ((TEST, steady), (steady, TEST)):
        entry = entry_on(tmp_path, frames, *tests)
        assert entry["repeatability"] == {"e": pytest.approx(1.2, abs=0.01)}


@pytest.mark.parametrize(("elsewhere", "expected"), [(1.0, "holds"), (3.0, "not_testable")])
def test_what_runs_on_another_panel_has_to_repeat_there(elsewhere, expected):
    own = [f for k in range(3) for f in runs(1.0, repetition=k)]
    other = [f for k, slow in enumerate([1.0, elsewhere, 1.0]) for f in runs(4.0, slow, k)]
    (sentence,) = sentences(TEST | {"less": {"a": "a@o", "than": "b@o", "factor": 2}})
    assert judge(evidence(e=own, o=other), sentence).verdict == expected
    unrepeated = [f.drop(columns="repetition") for f in runs(4.0)]
    assert judge(evidence(e=own, o=unrepeated), sentence).counts["reasons"] == {UNKNOWN: 1}
