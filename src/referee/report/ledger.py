"""The claims table: a row for each claim of all papers, to filter and to sort; each opens its page."""

from .context import read_claims, with_later
from .html import write_html
from .tops import address


def write_ledger(reports_dir, output, papers):
    """Write the claims table of a run.

    Parameters
    ----------
    reports_dir : Path
        Folder of the run, with `<paper>/claims.json`.
    output : Path
        The page.
    papers : list of str
        Papers in the order shown.
    """
    rows = [row for name in papers for row in _rows(reports_dir / name, output.parent, name)]
    write_html("ledger.html.j2", output, here=None, rows=rows)


def _rows(folder, base, name):
    """Rows of a paper's top claims."""
    for entry in map(with_later, read_claims(folder / "claims.json")):
        if "." not in entry["id"]:
            yield {
                "paper": name,
                "id": entry["id"],
                "words": entry["quote"] or entry["statement"],
                "href": address(folder, base, entry["id"]),
                "headline": entry["headline"],
                "said": entry["words"],
                "verdict": entry["verdict"],
                "strong": entry["verdict_strong"],
                "depends": "yes" if entry["depends"] else "no",
                "data": "stand-in" if entry["stand_in"] else "real",
            }
