"""docs/judging.md: its example is a claim that there is, and its tables have all measures and keywords."""

import inspect
import re

import pytest
import yaml
from places import ROOT

from referee import judge
from referee.judge.claims import claims_of
from referee.study.models.findings import Disputed

TEXT = (ROOT / "docs/judging.md").read_text()
MEASURES = [judge.below, judge.faster, judge.lower_at, judge.about, judge.ordered, judge.share_of_time]
MEASURES += [judge.at_most, judge.zero, judge.order_at_most, judge.claim, judge.unjudged]
MEASURES += [judge.follows]


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.__name__)
def test_the_page_has_each_measure_with_its_keywords(measure):
    (told,) = re.findall(rf"`{measure.__name__}\((.*?)\)`", TEXT)[:1]
    assert set(inspect.signature(measure).parameters) - {"sign", "how"} <= set(re.findall(r"\w+", told)) | {
        "in"
    }


def test_the_page_is_short_and_has_every_verdict_and_every_name():
    assert len(TEXT.splitlines()) <= 150
    assert all(words in TEXT.lower() for words in judge.findings.VERDICTS.values())
    names = {name for name in judge.__all__ if inspect.isfunction(getattr(judge, name))}
    writing = {"again", "asked", "call", "differences", "judge_paper", "products", "publish", "at_length"}
    writing |= {"under", "with_alternatives", "written", "verdict"}
    assert [name for name in sorted(names - writing) if name not in TEXT] == []


def test_its_example_is_a_claim_of_ncgs():
    code = re.findall(r"^```python\n(.*?)^```", TEXT, re.M | re.S)[0]
    (own,) = (claim for claim in claims_of("ncgs") if claim.id == "C2.a")
    compile(code, "judging.md", "exec")
    assert own.quote in " ".join(code.split()) and all(name in code for name in ("C2.a", "below", "readings"))


def test_its_answer_of_an_author_is_one():
    (told,) = re.findall(r"^```yaml\n(disputed:.*?)^```", TEXT, re.M | re.S)
    (answer,) = yaml.safe_load(told)["disputed"].values()
    assert Disputed(**answer).by
