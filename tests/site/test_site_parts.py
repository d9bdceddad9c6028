"""What the site is made from: links that are followed, links that move, keys from schemas."""

import doctest
import json

import keys
import links
import make
import pytest
from places import ROOT

from projfree.sets import nuclear_ball
from referee.common.ours import NotOurs


@pytest.mark.parametrize(
    ("link", "leads"),
    [
        ("b.html", True),
        ("b.html#here", True),
        ("b.html#there", False),
        ("#top", True),
        ("#nowhere", False),
        ("c.html", False),
        ("sub", True),
        ("sub/", True),
        ("../a.html", False),
        ("b.html?q=1#here", True),
        ("https://example.org/x", True),
        ("mailto:x@example.org", True),
    ],
)
def test_a_link_leads_to_a_file_and_a_place_in_it_within_the_folder(tmp_path, link, leads):
    (tmp_path / "a.html").write_text("up")
    folder = tmp_path / "site"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub/index.html").write_text("")
    (folder / "b.html").write_text('<p id="here">')
    (folder / "a.html").write_text(f'<a href="{link}">words</a>')
    assert links.broken(folder) == ([] if leads else [f"a.html -> {link}"])


def test_links_of_documents_become_links_of_pages():
    def moved(link, document="papers/ncgs/notes.md", page="notes/ncgs.md"):
        return make.relinked(f"[words]({link})", document, page)

    assert moved("../../docs/judging.md#rules") == "[words](../judging.md#rules)"
    assert moved("../../CHANGELOG.md") == "[words](../changelog.md)"
    assert moved("../../docs/site/cli.md") == "[words](../cli.md)"
    assert moved("https://example.org") == "[words](https://example.org)"
    report = moved("../../reports/reference/ncgs/README.md#figure-fig1-left")
    assert report == '<a href="../reports/ncgs/index.html#figure-fig1-left">words</a>'
    with pytest.raises(ValueError, match="which is no page of the site"):
        moved("../../Makefile")


def test_links_in_code_are_left_as_they_are():
    code = "```\n[words](no/such/file)\n```"
    assert make.relinked(code, "docs/faq.md", "faq.md") == code


def test_marks_take_what_the_readme_has_between_them():
    readme = "<!-- claim:x/X-C1 -->\n[one](docs/faq.md)\n<!-- /claim -->\n<!-- papers -->two<!-- /papers -->"
    text = make.filled("<!-- claim:x/X-C1 -->|<!-- papers -->", readme, "sub/page.md")
    assert text == "\n[one](../faq.md)\n|two"


def test_every_key_and_every_description_of_the_schemas_is_on_the_page():
    page = keys.page(ROOT / "workflow/schemas")

    def told(schema):
        for key, entry in schema.get("properties", {}).items():
            yield f"| `{key}` |"
            yield keys.cell(entry)

    for name in keys.TITLES:
        schema = json.loads((ROOT / f"workflow/schemas/{name}.schema.json").read_text())
        wanted = [word for one in (schema, *schema.get("$defs", {}).values()) for word in told(one)]
        assert wanted or name == "datasets"
        assert [word for word in wanted if word not in page] == []


def test_types_are_told_in_words():
    entry = {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/Panel"}}, {"$ref": "#/$defs/given"}]}
    assert keys.kind("paper", entry) == "list of [Panel](#paper-panel)"
    assert keys.kind("paper", {"enum": ["a", "b"]}) == "`a`, `b`"


def test_a_folder_of_others_is_not_made_the_site(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    for arguments in ([tmp_path], [tmp_path / "new", "--sources", tmp_path]):
        with pytest.raises(NotOurs, match="thesis.txt, which projfree did not make"):
            make.main([*map(str, arguments)])
        assert (tmp_path / "thesis.txt").read_text() == "mine"


def test_the_example_of_the_nuclear_lmo_is_what_comes_back():
    """Its page shows it; the result is compared with what is printed there."""
    assert doctest.testmod(nuclear_ball)[:] == (0, 6)
