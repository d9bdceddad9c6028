"""Lists as the best of methods, in swaps too; other panels have their own least value and repetitions."""

import numpy as np
import pytest
from frames import run, sentences
from made_curves import cell, evidence

from referee.evidence.judging.judge import judge
from referee.evidence.judging.ranges import Run, operand
from referee.evidence.judging.views import swapped
from referee.study.views import answerable


def test_a_list_in_a_list_is_the_best_of_all():
    assert operand(["a", ["b", "c"]]).runs == (Run("a"), Run("b"), Run("c"))


def test_a_list_may_stand_for_a_method_but_not_for_a_part_of_an_operand():
    assert swapped({"than": "fw", "a": ["x", "fw"]}, {"fw": ["fw", "fw-short"]}) == {
        "than": ["fw", "fw-short"],
        "a": ["x", ["fw", "fw-short"]],
    }
    with pytest.raises(ValueError, match="cannot become a list"):
        swapped("x / fw", {"fw": ["fw", "fw-short"]})


@pytest.mark.parametrize(("methods", "kept"), [(["a", "b", "c"], True), (["a", "b"], False)])
def test_a_view_needs_all_methods_of_a_list_where_it_is_judged(methods, kept):
    test = {"all": ["e"], "less": {"a": "a", "than": "b"}, "value": "m", "over": "IFO"}
    race = {"rivals": {"swap": {"b": ["b", "c"]}}, "ours": {"swap": {"a": "b"}}, "unstated": "U1"}
    claim = {"id": "C1", "tests": [test], "race": race}
    whole = {"e": {"methods": ["a", "b", "c"]}}
    found = answerable(claim, {"e": {"methods": methods}}, whole)["race"]
    assert ("rivals" in found) == kept and found["ours"] and found["unstated"] == "U1"
    alone = claim | {"race": {"rivals": race["rivals"], "unstated": "U1"}}
    assert ("race" in answerable(alone, {"e": {"methods": methods}}, whole)) == kept


def test_the_excess_of_another_panel_is_over_its_own_least_value():
    here = [run("a", {"objective": [1.0, 0.3]}), run("best", {"objective": [1.0, 0.2]})]
    there = [run("a", {"objective": [1.0, 0.5]}), run("best", {"objective": [1.0, 0.1]})]
    test = {"less": {"a": "a", "than": "a@f"}, "value": {"metric": "objective", "excess": True}}
    found = cell(here, test, f=there)
    assert found.truth
    assert [round(found.measured[name].low, 9) for name in ("a", "a@f")] == [0.1, 0.4]


def test_a_run_of_another_panel_has_to_be_repeated_too():
    def runs(rate, times):
        values = np.exp(-rate * np.arange(80))
        return [run("a", {"m": values}).assign(repetition=k) for k in range(times)]

    test = {"all": ["e"], "less": {"a": "a", "than": "a@f"}, "time": {"metric": "m", "lowest": 0}}
    (sentence,) = sentences({**test, "over": "cpu_seconds"})
    for times, why in ((3, ""), (2, "seconds that were not measured repeatedly")):
        found = judge(evidence(e=runs(0.5, 3), f=runs(0.1, times)), sentence).panels[0].cells[0]
        assert found.why == why
