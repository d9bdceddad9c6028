"""The pages over all papers of a run: the overview, the table of all claims, the undecided ones."""

import io
import re
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from ..common.ours import require_page
from ..evidence.words import HEADLINES, VERDICTS
from .context import read_claims
from .findings import leading
from .html import PAGE as GLOSSARY
from .html import TERMS, anchor, data_address, is_small, write_assets, write_html
from .page import read_context
from .verdicts import KINDS, NAME, read_verdicts

#: Verdicts that decide nothing.
UNDECIDED = {"not_testable", "not_run", "not_judged"}


@dataclass(frozen=True)
class Claim:
    """A top claim or check of a paper: its entry and the address of its page."""

    paper: str
    entry: dict
    href: str


def top_claims(folder, base):
    """A paper's claims and checks without their parts."""
    for entry in read_claims(folder / "claims.json"):
        if "." not in entry["id"]:
            yield Claim(folder.name, entry, address(folder, base, entry["id"]))


def _in_order(claim):
    """C1, C2, …, C10; then T1, T2, …"""
    letter, number, more = re.fullmatch(r".*-(\D+)(\d+)(.*)", claim.entry["id"]).groups()
    return letter, int(number), more


def address(folder, base, claim):
    """Address of a claim's page."""
    return (folder / f"pages/claim-{claim}.html").relative_to(base).as_posix()


def together(claims) -> list[str]:
    """Sentences on all verdicts: how many claims and checks hold, as published and in a fair comparison."""
    entries = [claim.entry for claim in claims]
    own = [entry for entry in entries if "-T" not in entry["id"]]
    checks = [entry for entry in entries if "-T" in entry["id"]]
    both = [entry for entry in own if entry["verdict_strong"] is not None]  # none of them is left out
    text = []
    if own:
        judged = [entry for entry in own if entry["headline"] != "not_judged"]
        checked = f" and {len(checks)} theorems and bounds" if checks else ""
        text.append(f"The papers contain {len(own)} claims{checked}, {len(entries)} in all.")
        left = f"; no run can decide the other {len(own) - len(judged)}" if len(judged) < len(own) else ""
        text.append(f"We judged {len(judged)} claims: {_counted(judged, 'headline', HEADLINES)}{left}.")
    if both:
        both = [entry | {"verdict": _published(entry)} for entry in both]
        columns = [_counted(both, kind, VERDICTS) for kind in ("verdict", "verdict_strong")]
        text.append(
            f"For {len(both)} of them we ran a fair comparison too: as published, {columns[0]}; "
            f"in the fair comparison, {columns[1]}."
        )
    if checks:
        text.append(f"We checked {len(checks)} theorems and bounds: {_counted(checks, 'verdict', VERDICTS)}.")
    return text


def _published(entry):
    """The verdict as published, but a run that is shorter than the paper's axis fails no claim."""
    return "not_run" if entry["headline"] == "not_run" else entry["verdict"]


def _counted(entries, kind, words):
    """``39 hold, 11 fail``: each word that occurs, in its order."""
    counts = [(word, sum(entry[kind] == key for entry in entries)) for key, word in words.items()]
    return ", ".join(f"{n} {word.words if n == 1 else word.of_several}" for word, n in counts if n)


def write_undecided(reports_dir, output, papers):
    """Write the page of undecided claims, and of those not judged; parameters as `write_ledger`."""
    rows = {True: [], False: []}
    for folder in [reports_dir / name for name in papers]:
        entries, reasons, page = read_claims(folder / "claims.json"), {}, folder / "index.html"
        remedies = read_context(page)["remedies"] if page.is_file() else {}
        for row in read_verdicts(folder / NAME):
            if row["truth"] is None and row["reason"] and not row["call"]:
                reasons.setdefault(row["claim"], {})[row["reason"]] = None
        heads = {entry["id"].rpartition(".")[0] for entry in entries if "." in entry["id"]}
        for entry in entries:
            words = {entry["verdict"], entry["verdict_strong"], entry["headline"]}
            if entry["id"] not in heads and UNDECIDED & words:
                short = f"run {entry['provisional'] or 'too short in the claims that it rests on'}"
                short = short if "not_run" in words else ""
                why = "; ".join(filter(None, [short, *reasons.get(entry["id"], {})]))
                href = address(folder, output.parent, entry["id"])
                row = {"entry": entry, "href": href, "why": why, "remedy": remedies.get(entry["id"], "")}
                rows[entry["verdict"] == "not_judged"].append(row)
    write_html("undecided.html.j2", output, here=None, rows=rows[False], not_judged=rows[True])


