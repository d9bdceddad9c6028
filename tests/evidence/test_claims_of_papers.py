"""The claims of the papers in config: every name known, every claim testable once there are traces."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from frames import run, write
from referee.report.claims import sentences_of as sentences_by_claim
from referee.report.claims import thresholds_in_words

from referee import study
from referee.evidence.aggregates import parts_of
from referee.evidence.claims import check_claims, evaluate
from referee.evidence.judging.race import SECONDS
from referee.evidence.judging.ranges import runs_of
from referee.evidence.judging.repeatability import REPETITIONS
from referee.evidence.judging.views import sentences_of, views_of
from referee.evidence.relations.comparisons import NEVER
from referee.evidence.tables import build_table
from referee.evidence.words import reason_words
from referee.study.models.figure import Cell

ROOT = Path(__file__).parents[2]
#: What curves may leave open although nothing is missing.
UNDECIDED = {"its control holds too", "within the resolution", NEVER, "its range is open"}
UNDECIDED |= {"neither side moves"}  # before the end of a short budget
RECORDS = 41  # two in each of 20 windows
COUNTED = ("iteration", "FO", "IFO", "SSO", "LO", "PO")


@pytest.fixture(scope="module", params=study.papers(ROOT))
def paper(request):
    """The paper of the full run."""
    return study.load(request.param, "full", ROOT).model


@pytest.fixture(autouse=True)
def no_other_machines(monkeypatch):
    """Flip factors judge each claim on seconds a hundred times; tests/evidence/judging has theirs."""
    monkeypatch.setattr("referee.evidence.judging.cost_model.flip_factors", lambda verdict, names: {})


def all_sentences(paper):
    """Every sentence of every part under every view and control."""
    return [
        sentence
        for claim in paper.claims
        for part in parts_of(claim).values()
        for view in (None, *views_of(part).values())
        for sentence in sentences_of(part, paper, view)
    ]


def wanted_metrics(paper, sentences):
    """Experiment → names of metrics that its claims and tables read."""
    wanted = {}
    for sentence in sentences:
        elsewhere = {run.panel for run in runs_of(sentence.relation.operands)} - {""}
        for experiment in {*sentence.panels, *elsewhere}:
            wanted.setdefault(experiment, set()).update(sentence.columns - set(COUNTED) - {"cpu_seconds"})
    for row, cell in table_cells(paper):
        name = cell.experiment or row.experiment
        wanted.setdefault(name, set()).update({cell.metric or row.metric} - set(COUNTED))
    for table in paper.tables.values():
        for row in (row for row in table.rows if row.cost):
            read = {row.cost, *row.within(table).criteria}
            wanted.setdefault(row.experiment, set()).update(read - set(COUNTED))
    return wanted


def table_cells(paper):
    """Rows of tables with those of their further columns that are read from records."""
    for table in paper.tables.values():
        for row in table.rows:
            for cell in (table.columns | row.columns).values():
                if isinstance(cell, Cell):
                    yield row, cell


def wanted_values(paper, sentences, experiment):
    """Columns of an experiment that a table reads at certain values, with these."""
    values = {}
    for row, cell in table_cells(paper):
        if (cell.experiment or row.experiment) == experiment:
            for column, value in cell.at.items():
                values.setdefault(column, []).append(value)
    for sentence in sentences:
        if experiment in sentence.panels:
            for column, found in sentence.read.get("where", {}).items():
                values.setdefault(column, []).extend(np.atleast_1d(found))
    return {column: np.resize(list(dict.fromkeys(found)), RECORDS) for column, found in values.items()}


def beyond_invented(paper):
    """What random falling curves may leave open of a paper, one phrase a line of a file of its tests."""
    path = ROOT / "papers" / paper.paper / "tests/beyond_invented.txt"
    return path.read_text().splitlines() if path.exists() else []


@pytest.fixture(scope="module")
def folder(paper, tmp_path_factory):
    """Falling random curves to the end of the budget, repeated, of every method that is read."""
    folder = tmp_path_factory.mktemp(paper.paper)
    sentences = all_sentences(paper)
    timed = {
        name
        for s in sentences
        if s.over in SECONDS
        for name in {*s.panels, *(run.panel for run in runs_of(s.relation.operands))}
    }
    for name, metrics in sorted(wanted_metrics(paper, sentences).items()):
        entry, runs = paper.experiments[name], []
        end = (entry.budget and entry.budget.iterations) or RECORDS
        counts = {c: np.arange(RECORDS) + 1 for c in COUNTED} | {"iteration": np.linspace(1, end, RECORDS)}
        names = metrics | set(entry.metrics)
        values = wanted_values(paper, sentences, name)
        for method in entry.methods:
            rng = np.random.default_rng(list(f"{name} {method}".encode()))  # whatever else there is
            falling = {m: np.exp(-np.cumsum(rng.random(RECORDS))) for m in sorted(names)}
            made = run(method, falling, seconds=np.linspace(0, 20, RECORDS))
            made = made.assign(**counts | values)
            runs += [made.assign(repetition=k) for k in range(REPETITIONS)] if name in timed else [made]
        write(folder, name, *runs)
    return folder


def reasons(entry):
    """Why cells of an entry have no verdict."""
    return entry.get("cells", {}).get("reasons", {})


def test_every_name_is_known(paper):
    check_claims(paper)


def test_what_is_asked_clearly_is_stated_without_a_number(paper):
    """ "At least twice" is no statement of a test that asks for 1.25."""
    for claim in paper.claims:
        for letter, part in parts_of(claim).items():
            words = [value for test in part.tests for value in test.words.values() if isinstance(value, dict)]
            if any(value.get("clearly") for value in words):
                said = f"{part.statement} {claim.statement}"
                assert not re.search(r"twice|half|fifth|(?<!1\.02 )times|factor of", said), (claim.id, letter)


def test_every_claim_is_testable_once_there_are_traces(paper, folder):
    entries = evaluate(paper, folder)
    allowed = beyond_invented(paper)
    untested = {entry["id"]: entry["note"] for entry in entries if entry["verdict"] == "not_testable"}
    undecided = {e["id"] for e in entries if e.get("vacuous") or UNDECIDED & set(reasons(e))}
    untested = {name: note for name, note in untested.items() if name not in undecided}
    told = {name: note for name, note in untested.items() if not note.startswith("Not judged: ")}
    assert not {name: note for name, note in told.items() if not any(words in note for words in allowed)}
    judged = [entry for entry in entries if entry["id"] not in untested]
    missing = [why for e in judged for why in reasons(e) if why not in UNDECIDED]
    assert not [why for why in missing if not any(words in why for words in allowed)]
    assert all(entry["measured"] and entry["traces"] and entry["seeds"] for entry in judged)
    assert all(entry["threshold"] for entry in judged)
    spec = study.load(paper.paper, "full", ROOT).spec
    words = thresholds_in_words(spec, json.loads(json.dumps(entries)))
    said = sentences_by_claim(spec)
    assert not [e["id"] for e in entries if said.get(e["id"]) and not words[e["id"]]["asked"]]
    assert all(entry[key] for entry in entries for key in ("quote", "where", "statement"))
    strong = {e["id"]: e["note"] for e in entries if e["verdict_strong"] == "not_testable"}
    strong = {
        name: note
        for name, note in strong.items()
        if name not in undecided and not any(f"undecided: {reason_words(why)}" in note for why in UNDECIDED)
    }
    assert not {name: note for name, note in strong.items() if not any(words in note for words in allowed)}
    beyond = {e["id"] for e in entries if any(words in e["note"] for words in allowed)}
    readings = {
        f"{e['id']}: {name}"
        for e in entries
        if e["id"] not in {*untested, *beyond, *undecided}
        for name, verdict in e["verdict_readings"].items()
        if verdict == "not_testable"
    }
    assert not readings - set(allowed)


def test_every_row_of_every_table_is_measured(paper, folder):
    for name in paper.tables:
        table = build_table(paper, name, folder)
        notes = table["note"][table["note"] != ""] if "note" in table else []
        assert len(table) and not len(notes), list(notes)


@pytest.mark.parametrize("name", study.papers(ROOT))
def test_the_claims_of_every_run_name_what_it_has(name):
    for small in study.load(name, "full", ROOT).spec["runs"]:
        check_claims(study.load(name, small, ROOT).model)


def test_deviations_name_claims_and_figures(paper):
    known = {f"{paper.prefix}-{claim.id}" for claim in paper.claims}
    names = [entry.id for entry in paper.deviations]
    assert len(set(names)) == len(names)
    for entry in paper.deviations:
        assert set(entry.touches) <= known and set(entry.figures) <= set(paper.figures), entry.id
        assert entry.open and entry.chosen and entry.reason, entry.id
        assert all(alternative.name for alternative in entry.alternatives), entry.id
