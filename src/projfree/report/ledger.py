"""The ledger: a row for each claim of all papers, to be filtered; each opens its page."""

from .context import read_claims, with_later
from .html import write_html
from .values import short


def write_ledger(reports_dir, output, papers):
    """Write the ledger of a run and return its rows.

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
    return rows


def _rows(folder, base, name):
    """Rows of a paper's top claims; where a claim has no page, its row in the paper's."""
    for entry in map(with_later, read_claims(folder / "claims.json")):
        page = folder / "pages" / f"claim-{entry['id']}.html"
        whole = folder / "index.html"
        target = page if page.is_file() else whole
        if "." not in entry["id"]:
            yield {
                "paper": name,
                "id": entry["id"],
                "words": short(entry["quote"] or entry["statement"], 48),
                "href": target.relative_to(base).as_posix() + (f"#{entry['id']}" if target == whole else ""),
                "verdict": entry["verdict"],
                "strong": entry["verdict_strong"],
                "robustness": "vacuous" if entry["vacuous"] else entry["fragility"].get("grade", "unknown"),
                "data": "stand-in" if entry["stand_in"] else "real",
            }


def learned(rows):
    """What a run says over all papers, as numbers: claims, and of them those that hold, and how firmly."""
    judged = [row for row in rows if row["verdict"] != "not_testable"]
    return {
        "claims": len(rows),
        "judged": len(judged),
        "holds": sum(row["verdict"] == "holds" for row in judged),
        "strong": sum(row["strong"] == "holds" for row in judged),
        "compared": sum(row["strong"] not in (None, "not_testable") for row in judged),
        "robust": sum(row["robustness"] == "robust" for row in judged),
        "stand_in": sum(row["data"] == "stand-in" for row in rows),
    }
