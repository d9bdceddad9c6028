"""Templates filled and written: every text escaped, words linked to the glossary, no page above its size."""

import base64
import re
from functools import cache
from pathlib import Path

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from projfree.common import owned
from projfree.common.atomic_io import atomic_write

from ..evidence.words import HEADLINES, VERDICTS, axis_label
from . import values

TEMPLATES, STATIC = (Path(__file__).with_name(name) for name in ("templates", "static"))
WORDS = yaml.safe_load((TEMPLATES / "words.yaml").read_text(encoding="utf-8"))
PAGE = "glossary.html"
#: Term → what it means.
TERMS = WORDS["terms"]
#: Inside of these nothing is linked.
CLOSED = ("a", "button", "code", "h1", "h2", "h3", "option", "pre", "script", "span", "summary")
TAG = re.compile(r"(<[^>]+>)")
#: Longer terms first: “holds in part” is not “holds”.
LINKED = re.compile(
    rf"(?<![\w-])(?:{'|'.join(sorted(TERMS, key=len, reverse=True))})(?:s\b|\b)(?!-)", re.IGNORECASE
)


def linked(html: str, address: str) -> str:
    """A page with the first use of each term linked to the glossary at an address, from its main part on."""
    head, main, rest = html.partition("<main")
    used, closed, parts = set(), 0, TAG.split(rest)

    def first_use(match):
        word = match[0]
        term = word.lower() if word.lower() in TERMS else word.lower().removesuffix("s")
        if term in used:
            return word
        used.add(term)
        return f'<a class="term" href="{address}#{anchor(term)}">{word}</a>'

    for i, part in enumerate(parts):
        if i % 2:
            name = part[1:].lstrip("/").split()[0].rstrip(">")
            closed += (-1 if part.startswith("</") else 1) * (name in CLOSED)
        elif not closed and len(used) < len(TERMS):
            parts[i] = LINKED.sub(first_use, part)
    return head + main + "".join(parts)


def anchor(term: str) -> str:
    """The anchor of a term."""
    return term.replace(" ", "-")


#: Runs of seconds and minutes: they show that the machinery works, and find nothing about the papers.
SMALL = ("quick", "taste")
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

    Files of an earlier version, which begin alike, are replaced; any other file of these names is an error
    (`NotOurs`), since anyone may have a style.css. Several papers may write at once: the same bytes.
    """
    files = {folder / source.name: source.read_bytes() for source in sorted(STATIC.iterdir())}
    other = [path for path in files if not path.is_file() or path.read_bytes() != files[path]]
    for path in other:
        owned.require(path, owned.mark(files[path]))
    for path in other:
        atomic_write(path, files[path])


def is_small(run):
    """Whether a run, or an alternative of it, is one that finds nothing."""
    return run.partition("@")[0] in SMALL


def data_address(kind, content):
    """Bytes as an address that needs no file."""
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


@cache
def environment():
    """Jinja with every text escaped, unknown names an error, JSON in the given order."""
    env = Environment(
        loader=FileSystemLoader([TEMPLATES, STATIC]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.policies["json.dumps_kwargs"] = {"allow_nan": False, "separators": (",", ":")}
    env.filters["label"] = axis_label
    env.filters |= {name: getattr(values, name) for name in ("text", "as_table", "short", "markdown")}
    env.tests |= {"flat_table": values.is_table, "small": is_small}
    env.globals |= {"VERDICTS": VERDICTS, "HEADLINES": HEADLINES, "WORDS": WORDS}
    return env
