"""docs/frank-wolfe.md: its table of counts is what its program prints."""

import contextlib
import io
import re

import pytest
from places import ROOT

TEXT = (ROOT / "docs/frank-wolfe.md").read_text()


@pytest.fixture(scope="module")
def printed():
    """(instance, method) → steps, FO and LO, None where the gap was not reached."""
    (program,) = re.findall(r"^```python.*?\n(.*?)^```", TEXT, re.M | re.S)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, "rates.py", "exec"), {})
    lines = map(str.split, out.getvalue().splitlines())
    return {
        (name, method): [*map(int, counts)] if status == "converged" else None
        for name, method, status, *counts in lines
    }


def documented():
    """The same of the table; its counts are those of one processor."""
    for method, *cells in re.findall(r"^\| `([\w-]+)` " + r"\| (\d+|–) " * 6 + r"\|$", TEXT, re.M):
        for name, counts in (("simplex", cells[:3]), ("birkhoff", cells[3:])):
            yield (name, method), None if "–" in counts else [*map(int, counts)]


def test_the_table_is_what_the_program_prints(printed):
    table = dict(documented())
    assert table.keys() == printed.keys() and len(table) == 18
    for row, counts in table.items():
        assert printed[row] == (counts if counts is None else pytest.approx(counts, rel=0.1, abs=2)), row
