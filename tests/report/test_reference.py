"""What is published: verdicts and README.md are made again from the evidence beside them."""

import shutil

import pytest
from places import ROOT

from referee.evidence.published import STUDY
from referee.judge.products import differences
from referee.report.rebuild import rebuild

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
