"""The summaries of papers: no number is typed, each fits the verdicts, and a claim that turned is told."""

import pytest
from places import PAPERS, ROOT
from pydantic import ValidationError

from referee import study
from referee.report.context import read_claims, with_later
from referee.report.findings import findings, read_range, tasks
from referee.study.models.claim import Finding

INTERVAL = "race.tuned_strong.interval"


def entries_of(paper):
    path = ROOT / "reports/reference" / paper / "claims.json"
    return [with_later(entry) for entry in read_claims(path)]


@pytest.mark.parametrize("paper", PAPERS)
def test_the_summary_fits_the_published_verdicts(paper):
    spec = study.load(paper, "full").spec
    told = findings(spec, entries_of(paper))
    assert 4 <= len(told) <= 6 and 1 <= sum(one["front"] for one in told) <= 3
    for one in told:
        assert one["turned"] == [], one
        assert one["words"].endswith(".") and "{" not in one["words"]
        assert len(one["words"].split()) <= 40, one["words"]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_row_of_tasks_has_both_sides_and_a_claim(paper):
    spec = study.load(paper, "full").spec
    rows = tasks(spec, entries_of(paper), {})
    assert rows and all(row["wins"]["who"] != row["loses"]["who"] for row in rows)


@pytest.mark.parametrize("text", ["It was 2.5 times faster.", "It was twice as fast.", "It took 300 s {a}."])
def test_a_number_that_is_typed_is_refused(text):
    with pytest.raises(ValidationError, match="is typed; read it from claims"):
        Finding.model_validate({"text": text, "rests_on": {"C1": "holds"}})


def test_names_of_data_and_losses_may_have_digits():
    Finding.model_validate({"text": "On COIL-20 with the ℓ0 loss it won.", "rests_on": {"C1": "holds"}})


@pytest.mark.parametrize("numbers", [{}, {"a": {}, "b": {}}])
def test_each_number_is_named_and_told(numbers):
    numbers = dict.fromkeys(numbers, {"claim": "C1", "field": "race"})
    with pytest.raises(ValidationError, match="in the text or in the numbers alone: [ab]"):
        Finding.model_validate({"text": "It won {a}.", "numbers": numbers, "rests_on": {"C1": "holds"}})


def entry(headline="holds", **fields):
    race = {"tuned_strong": {"verdict": "holds", "panels": "2 of 3", "interval": "ratio 0.39 to 0.48"}}
    panels = [{"panel": name, "medians": {"ratio": r}} for name, r in (("p1", "at most 0.5"), ("p2", 0.25))]
    return {"id": "X-C1", "headline": headline, "race": race, "panels": panels, "verdict": "holds"} | fields


def told(text, headline="holds", found=None, **amount):
    finding = {"text": text, "rests_on": {"C1": headline}}
    finding["numbers"] = {"n": {"claim": "C1", **amount}}
    (one,) = findings({"prefix": "X", "findings": [finding]}, [found or entry()])
    return one


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        ({"field": INTERVAL, "inverse": True}, "2.1–2.6"),
        ({"field": INTERVAL, "times": 100}, "39–48"),
        ({"field": INTERVAL, "end": "low", "digits": 1}, "0.4"),
        ({"field": "race.tuned_strong.panels"}, "2 of 3"),
        ({"field": "ratio", "panels": ["p*"], "inverse": True}, "at least 2"),
        ({"field": "ratio", "panels": ["p2"]}, "0.25"),
    ],
)
def test_a_number_is_read_from_the_claims(amount, words):
    assert told("It was {n}.", **amount)["words"] == f"It was {words}."


def test_a_sentence_whose_claim_turned_is_not_shown():
    one = told("It was {n}.", found=entry(headline="fails"), field=INTERVAL)
    assert one["words"] == "" and one["turned"] == ["X-C1"]


