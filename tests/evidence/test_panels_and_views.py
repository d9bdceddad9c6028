"""Tests over patterns of experiments, and views on their counterparts."""

import pytest
from frames import paper, run, spec, write
from test_claims import beats, claim, judged, panel

from referee.evidence.claims import check_claims
from referee.evidence.judging import judge
from referee.evidence.judging.views import expand

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
    entry = judged(tmp_path, [claim(beats("p[12]0"), race={"fair": view}, readings={"R3": view})])["TOY-C1"]
    assert (entry["verdict"], entry["verdict_strong"], entry["verdict_readings"]) == (
        "holds",
        "fails",
        {"R3": "fails"},
    )
    assert "R3: judged on 1 of 2 panels." in entry["note"]
    race = {"rivals": view | {"swap": {"b": "b-short"}}}
    other = judged(tmp_path, [claim(beats("p[12]0"), race=race)])["TOY-C1"]
    assert "Against strong competitors: judged on 1 of 2" in other["note"]


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (claim(beats("p9*")), "claim C1: no experiment matches 'p9*'; known: p10"),
        (
            claim(beats("p10"), race={"fair": {"experiments": "{}-r3"}}),
            "no panel is left under {'experiments': '{}-r3'}",
        ),
    ],
)
def test_mistakes_are_told_when_claims_are_checked(broken, message):
    with pytest.raises(ValueError) as caught:
        check_claims(paper(spec([broken], p10={"methods": ["a", "b"]})))
    assert message in str(caught.value)


def test_a_measurement_that_views_share_is_made_once(tmp_path, monkeypatch):
    calls = []
    judged_once = judge._judged
    monkeypatch.setattr(
        judge, "_judged", lambda e, sentence: calls.append(sentence) or judged_once(e, sentence)
    )
    test = beats("e", mean={"metric": "m", "lowest": 0, "height": True})
    write(tmp_path, "e", run("a", {"m": [4, 1]}), run("b", {"m": [4, 4]}))
    other = {"same": {"args": {}}, "by far": {"args": {"factor": 2}}}
    judged(tmp_path, [claim(test, readings=other), claim(test) | {"id": "C2"}])
    assert len(calls) == len(set(map(repr, calls))) == 2, "the sentence, and the one of the other reading"
