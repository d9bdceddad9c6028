"""The page over all papers."""

import json
import re
import shutil

import pytest

from referee.evidence.words import HEADLINES
from referee.report.index import write_index
from referee.report.page import EMBEDDED


@pytest.mark.parametrize("papers", [["ncgs"], ["ncgs", "nfwu", "gcg", "ipg", "mpcgs"]])
def test_one_to_five_papers(made, tmp_path, papers):
    for name in papers:
        shutil.copytree(made.report, tmp_path / name)
    write_index(tmp_path, tmp_path / "index.html")
    text = (tmp_path / "index.html").read_text()
    assert text.count("<article") == len(papers)
    assert text.count('src="data:image/png;base64,') == 2 * len(papers)
    assert "1 of 2 figures on STAND-IN data" in text
    for address in re.findall(r'href="(?!data:)([^"#]+)', text):
        assert (tmp_path / address).is_file(), address


def test_a_run_that_draws_svg_only_shows_those(made, tmp_path):
    shutil.copytree(made.report, tmp_path / "ncgs")
    for path in (tmp_path / "ncgs" / "figures").glob("*.png"):
        path.unlink()
    write_index(tmp_path, tmp_path / "index.html")
    shown = re.findall(r'src="([^"]+)"', (tmp_path / "index.html").read_text())
    assert shown == [f"ncgs/figures/{stem}.svg" for stem in made.spec["figures"]]


def test_papers_in_the_order_given(made, tmp_path):
    for name in ("a", "b"):
        shutil.copytree(made.report, tmp_path / name)
    write_index(tmp_path, tmp_path / "index.html", papers=["b", "a"])
    text = (tmp_path / "index.html").read_text()
    assert text.index('href="b/index.html"') < text.index('href="a/index.html"')


def test_counts_are_those_of_the_page(made, tmp_path):
    shutil.copytree(made.report, tmp_path / "ncgs")
    write_index(tmp_path, tmp_path / "index.html")
    text = re.sub(r"<[^>]+>", "", (tmp_path / "index.html").read_text())
    told = json.loads(EMBEDDED.search((tmp_path / "ncgs/index.html").read_text())[1])["counts"]
    found = {w: n for w, n in told["claims"]["headline"].items() if n}
    assert found and all(f"{HEADLINES[w].mark}{n} " in text for w, n in found.items())


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