@pytest.mark.parametrize(
    ("amount", "error"),
    [
        ({"field": "race.stated_described.interval"}, "X-C1, race.*: claims.json has no stated_described"),
        ({"field": "verdict"}, "X-C1, verdict is no number: 'holds'"),
        ({"field": "ratio", "panels": ["q"]}, "X-C1, ratio: no number on q"),
        ({"field": "time", "panels": ["p1"]}, "X-C1, time: no number on p1"),
        ({"field": "verdict", "claim": "C9"}, "claims.json has no claim X-C9"),
    ],
)
def test_a_number_that_is_not_there_is_an_error(amount, error):
    with pytest.raises(ValueError, match=error):
        told("It was {n}.", **amount)


def test_ranges_are_read_as_the_judge_tells_them():
    assert read_range("ratio at least 18.1") == (18.1, float("inf"))
    assert read_range("difference -30 to -27") == (-30, -27) and read_range(1.5) == (1.5, 1.5)
    assert read_range("measured / bound 1.28 to 1.5") == (1.28, 1.5) and read_range("holds") is None


def test_a_task_names_the_winner_of_the_fair_comparison_by_how_much_and_where_it_loses():
    panels = [("a", "holds", "ratio 0.2 to 0.5"), ("b", "holds", "ratio at most 0.1")]
    panels += [("c", "fails", "ratio 3"), ("d", "not_testable", "ratio 0.8 to 1.2")]
    cells = [{"panel": p, "verdict": v, "interval": r} for p, v, r in panels]
    race = {"stated_described": {"verdict": "holds"}, "tuned_strong": {"verdict": "holds", "by_panel": cells}}
    task = {"task": "To solve it", "claim": "C1", "method": "Ours", "rival": "Theirs"}
    spec = {"prefix": "X", "tasks": [task]}
    (row,) = tasks(spec, [entry(race=race)], {"a": "set A"})
    assert row["wins"] == {"who": "Ours", "by": "at least 2 times faster", "where": "set A; b"}
    assert row["loses"] == {"who": "Theirs", "by": "3 times faster", "where": "c"} and row["undecided"] == "d"
    spec["tasks"] = [task | {"panels": ["c", "d"]}]
    (row,) = tasks(spec, [entry(race=race)], {})
    assert row["wins"]["who"] == "Theirs" and row["loses"]["by"] == ""


def test_a_task_of_panels_that_are_not_told_apart_is_not_decided():
    fair = {"verdict": "holds", "interval": "ratio 0.5"}
    race = {"stated_described": {"verdict": "holds"}, "tuned_strong": fair}
    task = {"task": "To solve it", "claim": "C1", "method": "Ours", "rival": "Theirs"}
    (row,) = tasks({"prefix": "X", "tasks": [task]}, [entry(race=race)], {})
    assert not row["known"] and row["wins"]["by"] == row["loses"]["by"] == ""
    one = entry(race=race) | {"panels": entry()["panels"][:1]}
    (row,) = tasks({"prefix": "X", "tasks": [task]}, [one], {"p1": "set 1"})
    assert row["wins"] == {"who": "Ours", "by": "2 times faster", "where": "set 1"}


def test_pages_show_the_summary_and_say_what_turned(rewrite, made, tmp_path):
    good = {"text": "NCGS won.", "rests_on": {"C2": "fails"}}
    turned = {"text": "NCGS lost everywhere.", "rests_on": {"C1": "fails"}}
    texts = rewrite(spec=made.spec | {"findings": [good, turned]})
    front = (tmp_path / "report/README.md").read_text()
    page = texts["index.html"]
    assert page.index("NCGS won.") < page.index('id="verdicts"') and "NCGS won." in front
    assert "NCGS lost" not in page and "NCGS lost" not in front
    assert "1 sentence of the summary rests on claims that came out otherwise here: NCGS-C1." in page
    small = rewrite(spec=made.spec | {"findings": [good]}, provenance=made.provenance | {"run": "quick"})
    assert "NCGS won." not in small["index.html"].partition("<script")[0]
