"""What would decide a claim, from the reasons of its rows; its cost from budgets, seeds and repetitions."""

import pytest

from referee.report.remedies import cost_of, remedy

SPEC = {
    "runs": {"paper": {"experiments": {"e": {"budget": {"cpu_seconds": 80}}}}},
    "experiments": {
        "e": {"budget": {"cpu_seconds": 10}, "seeds": 4, "repetitions": 3},
        "counted": {"budget": {"iterations": 9}},
    },
}
TRACES = [f"results/full/traces/x/e/{method}.h5" for method in "ab"]


def row(reason, length="", truth=None):
    return {"panel": "e", "reason": reason, "length": length, "truth": truth}


def test_the_cost_is_that_of_all_runs():
    assert cost_of({"traces": TRACES}, SPEC) == 2 * (4 + 3 - 1) * 10
    assert cost_of({"traces": COUNTED}, SPEC) == 0


COUNTED = ["t/x/counted/a.h5", "t/x/gone/a.h5"]
NOTHING_LONGER = SPEC | {"runs": {"paper": {}}}


@pytest.mark.parametrize(
    "rows, traces, spec, words",
    [
        (row("", "5 of 40 s", False), TRACES, SPEC, "whole axis, `--run paper`: about 16 CPU minutes"),
        (row("", "5 of 40 s", False), TRACES, NOTHING_LONGER, "whole axis: about 16 CPU minutes"),
        (
            row("neither method reached the level"),
            TRACES,
            SPEC,
            "a longer run; twice the time: about 4 CPU minutes",
        ),
        (row("neither method reached the level"), COUNTED, SPEC, "a longer run; twice the time"),
        (row("its range contains the required value"), TRACES, SPEC, "as many again: about 2 CPU minutes"),
        (row("close: 2 of 10 points differ"), TRACES, SPEC, "no longer run: the lines are close"),
        (row("b was not run in e"), TRACES, SPEC, "the run that is missing: about 2 CPU minutes"),
        (row("", "5 of 40 s", True) | {"reason": "tied"}, TRACES, SPEC, ""),
        (row("tied", "5 of 40 s"), TRACES, SPEC, "a run over the paper's whole axis, `--run paper`: about"),
        (row("2 of 10 levels could be compared", "5 of 40 s"), TRACES, SPEC, "more records early in the run"),
        (row("tied"), TRACES, SPEC, "no longer run: the ends are close"),
        (row("behind", truth=False), TRACES, SPEC, ""),
    ],
)
def test_a_reason_has_its_remedy(rows, traces, spec, words):
    text = remedy({"traces": traces}, [rows], spec)
    assert words in text and bool(words) == bool(text)
    assert traces != COUNTED or text == words, "without a time no cost"
