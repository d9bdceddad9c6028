"""The glossary: few terms, each linked once a page, never inside of what can be pressed."""

import re

from referee.report.html import TERMS, anchor, linked


def test_the_first_use_of_a_term_is_linked_and_no_other():
    text = linked("<p>a claim</p><main><p>Claims and a claim of a panel</p></main>", "../glossary.html")
    assert text == (
        '<p>a claim</p><main><p><a class="term" href="../glossary.html#claim">Claims</a> and a claim '
        'of a <a class="term" href="../glossary.html#panel">panel</a></p></main>'
    )
    text = linked("<main>It holds in part, in a fair comparison.</main>", "g.html")
    assert re.findall(r"#([\w-]+)", text) == ["holds-in-part", "fair-comparison"], "no shorter ones"


def test_nothing_is_linked_inside_of_links_headings_and_scripts_or_attributes():
    for whole in (
        '<main><a href="x">a claim</a></main>',
        "<main><h2>claims</h2></main>",
        '<main><script type="application/json">{"a":"claim"}</script></main>',
        '<main><img alt="a claim"></main>',
        "<main>disclaimers and claim-based</main>",
    ):
        assert linked(whole, "g.html") == whole


def test_pages_of_all_kinds_link_to_it(made):
    root = made.report.parent
    glossary = (root / "glossary.html").read_text()
    assert all(f'id="{anchor(term)}"' in glossary for term in TERMS)
    pages = {"index.html": "glossary.html", "ncgs/index.html": "../glossary.html"}
    pages["ncgs/pages/claim-NCGS-C1.a.html"] = "../../glossary.html"
    for name, address in pages.items():
        text = (root / name).read_text()
        used = re.findall(rf'href="{re.escape(address)}#([\w-]+)"', text)
        assert used and len(used) == len(set(used)), name
