"""All claims of ncgs: forms, readings, and what is written of them."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from planted_judge import falling, plant, rows

from referee.judge import Evidence, NotRun, below, publish, under
from referee.judge.claims import claims_of
from referee.judge.findings import VERDICTS
from referee.judge.runner import entries, judge_paper
from referee.judge.runner import rows as rows_of

PAPER, PREFIX = "ncgs", "NCGS"


@pytest.fixture(scope="module")
def judged():
    return judge_paper(PAPER)


@pytest.fixture(scope="module")
def told(judged):
    return {entry["id"]: entry for entry in entries(PAPER, judged, PREFIX)}


def test_a_column_gives_each_method_the_form_that_runs(tmp_path):
    methods = {"svfw": falling(), "svfw-tuned": falling(0.5), "fw": falling(2)}
    methods["fw-tuned"] = falling(0.5, end=0.05)
    for column, pair in (("published", ("svfw-tuned", "fw")), ("fair", ("svfw-tuned", "fw-tuned"))):
        panel = plant(tmp_path, {"fig2-left": methods}, column=column)["fig2-left"]
        (found,) = below(panel, "svfw", "fw", "objective")
        assert found.what == " below ".join(pair)
        assert found.truth is (column == "published")


def test_a_run_that_leaves_out_what_was_tuned_is_judged_on_what_it_has(tmp_path):
    plant(tmp_path, {"fig1-left": {"ncgs-2": falling(), "fw": falling(2)}})
    run = Evidence(PAPER, tables=[tmp_path], run=RUN)
    assert run["fig1-left"].form("ncgs-2") == "ncgs-2"


def test_a_form_that_was_not_run_is_not_exchanged(tmp_path):
    made = plant(tmp_path, {"fig2-left": {"ncgs-2": falling(), "fw": falling(2)}}, column="fair")
    (found,) = below(made["fig2-left"], "ncgs-2", "fw", "objective")
    assert found.absent and found.truth is None and "ncgs-2-tuned" in found.reason


def test_a_method_without_a_form_in_a_column_says_which_it_lacks(tmp_path):
    panels = {"fig2-left": {"ncgs-1": falling()}, "c5c": {"ncgs-vr": falling()}}
    evidence = plant(tmp_path, panels, column="fair")
    with pytest.raises(NotRun, match="tuned or strong kernels"):
        evidence["fig2-left"].form("ncgs-1")
    assert evidence["c5c"].form("ncgs-vr") == "ncgs-vr", "no panel of those that are compared in forms"


def test_of_two_folders_the_first_has_the_word_on_a_method(tmp_path):
    folders = [tmp_path / "first", tmp_path / "second"]
    for folder, end in zip(folders, (0.3, 0.1), strict=True):
        folder.mkdir()
        methods = {"ncgs-1": falling(end=end)} | ({"fw": falling()} if end == 0.1 else {})
        plant(folder, {"fig2-left": methods})
    panel = Evidence(PAPER, tables=folders)["fig2-left"]
    assert panel.rows("ncgs-1")["objective"].min() > 0.29 and "fw" in set(panel.table["method"])


def test_a_panel_that_no_experiment_is_called_is_named():
    with pytest.raises(ValueError, match="fig2-lft.*fig2-left"):
        Evidence(PAPER)["fig2-lft"]


def test_names_of_forms_are_methods_of_the_paper():
    study = Evidence(PAPER).study
    cells = {form for row in study.forms.methods.values() for form in row.values()} - {"none"}
    assert cells | set(study.forms.methods) <= set(study.methods)
    assert {d for ids in study.forms.unstated.values() for d in ids} <= {d.id for d in study.deviations}


def test_every_claim_has_words_and_each_part_a_name():
    for claim in claims_of(PAPER):
        assert claim.where and (claim.statement or claim.why)
        assert claim.quote or claim.id.startswith("T5.d")
        assert bool(claim.part) == ("." in claim.id)


def test_verdicts_csv_and_claims_json_say_the_same(tmp_path, judged, told):
    written = publish(PAPER, tmp_path / "claims.json")
    table = list(csv.DictReader((tmp_path / "claims.csv").open()))
    assert {row["claim"] for row in table} == {f"{PREFIX}-{claim.id}" for claim in claims_of(PAPER)}
    for row in table:
        if not row["call"]:
            key, word = {"published": ("verdict",) * 2, "fair": ("verdict_strong", "headline")}[row["column"]]
            assert told[row["claim"]][key] == row[word]
    again = json.loads((tmp_path / "claims.json").read_text())
    assert [entry["id"] for entry in again] == [entry["id"] for entry in written] == list(told)
    assert all(entry["traces"] and entry["measured"] for entry in again)
    assert {entry["verdict"] for entry in again} <= set(VERDICTS)


def test_each_row_says_criterion_data_and_length(judged):
    table = pd.DataFrame(rows_of(PAPER, judged, PREFIX))
    gone = table["reason"].str.contains("not run|no form")
    table = table[table["panel"].str.startswith("fig") & ~gone]
    assert (table["metric"] != "").all() and set(table["data"]) == {"real", "generated", "stand-in"}
    assert (table.loc[table["panel"] == "fig2-left", "length"] == "8 of 80 s").all()
    assert set(table.loc[table["data"] == "stand-in", "panel"]) == {"fig3-left", "fig3-right"}


def test_a_reading_has_a_row_a_cell_and_the_sentence_one_a_seed(judged):
    table = pd.DataFrame(rows_of(PAPER, judged, PREFIX))
    own = table[(table["claim"] == "NCGS-C12.a") & (table["column"] == "published")]
    assert list(own.loc[own["call"] == "", "seed"]) == [0, 1] * 2  # of two panels
    assert list(own.loc[own["call"] != "", "seed"]) == [""] * 2 * own.loc[own["call"] != "", "call"].nunique()
    assert set(table["truth"]) == {"true", "false", ""}


def test_a_reading_turns_if_the_two_verdicts_differ_and_both_are_decided(told):
    for entry in told.values():
        for reading in entry["readings"]:
            both = {reading["verdict"], reading["base"]}
            assert reading["turns"] == (len(both) == 2 and not both & {"not_testable", "not_run"})
        assert entry["depends"] == any(reading["turns"] for reading in entry["readings"])


RUN = "full@U8-short-step"


def test_a_run_under_an_alternative_is_a_reading_against_its_own_base(tmp_path):
    base, other = tmp_path / "base", tmp_path / "other"
    for folder, curve in ((base, falling(16)), (other, falling(1 / 256, end=1e-3))):
        folder.mkdir()
        methods = {"ncgs-2": falling()} if folder == base else {}
        plant(folder, {"fig1-left": {**methods, "fw": curve}})
    found = under(PAPER, "short step", "U8", [other, base], [base], run=RUN, only=["C2.a"])
    expected = {"reading": "short step", "choice": "U8", "base": "holds", "verdict": "fails"}
    assert {"claim": "NCGS-C2.a"} | expected in found


def test_a_fair_column_is_of_all_claims_that_compare_forms_and_of_no_other(judged):
    fair = {call.claim.id for call in judged if call.column == "fair"}
    assert {"C3.a", "C4.b", "C5.b"} <= fair and not {"C1.c", "C2.b", "C5.d", "T8.a", "C13.a"} & fair


@pytest.mark.parametrize(
    ("id", "key", "expected"),
    [
        ("C5", "verdict", "fails"),
        ("C5", "headline", "not_run"),
        ("C5", "verdict_strong", "not_run"),
        ("C3.a", "verdict_strong", "fails"),
    ]
    + [("C3.a", "verdict", "fails"), ("C3.b", "verdict", "not_judged"), ("C5.b", "extra", True)],
)
def test_what_readers_found_true(told, id, key, expected):
    assert told[f"{PREFIX}-{id}"][key] == expected


def test_a_smaller_run_is_judged_on_what_it_has_and_leaves_the_rest_out(tmp_path):
    curves = {"ncgs-2-tuned": falling(1 / 256), "fw": falling(64)}
    runs = {method: [rows(curve, reconstruction_error=curve)] for method, curve in curves.items()}
    plant(tmp_path, {"fig1-left": runs})
    judged = judge_paper(PAPER, [tmp_path], run="taste")
    found = {each.claim.id: each for each in judged if not each.name and each.column == "published"}
    assert found["C2.a"].verdict == "holds" and "C3.a" not in found
    assert {f.panel for each in found.values() for f in each.findings} == {"fig1-left"}
    told = {entry["id"] for entry in entries(PAPER, judged, PREFIX)}
    assert "NCGS-C2" in told and not {"NCGS-C3", "NCGS-C3.b", "NCGS-T1"} & told


def test_what_a_run_has_and_did_not_run_is_open(tmp_path):
    plant(tmp_path, {"fig1-left": {"ncgs-2-tuned": [rows(falling(), reconstruction_error=falling())]}})
    judged = judge_paper(PAPER, [tmp_path], columns=("published",), run="taste")
    found = {each.claim.id: each for each in judged if not each.name}
    assert found["C2.a"].verdict == "not_testable" and "fw" in found["C2.a"].findings[0].reason


def test_tables_of_the_base_run_are_cut_to_the_run_under_an_alternative(tmp_path):
    seconds = np.linspace(0, 400, 2001)
    runs = [rows(falling(), seed=seed, repetition=k, seconds=seconds) for seed in (0, 1) for k in (0, 1)]
    plant(tmp_path, {"fig1-left": {"fw": runs, "other": runs}})
    kept = Evidence(PAPER, tables=[tmp_path], run=RUN)["fig1-left"].table
    assert set(kept["method"]) == {"fw"} and set(kept["seed"]) == set(kept["repetition"]) == {0}
    assert 250_000 < kept["FO"].max() < 300_000 and (kept["cpu_seconds"] > 0).any()
