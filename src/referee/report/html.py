"""Templates filled and written: every text escaped, words linked to the glossary, no page above its size."""

import base64
import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from projfree.common import owned
from projfree.common.atomic_io import atomic_write

from ..evidence.words import HEADLINES, VERDICTS
from . import values

PAGE = "glossary.html"
#: Term → what it means.
TERMS = {
    "claim": "A sentence of a paper about its experiments, or a part of one, that we test.",
    "theory check": "A theorem or a bound of a paper that we test on small instances.",
    "panel": "One plot of a figure: a data set and a setting.",
    "comparison": "One panel, one seed and one pair of methods.",
    "as published": "With the paper’s own competitors as it describes them; its method as it states it, or "
    "tuned if it leaves a setting open.",
    "fair comparison": "Every method in its best form, tuned with the same budget.",
    "holds": "True in every panel that can be decided, in at least 80 % of its seeds.",
    "holds in part": "True in some panels or parts and false in others.",
    "undecided": "Our runs do not say whether it is true; the claim’s page says why.",
    "not run at length": "Our runs are shorter than the paper’s axis, and a longer run may decide otherwise.",
    "not judged": "A sentence that no run of ours can decide: literature, hardware.",
    "close": "Fewer than three of ten places of the axis differ by 2 % of the drawn height.",
    "unstated choice": "A setting that the paper leaves out; we list our choice and its alternatives.",
    "variant": "The claim under another answer to an unstated choice, or under another fair measure.",
    "stand-in": "Synthetic data of the same shape, where the paper’s data is not available.",
    "oracle": "What a method asks of the problem: a gradient, a linear minimisation, a projection.",
    "level": "A value of a metric. A run reaches it if it gets below it and stays there.",
    "trace": "The record of a run: times, oracle calls and values, step by step.",
}
#: Inside of these nothing is linked.
CLOSED = ("a", "button", "code", "h1", "h2", "h3", "option", "pre", "script", "span", "summary")
TAG = re.compile(r"(<[^>]+>)")
#: Longer terms first: “holds in part” is not “holds”.
WORDS = re.compile(
    rf"(?<![\w-])(?:{'|'.join(sorted(TERMS, key=len, reverse=True))})(?:s\b|\b)(?!-)", re.IGNORECASE
)


def linked(html: str, address: str) -> str:
    """A page with the first use of each term linked to the glossary, from its main part on.

    Parameters
    ----------
    html : str
    address : str
        Of the glossary, from the page.
    """
    head, main, rest = html.partition("<main")
    found, closed, parts = set(), 0, TAG.split(rest)
    for i, part in enumerate(parts):
        if i % 2:
            name = part[1:].lstrip("/").split()[0].rstrip(">")
            closed += (-1 if part.startswith("</") else 1) * (name in CLOSED)
        elif not closed and len(found) < len(TERMS):
            parts[i] = WORDS.sub(lambda word: _once(word[0], found, address), part)
    return head + main + "".join(parts)


def _once(word, found, address):
    """The word, linked if its term was not used before."""
    term = word.lower() if word.lower() in TERMS else word.lower().removesuffix("s")
    if term in found:
        return word
    found.add(term)
    return f'<a class="term" href="{address}#{anchor(term)}">{word}</a>'


def anchor(term: str) -> str:
    """The anchor of a term."""
    return term.replace(" ", "-")


#: Runs of seconds and minutes: they show that the machinery works, and find nothing about the papers.
SMALL = ("quick", "taste")
TEMPLATES = Path(__file__).with_name("templates")
STATIC = Path(__file__).with_name("static")
MAX_BYTES = 1_000_000


def write_html(template, output, **variables):
    """Fill a template and write the file in one rename, raises as `fill`."""
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
        html = linked(html, variables.get("above", "") + PAGE)
    size = len(html.encode())
    if size > MAX_BYTES:
        raise ValueError(f"{output}: {size / 1e6:.1f} MB, more than {MAX_BYTES / 1e6:.0f} MB")
    return html


def write_assets(folder):
    """Write what the pages of a run load, once for all its papers: style, explorer, charting library.

    Files of an earlier version, which begin alike, are replaced; any other file of these names is an error,
    since anyone may have a style.css. Several papers may write at once: the same bytes.

    Raises
    ------
    NotOurs
        For such a file, before any is written.
    """
    wanted = {folder / source.name: source.read_bytes() for source in sorted(STATIC.iterdir())}
    other = [path for path in wanted if not path.is_file() or path.read_bytes() != wanted[path]]
    for path in other:
        owned.require(path, owned.mark(wanted[path]))
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
    found.globals |= {"VERDICTS": VERDICTS, "HEADLINES": HEADLINES}
    found.tests["small"] = is_small
    return found
