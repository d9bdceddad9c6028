"""The judge's own error rate, on curves with a known truth: the table of docs/judging.md.

python benchmarks/judge_error_rates.py [draws]        prints it
python benchmarks/judge_error_rates.py [draws] write  writes it into the document
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

from projfree.evidence.judging.error_rates import cases, table

DOCUMENT = Path(__file__).parents[1] / "docs/judging.md"
BEGIN, END = "<!-- error rates -->\n", "<!-- /error rates -->"
HEAD = "| asked | clear cases | false holds | false fails | not testable |\n|---|---:|---:|---:|---:|\n"
SHARES = ["false_holds", "false_fails", "untestable"]


def with_total(found: pd.DataFrame) -> pd.DataFrame:
    """The table with a last row for all that was asked."""
    total = {name: np.average(found[name], weights=found["clear"]) for name in SHARES}
    total |= {"asked": "all", "clear": found["clear"].sum()}
    return pd.concat([found, pd.DataFrame([total])], ignore_index=True)


def markdown(found: pd.DataFrame) -> str:
    """Its rows for the document."""
    rows = (
        [row["asked"], f"{int(row['clear']):,}", *(f"{100 * row[name]:.1f} %" for name in SHARES)]
        for _, row in found.iterrows()
    )
    return HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def write(text: str) -> None:
    """Put it between the marks of the document."""
    head, rest = DOCUMENT.read_text().split(BEGIN)
    DOCUMENT.write_text(head + BEGIN + text + END + rest.split(END)[1])


if __name__ == "__main__":
    words = sys.argv[1:]
    found = with_total(table(cases(next((int(word) for word in words if word.isdigit()), 1))))
    print(found.to_string(index=False))
    if "write" in words:
        write(markdown(found))