def write_ledger(reports_dir, output, papers):
    """Write the claims table of a run.

    reports_dir: has `<paper>/claims.json`; papers: in the order shown.
    """
    rows = []
    for folder in [reports_dir / name for name in papers]:
        page = folder / "index.html"
        kinds = read_context(page)["kinds"] if page.is_file() else {}
        for claim in sorted(top_claims(folder, output.parent), key=_in_order):
            entry = claim.entry
            own = {w.removesuffix(" data") for w in kinds.get(entry["id"], entry["data"])}
            data = ", ".join(sorted(own, key=list(KINDS).index)) or "–"
            words = {"words": entry["quote"] or entry["statement"], "strong": entry["verdict_strong"]}
            about = {key: entry[key] for key in ("id", "headline", "robustness")}
            about["verdict"] = _published(entry)
            rows.append({"paper": claim.paper, "href": claim.href, "data": data} | words | about)
    write_html("ledger.html.j2", output, here=None, rows=rows)


THUMBNAILS, THUMBNAIL_WIDTH = 2, 420


def write_index(reports_dir, output, papers=None):
    """Write the overview of a run, and beside it the table of all claims and the page of undecided ones.

    A small run finds nothing: its overview says so, and has no findings.

    Parameters
    ----------
    reports_dir : Path
        Has `<paper>/index.html` and `<paper>/figures/*.png`.
    output : Path
        The overview, normally `reports_dir / "index.html"`.
    papers : list of str, optional
        Papers in the order shown; by default all that have a page, by name.
    """
    reports_dir, output = Path(reports_dir), Path(output)
    if papers is None:
        papers = sorted(page.parent.name for page in reports_dir.glob("*/index.html"))
    if not papers:
        raise ValueError(f"{reports_dir}: no paper has a page there")
    for page in (output, *map(output.with_name, ("ledger.html", "undecided.html", GLOSSARY))):
        require_page(page)
    write_assets(output.parent / "assets")
    cards = [_card(reports_dir, output.parent, name) for name in papers]
    write_ledger(reports_dir, output.with_name("ledger.html"), papers)
    write_undecided(reports_dir, output.with_name("undecided.html"), papers)
    write_html("glossary.html.j2", output.with_name(GLOSSARY), here=None, terms=TERMS, anchor=anchor)
    small = list(filter(is_small, {card["run"]: None for card in cards}))
    tops = [claim for name in papers for claim in top_claims(reports_dir / name, output.parent)]
    sentences = [] if small else together(tops)
    write_html("index.html.j2", output, here=None, papers=cards, sentences=sentences, small=small)


def _card(reports_dir, base, name):
    """The overview's card of one paper."""
    page = reports_dir / name / "index.html"
    context = read_context(page)
    figures = page.parent / "figures"
    thumbnails = {f["stem"]: _thumbnail(figures / f["stem"], base) for f in context["figures"]}
    named = [claim for message in context["messages"] for claim in message["claims"]]
    named += [task["claim"] for task in context["tasks"]]
    return {
        "href": page.relative_to(base).as_posix(),
        **{key: context[key] for key in ("paper", "run", "commit", "date", "counts", "tasks")},
        "messages": leading(context["messages"]),
        "claims": {claim: address(page.parent, base, claim) for claim in named},
        "stand_ins": sum(f["stand_in"] for f in context["figures"]),
        "figures": len(context["figures"]),
        "thumbnails": [
            {
                "image": thumbnails[f["stem"]],
                "title": f["title"],
                "href": (page.parent / f"pages/figure-{f['stem']}.html").relative_to(base).as_posix(),
            }
            for f in [f for f in context["figures"] if thumbnails[f["stem"]]][:THUMBNAILS]
        ],
    }


def _thumbnail(stem, base):
    """A small picture of a figure as a data address; where there is no PNG the SVG's own, None without."""
    path, svg = stem.with_suffix(".png"), stem.with_suffix(".svg")
    if not path.is_file():
        return svg.relative_to(base).as_posix() if svg.is_file() else None
    with Image.open(path) as picture:
        size = (THUMBNAIL_WIDTH, round(picture.height * THUMBNAIL_WIDTH / picture.width))
        small = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS).quantize(48)
    stream = io.BytesIO()
    small.save(stream, format="PNG", optimize=True)
    return data_address("image/png", stream.getvalue())
