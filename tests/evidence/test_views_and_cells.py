"""Tests over patterns of experiments, views on their counterparts, and verdicts over all cells."""

import pytest
from frames import run, spec, write
from scipy.stats import binomtest
from test_claims import beats, claim, judged, panel

from projfree.evidence.checks import check_claims, checks_of, expand
from projfree.evidence.wording import explain


def toy(*names):
    """A spec with these experiments."""
    return spec([], **dict.fromkeys(names, {}))


NAMES = ["fig1-p10", "fig1-p20", "fig2-p10", "fig1-p10-r3", "fig10-p10"]


def test_patterns_choose_in_the_order_of_the_experiments():
    assert expand(["fig[1-4]-p[0-9][0-9]"], NAMES) == ["fig1-p10", "fig1-p20", "fig2-p10"]
    assert expand(["fig2-p10", "fig?-p10"], NAMES) == ["fig2-p10", "fig1-p10"], "each once"
    assert expand(["fig1-p[0-9]?-r3"], NAMES) == ["fig1-p10-r3"]
    assert expand(["unknown"], NAMES) == ["unknown"], "a plain name is checked later"
    assert expand(["odd[1]"], ["odd[1]", "odd1"]) == ["odd[1]"], "a name before a pattern"
    with pytest.raises(ValueError, match=r"no experiment matches 'fig9\*'; known: fig1-p10"):
        expand(["fig9*"], NAMES)


def test_a_pattern_is_judged_on_all_that_match(tmp_path):
    panel(tmp_path, "p10", 5)
    panel(tmp_path, "p20", 0)
    entry = judged(tmp_path, [claim(beats("p[0-9]0"))])["TOY-C1"]
    assert (entry["verdict"], list(entry["measured"])) == ("holds_in_part", ["p10", "p20"])


def test_a_view_on_counterparts_leaves_out_panels_without(tmp_path):
    for name, wins in {"p10": 5, "p20": 5, "p10-r3": 0}.items():
        panel(tmp_path, name, wins)
    view = {"experiments": "{}-r3"}
    entry = judged(tmp_path, [claim(beats("p[12]0"), strong=view, readings={"R3": view})])["TOY-C1"]
    assert (entry["verdict"], entry["verdict_strong"], entry["verdict_readings"]) == (
        "holds",
        "fails",
        {"R3": "fails"},
    )
    assert "R3: judged on 1 of 2 experiments." in entry["note"]
    other = judged(tmp_path, [claim(beats("p[12]0"), strong=view | {"swap": {"b": "b-short"}})])["TOY-C1"]
    assert "strong baseline: judged on 1 of 2" in other["note"]


def test_a_view_takes_the_other_experiment_along():
    test = {"kind": "ratio_shrinks", "experiments": ["a"], "other": "b", "a": "x", "b": "y", "metric": "m"}
    (check,) = checks_of({"tests": [test]}, toy("a", "b", "a-c", "b-c"), {"experiments": "{}-c"})
    assert (check.experiment, check.args["other"]) == ("a-c", "b-c")
    with pytest.raises(ValueError, match="no panel is left"):
        checks_of({"tests": [test]}, toy("a", "b", "a-c"), {"experiments": "{}-c"})


@pytest.mark.parametrize(
    ("wins", "verdict"),
    [((5, 1), "holds"), ((5, 0), "holds_in_part"), ((4, 0), "holds_in_part"), ((3, 0), "fails")],
)
def test_cells_of_all_panels_are_counted_together(tmp_path, wins, verdict):
    for name, won in zip(("p10", "p20"), wins, strict=True):
        panel(tmp_path, name, won)
    cells = beats("p*", cells={"holds": 0.6, "in_part": 0.4}, label="V")
    (entry,) = judged(tmp_path, [claim(cells)]).values()
    assert entry["verdict"] == verdict
    measured = entry["measured"]["V"]
    assert (measured["share"], measured["cells"]) == (sum(wins) / 10, 10)
    low, high = binomtest(sum(wins), 10).proportion_ci(method="wilson")
    assert (measured["95 % from"], measured["95 % to"]) == (
        pytest.approx(low, 1e-3),
        pytest.approx(high, 1e-3),
    )
    assert entry["threshold"] == {"beats": 0.95, "share of cells": 0.6}
    assert {"panel", "seed", "true"} <= set(entry["panels"][0]["seeds"][0])
    assert f"share {sum(wins) / 10:g}" in explain([entry])


def test_cells_are_counted_for_each_value_of_each(tmp_path):
    panel(tmp_path, "p10", 5)
    panel(tmp_path, "p20", 0)
    test = {k: v for k, v in beats("p*").items() if k != "b"} | {"each": {"b": ["b", "b-short"]}}
    entry = judged(tmp_path, [claim(test | {"cells": {"holds": 0.5, "in_part": 0.4}})])["TOY-C1"]
    assert {label: words["share"] for label, words in entry["measured"].items()} == {"b": 0.5, "b-short": 0}
    assert [p["verdict"] for p in entry["panels"]] == ["holds", "fails"]


def test_cells_name_what_is_missing_and_what_is_a_stand_in(tmp_path):
    panel(tmp_path, "p10", 5, stand_in=True)
    entry = judged(tmp_path, [claim(beats("p*", cells={"holds": 0.6, "in_part": 0.4}))], p20={})["TOY-C1"]
    assert entry["verdict"] == "not_testable"
    assert "p20 (no traces)" in entry["note"] and "STAND-IN: p10 on" in entry["note"]


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (claim(beats("p9*")), "claim C1: no experiment matches 'p9*'; known: p10"),
        (
            claim(beats("p10"), strong={"experiments": "{}-r3"}),
            "no panel is left under {'experiments': '{}-r3'}",
        ),
        (claim(beats("p10"), strong={"experiments": "r3"}), "a name with {} for each panel's, not 'r3'"),
        (claim(beats("p10", cells={"holds": 1})), "cells needs holds and in_part; given: holds"),
        (
            claim(*2 * [beats("p10", cells={"holds": 1, "in_part": 0})]),
            "more than one test in cells is called beats",
        ),
    ],
)
def test_mistakes_are_told_when_claims_are_checked(broken, message):
    with pytest.raises(ValueError) as caught:
        check_claims(spec([broken], p10={"methods": ["a", "b"]}))
    assert message in str(caught.value)


def test_a_measurement_that_views_share_is_made_once(tmp_path, monkeypatch):
    from projfree.evidence import outcomes

    calls = []
    judged_once = outcomes._judged
    monkeypatch.setattr(outcomes, "_judged", lambda e, check: calls.append(check) or judged_once(e, check))
    write(tmp_path, "e", run("a", {"m": [4, 1]}), run("b", {"m": [4, 4]}))
    judged(tmp_path, [claim(beats("e"), readings={"same": {"args": {}}}), claim(beats("e")) | {"id": "C2"}])
    assert len(calls) == 3, "once for each threshold"
