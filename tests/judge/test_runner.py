"""All claims of ncgs: forms, readings, controls on planted curves, and the products."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from planted_judge import falling, plant, rows

from referee.judge import Evidence, NotRun, below, publish, under
from referee.judge.claims import claims_of
from referee.judge.evidence import Panel
from referee.judge.findings import VERDICTS
from referee.judge.runner import call, entries, judge_paper
from referee.judge.runner import rows as rows_of

PAPER, PREFIX = "ncgs", "NCGS"
CLAIMS = {claim.id: claim for claim in claims_of(PAPER)}
CONTROLLED = [claim.id for claim in CLAIMS.values() if claim.refused]
#: What has probes in the place of curves: controls run on the published tables, which are exact.
PROBED = {id for id in CONTROLLED if id.startswith("T") or id in ("C5.d", "C14")}


@pytest.fixture(scope="module")
def judged():
    return judge_paper(PAPER)


@pytest.fixture(scope="module")
def told(judged):
    return {entry["id"]: entry for entry in entries(PAPER, judged, PREFIX)}


# --- forms


def test_a_column_gives_each_method_the_form_that_runs(tmp_path):
    methods = {
        "ncgs-2": falling(),
        "ncgs-2-tuned": falling(0.5),
        "fw": falling(2),
        "fw-line-search": falling(end=0.05),
    }
    for column, pair in (("published", ("ncgs-2", "fw")), ("fair", ("ncgs-2-tuned", "fw-line-search"))):
        panel = plant(tmp_path, {"fig2-left": methods}, column=column)["fig2-left"]
        (found,) = below(panel, "ncgs-2", "fw", "objective")
        assert found.what == " below ".join(pair)
        assert found.truth is (column == "published")


def test_a_form_that_was_not_run_is_not_exchanged(tmp_path):
    panel = plant(tmp_path, {"fig2-left": {"ncgs-2": falling(), "fw": falling(2)}}, column="fair")[
        "fig2-left"
    ]
    (found,) = below(panel, "ncgs-2", "fw", "objective")
    assert found.absent and found.truth is None and "ncgs-2-tuned" in found.reason


def test_a_method_without_a_form_in_a_column_says_which_it_lacks(tmp_path):
    evidence = plant(tmp_path, {"fig2-left": {"ncgs-1": falling()}}, column="fair")
    with pytest.raises(NotRun, match="tuned or strong kernels"):
        evidence["fig2-left"].form("ncgs-1")


def test_forms_are_of_the_panels_that_are_compared_in_them(tmp_path):
    evidence = plant(tmp_path, {"c5c": {"ncgs-vr": falling()}}, column="fair")
    assert evidence["c5c"].form("ncgs-vr") == "ncgs-vr"


def test_of_two_folders_the_first_has_the_word_on_a_method(tmp_path):
    folders = [tmp_path / "first", tmp_path / "second"]
    for folder, end in zip(folders, (0.3, 0.1), strict=True):
        folder.mkdir()
        methods = {"ncgs-2": falling(end=end)} | ({"fw": falling()} if end == 0.1 else {})
        plant(folder, {"fig2-left": methods})
    panel = Evidence(PAPER, tables=folders)["fig2-left"]
    assert panel.rows("ncgs-2")["objective"].min() > 0.29 and "fw" in set(panel.table["method"])


def test_a_panel_that_no_experiment_is_called_is_named():
    with pytest.raises(ValueError, match="fig2-lft.*fig2-left"):
        Evidence(PAPER)["fig2-lft"]


def test_names_of_forms_are_methods_of_the_paper():
    study = Evidence(PAPER).study
    cells = {form for row in study.forms.methods.values() for form in row.values()} - {"none"}
    assert cells | set(study.forms.methods) <= set(study.methods)
    assert {d for ids in study.forms.unstated.values() for d in ids} <= {d.id for d in study.deviations}


# --- controls


class Recorder(Evidence):
    """Evidence in which methods are as fast as a claim says: what it asks of pairs, noted while it asks."""

    def __init__(self, claim):
        super().__init__(PAPER)
        self.asked, claim_pairs = [], Panel.seeds

        def seeds(panel, a, b=None):
            self.asked.append((panel.name, a, b))
            return claim_pairs(panel, a, *([b] if b else []))

        Panel.seeds = seeds
        try:
            call(claim, self)
        finally:
            Panel.seeds = claim_pairs


def ranked(pairs):
    """Methods in an order in which each is before those that it shall be ahead of."""
    left, order = {m for pair in pairs for m in pair}, []
    while left:
        first = sorted(m for m in left if not any(b == m and a in left for a, b in pairs))[0]
        left.discard(first)
        order.append(first)
    return order


def planted(folder, claim):
    """Tables under which a claim on races holds: each method is twelve times as slow as the one ahead."""
    asked, tables = Recorder(claim).asked, {}
    for panel in dict.fromkeys(panel for panel, *_ in asked):
        pairs = [(a, b) for p, a, b in asked if p == panel and b]
        tables[panel] = {m: [_run(k)] for k, m in enumerate(ranked(pairs))}
    return plant(folder, tables)


def _run(k):
    """The run of rank k: on its way and at its end it is seen to be below the next, on either scale."""
    seconds = np.concatenate([[0.0], np.geomspace(1e-3, 3000, 300)])
    down = np.exp(-5 * seconds / 12.0**k)
    return rows(
        lambda s: 0.05 + 0.1 * k + down, seconds=seconds, sq_gradient_mapping=100 * down + 1e-12 * 10**k
    )


#: Sentences that are not about who is below whom have curves of their own.
SPECIAL = {"C10.b", "C12.a", "C4.b"}


@pytest.mark.parametrize("id", sorted(set(CONTROLLED) - PROBED - SPECIAL))
def test_a_claim_holds_on_curves_that_are_as_it_says_and_is_refused_on_its_control(tmp_path, id):
    claim = CLAIMS[id]
    evidence = planted(tmp_path, claim)
    assert call(claim, evidence).verdict == "holds"
    for arguments in claim.refused:
        assert call(claim, evidence, "refused", arguments).verdict == "fails"


def test_a_curve_that_is_first_and_then_overtaken_is_told_from_the_opposite(tmp_path):
    early, late = falling(0.3, end=0.3), falling(3, end=0.1)
    evidence = plant(tmp_path, {"fig3-left": {"fw": early, "svfw": late}})
    claim = CLAIMS["C10.b"]
    assert call(claim, evidence).verdict == "holds"
    assert call(claim, evidence, "refused", claim.refused[0]).verdict == "fails"


def test_lines_that_are_almost_identical_are_told_from_others(tmp_path):
    lines = {"ncgs-vr": falling(), "ncgs-2": falling(1.02), "fw": falling(4)}
    evidence, claim = plant(tmp_path, {"fig3-right": lines}), CLAIMS["C12.a"]
    assert call(claim, evidence).verdict == "holds"
    assert call(claim, evidence, "refused", claim.refused[0]).verdict == "fails"


def test_a_cause_is_told_from_its_opposite(tmp_path):
    timers = {"seconds_gradient": lambda s: 0.1 * s, "seconds_lmo": lambda s: 0.8 * s}
    evidence = plant(tmp_path, {"fig1-right": {"ncgs-2": [rows(falling(), **timers)]}})
    claim = CLAIMS["C4.b"]
    assert call(claim, evidence).verdict == "holds"
    assert call(claim, evidence, "refused", claim.refused[0]).verdict == "fails"


@pytest.mark.parametrize("id", sorted(PROBED))
def test_a_theory_check_is_refused_on_its_control(id):
    claim, evidence = CLAIMS[id], Evidence(PAPER)
    assert call(claim, evidence).verdict == "holds"
    for arguments in claim.refused:
        assert call(claim, evidence, "refused", arguments).verdict in ("fails", "holds_in_part")


# --- products


def test_every_claim_has_words_and_each_part_a_name():
    for claim in CLAIMS.values():
        assert claim.where and (claim.statement or claim.why)
        assert claim.quote or claim.id.startswith("T5.d")
        assert bool(claim.part) == ("." in claim.id)


def test_verdicts_csv_and_claims_json_say_the_same(tmp_path, judged, told):
    written = publish(PAPER, tmp_path)
    table = list(csv.DictReader((tmp_path / "verdicts.csv").open()))
    assert {row["claim"] for row in table} == {f"{PREFIX}-{id}" for id in CLAIMS}
    for row in table:
        if not row["call"]:
            key = {"published": "verdict", "fair": "verdict_strong"}[row["column"]]
            assert told[row["claim"]][key] == row["verdict"]
    again = json.loads((tmp_path / "claims.json").read_text())
    assert [entry["id"] for entry in again] == [entry["id"] for entry in written] == list(told)
    assert all(entry["traces"] and entry["measured"] for entry in again)
    assert {entry["verdict"] for entry in again} <= set(VERDICTS)


def test_each_row_says_criterion_data_and_length(judged):
    table = pd.DataFrame(rows_of(PAPER, judged, PREFIX))
    gone = table["reason"].str.contains("not run|no form")
    table = table[table["panel"].str.startswith("fig") & ~gone]
    assert (table["metric"] != "").all() and set(table["data"]) == {"real", "stand-in"}
    assert (table.loc[table["panel"] == "fig2-left", "length"] == "8 of 80 s").all()
    assert set(table.loc[table["data"] == "stand-in", "panel"]) == {"fig3-left", "fig3-right"}


def test_a_reading_turns_if_the_two_verdicts_differ_and_both_are_decided(told):
    for entry in told.values():
        for reading in entry["readings"]:
            both = {reading["verdict"], reading["base"]}
            assert reading["turns"] == (len(both) == 2 and not both & {"not_testable", "not_run"})
        assert entry["depends"] == any(reading["turns"] for reading in entry["readings"])


def test_a_run_under_an_alternative_is_a_reading_against_its_own_base(tmp_path):
    base, other = tmp_path / "base", tmp_path / "other"
    for folder, factor in ((base, 4), (other, 0.25)):
        folder.mkdir()
        methods = {"ncgs-2": falling()} if folder == base else {}
        plant(folder, {"fig1-left": {**methods, "fw": falling(factor)}})
    told = {e["claim"]: e for e in under(PAPER, "short step", "U8", [other, base], [base], only=["C2.a"])}
    expected = {
        "claim": "NCGS-C2.a",
        "reading": "short step",
        "choice": "U8",
        "base": "holds",
        "verdict": "fails",
    }
    assert told["NCGS-C2.a"] == expected


def test_a_fair_column_is_of_all_claims_that_compare_forms_and_of_no_other(judged):
    fair = {call.claim.id for call in judged if call.column == "fair"}
    assert {"C3.a", "C4.b", "C5.b"} <= fair and not {"C1.c", "C2.b", "C5.d", "T8.a", "C13.a"} & fair


@pytest.mark.parametrize(
    ("id", "key", "expected"),
    [("C5", "verdict", "fails"), ("C5", "headline", "not_run"), ("C3.a", "verdict_strong", "fails")]
    + [("C3.a", "verdict", "not_testable"), ("C3.b", "verdict", "not_judged"), ("C5.b", "extra", True)],
)
def test_what_readers_found_true(told, id, key, expected):
    assert told[f"{PREFIX}-{id}"][key] == expected
