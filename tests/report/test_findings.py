"""Sentences that people wrote: each number is read, each fits the verdicts, and a stale one is named."""

import re

import pytest
from places import PAPERS, ROOT
from pydantic import ValidationError

from referee import study
from referee.report.context import read_claims
from referee.report.findings import _asked, messages, sentences, tasks
from referee.report.verdicts import NAME, read_verdicts
from referee.study.models.findings import Amount, Message, Sentence

#: A number that somebody typed, but for that of a figure: digits that no name has.
TYPED = re.compile(r"(?<![\w-])(?<!Figure )(?<!Figures )(?<!and )\d[\d.,]*")


@pytest.fixture(scope="module", params=PAPERS)
def written(request):
    """Study, claims and rows of a paper as they are published."""
    folder = ROOT / "reports/reference" / request.param
    return study.load(request.param).spec, read_claims(folder / "claims.json"), read_verdicts(folder / NAME)


def test_no_message_is_stale_and_each_is_short(written):
    told = messages(*written)
    assert len(told) <= 8
    assert [one["stale"] for one in told if one["stale"]] == []
    for one in told:
        assert len(one["we"].split()) <= 60 and "inf" not in one["we"].split(), one["we"]


def test_a_message_says_on_which_kind_of_data_it_rests(written):
    """FAULTS-4, K12: 14 of 30 findings rested on stand-ins, and two said so; none said generated."""
    spec, _, rows = written
    own = [row for row in rows if not row["call"] and row["data"]]
    for given in spec["messages"]:
        one = Message.model_validate(given)
        amounts = [*one.numbers.values()] or [Amount(claim=name) for name in one.claims]
        used = {
            row["data"]
            for amount in amounts
            for row in own
            if row["column"] == (amount.column or "published")
            and _asked(row, f"{spec['prefix']}-{amount.claim}", amount)
        }
        assert [word for word in used if word not in one.data] == [], (one.paper, one.data)


def test_no_sentence_is_stale_and_each_is_short(written):
    told = sentences(*written)
    assert [key for key, one in told.items() if one["stale"]] == []
    for key, one in told.items():
        assert one["text"].endswith(".") and len(one["text"].split()) <= 60, key


def test_no_number_is_typed(written):
    spec, *_ = written
    texts = [m["we"] for m in spec.get("messages") or []] + [s["text"] for s in spec.get("sentences") or []]
    assert [text for text in texts if TYPED.search(re.sub(r"\{\w+\}", "", text))] == []


@pytest.mark.parametrize("written", ["ncgs", "mpcgs"], indirect=True)
def test_every_claim_with_a_headline_has_a_sentence_in_both_columns(written):
    _, entries, _ = written
    tops = [entry for entry in entries if "." not in entry["id"] and entry["verdict"] != "not_judged"]
    wanted = {(entry["id"], "published") for entry in tops}
    wanted |= {(entry["id"], "fair") for entry in tops if entry["verdict_strong"]}
    assert wanted <= sentences(*written).keys()


def test_every_row_of_tasks_has_a_place(written):
    spec, _, rows = written
    assert all(row["ahead"] + row["behind"] + row["open"] for row in tasks(spec, rows, {}))


@pytest.mark.parametrize("numbers", [{}, {"a": {}, "b": {}}])
def test_each_number_is_named_and_told(numbers):
    with pytest.raises(ValidationError, match="in the text or in the numbers alone: [ab]"):
        Sentence.model_validate({"claim": "C1", "verdict": "holds", "text": "Won {a}.", "numbers": numbers})


def row(panel, low, high, what="a before b", **fields):
    said = {"claim": "X-C1.a", "part": "time", "column": "published", "call": "", "data": "real"}
    said |= {"panel": panel, "what": what, "low": low, "high": high}
    said |= {"required": 2.0, "truth": True, "reason": ""}
    return said | fields


