"""docs/frank-wolfe.md: its tables of counts are what their programs print."""

import contextlib
import io
import re
import runpy

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
    assert table.keys() == printed.keys() and len(table) == 20
    for row, counts in table.items():
        assert printed[row] == (counts if counts is None else pytest.approx(counts, rel=0.1, abs=2)), row


def test_the_counts_next_to_those_of_another_package_are_what_the_benchmark_prints():
    program = runpy.run_path(str(ROOT / "benchmarks/counts_next_to_julia.py"))
    rows = [row for row in program["rows"]() if row.method != "away-fw"]  # most of the seconds
    assert len(rows) == 9
    for cells in map(program["cells"], rows):
        before, after = re.escape("| " + " | ".join(cells[:3])), re.escape(" | ".join(cells[5:]))
        line = before + r" \| (\d+) \| (\d+) \| " + after
        (counts,) = re.findall(line, TEXT)
        assert [*map(int, counts)] == pytest.approx([*map(int, cells[3:5])], rel=0.1, abs=2), cells
