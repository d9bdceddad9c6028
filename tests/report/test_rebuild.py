"""A published report's pages and verdicts, made again from the evidence beside them."""

import json
import shutil

import made_paper
import pytest
from click.testing import CliRunner
from places import ROOT

from referee import cli
from referee.evidence.published import STUDY, keep
from referee.evidence.tables import build_table, write_table
from referee.judge.products import differences
from referee.report.figures import draw
from referee.report.index import write_index
from referee.report.rebuild import rebuild, write_from
from referee.study.models.experiment import Experiment
from referee.study.models.paper import Paper

ROW = {"algorithm": "FW", "experiment": "fig1-left", "method": "fw"}
ROW |= {"columns": {"end": {"metric": "objective"}}}


@pytest.fixture
def spec(made):
    """The made-up paper as types know it, with a table that can be computed."""
    known = Experiment.model_fields
    experiments = {
        name: {key: value for key, value in entry.items() if key in known}
        for name, entry in made.spec["experiments"].items()
    }
    return made.spec | {"experiments": experiments, "tables": {"ends": {"title": "Ends", "rows": [ROW]}}}


@pytest.fixture
def reference(made, spec, tmp_path):
    """The made-up paper as it is published: evidence, tuning, alternatives and origin beside its pages."""
    report, tuning = tmp_path / "reference/made", tmp_path / "tuning"
    shutil.copytree(made.report, report, ignore=shutil.ignore_patterns("pages", "evidence"))
    write_table(
        build_table(Paper.of_study(spec), "ends", made.evidence),
        [report / f"tables/ends{e}" for e in (".csv", ".tex")],
    )
    (report / "about.json").write_text(json.dumps(made.provenance))
    (tuning / "fig1-left").mkdir(parents=True)
    (tuning / "fig1-left/fw.json").write_text(json.dumps(made_paper.TUNED))
    keep(spec, [made.evidence], sorted(tuning.glob("*/*.json")), report / "evidence")
    write_from(spec, report, made.provenance, [made.evidence], sorted(tuning.glob("*/*.json")))
    write_index(report.parent, report.parent / "index.html")
    return report.parent


def content(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def again(reference, *papers):
    return CliRunner().invoke(cli.main, ["page", *papers, "--from", str(reference)], catch_exceptions=False)


def test_deleted_pages_drawings_and_tables_come_back_byte_for_byte(reference):
    before, report = content(reference), reference / "made"
    shutil.rmtree(report / "pages")
    for path in (*reference.rglob("*.html"), report / "figures/fig1-left.png", report / "tables/ends.csv"):
        path.unlink()
    done = again(reference)
    assert done.exit_code == 0 and done.output.startswith(f"wrote {report / 'index.html'} from published")
    assert content(reference) == before


def test_drawings_that_stand_there_are_kept_and_without_any_a_browser_has_its_own(reference, made):
    report = reference / "made"
    (report / "figures/fig1-left.svg").write_text("<svg/>")
    again(reference, "made")
    assert (report / "figures/fig1-left.svg").read_text() == "<svg/>"
    shutil.rmtree(report / "figures")
    again(reference, "made")
    assert {path.name for path in (report / "figures").iterdir()} == {"fig1-left.svg", "fig3-left.svg"}
    draw(made.spec, "fig1-left", made.evidence, [reference / "fig1-left.svg"], made.provenance)
    assert (report / "figures/fig1-left.svg").read_bytes() == (reference / "fig1-left.svg").read_bytes()


def changed(reference):
    """Names of the pages that another rebuild makes other."""
    before = content(reference)
    again(reference)
    return {path.name for path, old in before.items() if not path.exists() or path.read_bytes() != old}


def test_what_stands_beside_the_pages_makes_them(reference):
    entries = [entry | {"verdict": "fails"} for entry in made_paper.claims()]
    (reference / "made/claims.json").write_text(json.dumps(entries))
    assert {"index.html", "ledger.html", "claim-NCGS-C1.html"} <= changed(reference)
    rows = [row | {"low": 5} for row in made_paper.rows(made_paper.claims())]
    made_paper.judge(reference / "made", made_paper.claims(), rows)
    assert "claim-NCGS-C1.a.html" in changed(reference)
    shutil.rmtree(reference / "made/evidence/tuning")
    assert "tuning.html" in changed(reference)


@pytest.mark.parametrize(
    ("page", "table"), [("claim-NCGS-C1.a", "fig1-left"), ("figure-fig3-left", "fig3-left")]
)
def test_pages_lead_to_the_tables_that_are_published_with_them(reference, made, page, table):
    link = f'href="../evidence/{table}.csv.gz"'
    assert (reference / f"made/pages/{page}.html").read_text().count(link) == 1
    assert "csv.gz" not in (made.report / f"pages/{page}.html").read_text()


def test_what_was_published_without_evidence_or_not_at_all_is_told(reference):
    assert "'nfwu'" in again(reference, "nfwu").output
    shutil.rmtree(reference / "made/evidence")
    done = again(reference)
    assert done.exit_code and "published without evidence" in done.output


@pytest.mark.parametrize("change, shown", [({}, True), ({"y": "objective"}, False)])
def test_a_figure_is_described_as_today_while_its_panels_are_the_same(
    reference, made, monkeypatch, change, shown
):
    figure = made.spec["figures"]["fig1-left"]
    today = figure | {"title": "As of today", "panels": [figure["panels"][0] | change]}
    monkeypatch.setattr("referee.report.rebuild.written", lambda _: {"figures": {"fig1-left": today}})
    rebuild(reference / "made")
    assert ("As of today" in (reference / "made/index.html").read_text()) is shown


REFERENCE = ROOT / "reports/reference"
PAPERS = sorted(path.parents[1].name for path in REFERENCE.glob(f"*/evidence/{STUDY}"))
#: Papers that are made again in every run of the tests; the others every night.
ALWAYS = ("ipg", "mpcgs")


@pytest.mark.parametrize(
    "paper", [name if name in ALWAYS else pytest.param(name, marks=pytest.mark.long) for name in PAPERS]
)
def test_what_is_published_follows_from_its_evidence(tmp_path, paper):
    assert differences(REFERENCE / paper) == []
    report = tmp_path / paper
    shutil.copytree(REFERENCE / paper, report, ignore=shutil.ignore_patterns("pages"))
    (report / "README.md").unlink()
    rebuild(report)
    made, kept = (folder.joinpath("README.md").read_text() for folder in (report, REFERENCE / paper))
    assert made == kept, "make pages makes it again"
