"""Evidence beside a published report: it gives the verdicts again, and tells each that it does not give."""

import json

import pytest
from click.testing import CliRunner
from frames import paper, run, spec, write

from referee import cli
from referee.evidence.claims import evaluate
from referee.evidence.published import differences, keep

LESS = {"all": ["e"], "less": {"a": "a", "than": "b"}, "area": {"metric": "m"}, "over": "iteration"}
CLAIM = {"id": "C1", "quote": "q", "where": "w", "statement": "s", "tests": [LESS]}
SPEC = paper(spec([CLAIM], e={})).plain()


@pytest.fixture
def report(tmp_path):
    """`a` wins in one seed of two; what it was judged from stands beside the verdicts."""
    tables, tuning, report = tmp_path / "tables", tmp_path / "tuning", tmp_path / "reports/toy"
    runs = [run(name, {"m": values}, seed=seed) for seed in (0, 1) for name, values in curves(seed).items()]
    write(tables, "e", *runs)
    tuning.mkdir()
    (tuning / "e.json").write_text('{"experiment": "e", "method": "a", "untuned": ""}')
    keep(SPEC, tables, tuning, report / "evidence")
    (report / "claims.json").write_text(json.dumps(evaluate(paper(SPEC), tables, [tuning / "e.json"])))
    return report


def curves(seed):
    return {"a": [8.0, 4, 2 / 3, 1e-17] if seed else [8.0] * 4, "b": [8.0] * 4}


def judge_again(report, *papers):
    return CliRunner().invoke(cli.main, ["judge", *papers, "--from", str(report.parent)])


def test_the_same_verdicts(report):
    assert differences(report) == []
    done = judge_again(report)
    assert (done.exit_code, done.output) == (0, "toy: no differences\n")


@pytest.mark.parametrize(("key", "value"), [("verdict", "holds"), ("measured", {}), ("invented", 1)])
def test_what_was_changed_by_hand_is_told(report, key, value):
    (entry,) = json.loads((report / "claims.json").read_text())
    assert entry["verdict"] == "holds_in_part"
    (report / "claims.json").write_text(json.dumps([entry | {key: value}]))
    (line,) = differences(report)
    assert line.startswith(f"TOY-C1: {key} is ") and line.endswith(f"published is {json.dumps(value)}")
    assert judge_again(report).exit_code == 1


def test_a_grade_without_the_published_alternatives_is_told(report):
    (report / "tables").mkdir()
    (report / "tables/alternatives.csv").write_text(
        "deviation,alternative,claim,verdict,main_verdict\nU1,a,TOY-C1,fails,holds\n"
    )
    (line,) = differences(report)
    assert line.startswith("TOY-C1: fragility is ") and '"flips": ["U1 a"]' in line


def test_other_evidence_is_told(report):
    runs = [run(name, {"m": values}, seed=seed) for seed in (0, 1) for name, values in curves(1).items()]
    write(report.parent / "other", "e", *runs)
    keep(SPEC, report.parent / "other", report.parent / "none", report / "evidence")
    assert any(line.startswith("TOY-C1: verdict is ") for line in differences(report))


def test_same_evidence_same_bytes_and_nothing_stays_of_what_was_there(report, tmp_path):
    before = {path: path.read_bytes() for path in (report / "evidence").rglob("*.*")}
    (report / "evidence/stale.csv.gz").write_text("old")
    keep(SPEC, tmp_path / "tables", tmp_path / "tuning", report / "evidence")
    assert {path: path.read_bytes() for path in (report / "evidence").rglob("*.*")} == before
    assert {path.name for path in before} == {"study.json.gz", "e.csv.gz", "e.json"}


def test_a_study_that_could_not_be_read_again_is_not_kept(report, tmp_path):
    before = (report / "evidence/study.json.gz").read_bytes()
    with pytest.raises(ValueError, match="a part needs tests or follows"):
        keep(SPEC | {"claims": [{"id": "C1"}]}, tmp_path / "tables", tmp_path / "tuning", report / "evidence")
    assert (report / "evidence/study.json.gz").read_bytes() == before


def test_without_evidence_nothing_is_equal(report):
    (report / "evidence/study.json.gz").unlink()
    done = judge_again(report, "toy")
    assert done.exit_code and "published without evidence" in done.output


def test_an_unknown_paper_is_named(report):
    done = judge_again(report, "tyo")
    assert done.exit_code and "'tyo'" in done.output and "toy" in done.output
