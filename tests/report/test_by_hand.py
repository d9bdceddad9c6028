"""docs/by-hand.md: its blocks print what stands there, and their verdicts are the published ones."""

import contextlib
import io
import json
import re

import pytest
from places import ROOT

BLOCKS = re.findall(
    r"```python\n(.*?)```\n(?:```text\n(.*?)```)?", (ROOT / "docs/by-hand.md").read_text(), re.DOTALL
)
SHARED, *PAPERS = BLOCKS
WORDS = {"holds": "holds", "in part": "holds_in_part", "fails": "fails", "undecided": "not_testable"}


@pytest.mark.parametrize("code, told", PAPERS)
def test_verdicts_by_hand_are_the_published_ones(code, told, monkeypatch):
    monkeypatch.chdir(ROOT)
    names, out = {}, io.StringIO()
    exec(SHARED[0], names)
    with contextlib.redirect_stdout(out):
        exec(code, names)
    assert out.getvalue() == told
    verdicts = re.findall(r"^([A-Z]+)-(\S+) (holds|fails|undecided)", told, re.MULTILINE)
    assert len(verdicts) >= 3
    for paper, name, verdict in verdicts:
        folder = "mpcgs" if paper == "MP" else paper.lower()
        entries = json.loads((ROOT / f"reports/reference/{folder}/claims.json").read_text())
        (published,) = (entry["verdict"] for entry in entries if entry["id"] == f"{paper}-{name}")
        assert {"undecided": "not_testable"}.get(verdict, verdict) == published


def test_nothing_of_projfree_is_asked():
    assert not any("projfree" in line for code, _ in BLOCKS for line in code.splitlines() if "import" in line)
