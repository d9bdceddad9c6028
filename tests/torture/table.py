"""`python tests/torture/table.py docs/reliability.md OUT.json…`: the outcomes as a table in a document."""

import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

from outcomes import load

from projfree.ground.provenance import environment, git_commit

BEGIN, END = "<!-- torture:begin -->", "<!-- torture:end -->"
HEAD = "| condition | cases | right result | clear error | lost or wrong | seconds | |"


def table(outcomes) -> str:
    """Date, commit, machine, and a row for each outcome; what was not tested says so."""
    about = environment()
    lines = [
        f"{datetime.now(UTC):%d %B %Y}, commit {git_commit()[:12]}, {about['cpu']}, {os.cpu_count()} cores, "
        f"{platform.system()}, Python {about['python']}, h5py {about['versions']['h5py']}.",
        "",
        HEAD,
        "|---|---:|---:|---:|---:|---:|---|",
    ]
    for o in outcomes:
        counts = [o.cases, o.resumed, o.clear_errors, o.wrong] if o.cases else ["**not tested**", "", "", ""]
        cells = [o.condition, *(f"{c:,}" if isinstance(c, int) else c for c in counts), f"{o.seconds:.0f}"]
        lines.append("| " + " | ".join([*cells, o.note.replace("|", "\\|")]) + " |")
    return "\n".join(lines)


def replace(document: str, text: str) -> str:
    """The document with `text` between its two marks."""
    head, begin, rest = document.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the document has no {BEGIN} … {END}")
    return f"{head}{BEGIN}\n\n{text}\n\n{END}{tail}"


def main(document, *outcomes):
    """Replace the table of a document by that of the outcome files."""
    path = Path(document)
    found = [outcome for name in outcomes for outcome in load(name)]
    path.write_text(replace(path.read_text(), table(found)))


if __name__ == "__main__":
    main(*sys.argv[1:])
