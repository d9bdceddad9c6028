"""Templates filled and written: every text escaped, unknown names an error, no page beyond its size."""

import base64
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from projfree.ground.sealed import atomic_write

from ..evidence.words import HEADLINES, VERDICTS, reason_words
from ..ground.ours import NotOurs, is_page, require_page
from . import values
from .explorer import work
from .glossary import PAGE, linked

#: Runs of seconds and minutes: they show that the machinery works, and find nothing about the papers.
SMALL = ("quick", "taste")
TEMPLATES = Path(__file__).with_name("templates")
STATIC = Path(__file__).with_name("static")
MAX_BYTES = 1_000_000


def write_html(template, output, **variables):
    """Fill a template and write the file in one rename, never over another's page; raises as `fill`."""
    require_page(output)
    atomic_write(output, fill(template, output, **variables))


def fill(template, output, **variables):
    """The text of a page, its size checked.

    Raises
    ------
    ValueError
        For a page above 1 MB.
    """
    html = environment().get_template(template).render(**variables)
    if template.endswith(".html.j2") and not template.startswith("glossary"):
        html = linked(html, variables.get("assets", "assets/").removesuffix("assets/") + PAGE)
    size = len(html.encode())
    if size > MAX_BYTES:
        raise ValueError(f"{output}: {size / 1e6:.1f} MB, more than {MAX_BYTES / 1e6:.0f} MB")
    return html


def write_assets(folder):
    """Write what the pages of a run load, once for all its papers: style, explorer, charting library.

    Files of an earlier version are replaced; any other file of these names is an error, since anyone may have
    a style.css. Several papers may write at once: the same bytes.

    Raises
    ------
    NotOurs
        For such a file where no page of ours is in the folder above.
    """
    pages = (*folder.parent.glob("*.html"), *folder.parent.glob("*/index.html"))
    wanted = {folder / source.name: source.read_bytes() for source in sorted(STATIC.iterdir())}
    other = [path for path in wanted if not path.is_file() or path.read_bytes() != wanted[path]]
    if (there := [path.name for path in other if path.exists()]) and not any(map(is_page, pages)):
        raise NotOurs(folder, there[0])
    for path in other:
        atomic_write(path, wanted[path])


def is_small(run):
    """Whether a run, or an alternative of it, is one that finds nothing."""
    return run.partition("@")[0] in SMALL


def data_address(kind, content):
    """Bytes as an address that needs no file."""
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


@cache
def environment():
    """Jinja with every text escaped, unknown names an error, JSON in the given order."""
    found = Environment(
        loader=FileSystemLoader([TEMPLATES, STATIC]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.policies["json.dumps_kwargs"] = {"allow_nan": False, "separators": (",", ":")}
    found.filters |= {"text": values.text, "as_table": values.as_table, "short": values.short}
    found.filters["markdown"] = values.markdown
    found.tests["flat_table"] = values.is_table
    found.filters |= {"why": reason_words, "stood": values.stood, "work": work}
    found.globals |= {"VERDICTS": VERDICTS, "HEADLINES": HEADLINES}
    found.tests["small"] = is_small
    return found
