import json

import pytest
from frames import paper, run, spec, write

from referee.evidence.claims import check_claims, evaluate
from referee.evidence.words import explain

GOOD, BAD = [8.0, 4, 2, 1, 0.5], [8.0, 8, 8, 8, 8]
FIELDS = {"id", "quote", "where", "statement", "verdict", "verdict_strong", "measured", "threshold"}
FIELDS |= {"race", "headline", "depends", "seeds", "traces", "note"}


def panel(folder, name, wins, seeds=5, **columns):
    """A beats b in the first `wins` seeds; strong methods a-tuned (as a) and b-short (far better)."""
    runs = []
    for seed in range(seeds):
        won = seed < wins
        values = {
            "a": GOOD if won else BAD,
            "b": BAD,
            "a-tuned": GOOD if won else BAD,
            "b-short": [8, 0.1, 0.1, 0.1, 0.1],
        }
        runs += [run(method, {"m": v}, seed=seed, **columns) for method, v in values.items()]
    write(folder, name, *runs)


def beats(*experiments, than="b", **more):
    """`a` is lower in the mean over the way."""
    less = {"a": "a", "than": than}
    return {
        "all": list(experiments),
        "less": less,
        "mean": {"metric": "m", "height": True},
        "over": "iteration",
    } | more


def claim(*tests, **part):
    return {"id": "C1", "quote": "q", "where": "w", "statement": "s", "tests": list(tests)} | part


def judged(folder, claims, **experiments):
    names = {path.stem: {} for path in folder.glob("*.csv")}
    return {entry["id"]: entry for entry in evaluate(paper(spec(claims, **(names | experiments))), folder)}


def test_an_answer_of_the_authors_changes_no_entry(tmp_path):
    panel(tmp_path, "e", 5)
    answer = {"by": "a", "date": "2026-01-31", "text": "t", "link": "https://example.org"}
    plain, disputed = (judged(tmp_path, [claim(beats("e"), **more)]) for more in ({}, {"disputed": answer}))
    assert disputed == plain


@pytest.mark.parametrize(
    ("wins", "verdict"), [(5, "holds"), (4, "holds"), (3, "fails"), (1, "fails"), (0, "fails")]
)
def test_eighty_percent_rule(tmp_path, wins, verdict):
    panel(tmp_path, "e", wins)
    entry = judged(tmp_path, [claim(beats("e"))])["TOY-C1"]
    assert entry["verdict"] == verdict
    assert entry["measured"]["e"]["true in"] == f"{wins} of 5"
    assert entry["seeds"] == [0, 1, 2, 3, 4]
    assert entry["traces"] == ["results/t/a.h5", "results/t/b.h5"]


def test_all_panels_or_some(tmp_path):
    panel(tmp_path, "won", 5)
    panel(tmp_path, "lost", 0)
    assert judged(tmp_path, [claim(beats("won"))])["TOY-C1"]["verdict"] == "holds"
    both = judged(tmp_path, [claim(beats("won", "lost"))])["TOY-C1"]
    assert both["verdict"] == "holds_in_part"
    assert set(both["measured"]) == {"won", "lost"}
    assert [p["verdict"] for p in both["panels"]] == ["holds", "fails"]
    assert judged(tmp_path, [claim(beats("lost"))])["TOY-C1"]["verdict"] == "fails"


def test_a_quota_of_its_own(tmp_path):
    panel(tmp_path, "e", 1)
    assert judged(tmp_path, [claim(beats("e"))])["TOY-C1"]["verdict"] == "fails"
    assert judged(tmp_path, [claim(beats("e", quota=0.2))])["TOY-C1"]["verdict"] == "holds"
    panel(tmp_path, "e", 0)
    assert judged(tmp_path, [claim(beats("e", quota=0.2))])["TOY-C1"]["verdict"] == "fails"


