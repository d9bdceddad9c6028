"""The four cells of a race and the word of both columns; runs that stand still; remedies before "open"."""

import json

import pytest
from frames import paper, run, spec, write

from referee.evidence.claims import evaluate
from referee.evidence.judging.quantifiers import headline
from referee.study.models.claim import Race, View

HOLDS, PART, FAILS, OPEN = "holds", "holds_in_part", "fails", "not_testable"
AS = "as_published"
TEST = {"all": ["e"], "less": {"a": "a", "than": "b"}, "value": {"metric": "m", "lowest": 0}, "over": "IFO"}
OURS, RIVALS = {"swap": {"a": ["a", "a-tuned"]}}, {"swap": {"b": ["b", "b-strong"]}}
#: Ahead as described; behind the strong form, unless ours is tuned too.
ENDS = {"a": 0.1, "b": 0.2, "a-tuned": 0.05, "b-strong": 0.07}


@pytest.mark.parametrize(
    ("published", "fair", "word"),
    [
        (HOLDS, HOLDS, "holds"),
        *((HOLDS, fair, AS) for fair in (PART, FAILS, OPEN)),
        *((PART, fair, "in_part") for fair in (HOLDS, PART, FAILS, OPEN, None)),
        *((FAILS, fair, "fails") for fair in (HOLDS, PART, FAILS, OPEN, None)),
        *((OPEN, fair, "open") for fair in (HOLDS, PART, FAILS, OPEN, None)),
        (HOLDS, None, "holds"),
    ],
)
def test_one_word_for_both_columns(published, fair, word):
    assert headline(published, fair) == word


def entry_of(folder, curves, test=TEST, untuned=(), x=None, **part):
    """The entry of a claim on one seed of these curves (method → values at x, or the end of two records)."""
    runs = {m: y if isinstance(y, list) else [1.0, y] for m, y in curves.items()}
    write(folder, "e", *(run(m, {"m": y}, IFO=x or range(len(y))) for m, y in runs.items()))
    for method in untuned:
        table = {"experiment": "e", "method": method, "untuned": ["rate"]}
        (folder / f"{method}.json").write_text(json.dumps(table))
    claim = {"id": "C1", "quote": "q", "where": "w", "statement": "s", "tests": [test], **part}
    made = paper(spec([claim], e={"methods": [*curves, "gone"]}))
    (entry,) = evaluate(made, folder, sorted(folder.glob("*.json")))
    return entry


def cells(entry):
    """Cell → its verdict, or that it was not run."""
    return {name: cell if cell == "not run" else cell["verdict"] for name, cell in entry["race"].items()}


def test_the_four_cells_of_a_race(tmp_path):
    entry = entry_of(tmp_path, ENDS, race={"ours": OURS, "rivals": RIVALS})
    assert cells(entry) == {
        "stated_described": HOLDS,
        "tuned_described": HOLDS,
        "stated_strong": FAILS,
        "tuned_strong": HOLDS,
    }
    told = {name: (cell["panels"], cell["interval"]) for name, cell in entry["race"].items()}
    assert told["stated_described"] == ("1 of 1", "ratio 0.5")
    assert told["stated_strong"] == ("0 of 1", "ratio 1.43")
    assert (entry["verdict"], entry["verdict_strong"], entry["headline"]) == (HOLDS, HOLDS, "holds")


@pytest.mark.parametrize(
    ("race", "run_cells", "fair", "word"),
    [
        ({"ours": OURS}, {"tuned_described"}, HOLDS, "holds"),
        ({"rivals": RIVALS}, {"stated_strong"}, FAILS, AS),
        ({"fair": {"swap": {"a": "a-tuned", "b": "b-strong"}}}, {"tuned_strong"}, HOLDS, "holds"),
        (
            {"ours": OURS, "fair": {"swap": {"b": "b-strong"}}},
            {"tuned_described", "tuned_strong"},
            FAILS,
            "as_published",
        ),
        (None, None, None, "holds"),
    ],
)
def test_what_was_not_run_is_not_run_and_the_fair_cell_is_the_best_there_is(
    tmp_path, race, run_cells, fair, word
):
    entry = entry_of(tmp_path, ENDS, race=race)
    ran = {name for name, verdict in cells(entry).items() if verdict != "not run"}
    assert ran == (set() if race is None else {"stated_described", *run_cells})
    assert (entry["verdict_strong"], entry["headline"]) == (fair, word)


