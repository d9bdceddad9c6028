"""The inverse search on made curves: which choices fit what a paper states, and by how much others miss."""

import math

import numpy as np
import pandas as pd
import pytest
from frames import paper, run, write

from referee.evidence.inverse import Choice, Inverse, Source, check_facts
from referee.evidence.inverse_tables import write_inverse

X = np.linspace(0, 30, 300)


def fact(test, **given):
    """A fact of one sentence on the panel ``e``."""
    told = {"kind": "number", "quote": "so it is", "where": "Figure 1"}
    return told | given | {"tests": [{"all": ["e"], "over": "iteration", **test}]}


def spec(facts, questions=None, **experiments):
    names = {"e": {}} | experiments
    return {
        "paper": "toy",
        "methods": {},
        "experiments": names,
        "facts": facts,
        "inverse": {"readings": questions or {}},
    }


def search(folder, facts, questions=None, runs=(), **experiments):
    """The search of the default in `folder`/default and of runs in folders of their names."""
    given = paper(spec(facts, questions, **experiments))
    base = Source("", given, folder / "default")
    others = [(Source(name, given, folder / name), base) for name in runs]
    return Inverse(given, [(base, base), *others])


def decay(method, rate=1.0, lowest=0.0, **given):
    return run(method, {"objective": lowest + np.exp(-rate * X)}, **given)


ENDS = fact({"equal": {"to": 0.86, "within": 0.01, "a": "gcg"}, "end": {"metric": "objective"}})


def test_centring_of_the_items_meets_the_end_that_the_figure_shows(tmp_path):
    write(tmp_path / "default", "e", decay("gcg", lowest=0.96))
    write(tmp_path / "U23-item-means", "e", decay("gcg", lowest=0.86))
    write(tmp_path / "U23-user-means", "e", decay("gcg", lowest=0.91))
    found = search(tmp_path, {"rmse": ENDS}, runs=["U23-item-means", "U23-user-means"])
    fits = {str(choice): found.fit(choice, "rmse") for choice in found.singles()}
    assert {name: fit.met for name, fit in fits.items()} == {
        "default": False,
        "U23-item-means": True,
        "U23-user-means": False,
    }
    assert fits["default"].misfit == pytest.approx(math.log(10), rel=1e-3)  # ten tolerances off
    assert fits["U23-user-means"].misfit == pytest.approx(math.log(5), rel=1e-3)
    assert fits["U23-item-means"].misfit == 0
    assert str(found.best()) == "U23-item-means"


ORDER = {"less": {"a": "a", "than": "b", "factor": 2}, "time_to": {"metric": "objective", "lowest": 0}}


def test_readings_as_panels_of_their_own_each_meet_other_facts(tmp_path):
    """nfwu: no reading of the weight meets all facts; R5 meets the first two, R3 the others."""
    facts = {
        "C1": fact(ORDER),
        "C2": fact(ORDER | {"less": {"a": "a", "than": "c", "factor": 2}}),
        "C3": fact(ORDER | {"less": {"a": "b", "than": "a", "factor": 2}}),
        "C4": fact(ORDER | {"less": {"a": "c", "than": "a", "factor": 2}}),
    }
    rates = {"e": (1, 1, 1), "e-r3": (1, 4, 4), "e-r5": (4, 1, 1)}
    for panel, given in rates.items():
        write(tmp_path / "default", panel, *map(decay, "abc", given))
    questions = {"weight": {"R3": {"experiments": "{}-r3"}, "R5": {"experiments": "{}-r5"}}}
    found = search(tmp_path, facts, questions, **{"e-r3": {}, "e-r5": {}})
    met = {str(c): {name for name in facts if found.fit(c, name).met} for c in found.singles()}
    assert met == {"default": set(), "weight: R3": {"C3", "C4"}, "weight: R5": {"C1", "C2"}}
    assert found.fit(found.singles()[0], "C1").misfit == pytest.approx(
        math.log(2), rel=0.1
    )  # times are intervals


def test_a_projection_a_hundred_times_as_dear_makes_svrg_slow(tmp_path):
    """ncgs: "SVRG is very slow" turns where a singular value decomposition costs about 100 times as much."""
    columns = {"seconds_project": X / 100}
    svrg = decay("svrg", rate=3, seconds=X, **columns)
    write(tmp_path / "default", "e", svrg, decay("ncgs", seconds=X, seconds_project=0 * X))
    slow = ORDER | {"less": {"a": "ncgs", "than": "svrg"}, "over": "cpu_seconds"}
    costs = {f"{c} times": {"costs": {"project": c}} for c in (10, 100, 1000)}
    found = search(tmp_path, {"slow": fact(slow)}, {"decomposition": costs})
    met = {str(choice): found.fit(choice, "slow").met for choice in found.singles()}
    assert met["default"] is met["decomposition: 10 times"] is met["decomposition: 100 times"] is False
    assert met["decomposition: 1000 times"]  # seconds′ = (1 + 9.99) X: 3.7 times behind
    assert str(found.best()) == "decomposition: 1000 times"


