"""What is published: each verdict is made again from the evidence beside it."""

import pytest
from places import ROOT

from referee.evidence.published import STUDY, differences

REFERENCE = ROOT / "reports/reference"
PAPERS = sorted(path.parents[1].name for path in REFERENCE.glob(f"*/evidence/{STUDY}"))


@pytest.mark.parametrize("paper", PAPERS)
def test_the_published_verdicts_follow_from_the_published_evidence(paper):
    assert differences(REFERENCE / paper) == []
