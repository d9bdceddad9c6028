"""Evidence beside a published report: it gives the verdicts again, and tells each that it does not give."""

import gzip
import json

import pytest
from click.testing import CliRunner
from frames import paper, run, spec, write

from referee import cli
from referee.evidence.published import differences, judged, keep, restate, spec_of

LESS = {
    "all": ["e"],
    "less": {"a": "a", "than": "b"},
    "mean": {"metric": "m", "height": True},
    "over": "iteration",
}
CLAIM = {"id": "C1", "quote": "q", "where": "w", "statement": "s", "tests": [LESS]}
SPEC = paper(spec([CLAIM], e={})).plain()


@pytest.fixture
def report(tmp_path):
    """`a` wins in one seed of two; what it was judged from stands beside the verdicts."""
    tables, tuning, report = tmp_path / "tables", tmp_path / "tuning", tmp_path / "reports/toy"
    runs = [run(name, {"m": values}, seed=seed) for seed in (0, 1) for name, values in curves(seed).items()]
    write(tables, "e", *runs)
    (tuning / "e").mkdir(parents=True)
    (tuning / "e/a.json").write_text('{"experiment": "e", "method": "a", "untuned": ""}')
    keep(SPEC, [tables], [tuning / "e/a.json"], report / "evidence")
    (report / "claims.json").write_text(json.dumps(judged(report)))
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
    assert entry["verdict"] == "fails"
    (report / "claims.json").write_text(json.dumps([entry | {key: value}]))
    (line,) = differences(report)
    assert line.startswith(f"TOY-C1: {key} is ") and line.endswith(f"published is {json.dumps(value)}")
    assert judge_again(report).exit_code == 1


def test_readings_without_the_published_alternatives_are_told(report):
    (report / "tables").mkdir()
    (report / "tables/alternatives.csv").write_text(
        "deviation,alternative,claim,verdict,main_verdict\nU1,a,TOY-C1,fails,holds\n"
    )
    keys = [line.split()[1] for line in differences(report)]
    assert keys == ["depends", "readings", "robustness"]


def test_published_runs_are_judged_by_the_claims_of_today(report):
    """Its words and thresholds are today's; what was run, its methods and panels, are as published."""
    today = paper(spec([CLAIM | {"statement": "anew", "tests": [LESS | {"quota": 0.5}]}], e={}, later={}))
    spoken = today.plain() | {"clock": "model"}
    spoken["experiments"]["e"] |= {"title": "renamed", "seeds": 7}
    restate(report, spoken)
    (entry,) = judged(report)
    assert (entry["verdict"], entry["statement"]) == ("holds", "anew")
    found = spec_of(report)
    assert found["experiments"]["e"] == SPEC["experiments"]["e"] and "later" in found["experiments"]
    assert found.get("clock") == SPEC.get("clock") and found["figures"] == SPEC["figures"]


def test_claims_that_cannot_be_read_leave_the_published_study(report):
    before = (report / "evidence/study.json.gz").read_bytes()
    with pytest.raises(ValueError, match="a part needs tests or follows"):
        restate(report, SPEC | {"claims": [{"id": "C1"}]})
    assert (report / "evidence/study.json.gz").read_bytes() == before and gzip.decompress(before)


def test_other_evidence_is_told(report):
    runs = [run(name, {"m": values}, seed=seed) for seed in (0, 1) for name, values in curves(1).items()]
    write(report.parent / "other", "e", *runs)
    keep(SPEC, [report.parent / "other"], [], report / "evidence")
    assert any(line.startswith("TOY-C1: verdict is ") for line in differences(report))


def test_same_evidence_same_bytes_and_nothing_stays_of_what_was_there(report, tmp_path):
    before = {path: path.read_bytes() for path in (report / "evidence").rglob("*.*")}
    (report / "evidence/stale.csv.gz").write_text("old")
    keep(SPEC, [tmp_path / "tables"], [tmp_path / "tuning/e/a.json"], report / "evidence")
    assert {path: path.read_bytes() for path in (report / "evidence").rglob("*.*")} == before
    assert {path.name for path in before} == {"study.json.gz", "e.csv.gz", "a.json"}


def test_a_study_that_could_not_be_read_again_is_not_kept(report, tmp_path):
    before = (report / "evidence/study.json.gz").read_bytes()
    with pytest.raises(ValueError, match="a part needs tests or follows"):
        keep(SPEC | {"claims": [{"id": "C1"}]}, [tmp_path / "tables"], [], report / "evidence")
    assert (report / "evidence/study.json.gz").read_bytes() == before


def test_without_evidence_nothing_is_equal(report):
    (report / "evidence/study.json.gz").unlink()
    done = judge_again(report, "toy")
    assert done.exit_code and "published without evidence" in done.output


def test_an_unknown_paper_is_named(report):
    done = judge_again(report, "tyo")
    assert done.exit_code and "'tyo'" in done.output and "toy" in done.output