def test_ends_at_a_share_of_the_budget_and_the_mean_over_the_seeds(tmp_path):
    seeds = [decay("gcg", rate=0.1, lowest=low, seed=k) for k, low in enumerate((0.76, 0.96))]
    write(tmp_path / "default", "e", *seeds)
    early = 0.86 + math.exp(-0.1 * X[149])
    facts = {
        "mean": ENDS | {"tests": [{**ENDS["tests"][0], "equal": {"to": 0.9098, "within": 0.01, "a": "gcg"}}]},
        "early": ENDS | {"tests": [{**ENDS["tests"][0], "equal": {"to": early, "within": 0.01, "a": "gcg"}}]},
    }
    questions = {"seeds": {"mean": {"pool": True}}, "budget": {"half": {"budget": 0.5}}}
    found = search(tmp_path, facts, questions, e={"seeds": 2})
    default = Choice(found.runs[0])
    mean, half = default.answered("seeds", "mean"), default.answered("budget", "half")
    assert not found.fit(default, "mean").met and found.fit(mean, "mean").met
    assert not found.fit(half, "early").met and not found.fit(mean, "early").met
    assert found.fit(mean.answered("budget", "half"), "early").met


def test_a_level_is_met_by_a_curve_that_is_far_from_it(tmp_path):
    write(tmp_path / "default", "e", decay("svfw", lowest=1.0))
    above = {"at_most": {"bound": 1e-3, "at_least": True, "methods": "svfw"}, "end": {"metric": "objective"}}
    found = search(tmp_path, {"more": fact(above)})
    fit = found.fit(found.singles()[0], "more")
    assert fit.met and fit.misfit == 0


def test_two_questions_are_answered_together(tmp_path):
    rebound = np.where(X < 15, 2 - X / 10, 1.5)
    write(
        tmp_path / "default",
        "e",
        run("gcg", {"objective": rebound}),
        run("gcg-2", {"objective": rebound - 0.2}),
    )
    low = fact({"at_most": {"bound": 0.4, "methods": "gcg"}, "end": {"metric": "objective"}})
    questions = {"drawn": {"best": {"args": {"best": True}}}, "method": {"2": {"swap": {"gcg": "gcg-2"}}}}
    found = search(tmp_path, {"low": low}, questions)
    assert not any(found.fit(choice, "low").met for choice in found.singles())
    assert str(found.best()) == "drawn: best, method: 2" and found.fit(found.best(), "low").met


def test_what_an_alternative_does_not_run_counts_for_neither(tmp_path):
    write(tmp_path / "default", "e", decay("gcg", lowest=0.96))
    write(tmp_path / "U1-x", "e", decay("gcg", lowest=0.86))
    given = spec({"rmse": ENDS, "other": ENDS | {"tests": [{**ENDS["tests"][0], "all": ["f"]}]}}, f={})
    reduced, given = paper({**given, "facts": {"rmse": ENDS}}), paper(given)
    default, base = (Source("", s, tmp_path / "default") for s in (given, reduced))
    found = Inverse(given, [(default, default), (Source("U1-x", reduced, tmp_path / "U1-x"), base)])
    assert found.fit(Choice(found.runs[1]), "other").why == "not run under this choice"
    assert found.score(Choice(found.runs[1])).gain == 1


def test_pairs_that_promise_come_from_two_entries_and_share_a_panel(tmp_path):
    for name, low in {"default": 1.06, "U1-x": 0.96, "U1-y": 0.95, "U2-z": 0.91, "U3-w": 1.2}.items():
        write(tmp_path / name, "e", decay("gcg", lowest=low))
    found = search(tmp_path, {"rmse": ENDS}, runs=["U1-x", "U1-y", "U2-z", "U3-w"])
    assert found.promising(9) == [("U1-y", "U2-z"), ("U1-x", "U2-z")]


def test_the_tables_tell_what_nothing_reproduces(tmp_path):
    write(tmp_path / "default", "e", decay("gcg", lowest=0.96))
    write(tmp_path / "U1-x", "e", decay("gcg", lowest=0.86))
    never = fact({"at_most": {"bound": 0.5, "methods": "gcg"}, "end": {"metric": "objective"}})
    absent = fact({"at_most": {"bound": 0.5, "methods": "gcg"}, "end": {"metric": "rmse"}})
    falls = fact({"monotone": {"methods": "gcg"}, "end": {"metric": "objective"}})
    falls["tests"][0] |= {"mean": {"metric": "objective", "windows": 5}}
    del falls["tests"][0]["end"]
    facts = {"rmse": ENDS, "never": never, "absent": absent, "falls": falls}
    write_inverse(search(tmp_path, facts, runs=["U1-x"]), tmp_path / "inverse.csv")
    told = pd.read_csv(tmp_path / "inverse-facts.csv").set_index("fact")
    assert told["found"].to_dict() == {
        "rmse": "reproduced by another choice only",
        "never": "reproduced by nothing",
        "absent": "not testable",
        "falls": "reproduced by everything",
    }
    assert told.loc["never", "nearest"] == "U1-x"
    assert told.loc["never", "least"] == pytest.approx(math.log(0.86 / 0.5), rel=1e-3)
    choices = pd.read_csv(tmp_path / "inverse-choices.csv")
    assert choices.loc[0, ["choice", "best", "gained"]].tolist() == ["U1-x", True, "rmse"]
    matrix = pd.read_csv(tmp_path / "inverse.csv")
    assert len(matrix) == 2 * len(facts)
    assert "rmse in e" in matrix[matrix["fact"] == "absent"]["why"].iloc[0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"equals": {}}, "unknown word 'equals'. Did you mean 'equal'"),
        ({"all": ["f"]}, "f"),
        ({"end": {"metric": "objective", "shre": 1}}, "unknown parameter 'shre'"),
    ],
)
def test_a_fact_with_an_unknown_word_is_told(change, words):
    with pytest.raises(ValueError, match=words):
        check_facts(paper(spec({"rmse": fact({**ENDS["tests"][0], **change})})), "rmse")
