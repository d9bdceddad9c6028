"""What is published of all papers is what today's judge finds; and what a claim asks for."""

import json
import shutil

import pytest
from click.testing import CliRunner
from places import PAPERS, ROOT

from referee import cli, study
from referee.judge import FAIR, PUBLISHED, Evidence, again, asked, call, differences, written
from referee.judge.claims import claims_of
from referee.judge.products import CLAIMS, VERDICTS

REFERENCE = ROOT / "reports/reference"
PUBLISHED_PAPERS = sorted(path.parent.name for path in REFERENCE.glob("*/claims.json"))


@pytest.mark.parametrize("paper", PUBLISHED_PAPERS)
def test_the_published_evidence_gives_the_published_verdicts(paper):
    entries, table = again(REFERENCE / paper)
    assert table == (REFERENCE / paper / VERDICTS).read_text()
    assert written(entries) == (REFERENCE / paper / CLAIMS).read_text()


@pytest.fixture
def report(tmp_path):
    for name in (CLAIMS, VERDICTS):
        (tmp_path / "mpcgs").mkdir(exist_ok=True)
        shutil.copy2(REFERENCE / "mpcgs" / name, tmp_path / "mpcgs" / name)
    (tmp_path / "mpcgs/evidence").symlink_to(REFERENCE / "mpcgs/evidence")
    return tmp_path / "mpcgs"


def test_what_was_changed_by_hand_is_told(report):
    entries = json.loads((report / CLAIMS).read_text())
    entries[0] |= {"verdict": "invented"}
    (report / CLAIMS).write_text(json.dumps(entries))
    (report / VERDICTS).write_text((report / VERDICTS).read_text().replace(",holds,", ",fails,", 1))
    lines = differences(report)
    assert lines[0].startswith(f"{entries[0]['id']}: verdict is ")
    assert [line.split(": ")[1] for line in lines[1:]] == ["not published", "no longer found"]
    done = CliRunner().invoke(cli.main, ["judge", "mpcgs", "--from", str(report.parent)])
    assert done.exit_code == 1 and "3 differences" in done.output


@pytest.mark.parametrize("paper", PAPERS)
def test_a_claim_is_asked_of_the_panels_that_it_is_judged_on(paper):
    prefix, columns = study.load(paper).model.prefix, (PUBLISHED, FAIR)
    told, evidence = asked(paper, columns), [Evidence(paper, column) for column in columns]
    for claim in (claim for claim in claims_of(paper) if claim.function):
        for own in evidence:
            found = call(claim, own)
            read = {f.panel for f in found.findings} | {panel for panel, _ in found.used}
            assert read - {""} <= told[f"{prefix}-{claim.id}"], claim.id


@pytest.mark.parametrize("paper", PAPERS)
def test_figures_and_the_register_name_claims_that_there_are(paper):
    loaded = study.load(paper)
    named = {name for figure in loaded.figures.values() for name in figure.claims or ()}
    named |= {name for deviation in loaded.deviations for name in deviation.touches}
    named |= loaded.model.disputed.keys()
    assert named - asked(paper).keys() == set()


@pytest.mark.parametrize("paper", PAPERS)
def test_no_claim_ends_in_an_error_where_a_run_leaves_something_out(paper):
    for run in study.runs(paper):
        evidence = Evidence(paper, tables=(), run=run)
        for claim in (claim for claim in claims_of(paper) if claim.function):
            assert call(claim, evidence).verdict in ("not_testable", "not_run"), claim.id
