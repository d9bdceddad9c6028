"""Claims that follow from others."""

import pytest
from frames import paper, spec
from test_claims import beats, claim, judged, panel

from referee.evidence.aggregates import follow, order
from referee.evidence.claims import check_claims

HOLDS, PART, FAILS, NOT = "holds", "holds_in_part", "fails", "not_testable"


@pytest.mark.parametrize(
    ("verdicts", "needed", "expected"),
    [
        ([HOLDS, HOLDS], "ab", HOLDS),
        ([HOLDS, FAILS], "a", PART),
        ([HOLDS, FAILS], "b", FAILS),
        ([HOLDS, PART], "b", PART),
        ([FAILS, FAILS], "", FAILS),
        ([FAILS, NOT], "a", FAILS),
        ([HOLDS, NOT], "a", NOT),
    ],
)
def test_following(verdicts, needed, expected):
    assert follow(dict(zip("ab", verdicts, strict=True)), needed) == expected


def follows(name, *sources, needed=(), **more):
    words = {"id": name, "quote": "q", "where": "w", "statement": "s"}
    return words | {"follows": {"from": list(sources), "needed": list(needed)}} | more


def three(*first):
    """Claims: those given, then one that holds (not in a fair race), one that fails, and one with parts."""
    strong = {"race": {"rivals": {"swap": {"b": "b-short"}}}}
    parts = {"a": {"tests": [beats("won")]}, "b": {"tests": [beats("lost")], "extra": True}}
    own = {"id": "C4", "quote": "q", "where": "w", "statement": "s", "parts": parts}
    won = beats("won", less={"a": "a", "than": "b", "factor": 3})
    return [*first, claim(won, **strong) | {"id": "C2"}, claim(beats("lost")) | {"id": "C3"}, own]


@pytest.fixture
def folder(tmp_path):
    panel(tmp_path, "won", 5, stand_in=True)
    panel(tmp_path, "lost", 0)
    return tmp_path


def test_a_claim_follows_from_later_ones(folder):
    every = three(follows("C0", "C1", "C2"), follows("C1", "C2", "C4", "C4.a", note="Ours."))
    entries = judged(folder, every)
    assert list(entries) == [f"TOY-{name}" for name in ("C0", "C1", "C2", "C3", "C4", "C4.a", "C4.b")]
    entry = entries["TOY-C1"]
    assert (entry["verdict"], entry["verdict_strong"]) == (HOLDS, PART), "C2 fails against the strong one"
    assert entry["headline"] == "as_published"
    assert set(entry["measured"]) == {"C2", "C4", "C4.a"}
    assert entry["seeds"] == [0, 1, 2, 3, 4] and entry["traces"] and entry["threshold"]
    assert entry["note"].endswith("Ours.") and "STAND-IN: “won”" in entry["note"]
    assert (entries["TOY-C0"]["verdict"], entries["TOY-C0"]["verdict_strong"]) == (HOLDS, PART)


def test_it_fails_with_what_it_needs(folder):
    every = three(follows("C0", "C2", "C3"), follows("C1", "C2", "C3", needed=["C3"]))
    entries = judged(folder, every)
    assert (entries["TOY-C0"]["verdict"], entries["TOY-C1"]["verdict"]) == (PART, FAILS)


def test_it_names_what_is_not_testable(folder):
    every = [
        follows("C1", "C2", "C3"),
        claim(beats("gone")) | {"id": "C2"},
        claim(beats("won")) | {"id": "C3"},
    ]
    entry = judged(folder, every, gone={})["TOY-C1"]
    assert entry["verdict"] == NOT and "Undecided: C2." in entry["note"]


def test_a_part_may_follow_too(folder):
    parts = {"a": {"tests": [beats("lost")]}, "b": {"follows": {"from": ["C2"]}, "statement": "as C2"}}
    entries = judged(
        folder, three({"id": "C1", "quote": "q", "where": "w", "statement": "s", "parts": parts})
    )
    assert [entries[f"TOY-C1{end}"]["verdict"] for end in ("", ".a", ".b")] == [PART, FAILS, HOLDS]
    assert entries["TOY-C1.b"]["statement"] == "as C2"


@pytest.mark.parametrize(
    ("first", "message"),
    [
        (follows("C1", "C9"), "C1 follows: unknown claim 'C9'. Known are: C1, C2"),
        (follows("C1", "C2", needed=["C3"]), "C1 follows: unknown claim 'C3'. Known are: C2"),
        (follows("C1"), "claims.0.follows.from: [] should have at least 1 item"),
        (follows("C1", "C1"), "claims follow from each other: C1 → C1"),
        (
            follows("C1", "C2", race={"ours": {"swap": {"a": "b"}}}),
            "claims.0: what has `follows` has no race of its own",
        ),
        (
            {"id": "C1", "parts": {"a": {"follows": {"from": ["C2"]}}}, "extra": True},
            "claims.0: what has `parts` has no extra of its own",
        ),
        (follows("C2", "C3"), "more than one claim is called C2"),
        ({"id": "C1"}, "claims.0: a part needs tests or follows"),
    ],
)
def test_mistakes_list_the_known(first, message):
    with pytest.raises(ValueError) as caught:
        check_claims(paper(spec(three(first), won={}, lost={})))
    assert message in str(caught.value)


def test_order_puts_sources_first():
    names = order(paper(spec(three(follows("C1", "C4")))).claims)
    assert names.index("C4.b") < names.index("C4") < names.index("C1")


@pytest.mark.parametrize(("over", "together"), [("all", PART), ("some", HOLDS)])
def test_a_sentence_says_whether_all_of_its_parts_have_to_hold(folder, over, together):
    """ "Some noise level" is true of one."""
    parts = {"a": {"tests": [beats("won")]}, "b": {"tests": [beats("lost")]}}
    words = {"id": "C1", "quote": "q", "where": "w", "statement": "s", "parts": parts, "over_parts": over}
    assert judged(folder, [words])["TOY-C1"]["verdict"] == together


def test_the_race_of_a_claim_is_that_of_its_parts(folder):
    """A part without a race counts in every cell as it stands; what no part ran is not run."""
    raced = {"tests": [beats("won")], "race": {"rivals": {"swap": {"b": "b-short"}}}}
    bare = {"tests": [beats("won")]}
    words = {"id": "C1", "quote": "q", "where": "w", "statement": "s"}
    entry = judged(folder, [words | {"parts": {"a": raced, "b": bare}}])["TOY-C1"]
    assert {name: cell if cell == "not run" else cell["verdict"] for name, cell in entry["race"].items()} == {
        "stated_described": HOLDS,
        "tuned_described": "not run",
        "stated_strong": PART,
        "tuned_strong": "not run",
    }
    assert judged(folder, [words | {"parts": {"a": bare, "b": bare}}])["TOY-C1"]["race"] == {}
