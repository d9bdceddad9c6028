"""The ledger: a row for each claim of all papers, to be filtered; each opens its page."""

from .context import read_claims, with_later
from .html import write_html
from .tops import address
from .values import short


def write_ledger(reports_dir, output, papers):
    """Write the ledger of a run.

    Parameters
    ----------
    reports_dir : Path
        Folder of the run, with `<paper>/claims.json`.
    output : Path
        The ledger.
    papers : list of str
        Papers in the order shown.
    """
    rows = [row for name in papers for row in _rows(reports_dir / name, output.parent, name)]
    write_html("ledger.html.j2", output, here=None, rows=rows)


def _rows(folder, base, name):
    """Rows of a paper's top claims."""
    for entry in map(with_later, read_claims(folder / "claims.json")):
        if "." not in entry["id"]:
            words = entry["quote"] or entry["statement"]
            yield {
                "paper": name,
                "id": entry["id"],
                "words": words,
                "short": short(words, 48),
                "href": address(folder, base, entry["id"]),
                "headline": entry["headline"],
                "said": entry["words"],
                "verdict": entry["verdict"],
                "strong": entry["verdict_strong"],
                "depends": "depends on a choice" if entry["depends"] else "does not",
                "data": "stand-in" if entry["stand_in"] else "real",
            }
