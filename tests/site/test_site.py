"""The public site, its examples run: plots, links, sub-paths, folders, phones, search, no other host."""

import html
import http.server
import os
import re
import shutil
import subprocess
import sys
import threading
from functools import partial
from urllib.parse import unquote, urlsplit

import browser
import links
import pytest
from places import ROOT

import projfree as pf
from projfree.common.registry import called, names

pytestmark = pytest.mark.slow

KINDS = (
    *("index.html", "tutorial.html", "documentation.html", "keys.html", "cli.html", "harness.html"),
    *("changelog.html", "reports.html", "reference/index.html", "gallery/index.html"),
    *("gallery/away_steps.html", "notes/ncgs.html"),
)

#: What is cut at the right; tables and code scroll within themselves, the list of sections is put away.
WIDE = """return [...document.querySelectorAll('main *, footer *')]
    .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
    .filter(e => !e.closest('table, pre, .headerlink, .bd-sidebar-secondary'))
    .map(e => e.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site in a folder below another, as it is published at a sub-path; examples write elsewhere."""
    folder, root = (tmp_path_factory.mktemp(name) for name in ("published", "root"))
    for part in ("config", "papers"):
        shutil.copytree(ROOT / part, root / part)
    options = ["--sources", folder.with_name("sources")]
    command = [sys.executable, ROOT / "docs/site/make.py", folder / "project", *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PROJFREE_ROOT": str(root)}
    built = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "project"


@pytest.fixture(scope="module")
def server(site):
    """The address of the folder above the site."""
    handler = partial(Quiet, directory=site.parent)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{found.server_port}/"
        found.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Answers without a log."""

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    found = browser.start(tmp_path_factory.mktemp("downloads"))
    yield found
    found.quit()


def test_the_site_has_what_it_promises(site):
    assert [name for name in KINDS if not (site / name).is_file()] == []
    assert not (site / ".doctrees").exists()
    front = (site / "index.html").read_text()
    assert front.count("<img src=") >= 3
    assert "MPSCGS outperform SPFW and SVRE" in front and "hold only as published" in front
    published = ROOT / "reports/reference/ncgs/claims.json"
    assert (site / "reports/ncgs/claims.json").read_bytes() == published.read_bytes()


def test_every_example_ran_and_drew(site):
    """One that raises or warns ends the build, as does any other warning."""
    drawn = {path.name for path in (site / "_images").glob("sphx_glr_*_001.png")}
    assert drawn == {f"sphx_glr_{path.stem}_001.png" for path in (ROOT / "examples").glob("*.py")}


def test_every_public_name_has_a_page_of_the_reference(site):
    """Made of docstrings; one that numpydoc or Sphinx warns of ends the build."""
    packages = {"sets": called, "penalties": called, "estimators": called, "problems": str, "solvers": str}
    parts = {
        f"{package}.{name(module)}"
        for package, name in packages.items()
        for module in names(f"projfree.{package}")
    }
    pages = (site / "reference/made").glob("*.html")
    assert {path.stem.removeprefix("projfree.") for path in pages} == set(pf.__all__) | parts


#: What a reader asks → the page that answers, and the sentence.
QUESTIONS = {
    "Does NCGS beat Frank-Wolfe?": ("reports/ncgs/index.html", "a lower objective than FW at all ten points"),
    "Are competitors tuned?": ("index.html", r"as published, \d+ hold, .*; in the fair comparison, \d+ hold"),
    "Which method for a nuclear-norm ball?": ("frank-wolfe.html", "-norm ball, the default is adaptive-fw"),
    "How do I rerun figure 3?": ("faq.html", "projfree reproduce ncgs/fig3-left reruns a figure"),
    "How long does the full run take?": ("faq.html", r"about \d+ CPU hours on the machine that"),
    "What does STAND-IN mean?": ("faq.html", "synthetic data of the same shape replaces it"),
    "What does “holds in part” mean?": ("judging.html", "if some support it and others contradict it"),
    "How do I minimise a function of my own?": ("library.html", "A plain function gives its value and its"),
    "How do I compare my method with a paper's?": ("library.html", r"\$ projfree try my_away.py --on ncgs"),
    "Which of it is generated?": ("faq.html", "says so of each message and claim"),
    "How long on my laptop?": ("faq.html", r"make quick two to four minutes"),
    "How do I cite it?": ("faq.html", r"Cite projfree by its CITATION.cff"),
    "I wrote the paper and disagree: what can I do?": ("judging.html", "you can answer a verdict"),
}


def within(site, clicks):
    """Pages of the site that so many clicks lead to from its first page."""
    found = edge = {site / "index.html"}
    for _ in range(clicks):
        places = [
            (page.parent / unquote(urlsplit(link).path)).resolve()
            for page in edge
            for link in links.read(page).links
            if urlsplit(link).path and not urlsplit(link).scheme
        ]
        edge = {place for place in places if place.suffix == ".html" and place.is_file()} - found
        found = found | edge
    return found


def words(page):
    """What a reader sees of a page, in one line."""
    text = re.sub(r"<(script|style)\b.*?</\1>", "", page.read_text(), flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


def test_ten_questions_of_readers_are_answered_within_two_clicks(site):
    reached = within(site.resolve(), 2)
    assert len(QUESTIONS) == 13
    assert [page for page, _ in QUESTIONS.values() if (site / page).resolve() not in reached] == []
    assert [a for a, (page, told) in QUESTIONS.items() if not re.search(told, words(site / page))] == []


def complaints(driver):
    """Lines of the console; the theme's own, of which colours it took, are none."""
    return [line for line in driver.get_log("browser") if line["level"] != "INFO"]


@pytest.mark.parametrize("name", KINDS)
def test_a_page_from_a_folder_says_nothing(driver, site, name):
    """What cannot be loaded, from the web or the folder, is told in the console."""
    driver.get("about:blank")
    driver.get_log("browser")
    driver.get((site / name).as_uri())
    assert complaints(driver) == []


@pytest.mark.parametrize("name", KINDS)
def test_a_page_asks_its_own_host_only(driver, server, name):
    driver.get(page := f"{server}project/{name}")
    script = "return [location.href, performance.getEntriesByType('resource').map(e => e.name)]"
    address, asked = driver.execute_script(script)
    assert address == page, "the browser is elsewhere yet"
    assert asked and [one for one in asked if not one.startswith((server + "project/", "data:"))] == []


@pytest.mark.parametrize("name", KINDS)
def test_a_phone_needs_no_sideways_scrolling(driver, site, name):
    browser.sized(driver, 360)
    driver.get((site / name).as_uri())
    assert driver.execute_script(WIDE) == []


@pytest.mark.parametrize("scheme, width", [("light", 1200), ("dark", 1200), ("dark", 360)])
def test_axe_finds_nothing_worse_than_minor(driver, site, scheme, width):
    browser.sized(driver, width)
    browser.media(driver, scheme=scheme)
    for name in KINDS:
        driver.get((site / name).as_uri())
        assert browser.violations(driver) == [], name


def found(driver, address, word):
    """Titles of what the search of a site answers, and whether it shows excerpts."""
    browser.sized(driver, 1200)
    driver.get(f"{address}search.html?q={word}")
    driver.execute_async_script(
        """const done = arguments[0], told = () => document.querySelector('.search-summary')?.textContent;
        const look = () => /found|not match/.test(told()) ? done() : setTimeout(look, 20);
        look();"""
    )
    return [one.text for one in driver.find_elements("css selector", "#search-results ul.search li > a")]


def test_search_answers_from_a_folder_and_at_a_sub_path(driver, site, server):
    for address in (site.as_uri() + "/", server + "project/"):
        driver.get_log("browser")
        assert "The pages of a run" in found(driver, address, "explorer")
        for word, title in (("cite", "Questions"), ("laptop", "Questions"), ("nuclear+LMO", "Questions")):
            assert title in found(driver, address, word), word
        assert complaints(driver) == []
