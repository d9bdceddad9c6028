"""The overview of a run: a summary of each paper's page."""

import io
from pathlib import Path

from PIL import Image

from ..ground.ours import require_page
from .glossary import PAGE as GLOSSARY
from .glossary import TERMS, anchor
from .html import data_address, is_small, write_html
from .ledger import write_ledger
from .page import read_context
from .tops import address, together, top_claims
from .undecided import write_undecided

THUMBNAILS, THUMBNAIL_WIDTH = 4, 420


def write_index(reports_dir, output, papers=None):
    """Write the overview of a run, and beside it the table of all claims and the page of undecided ones.

    A small run finds nothing: its overview says so, and has no findings.

    Parameters
    ----------
    reports_dir : Path
        Folder of the run, with `<paper>/index.html` and `<paper>/figures/*.png`.
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
    cards = [_card(reports_dir, output.parent, name) for name in papers]
    write_ledger(reports_dir, output.with_name("ledger.html"), papers)
    write_undecided(reports_dir, output.with_name("undecided.html"), papers)
    write_html("glossary.html.j2", output.with_name(GLOSSARY), here=None, terms=TERMS, anchor=anchor)
    small = list(filter(is_small, {card["run"]: None for card in cards}))
    tops = [claim for name in papers for claim in top_claims(reports_dir / name, output.parent)]
    said = [] if small else together(tops)
    write_html("index.html.j2", output, here=None, papers=cards, sentences=said, small=small)


def _card(reports_dir, base, name):
    """The overview's card of one paper."""
    page = reports_dir / name / "index.html"
    context = read_context(page)
    figures = page.parent / "figures"
    thumbnails = {f["stem"]: _thumbnail(figures / f["stem"], base) for f in context["figures"]}
    drawn = [f for f in context["figures"] if thumbnails[f["stem"]]]
    return {
        "href": page.relative_to(base).as_posix(),
        "paper": context["paper"],
        **{key: context[key] for key in ("run", "commit", "date", "counts", "findings", "tasks")},
        "claims": {claim: address(page.parent, base, claim) for claim in _named(context)},
        "stand_ins": sum(f["stand_in"] for f in context["figures"]),
        "figures": len(context["figures"]),
        "thumbnails": [
            {
                "image": thumbnails[f["stem"]],
                "title": f["title"],
                "href": (page.parent / f"pages/figure-{f['stem']}.html").relative_to(base).as_posix(),
            }
            for f in drawn[:THUMBNAILS]
        ],
    }


def _named(context):
    """Claims that findings and tasks name."""
    named = [claim for finding in context["findings"] for claim in finding["claims"]]
    return [*named, *(task["claim"] for task in context["tasks"])]


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
