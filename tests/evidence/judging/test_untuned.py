"""Against a baseline whose tuning saw nothing a claim is not held to be strong (rule 9)."""

import json

import pytest
from frames import paper, run, spec, write

from referee.evidence.claims import evaluate

END = {"metric": "m", "lowest": 0}
TEST = {"all": ["e", "f"], "less": {"a": "a", "than": "b", "factor": 2}, "value": END, "over": "IFO"}
STRONG = {"swap": {"b": ["b", "b-tuned"]}}


def judged(folder, untuned, tuned=0.05, **part):
    """The entry of a claim that holds by far; b-tuned ends at `tuned`, and some of it were not tuned."""
    for name in ("e", "f"):
        ends = {"a": 0.001, "b": 0.1, "b-tuned": tuned}
        write(folder / "evidence", name, *(run(m, {"m": [1, y]}, IFO=[0, 1]) for m, y in ends.items()))
        table = {"experiment": name, "method": "b-tuned", "untuned": untuned.get(name, [])}
        (folder / "tuning" / name).mkdir(parents=True, exist_ok=True)
        (folder / "tuning" / name / "b-tuned.json").write_text(json.dumps(table))
    claim = {"id": "C1", "quote": "q", "where": "w", "statement": "s", "tests": [TEST], **part}
    methods = {"methods": ["a", "b", "b-tuned"]}
    made = paper(spec([claim], e=methods, f=methods))
    (entry,) = evaluate(made, folder / "evidence", sorted((folder / "tuning").rglob("*.json")))
    return entry


@pytest.mark.parametrize("side", ["rivals", "ours", "fair"])
def test_a_strong_verdict_needs_baselines_that_were_tuned(tmp_path, side):
    tuned = judged(tmp_path, {}, race={side: STRONG})
    assert (tuned["verdict"], tuned["verdict_strong"]) == ("holds", "holds") and "untuned" not in tuned[
        "note"
    ]
    untuned = judged(tmp_path, {"e": ["rate"], "f": ["rate"]}, race={side: STRONG})
    assert (untuned["verdict"], untuned["verdict_strong"]) == ("holds", "not_testable")
    assert untuned["headline"] == "as_published"
    assert "b-tuned on e is untuned in rate; b-tuned on f is untuned in rate." in untuned["note"]


def test_a_panel_with_an_untuned_baseline_leaves_half_of_the_panels_open(tmp_path):
    found = judged(tmp_path, {"e": ["rate"]}, race={"rivals": STRONG})
    assert found["verdict_strong"] == "not_testable" and "b-tuned on e is untuned in rate." in found["note"]


def test_where_the_untuned_method_is_not_compared_nothing_is_said(tmp_path):
    found = judged(tmp_path, {"e": ["rate"], "f": ["rate"]}, race={"rivals": {"swap": {"b": "b"}}})
    assert found["verdict_strong"] == "holds" and "untuned" not in found["note"]


def test_a_method_that_its_tuning_holds_at_the_start_is_told(tmp_path):
    still = judged(tmp_path, {}, tuned=0.9905, race={"rivals": STRONG})
    assert (
        "Made no progress (99 % of the way left at the end): b-tuned on “e”; b-tuned on “f”." in still["note"]
    )
    assert "no progress" not in judged(tmp_path, {}, tuned=0.9895, race={"rivals": STRONG})["note"]
    assert "no progress" not in judged(tmp_path, {}, tuned=0.9905)["note"]