INF = float("inf")
ROWS = [row("p1", 0.39, 0.44), row("p2", 0.41, 0.48), row("q", 3.0, INF), row("q", 9.0, 9.5, column="fair")]
ROWS += [row("p1", 77.0, 77.0, call="another reading"), row("s", 5.0, 6.0, "c before d", data="stand-in")]
ENTRY = {"id": "X-C1", "verdict": "holds", "verdict_strong": "fails", "headline": "as_published"}


def told(verdict="holds", of="published", **amount):
    given = {"claim": "C1", "column": of, "verdict": verdict, "text": "{n}.", "numbers": {"n": amount}}
    (one,) = sentences({"prefix": "X", "sentences": [given]}, [ENTRY], ROWS).values()
    return one


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        ({"panel": "p*"}, "0.39–0.48"),
        ({"panel": "p*", "inverse": True}, "2.1–2.6"),
        ({"panel": "p*", "times": 100}, "39–48"),
        ({"panel": "p*", "statistic": "least", "round": 1}, "0.4"),
        ({"panel": "p*", "field": "low"}, "0.39–0.41"),
        ({"panel": "p*", "field": "high", "statistic": "greatest"}, "0.48"),
        ({"panel": "p1", "field": "required"}, "2"),
        ({"part": "a", "data": "stand-in"}, "5–6"),
        ({"part": "time", "what": "c*"}, "5–6"),
        ({"panel": "q"}, "at least 3"),
        ({"panel": "q", "column": "fair"}, "9–9.5"),  # of the other column than its sentence
    ],
)
def test_a_number_is_read_from_the_rows(amount, words):
    assert told(**amount)["text"] == f"{words}."


@pytest.mark.parametrize(
    "amount", [{"panel": "none"}, {"claim": "C9"}, {"panel": "q", "field": "high"}, {"part": "b"}]
)
def test_a_number_that_is_not_there_or_not_finite_is_an_error(amount):
    with pytest.raises(ValueError, match="have no such number"):
        told(**amount)


@pytest.mark.parametrize("given", [("fails", "published"), ("holds", "fair"), ("as_published", "fair")])
def test_a_sentence_of_another_verdict_is_stale_and_not_shown(given):
    assert told(*given, panel="none") == {"text": "", "stale": True}


def test_a_message_whose_claim_turned_is_stale():
    message = {"paper": "A wins.", "we": "It does.", "data": "real", "claims": {"C1": "holds"}}
    asked = {"prefix": "X", "messages": [message]}
    assert messages(asked, [ENTRY], ROWS)[0]["stale"] == []
    (one,) = messages(asked, [ENTRY | {"verdict": "fails", "headline": "fails"}], ROWS)
    assert one["stale"] == ["X-C1"] and one["we"] == ""


CROSSES = {"truth": False, "reason": "crosses: earlier at 5 of 10 levels, later at 2"}
WON, LOST, OPEN = {"truth": True}, {"truth": False}, {"truth": None, "reason": "close"}


@pytest.mark.parametrize(
    ("seeds", "side"),
    [
        ([WON, WON, WON], "ahead"),
        ([LOST, LOST, LOST], "behind"),
        ([WON, WON, WON, WON, LOST], "ahead"),
        ([WON, WON, LOST], "open"),
        ([WON, CROSSES, CROSSES], "open"),
        ([LOST, LOST, CROSSES], "open"),
        ([WON, WON, OPEN], "ahead"),
        ([WON, OPEN, OPEN], "open"),
        ([WON, WON, OPEN, OPEN, OPEN], "open"),
    ],
)
def test_a_task_names_where_each_side_is_ahead(seeds, side):
    rows = [row("a", 2, 3, column="fair", **fields) for fields in seeds]
    task = {"task": "T", "claim": "C1.a", "method": "A", "rival": "B"}
    (one,) = tasks({"prefix": "X", "tasks": [task]}, rows, {"a": "Panel a"})
    assert {key: one[key] for key in ("ahead", "behind", "open") if one[key]} == {side: ["Panel a"]}