def test_the_tuned_form_is_published_only_where_the_paper_leaves_its_parameter_open(tmp_path):
    curves = ENDS | {"a": 0.3}
    stated = entry_of(tmp_path / "stated", curves, race={"ours": OURS})
    unstated = entry_of(tmp_path / "unstated", curves, race={"ours": OURS, "unstated": "U1"})
    assert (stated["verdict"], unstated["verdict"]) == (FAILS, HOLDS)
    assert cells(stated) == cells(unstated), "both stay visible"
    assert entry_of(tmp_path / "none", curves, race={"rivals": RIVALS, "unstated": "U1"})["verdict"] == FAILS
    blind = entry_of(tmp_path / "blind", curves, untuned=["a-tuned"], race={"ours": OURS, "unstated": "U1"})
    assert blind["verdict"] == OPEN and "a-tuned on e is untuned in rate" in blind["note"]


def test_readings_of_a_tuned_form_are_read_of_that_form(tmp_path):
    part = {"race": {"ours": OURS, "unstated": "U1"}, "readings": {"same": {"args": {}}}}
    entry = entry_of(tmp_path, ENDS | {"a": 0.3}, **part)
    assert (entry["verdict"], entry["verdict_readings"]) == (HOLDS, {"same": HOLDS})


def test_two_views_at_once():
    both = View(swap={"a": "x", "b": "y"}, args={"factor": 2}).and_(View(swap={"b": "z"}, experiments="{}-s"))
    assert both == View(swap={"a": "x", "b": "z"}, args={"factor": 2}, experiments="{}-s")
    assert Race(rivals=View(swap={"b": "z"})).best == "stated_strong"


#: Where `a` starts low and stays there, and where it moves; of `b` alike.
STANDS, FALLS, ABOVE = [0.1, 0.1, 0.0995], [1.0, 0.4, 0.05], [1.0, 1.0, 0.995]


@pytest.mark.parametrize(
    ("a", "b", "verdict", "still"),
    [
        (STANDS, [1.0, 0.8, 0.5], FAILS, ["a"]),  # below, as it began there
        (STANDS, ABOVE, OPEN, ["a", "b"]),
        (FALLS, ABOVE, HOLDS, ["b"]),
        (FALLS, [1.0, 0.8, 0.5], HOLDS, []),
        ([0.1, 0.1, 0.0985], [1.0, 0.8, 0.5], HOLDS, []),  # 98.5 % of the way is left
    ],
)
def test_what_stands_still_is_flagged_and_wins_nothing(tmp_path, a, b, verdict, still):
    entry = entry_of(tmp_path, {"a": a, "b": b}, race={"rivals": {"swap": {"b": ["b"]}}})
    assert entry["verdict"] == verdict
    assert entry["panels"][0].get("still", []) == still
    cell = entry["race"]["stated_described"]
    assert cell["verdict"] == verdict and cell.get("still", []) == [f"{name} on e" for name in still]
    assert ("Made no progress" in entry["note"]) == bool(still)
    assert ("neither side made progress" in entry["note"]) == (verdict == OPEN)


def test_a_run_of_another_panel_stands_still_there(tmp_path):
    write(tmp_path, "f", run("a", {"m": [1.0, 1.0, 0.995]}, IFO=range(3)))
    write(tmp_path, "e", run("a", {"m": FALLS}, IFO=range(3)))
    test = TEST | {"less": {"a": "a", "than": "a@f"}}
    claim = {
        "id": "C1",
        "quote": "q",
        "where": "w",
        "statement": "s",
        "tests": [test],
        "race": {"ours": {"swap": {}}},
    }
    ran = {"methods": ["a"]}
    (entry,) = evaluate(paper(spec([claim], e=ran, f=ran)), tmp_path)
    assert entry["panels"][0]["still"] == ["a@f"]
    assert entry["race"]["stated_described"]["still"] == ["a on f"] and "a on “f”" in entry["note"]


