"""All claims of a run that are undecided: why, what was tried, and what would decide them."""

from .context import read_claims, with_later
from .html import write_html
from .tops import address


def write_undecided(reports_dir, output, papers):
    """Write the page of undecided claims; parameters as `write_ledger`."""
    rows = [row for name in papers for row in _rows(reports_dir / name, output.parent)]
    write_html("undecided.html.j2", output, here=None, rows=rows)


def _rows(folder, base):
    """Rows of those claims and parts that have sentences of their own."""
    entries = [with_later(entry) for entry in read_claims(folder / "claims.json")]
    heads = {entry["id"].rpartition(".")[0] for entry in entries if "." in entry["id"]}
    for entry in entries:
        if entry["id"] not in heads and "not_testable" in (entry["verdict"], entry["verdict_strong"]):
            yield {
                "entry": entry,
                "href": address(folder, base, entry["id"]),
                "words": entry["statement"] or entry["quote"],
            }