def test_strong_verdict_and_readings_swap_names(tmp_path):
    panel(tmp_path, "e", 5)
    panel(tmp_path, "e-c", 0)
    part = {
        "race": {"fair": {"swap": {"a": "a-tuned", "b": "b-short"}}},
        "readings": {"mode C": {"swap": {"e": "e-c"}}, "by far": {"args": {"factor": 1000}}},
    }
    entry = judged(tmp_path, [claim(beats("e"), **part)])["TOY-C1"]
    assert (entry["verdict"], entry["verdict_strong"]) == ("holds", "fails")
    assert entry["verdict_readings"] == {"mode C": "fails", "by far": "fails"}
    assert entry["depends"] and entry["headline"] == "as_published"
    assert judged(tmp_path, [claim(beats("e"))])["TOY-C1"]["verdict_strong"] is None


def parts():
    return [
        {
            "id": "C1",
            "quote": "q",
            "where": "w",
            "statement": "s",
            "parts": {
                "a": {
                    "statement": "wins",
                    "tests": [beats("won")],
                    "race": {"rivals": {"swap": {"b": "b-short"}}},
                },
                "b": {"statement": "no baseline", "quote": "own", "tests": [beats("won")]},
                "c": {"statement": "loses", "tests": [beats("lost")], "extra": True},
            },
        }
    ]


def test_top_verdict_leaves_extra_parts_out(tmp_path):
    panel(tmp_path, "won", 5)
    panel(tmp_path, "lost", 0)
    entries = judged(tmp_path, parts())
    assert list(entries) == ["TOY-C1", "TOY-C1.a", "TOY-C1.b", "TOY-C1.c"]
    assert [e["verdict"] for e in entries.values()] == ["holds", "holds", "holds", "fails"]
    assert [e["verdict_strong"] for e in entries.values()] == ["holds_in_part", "fails", None, None]
    assert (entries["TOY-C1.b"]["quote"], entries["TOY-C1.a"]["quote"]) == ("own", "q")
    assert set(entries["TOY-C1"]["measured"]) == {"a", "b"}
    assert "results/t/a.h5" in entries["TOY-C1"]["traces"]
    for entry in entries.values():
        assert set(entry) >= FIELDS
    assert json.loads(json.dumps(list(entries.values()), allow_nan=False))


def test_what_is_missing_is_named(tmp_path):
    panel(tmp_path, "won", 5)
    entry = judged(tmp_path, [claim(beats("won", "gone"))], gone={})["TOY-C1"]
    assert entry["verdict"] == "not_testable" and "gone (no traces) (1)" in entry["note"]
    assert entry["measured"]["won"]["true in"] == "5 of 5", "what is there is still told"
    entry = judged(tmp_path, [claim(beats("won", than="zzz"))])["TOY-C1"]
    assert entry["verdict"] == "not_testable" and "zzz in won" in entry["note"]
    strong = claim(beats("won"), race={"rivals": {"swap": {"b": "b-best"}}})
    entry = judged(tmp_path, [strong])["TOY-C1"]
    assert (entry["verdict"], entry["verdict_strong"]) == ("holds", "not_testable")
    assert "Against strong competitors undecided: b-best in won (1)." in entry["note"]


def test_failed_seeds_are_not_judged_but_named(tmp_path):
    write(
        tmp_path,
        "e",
        *(run(m, {"m": v}, seed=s) for s in (0, 1) for m, v in (("a", GOOD), ("b", BAD))),
        run("a", {"m": BAD}, seed=2, end_status="error"),
        run("b", {"m": GOOD}, seed=2),
    )
    entry = judged(tmp_path, [claim(beats("e"))])["TOY-C1"]
    assert entry["verdict"] == "holds" and entry["seeds"] == [0, 1]
    assert "a, seed 2" in entry["note"]


