"""The table of what pages weigh: true of pages made by hand, and as committed within what is promised."""

import browser
import pytest
import weighed
from places import ROOT

from projfree.report.page import QUESTIONS

PROMISED = {"kB": 1000, "words": 3000, "axe": 0, "ms": 1000}
PAGE = """<!doctype html><html lang="en"><title>two words</title><style>p {{ margin: 0 }}</style>
<main><h1>And three more</h1>{}</main><script src="big.js"></script></html>"""


def rows(text):
    """Kind → the numbers of its row."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return {kind: [float(cell.replace(",", "")) for cell in cells] for kind, *cells in lines[1:]}


@pytest.fixture
def driver(tmp_path):
    found = browser.start(tmp_path)
    yield found
    found.quit()


def test_pages_made_by_hand_are_weighed(driver, tmp_path):
    pages = tmp_path / "ncgs/pages"
    pages.mkdir(parents=True)
    (pages / "claim-A.html").write_text(PAGE.format("<p>six</p>" + " " * 9000))
    (pages / "claim-B.html").write_text(PAGE.format("<p>six seven</p>"))
    (pages / "big.js").write_text("/*" + "x" * 20_000 + "*/")
    (tmp_path / "index.html").write_text(PAGE.format("<img src='none.png' onerror='this.remove()'><input>"))
    (tmp_path / "big.js").write_text("")
    found = rows(weighed.table(tmp_path, driver))
    assert found["claim"][:5] == [2, 9, 29, 7, 0]
    assert found["index"][:5] == [1, 0, 0, 5, 1]
    assert 0 < found["claim"][5] < 60_000


def test_the_committed_table_has_every_kind_of_page_within_what_is_promised():
    text = (ROOT / "docs/report.md").read_text()
    found = rows(text.partition("<!-- weights -->")[2].partition("<!-- /weights -->")[0])
    assert {"index", "learned", "ledger", "paper", "claim", "figure", *QUESTIONS} - {"inverse"} == set(found)
    for kind, (pages, page, _, words, axe, time) in found.items():
        told = dict(zip(PROMISED, (page, words, axe, time), strict=True))
        assert pages and all(told[key] <= limit for key, limit in PROMISED.items()), (kind, told)
