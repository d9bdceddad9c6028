"""Against a baseline whose tuning saw nothing a claim is not held to be strong (rule 9)."""

import json

import pytest
from frames import paper, run, spec, write

from referee.evidence.claims import evaluate

END = {"metric": "m", "lowest": 0}
TEST = {"all": ["e", "f"], "less": {"a": "a", "than": "b", "factor": 2}, "end": END, "over": "IFO"}
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


@pytest.mark.parametrize(
    ("view", "key"), [("strong", "verdict_strong"), ("both_strong", "verdict_both_strong")]
)
def test_a_strong_verdict_needs_baselines_that_were_tuned(tmp_path, view, key):
    tuned = judged(tmp_path, {}, **{view: STRONG})
    assert (tuned["verdict"], tuned[key]) == ("holds", "holds") and "untuned" not in tuned["note"]
    untuned = judged(tmp_path, {"e": ["rate"], "f": ["rate"]}, **{view: STRONG})
    assert (untuned["verdict"], untuned[key]) == ("holds", "not_testable")
    assert "b-tuned on e is untuned in rate; b-tuned on f is untuned in rate." in untuned["note"]


def test_panels_with_a_tuned_baseline_speak_for_themselves(tmp_path):
    found = judged(tmp_path, {"e": ["rate"]}, strong=STRONG)
    assert found["verdict_strong"] == "holds" and "b-tuned on e is untuned in rate." in found["note"]


def test_where_the_untuned_method_is_not_compared_nothing_is_said(tmp_path):
    found = judged(tmp_path, {"e": ["rate"], "f": ["rate"]}, strong={"swap": {"b": "b"}})
    assert found["verdict_strong"] == "holds" and "untuned" not in found["note"]


def test_a_method_that_its_tuning_holds_at_the_start_is_told(tmp_path):
    still = judged(tmp_path, {}, tuned=0.9995, strong=STRONG)
    assert "Ends where it began (within 0.1%): b-tuned on “e”; b-tuned on “f”." in still["note"]
    assert "where it began" not in judged(tmp_path, {}, tuned=0.9985, strong=STRONG)["note"]
    assert "where it began" not in judged(tmp_path, {}, tuned=0.9995)["note"]