def test_stand_ins_are_stamped(tmp_path):
    panel(tmp_path, "e", 5, stand_in=True)
    panel(tmp_path, "real", 5)
    entries = judged(tmp_path, [claim(beats("e", "real")), claim(beats("real")) | {"id": "C2"}])
    assert "STAND-IN: “e” on generated data" in entries["TOY-C1"]["note"]
    assert "STAND-IN" not in entries["TOY-C2"]["note"]


def test_not_judged_keeps_its_numbers(tmp_path):
    panel(tmp_path, "e", 5)
    entry = judged(tmp_path, [claim(beats("e"), not_judged="hardware unknown.")])["TOY-C1"]
    assert entry["verdict"] == "not_testable" and entry["note"] == "Not judged: hardware unknown."
    assert entry["measured"]["e"]["ratio"] == 0.25


def test_expectations_are_pooled_over_seeds(tmp_path):
    write(tmp_path, "e", run("a", {"m": [1.0]}), run("a", {"m": [3.0]}, seed=1))
    test = {"all": ["e"], "at_most": {"bound": 2}, "quantile": "m"}
    assert judged(tmp_path, [claim(test)])["TOY-C1"]["verdict"] == "fails"
    entry = judged(tmp_path, [claim(test | {"pool": True})])["TOY-C1"]
    assert entry["verdict"] == "holds" and entry["seeds"] == [0, 1]
    assert entry["measured"]["e"]["true in"] == "1 of 1 (mean of seeds)"


def test_each_makes_a_panel_of_every_value(tmp_path):
    panel(tmp_path, "e", 5)
    test = beats("e", less={"a": "a"}, each={"than": ["b", "b-short"]})
    entry = judged(tmp_path, [claim(test)])["TOY-C1"]
    assert list(entry["measured"]) == ["e · b", "e · b-short"]
    assert entry["verdict"] == "holds_in_part"


def test_two_tests_on_one_panel_have_their_own_labels(tmp_path):
    panel(tmp_path, "e", 5)
    entry = judged(tmp_path, [claim(beats("e"), beats("e", than="b-short"), beats("e", label="L"))])["TOY-C1"]
    assert list(entry["measured"]) == ["e", "e · 2", "e · L"]


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (claim(beats("e", kind="beats")), "claim C1: a test: unknown word 'kind'. Known are: all, at_most"),
        (claim(beats("e", mean={"metrik": "m"})), "unknown parameter 'metrik'. Did you mean 'metric'?"),
        (claim(beats("f")), "unknown experiment 'f'. Known are: e"),
        (claim(beats("e", than="bb")), "e: unknown method 'bb'. Did you mean 'b'? Known are: a, b"),
        (claim(beats("e"), race={"rivals": {"swap": {"b": "bb"}}}), "e: unknown method 'bb'"),
        (claim(beats("e"), race={"strong": {}}), "race: unknown key 'strong'. Known are: fair, ours, rivals"),
        (
            claim(beats("e"), race={"ours": {"swop": {}}}),
            "race.ours: unknown key 'swop'. Did you mean 'swap'? Known are: args, experiments, statistic",
        ),
        (
            claim(beats("e"), readings={"by far": {"args": {"factr": 2}}}),
            "by far: unknown argument 'factr'. Did you mean 'factor'? Known are: a, best",
        ),
        (
            claim(beats("e"), sense=1),
            "claims.0: unknown key 'sense'. Known are: disputed, extra, follows, id, not_judged",
        ),
    ],
)
def test_mistakes_in_the_yaml_list_the_known(broken, message):
    with pytest.raises(ValueError) as caught:
        check_claims(paper(spec([broken], e={"methods": ["a", "b"]})))
    assert message in str(caught.value)


def test_explain_is_one_line_per_entry(tmp_path):
    panel(tmp_path, "won", 5)
    panel(tmp_path, "lost", 0)
    text = explain(list(judged(tmp_path, parts()).values())).splitlines()
    assert len(text) == 5
    assert text[2].split()[:2] == ["TOY-C1.a", "holds"] and "ratio 0.25" in text[2]
    assert "TOY-C1.c+" in text[4]
