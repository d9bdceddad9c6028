"""What each kind of page weighs: ``python tests/weighed.py reports/quick docs/report.md``.

Of every kind the heaviest page and the one with most words, what axe-core finds on the heaviest, and how long
that takes in headless Chromium until a reader can use it. Writes the table between the document's marks.
"""

import re
import sys
import tempfile
from pathlib import Path
from statistics import median
from urllib.parse import unquote, urlsplit

import browser

from projfree.ground.marks import between
from projfree.ground.provenance import cpu_model
from projfree.ground.sealed import atomic_write

MARK = "weights"
HEAD = (
    "| page | of them | kB at most | with all that it loads | words at most | axe: above minor | ms to use |",
    "|---|---:|---:|---:|---:|---:|---:|",
)
LOADS = 3
#: Milliseconds since the page was asked for, once all is loaded and the explorer, if there is one, has drawn.
USABLE = """const done = arguments[0], place = document.querySelector('.explorer');
    const look = () => document.readyState == 'complete' && (!place || place.dataset.ready)
        ? requestAnimationFrame(() => done(performance.now())) : setTimeout(look, 1);
    look();"""
LOADED = """return [...document.querySelectorAll('script[src], img[src], link[rel=stylesheet]')]
    .map(element => element.src || element.href).filter(address => address.startsWith('file:'))"""


def kinds(reports):
    """Kind → its pages: those over all papers, a paper's own, and those beside it."""
    named = [(path.stem, path) for path in sorted(reports.glob("*.html"))]
    named += [("paper", path) for path in sorted(reports.glob("*/index.html"))]
    named += [(path.stem.partition("-")[0], path) for path in sorted(reports.glob("*/pages/*.html"))]
    found = {}
    for kind, path in named:
        found.setdefault(kind, []).append(path)
    return found


def words(page):
    """The words of a page, without scripts and styles."""
    text = re.sub(r"<(script|style).*?</\1>", "", page.read_text(), flags=re.S)
    return re.sub(r"<[^>]+>", " ", text).split()


def weight(page):
    """Bytes of a file."""
    return page.stat().st_size


def usable(driver, page):
    """Milliseconds from asking for a page until it can be used."""
    driver.get("about:blank")
    driver.get(page.as_uri())
    return driver.execute_async_script(USABLE)


def measured(driver, pages):
    """A row of the table, without the kind."""
    heaviest = max(pages, key=weight).resolve()
    browser.sized(driver, 1200)
    time = median(usable(driver, heaviest) for _ in range(LOADS))
    loaded = {Path(unquote(urlsplit(address).path)) for address in driver.execute_script(LOADED)}
    total = sum(map(weight, {heaviest, *loaded}))
    longest = max(len(words(page)) for page in pages)
    return len(pages), weight(heaviest) / 1e3, total / 1e3, longest, len(browser.violations(driver)), time


def table(reports, driver):
    """Markdown: a row a kind, and where the times were measured."""
    rows = {kind: measured(driver, pages) for kind, pages in kinds(reports).items()}
    lines = [f"| {kind} | {' | '.join(f'{value:,.0f}' for value in row)} |" for kind, row in rows.items()]
    version = driver.capabilities["browserVersion"].partition(".")[0]
    where = f"Times: median of {LOADS} loads, {driver.name} {version}, {cpu_model()}."
    return "\n".join([*HEAD, *lines, "", where])


def main(reports, document):
    """Measure a folder of reports and write the table into a document."""
    driver = browser.start(tempfile.gettempdir())
    text = between(document.read_text(), MARK, "\n" + table(reports, driver) + "\n")
    driver.quit()
    atomic_write(document, text)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
