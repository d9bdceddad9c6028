"""README.md of a report: what a code host shows of it."""

import copy
import re

import made_paper
import pytest
import yaml
from places import ROOT

from referee.common.ours import NotOurs
from referee.report.values import markdown

HOSTILE = "<script>alert(1)</script> | *a* _b_ `c` [d](e) $f$ \\ ~~g~~\nh &lt;"


@pytest.fixture
def front(made):
    return (made.report / "README.md").read_text()


def row(text, claim):
    """The cells of a claim's row."""
    (line,) = re.findall(rf'^\| <a id="{claim.lower()}"></a>{re.escape(claim)} .*$', text, re.M)
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


FOUND = {
    "NCGS-C1": "(✓) holds only as published; fair comparison: holds in part",
    "NCGS-C2": "✗ fails; fair comparison: fails",
}


def test_every_claim_has_a_row_with_its_headline(front):
    quotes = {entry["id"]: entry["quote"] for entry in made_paper.claims()}
    for name, headline in FOUND.items():
        _, words, _, _, found, _ = row(front, name)
        assert words.startswith(f"“{markdown(quotes[name])[:40]}") and found == headline


def test_figures_are_shown_with_captions_and_links_lead_somewhere(made, front):
    for stem, figure in made.spec["figures"].items():
        assert f'<a id="figure-{stem}"></a>' in front and f"]({f'figures/{stem}.svg'})" in front
        assert f"### {markdown(figure['title'])}\n" in front
    assert "drawn on STAND-IN data](figures/fig3-left.svg)" in front
    for link in re.findall(r"\]\(([^)]+)\)", front):
        if link.startswith("#"):
            assert f'<a id="{link[1:]}"></a>' in front, link
        elif not link.startswith("../../../"):  # documents of the project
            assert (made.report / link).is_file(), link


def test_it_says_when_by_what_and_on_which_machine(rewrite, made, tmp_path):
    machine = {"cpu": "A CPU", "cores": 2, "system": "Linux", "python": "3.11"}
    origin = {"date": "2026-01-02", "environment": machine, "judged_by": "f" * 40}
    rewrite(provenance=made.provenance | origin)
    text = (tmp_path / "report/README.md").read_text()
    for words in (f"| commit | {made.provenance['commit']}, of 2026-01-02 |", "A CPU, 2 cores", "f" * 40):
        assert words in text, words
    assert "projfree reproduce NCGS-C1 --run full" in text and "finds nothing" not in text
    rewrite(provenance=made.provenance | {"run": "quick"})
    assert "This quick run finds nothing" in (tmp_path / "report/README.md").read_text()


def test_any_text_is_shown_as_it_is(rewrite, made, tmp_path):
    spec = copy.deepcopy(made.spec) | {"title": HOSTILE, "summary": HOSTILE}
    spec["figures"]["fig1-left"] |= {"title": HOSTILE, "caption": HOSTILE}
    rewrite([made_paper.claim("NCGS-C1", "fails", quote=HOSTILE)], spec)
    text = (tmp_path / "report/README.md").read_text()
    shown = r"\<script\>alert(1)\</script\> \| \*a\* \_b\_ \`c\` \[d\](e) \$f\$ \\ \~\~g\~\~ h \&lt;"
    assert text.count(shown) == 7  # title, summary, quote; figure: title, twice, alternative text, caption
    assert len(row(text, "NCGS-C1")) == 6


def test_what_authors_answer_stands_next_to_the_verdict_which_stays(rewrite, tmp_path):
    guide = (ROOT / "docs/judging.md").read_text()
    (block,) = re.findall(r"^```yaml\n(disputed:.*?)^```", guide, re.M | re.S)
    (said,) = yaml.safe_load(block)["disputed"].values()
    said["text"], entries = "η was <10>.", {entry["id"]: entry for entry in made_paper.claims()}
    for name in ("NCGS-C1.a", "NCGS-T1"):
        entries[name]["disputed"] = said
    pages = rewrite([*entries.values()])
    for name in ("NCGS-C1.a", "NCGS-T1"):
        text = pages[f"claim-{name}.html"]
        assert '<span class="badge plain">disputed</span>' in text and "as published" in text
        assert "η was &lt;10&gt;." in text
        assert f'{said["by"]}, {said["date"]}. <a href="{said["link"]}">' in text
    assert "isputed" not in pages["claim-NCGS-C1.html"] + pages["claim-NCGS-C2.html"]
    text = (tmp_path / "report/README.md").read_text()
    answered = f"by [{said['by']}]({said['link']}), {said['date']}"
    assert row(text, "NCGS-C1")[4] == f"{FOUND['NCGS-C1']}; **disputed** (below FW) {answered}"
    assert row(text, "NCGS-T1")[4] == f"✓ holds; **disputed** {answered}"
    assert row(text, "NCGS-C2")[4] == FOUND["NCGS-C2"]


def test_a_readme_of_others_is_not_replaced(rewrite, tmp_path):
    readme = tmp_path / "report/README.md"
    readme.parent.mkdir()
    readme.write_text("# Mine")
    with pytest.raises(NotOurs, match=r"README\.md, which projfree did not make"):
        rewrite()
    assert readme.read_text() == "# Mine" and [*readme.parent.iterdir()] == [readme]
