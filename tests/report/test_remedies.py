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
    assert cost_of({"traces": ["t/x/counted/a.h5", "t/x/gone/a.h5"]}, SPEC) == 0


@pytest.mark.parametrize(
    "rows, words",
    [
        ([row("", "5 of 40 s", False)], "whole axis, `--run paper`: about 16 CPU minutes"),
        ([row("neither comes there")], "a longer run; twice the time: about 4 CPU minutes"),
        (
            [row("its range spans what is required")],
            "more seeds or repetitions; as many again: about 2",
        ),
        ([row("close: 2 of 10 places differ")], "no longer run: the lines are close"),
        ([row("ncgs-2-tuned was not run in e")], "the run that is missing: about 2 CPU minutes"),
        ([row("", "5 of 40 s", True), row("tied")], "no longer run: the ends are close"),
        ([row("behind", truth=False)], ""),
    ],
)
def test_a_reason_has_its_remedy(rows, words):
    told = remedy({"traces": TRACES}, rows, SPEC)
    assert words in told and bool(words) == bool(told)


def test_without_a_time_no_cost_is_told():
    told = remedy({"traces": ["t/x/counted/a.h5"]}, [row("neither comes there")], SPEC)
    assert told == "a longer run; twice the time"


def test_a_run_that_changes_nothing_is_no_remedy_s_name():
    told = remedy({"traces": TRACES}, [row("", "5 of 40 s", False)], SPEC | {"runs": {"paper": {}}})
    assert told == "a run over the paper's whole axis: about 16 CPU minutes"
