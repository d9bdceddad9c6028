"""The table of the first judge's faults in docs/judging-errors.md: every row names tests that there are."""

import re

from places import ROOT


def rows():
    """Fault → names of its tests."""
    text = (ROOT / "docs/judging-errors.md").read_text().split("## Faults")[1]
    cells = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return {cells[0].strip(): re.findall(r"`(test_\w+)`", cells[2]) for cells in cells[2:]}


def test_every_fault_has_a_test_that_is_there():
    files = [*(ROOT / "tests").rglob("test_*.py"), *(ROOT / "papers").rglob("test_*.py")]
    sources = "".join(path.read_text() for path in files)
    known = set(re.findall(r"^def (test_\w+)", sources, re.M))
    assert len(rows()) == 25
    assert not {
        fault: missing for fault, names in rows().items() if (missing := set(names) - known) or not names
    }
