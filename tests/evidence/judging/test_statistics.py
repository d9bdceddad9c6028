"""The twelve statistics on curves with known answers; each fault of the first judge fails here."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from frames import paper, run, sentences

from referee.evidence.judging.judge import judge
from referee.evidence.panel import Evidence, Panel


def judged(test, experiments=None, **panels):
    """The judgement of a test on panels (name → runs); the first is judged, if the test names none."""
    entries = {name: {} for name in panels} | (experiments or {})
    made = Evidence(paper({"paper": "gcg", "experiments": entries}), Path("nowhere"))
    for name, runs in panels.items():
        frame = pd.concat(runs, ignore_index=True)
        made._panels[name, False] = Panel(
            name, frame.assign(experiment=name), made.paper.experiments[name], made
        )
    made.has = lambda name: name in panels
    (sentence,) = sentences({"all": [next(iter(panels))], "over": "iteration", **test})
    return judge(made, sentence)


def cell(test, seed=0, **panels):
    return judged(test, **panels).panels[0].cells[seed]


FAST, SLOW = 100 * 0.5 ** np.arange(20.0), 100 * 0.9 ** np.arange(20.0)
LATE = {"metric": "objective", "misses": "open", "shares": [0.01], "common": False}
MISSES = {"less": {"a": "gcg", "than": "open", "factor": 10}, "time": LATE}


def test_what_misses_is_too_slow_whether_gcg_arrives_or_not():
    """GCG-C8: the sentence does not ask GCG to arrive."""
    optimum = run("gcg-fast", {"objective": [100.0, 0.0]})
    neither = [run("gcg", {"objective": SLOW}), run("open", {"objective": SLOW}), optimum]
    assert cell(MISSES, e=neither).verdict is True
    both = [run("gcg", {"objective": FAST}), run("open", {"objective": FAST}), optimum]
    assert cell(MISSES, e=both).verdict is False


def test_never_against_never_says_nothing():
    """GCG-C2 and its like: levels that nobody reaches are not false."""
    runs = [run(name, {"objective": SLOW}) for name in ("gcg", "dhm")]
    far = {
        "less": {"a": "gcg", "than": "dhm", "factor": 2},
        "time": {"metric": "objective", "shares": [0.01]},
    }
    optimum = run("gcg-fast", {"objective": [100.0, 0.0]})
    far["time"]["common"] = False
    assert cell(far, e=[*runs, optimum]).verdict is None


def test_the_least_value_known_is_of_the_same_penalty_and_of_no_probe():
    """F* comes from a long run on the instance, not from a path of other penalties."""
    entries = {
        "e": {"penalty": {"name": "nuclear", "weight": 25}},
        "long": {"instance_of": "e", "penalty": {"name": "nuclear", "weight": 25}},
        "other": {"instance_of": "e", "penalty": {"name": "nuclear", "weight": 5}},
        "path": {
            "instance_of": "e",
            "penalty": {"name": "nuclear", "weight": 25},
            "define": {"path": {"probe": "path"}},
        },
    }
    panels = {"e": [100.0, 10.0], "long": [100.0, 5.0], "other": [50.0, 1.0], "path": [50.0, 2.0]}
    runs = {name: [run("gcg", {"objective": values})] for name, values in panels.items()}
    found = judged(
        {
            "at_most": {"bound": 0.5, "methods": "gcg"},
            "value": {"metric": "objective", "excess": True, "at": {"record": 1}, "per": "start"},
        },
        entries,
        **runs,
    )
    assert found.panels[0].cells[0].measured["measured / bound"].low == pytest.approx(5 / 95 / 0.5)


REBOUND = {"at_most": {"bound": 5, "at_least": True, "methods": "gcg"}}
GATE = {"panel": "truth", "method": "truth", "metric": "truth", "where": {"weight": 40}}


@pytest.mark.parametrize(
    ("errors", "objective", "truth"),
    [
        ([5e4, 100, 900.0], [9, 6, 3.0], True),
        ([5e4, 100, 300.0], [9, 6, 3.0], False),
        ([5e4, 0.0048, 0.033], [9, 6, 3.0], False),  # a jitter far below what the figure shows
        ([5e4, 100, 900.0], [9, 2, 3.0], False),  # F does not fall
        ([5e4, 100, 900.0], [9, 6, 5.0], None),  # F never below that of the truth of its own seed
    ],
)
def test_rebounds_are_seen_and_gated(errors, objective, truth):
    """GCG-C36: a constant gate, skipped at a rebound; jitters counted."""
    runs = [run("gcg", {"error_clean": errors, "objective": objective})]
    gate = {"metric": "objective", "below": GATE}
    test = {
        **REBOUND,
        "change": {
            "metric": "error_clean",
            "origin": "least",
            "visible": True,
            "falling": "objective",
            "gate": gate,
        },
    }
    truths = [run("truth", {"truth": [1.0, 4.0], "weight": [80, 40]})]
    assert cell(test, e=runs, truth=truths).verdict is truth


def test_a_least_value_at_the_edge_of_its_grid_says_nothing():
    """GCG-C42: λ = 60 was the edge of the grid."""

    def grid(values):
        return run("two", {"error": values, "weight": [80, 60, 40]})

    one = run("one", {"error": [9, 8, 9.0], "weight": [24, 20, 16]})
    test = {
        "less": {"a": "two", "than": "one"},
        "over_grid": {"metric": "error", "by": "weight", "what": "least"},
    }
    assert cell(test, e=[grid([5, 2, 3.0]), one]).verdict is True
    assert cell(test, e=[grid([5, 3, 2.0]), one]).verdict is None


SETTLED = {"since": 0.75, "within": 0.02}


def test_only_settled_ends_are_compared():
    """GCG-C37: an error that is still falling has no end."""
    test = {"less": {"a": "gcg", "than": "gcg@f"}, "value": {"metric": "error", "settled": SETTLED}}
    flat, falling = [9, 1, 1, 1, 1.0], [9, 5, 4, 3, 2.0]
    other = [run("gcg", {"error": [9, 3, 3, 3, 3.0]})]
    assert cell(test, e=[run("gcg", {"error": flat})], f=other).verdict is True
    assert cell(test, e=[run("gcg", {"error": falling})], f=other).verdict is None


def test_the_least_value_of_a_run_that_falls_on_is_not_known():
    """GCG-C37: at λ = 20 the error was highest in five minutes, and still falling."""
    test = {
        "less": {"a": "gcg", "than": "gcg@f"},
        "value": {"metric": "error", "settled": SETTLED, "best": True},
    }
    dipped, falling = [run("gcg", {"error": [9, 1, 4, 4, 4.0]})], [run("gcg", {"error": [9, 8, 7, 6, 5.0]})]
    other = [run("gcg", {"error": [9, 3, 3, 3, 3.0]})]
    assert cell(test, e=dipped, f=other).verdict is True
    assert cell(test, e=dipped, f=falling).verdict is None


def test_the_last_third_ends_where_the_run_has_settled():
    """GCG-C26: thirds of a run that is still falling say nothing."""
    test = {
        "at_most": {"bound": 3, "at_least": True, "methods": "gcg"},
        "change": {"metric": "objective", "parts": 3},
    }
    optimum = run("gcg-fast", {"objective": [100.0, 0.0]})
    assert cell(test, e=[run("gcg", {"objective": FAST}), optimum]).verdict is True
    assert cell(test, e=[run("gcg", {"objective": SLOW}), optimum]).verdict is None


@pytest.mark.parametrize("over", ["iteration", "cpu_seconds"])
def test_trapped_runs_leave_what_is_said_of_escaped_ones(over):
    """GCG-C40: medians over trapped and escaped runs; and one of ten that escaped was no case at all."""

    def escaped(*seeds):
        runs = [run("gcg", {"objective": [9, 1.0], "rank": [0, 3]}, seed=seed) for seed in range(4)]
        for seed in range(4):
            end, rank = (2.0, 5) if seed in seeds else (9.0, 0)
            runs.append(run("bcd", {"objective": [9, end], "rank": [0, rank]}, seed=seed))
        again = [frame.assign(repetition=k) for frame in (runs[0], runs[4]) for k in (1, 2)]
        runs = [*(frame.assign(repetition=0) for frame in runs), *again]  # the first seed alone is repeated
        test = {
            "less": {"a": "gcg", "than": "bcd", "factor": 1.05},
            "value": {"metric": "objective", "given": {"metric": "rank", "above": 0}},
        }
        return judged({**test, "over": over}, e=runs)

    found = escaped(3)
    assert found.verdict == "holds" and {s: c.verdict for s, c in found.panels[0].cells.items()} == {3: True}
    none = escaped()
    assert none.verdict == "not_testable" and none.panels[0].missing == "rank of bcd above 0"


def test_an_error_is_high_over_its_later_least_only_before_it_falls():
    """GCG-C33.b: a copy a hundred times nearer is high too, so that the last record is the control."""

    def high(record):
        test = {"at_most": {"bound": 5, "at_least": True, "methods": "gcg"}}
        read = {"metric": "error_clean", "origin": {"least_from": record}, "to": {"record": record}}
        return cell({**test, "change": read}, e=[run("gcg", {"error_clean": [9, 9, 3, 1.0]})])

    assert high(1).verdict is True and high(-1).verdict is False


def test_shares_of_seeds_that_one_seed_would_turn_are_open():
    """GCG-C34: two of ten against one of ten is no difference."""

    def runs(stuck):
        return [run("bcd", {"objective": [9, 8.0 if seed < stuck else 1.0]}, seed=seed) for seed in range(10)]

    test = {
        "less": {"a": "bcd@f", "than": "bcd"},
        "frequency": {"metric": "objective", "lowest": 1, "above_share": 0.05},
    }
    assert cell(test, e=runs(7), f=runs(2)).verdict is True
    assert cell(test, e=runs(2), f=runs(1)).verdict is None
    assert cell(test, e=runs(2), f=runs(7)).verdict is False


def test_slowdowns_and_times_near_the_best():
    """S of one panel against that of another; levels above the best of others."""
    two, four = ([run("gcg", {"objective": FAST}, seconds=np.arange(20.0))] for _ in range(2))
    two += [run("apg", {"objective": FAST}, seconds=2 * np.arange(20.0))]
    four += [run("apg", {"objective": FAST}, seconds=8 * np.arange(20.0))]
    test = {
        "less": {"a": "apg", "than": "apg@f"},
        "time": {"metric": "objective", "per": {"method": "gcg"}},
        "over": "matvec",
    }
    two, four = ([r.assign(matvec=r["cpu_seconds"]) for r in runs] for runs in (two, four))
    found = cell(test, e=two, f=four)
    assert found.verdict is True and found.measured["ratio"].low <= 0.25 <= found.measured["ratio"].high
    near = {
        "less": {"a": "gcg", "than": "js"},
        "time": {"metric": "rmse", "near": {"of": ["gcg"], "by": 0.01}},
    }
    runs = [run("gcg", {"rmse": [2, 1, 1, 1, 1.0]}), run("js", {"rmse": [2, 2, 2, 2, 1.005]})]
    assert cell(near, e=runs).verdict is True
    assert math.isclose(cell(near, e=runs).measured["js"].high, 4)


def verdict_of(runs, test):
    return judged({"over": "IFO", **test}, e=runs).verdict


def curves(**values):
    return [run(name, {"m": given}, IFO=np.arange(len(given))) for name, given in values.items()]


@pytest.mark.parametrize(("late", "found"), [(80, "holds"), (30, "fails")])
def test_the_last_is_compared_with_the_median(late, found):
    """Times of the three are about 10, 20 and 70: twice their median is 40."""
    test = {
        "less": {"a": ["a", "b", "c"], "than": "s", "factor": 2},
        "time": {"metric": "m", "lowest": 0, "median_of": ["a", "b", "c"]},
    }
    runs = {
        name: [1.0] * k + [0.001] * (120 - k) for name, k in {"a": 10, "b": 20, "c": 70, "s": late}.items()
    }
    assert verdict_of(curves(**runs), test) == found


def test_a_list_among_the_several_is_the_best_of_it():
    test = {
        "less": {"a": ["a", ["b", "c"]], "than": "s", "factor": 2},
        "time": {"metric": "m", "lowest": 0, "median_of": ["a", ["b", "c"]]},
    }
    runs = {name: [1.0] * k + [0.001] * (12 - k) for name, k in {"a": 2, "b": 11, "c": 2, "s": 8}.items()}
    assert verdict_of(curves(**runs), test) == "holds"


@pytest.mark.parametrize(("last", "found"), [(3.9, "holds"), (4.1, "fails")])
def test_values_against_the_start(last, found):
    test = {
        "at_most": {"bound": 1, "factor": 0.5, "methods": "a"},
        "value": {"metric": "m", "at": "last", "per": "start"},
    }
    assert verdict_of(curves(a=[8, 100, last]), test) == found


PLACES = {"m": [8.0, 4, 2, 1, 2], "rank": [0, 3, 4, 4, 5], "n": [1, 2, 4, 8, 16]}


@pytest.mark.parametrize(
    ("statistic", "expected"),
    [
        ({"value": {"metric": "m", "at": "last"}}, 2),
        ({"value": {"metric": "m", "at": {"record": 1}}}, 4),
        ({"value": {"metric": "m", "at": {"share": 0.5}}}, 2),
        ({"value": {"metric": "m", "at": {"rank": 5}}}, 2),
        ({"value": {"metric": "rank", "at": {"record": 1}, "per": "m"}}, 0.75),
        ({"value": {"metric": "m", "at": "last", "minus": ["p"]}}, 1),
        ({"change": {"metric": "m", "origin": "last", "to": "largest"}}, 4),
        ({"change": {"metric": "m", "origin": {"share": 0.5}, "to": "end"}}, 1),
        ({"over_grid": {"metric": "m", "by": "n", "what": "lead"}}, -6),
        ({"over_grid": {"metric": "m", "by": "n", "what": "above_least", "at": 4}}, 1 / 7),
        ({"over_grid": {"metric": "m", "by": "n", "what": "worst_over_best", "at": [2, 16]}}, 4),
        ({"quantile": {"metric": "m", "q": 1, "after_start": True}}, 4),
        ({"quantile": {"metric": "m", "q": 1, "of_all": True}}, 8),
        ({"count": {"oracle": "n", "per": "rank"}}, 16 / 5),
        ({"rank": {"metric": "n", "by": "rank", "ties": 0.3}}, 0.25),
    ],
)
def test_each_place_and_option_gives_its_number(statistic, expected):
    test = {"equal": {"a": "p", "to": expected, "within": 1e-3}, **statistic}
    assert cell(test, e=[run("p", PLACES)]).truth is True