def test_a_metric_without_a_bottom_has_no_run_that_stands_still(tmp_path):
    test = TEST | {"value": "m"}
    entry = entry_of(tmp_path, {"a": STANDS, "b": [1.0, 0.8, 0.5]}, test)
    assert entry["verdict"] == HOLDS and "still" not in entry["panels"][0]


def test_one_seed_of_three_does_not_stand_for_all(tmp_path):
    curves = {"a": [FALLS, STANDS, FALLS], "b": [[1.0, 0.8, 0.5]] * 3}
    runs = [run(m, {"m": y}, seed=k, IFO=range(3)) for m, ys in curves.items() for k, y in enumerate(ys)]
    write(tmp_path, "e", *runs)
    claim = {"id": "C1", "quote": "q", "where": "w", "statement": "s", "tests": [TEST]}
    (entry,) = evaluate(paper(spec([claim], e={"methods": ["a", "b"]})), tmp_path)
    assert entry["verdict"] == HOLDS and "still" not in entry["panels"][0]


def test_a_level_that_neither_reaches_is_not_lost_by_who_stands_still(tmp_path):
    test = {key: value for key, value in TEST.items() if key != "value"}
    test |= {"time": {"metric": "m", "lowest": 0, "level": 1e-9}}
    entry = entry_of(tmp_path, {"a": STANDS, "b": FALLS}, test)
    assert entry["verdict"] == OPEN
    assert entry["cells"]["reasons"] == {"neither reaches any of the levels": 1}
    assert entry["remedies"]["would_decide"] == ["a longer budget"]


#: Both pass all levels between 1 and 8, which tells nobody first; where `SOON` ends, `LATE` is after 80.
X = [0, 1, 8, 80, 100]
SOON, LATE = [1.0, 0.9, 0.01, 0.01, 0.01], [1.0, 0.9, 0.04, 0.04, 0.005]
TIMES = {key: value for key, value in TEST.items() if key != "value"} | {
    "less": {"a": "a", "than": "b", "factor": 2},
    "time": {"metric": "m", "lowest": 0},
}
COMMON = "the level that all compared runs reach"


@pytest.mark.parametrize(("a", "b", "verdict"), [(SOON, LATE, HOLDS), (LATE, SOON, FAILS)])
def test_the_common_level_decides_what_the_levels_together_leave_open(tmp_path, a, b, verdict):
    entry = entry_of(tmp_path, {"a": a, "b": b}, TIMES, x=X)
    assert entry["verdict"] == verdict and "remedies" not in entry
    assert entry["panels"][0]["seeds"][0]["remedy"] == COMMON


def test_what_was_tried_and_would_decide_is_said_of_what_stays_open(tmp_path):
    entry = entry_of(tmp_path, {"a": SOON, "b": SOON}, TIMES, x=X)
    assert entry["verdict"] == OPEN and entry["panels"][0]["seeds"][0]["remedy"] == f"tried: {COMMON}"
    closer = "more seeds, or records closer together"
    assert entry["remedies"] == {"tried": [COMMON], "would_decide": [closer]}


@pytest.mark.parametrize("named", [{"shares": [0.5, 0.1], "common": False}, {"level": [0.5, 0.1]}])
def test_levels_that_the_sentence_names_are_not_exchanged(tmp_path, named):
    test = TIMES | {"time": TIMES["time"] | named}
    entry = entry_of(tmp_path, {"a": SOON, "b": LATE}, test, x=X)
    assert entry["verdict"] == OPEN and entry["remedies"]["tried"] == []


def test_runs_that_are_missing_would_decide(tmp_path):
    entry = entry_of(tmp_path, {"a": SOON, "b": LATE}, TIMES | {"less": {"a": "a", "than": "gone"}})
    assert entry["remedies"] == {"tried": [], "would_decide": ["the runs that are missing"]}
