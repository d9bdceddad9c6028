"""The page over all papers."""

import json
import re
import shutil

import pytest

from referee.evidence.words import HEADLINES
from referee.report.index import write_index
from referee.report.page import EMBEDDED


@pytest.fixture
def overview(made, tmp_path):
    """A function: names of papers → the overview of as many copies of the made-up one."""

    def write(*names, without="none", **options):
        for name in names:
            shutil.copytree(made.report, tmp_path / name, ignore=shutil.ignore_patterns(without))
        write_index(tmp_path, tmp_path / "index.html", **options)
        return (tmp_path / "index.html").read_text()

    return write


@pytest.mark.parametrize("papers", [["ncgs"], ["ncgs", "nfwu", "gcg", "ipg", "mpcgs"]])
def test_one_to_five_papers_with_the_counts_of_their_pages(overview, tmp_path, papers):
    text = overview(*papers)
    assert text.count("<article") == len(papers)
    assert text.count('src="data:image/png;base64,') == 2 * len(papers)
    assert "1 of 2 figures on STAND-IN data" in text
    for address in re.findall(r'href="(?!data:)([^"#]+)', text):
        assert (tmp_path / address).is_file(), address
    told = json.loads(EMBEDDED.search((tmp_path / "ncgs/index.html").read_text())[1])["counts"]
    counts = [f"{HEADLINES[word].mark}{n} " for word, n in told["claims"]["headline"].items() if n]
    assert counts and [one for one in counts if one not in re.sub(r"<[^>]+>", "", text)] == []


def test_a_run_that_draws_svg_only_shows_those(overview, made):
    shown = re.findall(r'src="([^"]+)"', overview("ncgs", without="*.png"))
    assert shown == [f"ncgs/figures/{stem}.svg" for stem in made.spec["figures"]]


def test_papers_in_the_order_given(overview):
    text = overview("a", "b", papers=["b", "a"])
    assert text.index('href="b/index.html"') < text.index('href="a/index.html"')


def test_no_paper_and_no_page(tmp_path):
    with pytest.raises(ValueError, match="no paper has a page"):
        write_index(tmp_path, tmp_path / "index.html")
    (tmp_path / "ncgs").mkdir()
    (tmp_path / "ncgs" / "index.html").write_text("<html></html>")
    with pytest.raises(ValueError, match="no embedded context"):
        write_index(tmp_path, tmp_path / "index.html")


@pytest.mark.parametrize("run", ["quick", "taste", "quick@U1-max-lo-20"])
def test_a_small_run_says_on_top_that_it_finds_nothing_and_prints_no_findings(made, rewrite, run):
    said = "finds nothing about the papers"
    paper = rewrite(provenance=made.provenance | {"run": run})["index.html"]
    assert paper.index(said) < paper.index("<h1>") and "What we found" not in paper
    assert said not in rewrite()["index.html"] and "What we found" in rewrite()["index.html"]


def test_the_overview_of_a_small_run_has_no_findings(made, tmp_path):
    shutil.copytree(made.report.parent, tmp_path / "reports")
    folder, page = tmp_path / "reports", tmp_path / "reports/ncgs/index.html"
    assert "What we found" in (folder / "index.html").read_text()
    page.write_text(page.read_text().replace('"run":"full"', '"run":"quick"'))
    write_index(folder, folder / "index.html", ["ncgs"])
    overview = (folder / "index.html").read_text()
    assert overview.index("finds nothing about the papers") < overview.index("<main")
    assert "What we found" not in overview
