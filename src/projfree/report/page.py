"""The page of one paper as one file: context, pictures and template put together."""

import base64
import json
import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ..evidence.wording import VERDICTS
from ..ground.sealed import atomic_write
from . import values
from .context import build_context

TEMPLATES = Path(__file__).with_name("templates")
MAX_BYTES = 8_000_000
MAX_SVG_BYTES = 600_000  # a larger drawing is shown as its PNG; the SVG stays one click away
EMBEDDED = re.compile(r'<script type="application/json" id="context">(.*?)</script>', re.DOTALL)


def write_page(
    spec,
    claims_path,
    figures_dir,
    tables_dir,
    output,
    provenance,
    tuning=None,
    alternatives=None,
    tidy_dir=None,
):
    """Write a paper's page: self-contained HTML that opens offline, at most 8 MB.

    Parameters
    ----------
    spec : dict
        The paper's resolved configuration.
    claims_path : Path
        claims.json (list of entries by the contract).
    figures_dir, tables_dir : Path
        Folders of `<figure>.{svg,pdf,png}` and `<table>.{csv,tex}`; shown inline and linked.
    output : Path
        The page. Links are relative to its folder.
    provenance : dict
        `run`, `commit`, `command`, and all else worth printing (environment, data hashes, durations, …).
    tuning : list of Path, optional
        Tuning records, JSON with `experiment, method, tried, chosen, …`.
    alternatives : Path, optional
        CSV with columns `deviation, alternative, claim, verdict, …`: verdicts under alternative choices.
    tidy_dir : Path, optional
        Tidy tables; with them the page has end values and, embedded, the numbers of all curves.

    Raises
    ------
    ValueError
        For claims that break the contract, unknown deviations, or a page above 8 MB.
    """
    output = Path(output)
    context = build_context(
        spec, claims_path, figures_dir, tables_dir, output.parent, provenance, tuning, alternatives, tidy_dir
    )
    images = {figure["stem"]: _image(Path(figures_dir), figure["stem"]) for figure in context["figures"]}
    tops = context["claims"] + context["theory"]
    known = {claim["id"] for top in tops for claim in (top, *top["parts"])}
    write_html("page.html.j2", output, context=context, images=images, known=known)


def read_context(page):
    """The context embedded in a page that `write_page` wrote."""
    found = EMBEDDED.search(Path(page).read_text(encoding="utf-8"))
    if not found:
        raise ValueError(f"{page}: not a page of a paper: no embedded context")
    return json.loads(found.group(1))


def write_html(template, output, **variables):
    """Fill a template, check the size, write the file."""
    html = _environment().get_template(template).render(**variables)
    size = len(html.encode())
    if size > MAX_BYTES:
        raise ValueError(f"{output}: {size / 1e6:.1f} MB, more than {MAX_BYTES / 1e6:.0f} MB")
    atomic_write(output, html)


def data_address(kind, content):
    """Bytes as an address that needs no file."""
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def _environment():
    """Jinja with every text escaped, unknown names an error, JSON in the given order."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"allow_nan": False, "separators": (",", ":")}
    environment.filters |= {"text": values.text, "as_table": values.as_table}
    environment.tests["flat_table"] = values.is_table
    environment.globals["VERDICTS"] = VERDICTS
    return environment


def _image(folder, stem):
    """The figure as a data address: its SVG, or its PNG where the SVG is large; None if it is not drawn."""
    svg, png = folder / f"{stem}.svg", folder / f"{stem}.png"
    if png.is_file() and not (svg.is_file() and svg.stat().st_size <= MAX_SVG_BYTES):
        return data_address("image/png", png.read_bytes())
    return data_address("image/svg+xml", svg.read_bytes()) if svg.is_file() else None
